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
// A person is addressed with "Sie", and only if that cannot be avoided. Text for somebody half asleep is fact, danger, action, in
// at most fifteen words. No text gives dose advice: no "nehmen Sie".
//
// The key is the text of the source with %1, %2 for the inserted texts; the German may have them in another order, each once. A
// `~` after a blank makes the dative plural of the inserted text (`von %1~`: "von 3 Nächten"). A word after `|` separates
// meanings that share one English word.

/// The German table, made when the first phrase is needed.
package enum German {
    /// Returns the German of a phrase.
    package static func words(_ key: String) -> String? { table[key] }

    /// All phrases by their keys.
    package static let table: [String: String] = {
        var table: [String: String] = [:]
        for part in parts {
            for (key, words) in part { table[key] = words }
        }
        return table
    }()

    /// The tables of all files, by the names of the files.
    package static var parts: [KeyValuePairs<String, String>] {
        [
            tonight, labels, questions, words, reminders, notifications, errors, entries, nights, care, lab, exchange,
            imports,
            report,
            time, command, explanations, refusals, service, store,
        ]
    }
}
