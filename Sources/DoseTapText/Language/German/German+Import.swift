extension German {
    /// Text about foreign files and streams: the reasons why a file is not read or a row is not taken.
    package static var imports: KeyValuePairs<String, String> {
        [
            "other descriptors could not be closed": "Andere Deskriptoren ließen sich nicht schließen",
            "limits of memory and time could not be set": "Grenzen für Speicher und Zeit ließen sich nicht setzen",
            "it cannot give up privileges (no_new_privs)": "Das Programm kann keine Rechte abgeben (no_new_privs)",
            "the kernel has no Landlock": "Der Kernel hat kein Landlock",
            "the kernel filters no system calls (seccomp)": "Der Kernel filtert keine Systemaufrufe (seccomp)",
            "Confinement: %1. The other parts hold.": "Abschottung unvollständig: %1. Die übrigen Teile greifen.",
            "%1 has no place for counts and medians; fhir and report have.":
                "%1 hat keinen Platz für Anzahlen und Mediane; fhir und report haben ihn.",
            "--ndjson is a form of fhir.": "--ndjson ist eine Form von fhir.",
            "The kernel gives no random bytes: %1.": "Der Kernel gibt keine Zufallsbytes: %1.",
            "It asks nothing.": "Darin steht keine Frage.",
            "The request of the lab cannot be read: %1.": "Die Anfrage des Labors ist nicht lesbar: %1.",
            "The stream cannot be read: %1.": "Der Datenstrom ist nicht lesbar: %1.",
            "The stream ends inside it.": "Der Datenstrom endet mitten darin.",
            "It has more than %1 bytes.": "Sie hat mehr als %1 Bytes.",
            "It has neither nights nor regimens: the stream of the nights is needed.":
                "Darin stehen weder Nächte noch Verordnungen: Nötig ist der Datenstrom der Nächte.",
            "%1 at byte %2.": "%1 bei Byte %2.",
            "It is no object.": "Das ist kein Objekt.",
            "the history is no list.": "Der Verlauf ist keine Liste.",
            "a regimen is no object.": "Eine Verordnung ist kein Objekt.",
            "The night of %1 begins before the night that came before it.":
                "Die Nacht vom %1 beginnt vor der Nacht, die im Datenstrom davor steht.",
            "The output cannot be written: %1.": "Die Ausgabe ließ sich nicht schreiben: %1.",
            "The files cannot be read: %1.": "Die Dateien sind nicht lesbar: %1.",
            "The files have more than %1 MiB: choose fewer nights.":
                "Die Dateien haben mehr als %1 MiB: weniger Nächte wählen.",
            "The stream of files is cut or wrong after %1 of them.":
                "Der Datenstrom der Dateien ist nach Datei %1 abgeschnitten oder falsch.",
            "A summary has %1 nights at most: choose fewer.":
                "Eine Zusammenfassung hat höchstens %1 Nächte: weniger wählen.",
            "A report has %1 nights at most, from the first to the last: choose fewer, with --from and --to.":
                "Ein Bericht hat höchstens %1 Nächte, von der ersten bis zur letzten: weniger wählen, mit --from und --to.",
            "The bundle has more than %1 MiB: choose fewer nights, with --from and --to.":
                "Das Bündel hat mehr als %1 MiB: weniger Nächte wählen, mit --from und --to.",
            "The row has more than %1 fields.": "Die Zeile hat mehr als %1 Felder.",
            "The file ends inside a quoted field.": "Die Datei endet mitten in einem Feld in Anführungszeichen.",
            "A line ends in CR alone.": "Eine Zeile endet mit CR allein.",
            "It has a byte NUL: this is no CSV.": "Darin steht ein NUL-Byte: Das ist kein CSV.",
            "The field has more than %1 KiB.": "Das Feld hat mehr als %1 KiB.",
            "The row has more than %1 MiB.": "Die Zeile hat mehr als %1 MiB.",
            "Something follows a quoted field before the next comma.":
                "Auf ein Feld in Anführungszeichen folgt etwas vor dem nächsten Komma.",
            "It is no UTF-8.": "Das ist kein UTF-8.",
            "The file is empty.": "Die Datei ist leer.",
            "Standard input has to be a file.": "Die Standardeingabe muss eine Datei sein.",
            "There is no log.": "Es gibt kein Write-Ahead-Log.",
            "The file became shorter while it was read.": "Die Datei wurde kürzer, während sie gelesen wurde.",
            "The file cannot be read: %1.": "Die Datei ist nicht lesbar: %1.",
            "It is cut.": "Die Datei ist abgeschnitten.",
            "It is no UTF-8; it may be UTF-16: save it as UTF-8.":
                "Das ist kein UTF-8, vielleicht UTF-16: als UTF-8 speichern.",
            "It is no JSON array and no object.": "Das ist weder ein JSON-Array noch ein Objekt.",
            "Something follows the JSON value.": "Auf den JSON-Wert folgt noch etwas.",
            "A comma or ']' is missing.": "Ein Komma oder „]“ fehlt.",
            "A comma or '}' is missing.": "Ein Komma oder „}“ fehlt.",
            "A key is missing.": "Ein Schlüssel fehlt.",
            "A colon is missing.": "Ein Doppelpunkt fehlt.",
            "A JSON value has more than %1 MiB.": "Ein JSON-Wert hat mehr als %1 MiB.",
            "The JSON text is nested deeper than %1 levels.": "Der JSON-Text ist tiefer als %1 Ebenen verschachtelt.",
            "The JSON text has more than %1 bytes": "Der JSON-Text hat mehr als %1 Bytes",
            "The JSON text is nested deeper than %1 levels": "Der JSON-Text ist tiefer als %1 Ebenen verschachtelt",
            "The JSON text ends too early": "Der JSON-Text endet zu früh",
            "The JSON text has an unexpected \"%1\"": "Im JSON-Text steht unerwartet „%1“",
            "The JSON text has an unexpected byte %1": "Im JSON-Text steht ein unerwartetes Byte %1",
            "Something follows the JSON value": "Auf den JSON-Wert folgt noch etwas",
            "A JSON string has an unescaped control character":
                "Eine JSON-Zeichenkette hat ein unmaskiertes Steuerzeichen",
            "A JSON string has an unknown escape":
                "Eine JSON-Zeichenkette hat eine unbekannte Escape-Folge",
            "A JSON string has half of a surrogate pair":
                "Eine JSON-Zeichenkette hat ein halbes Surrogatpaar",
            "The JSON text is not valid UTF-8": "Der JSON-Text ist kein gültiges UTF-8",
            "The JSON text has a malformed number": "Im JSON-Text steht eine Zahl in falscher Form",
            "The JSON text has a number that is too large": "Im JSON-Text steht eine zu große Zahl",
            "A JSON object has the key %1 twice": "Ein JSON-Objekt hat den Schlüssel %1 zweimal",
            "No write-ahead log (a file beside it that ends in -wal) was read. If the app was open when its database was copied, copy that file, too.":
                "Kein Write-Ahead-Log (eine Datei daneben, die auf -wal endet) wurde gelesen. War die App offen, als ihre Datenbank kopiert wurde, auch diese Datei kopieren.",
            "The database cannot be opened: %1.": "Die Datenbank lässt sich nicht öffnen: %1.",
            "its safety settings": "Sicherheitseinstellungen",
            "its tables": "Tabellen",
            "its rows": "Zeilen",
            "The database is damaged: %1.": "Die Datenbank ist beschädigt: %1.",
            "The database is cut.": "Die Datenbank ist abgeschnitten.",
            "The database has no head.": "Die Datenbank hat keinen Kopf.",
            "The database is cut: it ends within what its head says it has.":
                "Die Datenbank ist abgeschnitten: Sie endet früher, als ihr Kopf sagt.",
            "%1 in the database is no ordinary table.": "%1 in der Datenbank ist keine gewöhnliche Tabelle.",
            "%1 in the database calculates its column %2.": "%1 in der Datenbank berechnet die Spalte %2.",
            "The database takes more than %1 seconds to read.": "Das Lesen der Datenbank dauert mehr als %1 Sekunden.",
            "The database cannot be read, %1: %2.": "Die Datenbank ist nicht lesbar (%1): %2.",
            "The archive has %1 members; %2 are the most.": "Das Archiv hat %1 Dateien; höchstens %2 sind möglich.",
            "The archive is cut, or its list of members is wrong.":
                "Das Archiv ist abgeschnitten, oder sein Verzeichnis ist falsch.",
            "The archive's list of members is wrong at member %1.":
                "Das Verzeichnis des Archivs ist bei Datei %1 falsch.",
            "'%1' in the archive has %2 MiB; unpack it and name the file itself.":
                "„%1“ im Archiv hat %2 MiB; entpacken und die Datei selbst angeben.",
            "'%1' in the archive is encrypted.": "„%1“ im Archiv ist verschlüsselt.",
            "'%1' in the archive is packed by method %2; 0 and 8 are known.":
                "„%1“ im Archiv ist mit Methode %2 gepackt; bekannt sind 0 und 8.",
            "'%1' is not where the archive says.": "„%1“ ist nicht da, wo das Archiv sagt.",
            "'%1' in the archive is cut.": "„%1“ im Archiv ist abgeschnitten.",
            "The archive is cut: its list of members is missing.":
                "Das Archiv ist abgeschnitten: Sein Verzeichnis fehlt.",
            "The archive is one of several parts.": "Das Archiv ist einer von mehreren Teilen.",
            "The archive's list of members is wrong.": "Das Verzeichnis des Archivs ist falsch.",
            "'%1' is larger than the archive says.": "„%1“ ist größer, als das Archiv sagt.",
            "'%1' unpacks to more than %2 times what it is packed in: it is not unpacked.":
                "„%1“ wäre entpackt mehr als %2-mal so groß und wird nicht entpackt.",
            "'%1' in the archive is damaged: its checksum is another.":
                "„%1“ im Archiv ist beschädigt: Die Prüfsumme ist eine andere.",
            "There is no memory to unpack with.": "Zum Entpacken fehlt Speicher.",
            "The archive is damaged at byte %1 of a member.": "Das Archiv ist bei Byte %1 einer Datei beschädigt.",
            "A member of the archive is cut.": "Eine Datei im Archiv ist abgeschnitten.",
            "The file has more than %1 entries.": "Die Datei hat mehr als %1 Einträge.",
            "it has %1 stages; %2 are the most": "%1 Phasen; höchstens %2 sind möglich",
            "its stages together are longer than it": "die Phasen sind zusammen länger als der Schlaf",
            "more than %1 parts have no place in the record; others are not named":
                "mehr als %1 Teile haben keinen Platz in der Aufzeichnung; weitere werden nicht genannt",
            "it has more than %1 characters; the entry is taken without it":
                "sie hat mehr als %1 Zeichen; der Eintrag wird ohne sie übernommen",
            "a rating of a sleep has no place in the record; others are not named":
                "eine Bewertung des Schlafs hat keinen Platz in der Aufzeichnung; weitere werden nicht genannt",
            "a mere number of awakenings has no place in the record; others are not named":
                "eine bloße Zahl von Wachphasen hat keinen Platz in der Aufzeichnung; weitere werden nicht genannt",
            "it does not end after its start": "das Ende liegt nicht nach dem Beginn",
            "it is longer than 24 hours": "länger als 24 Stunden",
            "its time, %1, is not within the years 2000 to 2099":
                "die Zeit, %1, liegt nicht in den Jahren 2000 bis 2099",
            "A log is read by the service itself.": "Ein Protokoll liest der Dienst selbst.",
            "The archive has no export.xml.": "Das Archiv hat keine export.xml.",
            "There is no memory to read XML with.": "Zum Lesen von XML fehlt Speicher.",
            "Its tags are nested too deep.": "Die Tags sind zu tief verschachtelt.",
            "It declares an entity, which no export of Apple Health does.":
                "Darin wird eine Entität deklariert, was in keinem Export von Apple Health vorkommt.",
            "It declares a default of an attribute, which no export of Apple Health does.":
                "Darin wird ein Vorgabewert eines Attributs deklariert, was in keinem Export von Apple Health vorkommt.",
            "The XML is cut or wrong: %1.": "Das XML ist abgeschnitten oder falsch: %1.",
            "A tag has more than %1 MiB.": "Ein Tag hat mehr als %1 MiB.",
            "It is no export of Apple Health.": "Das ist kein Export von Apple Health.",
            "To read the XML takes more than %1 MiB.": "Das Lesen des XML braucht mehr als %1 MiB.",
            "it has no startDate that is a time": "startDate fehlt oder ist keine Zeit",
            "it has no endDate that is a time": "endDate fehlt oder ist keine Zeit",
            "its times are not within the years 2000 to 2099": "die Zeiten liegen nicht in den Jahren 2000 bis 2099",
            "It has more than %1 records of sleep.": "Darin stehen mehr als %1 Schlafdatensätze.",
            "Its sleep is from more than %1 sources.": "Der Schlaf kommt aus mehr als %1 Quellen.",
            "More than 100,000 records of sleep cannot be taken.":
                "Die Datei hat mehr als 100.000 Schlafdatensätze, die nicht übernommen werden können.",
            "The file has the offset from UTC of the day of its export; --zone says that of each night.":
                "Die Datei hat den Abstand zu UTC vom Tag ihres Exports; --zone gibt den jeder Nacht an.",
            "it has %1 records; %2 are the most": "es sind %1 Datensätze; höchstens %2 sind möglich",
            "The times of Fitbit name no zone: say which one it was, with --zone.":
                "Die Zeiten von Fitbit nennen keine Zeitzone: mit --zone angeben, welche es war.",
            "It is no sleep of Fitbit: it has no list 'sleep'.":
                "Das ist kein Schlaf von Fitbit: Die Liste „sleep“ fehlt.",
            "it has no startTime or endTime that is a time": "startTime oder endTime fehlt oder ist keine Zeit",
            "they cannot be read or lie outside it": "unlesbar oder außerhalb des Schlafs",
            "The archive has no database of Gadgetbridge.": "Das Archiv hat keine Datenbank von Gadgetbridge.",
            "It is no database of Gadgetbridge.": "Das ist keine Datenbank von Gadgetbridge.",
            "What stands in %1 is not read.": "Was in %1 steht, wird nicht gelesen.",
            "The database has no sleep in the tables that are known: %1.":
                "Die Datenbank hat keinen Schlaf in den bekannten Tabellen: %1.",
            "%1 has more than 100,000 rows.": "%1 hat mehr als 100.000 Zeilen.",
            "its TIMESTAMP is no time": "TIMESTAMP ist keine Zeit",
            "it has no end after its start": "ohne Ende nach dem Beginn",
            "they have no time or no length": "ohne Zeit oder ohne Länge",
            "%1 in the database has no column DURATION.": "%1 in der Datenbank hat keine Spalte DURATION.",
            "%1 has more than 1,000,000 rows.": "%1 hat mehr als 1.000.000 Zeilen.",
            "%1 has the same start and ends no earlier": "%1 hat denselben Beginn und endet nicht früher",
            "it lies within %1": "liegt innerhalb von %1",
            "it has more than %1 stages": "mehr als %1 Phasen",
            "they lie in no sleep that is taken": "in keinem Schlaf, der übernommen wird",
            "The sleeps in %1 overlap too much to tell their stages apart.":
                "Die Schlafzeiten in %1 überlappen sich zu sehr, um ihre Phasen zu trennen.",
            "%1 in the database has no columns %2, %3 and %4.":
                "%1 in der Datenbank hat nicht alle Spalten %2, %3 und %4.",
            "%1 in the database has no column %2.": "%1 in der Datenbank hat keine Spalte %2.",
            "%1 has more than 10,000,000 rows.": "%1 hat mehr als 10.000.000 Zeilen.",
            "%1 has more than 1,000 devices.": "%1 hat mehr als 1.000 Geräte.",
            "%1 has more than 100,000 sleeps.": "%1 hat mehr als 100.000 Schlafzeiten.",
            "they have no time or no device": "ohne Zeit oder ohne Gerät",
            "they have less than %1 minutes": "kürzer als %1 Minuten",
            "The app keeps what nobody changed as answered: its defaults come in as answers.":
                "Die App speichert als beantwortet, was niemand änderte: Ihre Vorgaben werden als Antworten übernommen.",
            "it is no JSON object": "kein JSON-Objekt",
            "its completion_state %1 is unknown": "completion_state %1 ist unbekannt",
            "the app asks for ounces here and calls them mg": "die App fragt hier nach Unzen und nennt sie mg",
            "there is no such question here; it is named once":
                "diese Frage gibt es hier nicht; sie wird einmal genannt",
            "Where the app could not read a time it shows the present one; such rows are named and not taken.":
                "Wo die App eine Zeit nicht lesen konnte, zeigt sie die jetzige; solche Zeilen werden genannt und nicht übernommen.",
            "Tables beside the entries (current_session, sleep_sessions, checkin_submissions) are not read.":
                "Tabellen neben den Einträgen (current_session, sleep_sessions, checkin_submissions) werden nicht gelesen.",
            "It is a record of DoseTap for Linux, or a backup of one, not the database of the iOS app. dosetap db restore FILE puts it in the place of the record; dosetap import log FILE takes in the file that dosetap export log wrote of it.":
                "Das ist eine Aufzeichnung von DoseTap für Linux oder eine Sicherung davon, nicht die Datenbank der iOS-App. dosetap db restore FILE setzt sie an die Stelle der Aufzeichnung; dosetap import log FILE übernimmt die Datei, die dosetap export log aus ihr geschrieben hat.",
            "The database has none of the tables of the iOS app.": "Die Datenbank hat keine der Tabellen der iOS-App.",
            "its answers_json is no JSON object": "answers_json ist kein JSON-Objekt",
            "The archive has neither events.csv nor insights_bundle.json.":
                "Das Archiv hat weder events.csv noch insights_bundle.json.",
            "sessions.csv is not read: its times are those of the doses in events.csv, or of no dose at all.":
                "sessions.csv wird nicht gelesen: Die Zeiten darin sind die der Dosen in events.csv oder gehören zu keiner Dosis.",
            "inventory.csv is not read: the app leaves it empty.":
                "inventory.csv wird nicht gelesen: Die App lässt sie leer.",
            "The bundle has the version %1; 1 is known.": "Das Bündel hat die Version %1; bekannt ist 1.",
            "It is no bundle of the iOS app: it has no sessions.": "Das ist kein Bündel der iOS-App: sessions fehlt.",
            "its sessionDate is no date": "sessionDate ist kein Datum",
            "it says no type": "ohne Angabe der Art",
            "a snooze of the app's alarm is no part of the record":
                "ein Schlummern des Weckers der App gehört nicht zur Aufzeichnung",
            "a dose among sleep events; doses are read from dose_events":
                "eine Dosis unter Schlafereignissen; Dosen werden aus dose_events gelesen",
            "'%1' is a mark of the app; what was answered has a row of its own":
                "„%1“ ist eine Markierung der App; die Antworten haben eine eigene Zeile",
            "%1 is no type of event here": "%1 ist hier keine Art von Ereignis",
            "the app wrote them so that they cannot be read; the entry is taken without amount and reason":
                "die App schrieb sie nicht lesbar; der Eintrag wird ohne Menge und Grund übernommen",
            "the app wrote this skip by itself; nobody skipped, nobody recorded":
                "die App schrieb dieses Auslassen von selbst; niemand hat ausgelassen, niemand hat es erfasst",
            "it names no medicine": "ohne Angabe des Medikaments",
            "%1 is no medicine that is known": "%1 ist kein bekanntes Medikament",
            "it is in %1, and only mg are read": "sie ist in %1 angegeben, und nur mg werden gelesen",
            "%1 mg is no possible amount": "%1 mg ist keine mögliche Menge",
            "it says no time": "ohne Angabe der Zeit",
            "This file of the app has no entries; the bundle, events.csv or the database has them.":
                "Diese Datei der App hat keine Einträge; sie stehen im Bündel, in events.csv oder in der Datenbank.",
            "It is none of the files that the iOS app writes.": "Das ist keine der Dateien, die die iOS-App schreibt.",
            "it has another number of fields than the first line": "andere Zahl von Feldern als in der ersten Zeile",
            "it has no dose 1, and the time of a dose 2 alone has no date":
                "ohne Dosis 1, und die Zeit von Dosis 2 allein hat kein Datum",
            "its date and time of dose 1 cannot be read": "Datum und Zeit von Dosis 1 sind nicht lesbar",
            "its time %1 cannot be read": "die Zeit %1 ist nicht lesbar",
            "its interval of %1 minutes and its times disagree": "der Abstand von %1 Minuten passt nicht zu den Zeiten",
            "the file does not say when it was": "die Datei sagt nicht, wann es war",
            "It is no sleep of Oura: it has no list 'data' or 'sleep'.":
                "Das ist kein Schlaf von Oura: Die Liste „data“ oder „sleep“ fehlt.",
            "The file is one part of several: Oura has more records than it (next_token).":
                "Die Datei ist einer von mehreren Teilen: Oura hat weitere Datensätze (next_token).",
            "it has no bedtime_start or bedtime_end that is a time with its offset":
                "bedtime_start oder bedtime_end fehlt oder ist keine Zeit mit Abstand zu UTC",
            "it was deleted there": "dort gelöscht",
            "it is a rest, no sleep": "eine Ruhezeit, kein Schlaf",
            "It is no file of Plees Tracker: sid, start and stop are missing.":
                "Das ist keine Datei von Plees Tracker: sid, start und stop fehlen.",
            "its start %1 is no time": "der Beginn %1 ist keine Zeit",
            "it has no end that is a time": "ohne Ende, das eine Zeit ist",
            "The archive has no sleep-export.csv.": "Das Archiv hat keine sleep-export.csv.",
            "It is no file of Sleep as Android: it does not begin with Id.":
                "Das ist keine Datei von Sleep as Android: Sie beginnt nicht mit Id.",
            "It is no file of Sleep as Android: it is empty.":
                "Das ist keine Datei von Sleep as Android: Sie ist leer.",
            "its Id %1 is no time": "Id %1 ist keine Zeit",
            "its Hours %1 are no length of a sleep": "Hours %1 ist keine Länge eines Schlafs",
            "its offset from UTC is none that any zone has": "diesen Abstand zu UTC hat keine Zeitzone",
            "there is no %1 '%2'": "unbekannt: %1 „%2“",
            "no night on record belongs to it": "keine erfasste Nacht gehört dazu",
            "it raises a question that an import cannot answer":
                "dabei entsteht eine Frage, die ein Import nicht beantworten kann",
            "Line %1:|import": "Zeile %1:",
            "(byte %1)|import": "(Byte %1)",
            "line %1|import": "Zeile %1",
            "row %1|import": "Zeile %1",
            "record %1|import": "Datensatz %1",
            "sleep record %1|import": "Schlafdatensatz %1",
            "medicine %1|import": "Medikament %1",
            "of its rows|import": "Zeile(n) davon",
            "of its sleeps|import": "Schlafzeit(en) davon",
            "of its stages|import": "Phase(n) davon",
            "its note|import": "die Notiz",
            "its rating|import": "die Bewertung",
            "its awakenings|import": "die Wachphasen",
            "its details|import": "die Details",
            "its amount|import": "die Menge",
            "the skip|import": "das Auslassen",
            "dose 1|import": "Dosis 1",
            "dose 2|import": "Dosis 2",
            "a source without a name|import": "eine Quelle ohne Namen",
            "from %1|import": "ab %1",
        ]
    }
}
