// The words of German (a glossary; use them consistently):
//
//     dose 1, dose 2    Dosis 1, Dosis 2        store        Datenbank
//     window            Zeitfenster, Fenster    backup       Sicherung
//     snooze            Schlummern              restore      wiederherstellen
//     check-in          Morgen-Check-in         reminder     Erinnerung
//     pre-sleep log     Abendprotokoll          alarm        Wecker
//     skip              auslassen, ausgelassen  medicine     Medikament
//     undo              zurücknehmen            regimen      Verordnung
//     record            Aufzeichnung            inventory    Vorrat
//     log (of events)   Protokoll               bottle       Flasche
//     nap               Nickerchen              cup          Becher
//     final wake        das endgültige Aufwachen, as a label: endgültig wach
//     report            Bericht                 question     Frage
//     packet (clinic)   Arztmappe               service      Dienst
//     packet (medicine) Beutel                  key          Schlüssel
//     lab               Labor                   label        Packungsbeilage; as a source: US-Fachinformation
//     save              speichern, not sichern  order        Sortierung (of a list)
//
// A person is addressed with "Sie", and only where it cannot be avoided. What is said to somebody half asleep is fact,
// danger, action, in at most fifteen words. Nothing gives dose advice: no "nehmen Sie".
//
// A file for each folder of English. The key is the text of the source with %1, %2 for what is put in; the German may
// have them in another order, each once. A `~` after a blank makes the dative plural of what is put in (`von %1~`:
// "von 3 Nächten"). After a `|` stands what tells apart what is one word in English.

/// German, made when the first phrase is asked for.
package enum German {
    /// The German of a phrase.
    package static func words(_ key: String) -> String? { table[key] }

    /// All of it, by the key of the phrase.
    package static let table: [String: String] = {
        var table: [String: String] = [:]
        for part in parts {
            for (key, words) in part { table[key] = words }
        }
        return table
    }()

    /// The files, by their names.
    package static var parts: [KeyValuePairs<String, String>] {
        [
            tonight, labels, questions, words, reminders, notifications, errors, entries, nights, care, lab, exchange,
            imports,
            report,
            time, command, explanations, refusals, service,
        ]
    }
}
