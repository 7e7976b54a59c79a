extension German {
    /// The text of the command itself.
    package static var command: KeyValuePairs<String, String> {
        [
            "there is no folder for it: HOME is not set": "es gibt keinen Ordner dafür: HOME ist nicht gesetzt",
            "Your answers could not be kept: %1": "Die Antworten ließen sich nicht aufbewahren: %1",
            "Your answers are kept.": "Die Antworten sind aufbewahrt.",
            "A dose is one word: %1.": "Eine Dosis ist ein Wort: %1.",
            "There is no verb '%1': a sleep event is logged with 'log'.":
                "Es gibt kein Verb „%1“: Ein Schlafereignis wird mit „log“ erfasst.",
            "There is no verb '%1': a dose is logged with 'log'.":
                "Es gibt kein Verb „%1“: Eine Dosis wird mit „log“ erfasst.",
            "'%1' is no answer: write --set key=value.": "„%1“ ist keine Antwort: --set key=value schreiben.",
            "--answers: that is no JSON object.": "--answers: Das ist kein JSON-Objekt.",
            "--answers: more than %1 KiB are no answers.": "--answers: Mehr als %1 KiB sind keine Antworten.",
            "The check-in is not recorded; your answers so far are kept.":
                "Der Check-in ist nicht erfasst; die bisherigen Antworten sind aufbewahrt.",
            "The check-in is not recorded, and your answers could not be kept: %1":
                "Der Check-in ist nicht erfasst, und die Antworten ließen sich nicht aufbewahren: %1",
            "There is no terminal to ask at: give answers with --set or --answers.":
                "Kein Terminal für Fragen: Antworten mit --set oder --answers geben.",
            "Every setting has its default.": "Jede Einstellung hat ihren Vorgabewert.",
            "Nothing to amend: give --at, --ago, --amount or --note.":
                "Nichts zu ändern: --at, --ago, --amount oder --note angeben.",
            "--at and --ago exclude each other.": "--at und --ago schließen einander aus.",
            "An entry is named by 1 to 64 characters.": "Ein Eintrag wird mit 1 bis 64 Zeichen benannt.",
            "--force needs a file.": "--force braucht eine Datei.",
            "The confirmation of this verb is '%1'.": "Die Bestätigung dieses Verbs ist „%1“.",
            "Nothing was changed.": "Nichts wurde geändert.",
            "Nothing was changed: only the word '%1' confirms it.":
                "Nichts wurde geändert: Nur das Wort „%1“ bestätigt es.",
            "%1 is a record, not a backup.": "%1 ist eine Aufzeichnung, keine Sicherung.",
            "A part of %1 lies in the write-ahead log beside it.": "Ein Teil von %1 liegt im Write-Ahead-Log daneben.",
            "%1 cannot be opened: %2.": "%1 lässt sich nicht öffnen: %2.",
            "%1 is no plain file.": "%1 ist keine gewöhnliche Datei.",
            "--exact is for csv.": "--exact ist für csv.",
            "%1 has no session dates: --from and --to do not go with it.":
                "%1 hat keine Nächte mit Datum: --from und --to passen nicht dazu.",
            "An export is not shown on a terminal.": "Ein Export wird nicht im Terminal gezeigt.",
            "%1 needs -o FILE.": "%1 braucht -o FILE.",
            "The export ended before it was complete. No file was made.":
                "Der Export endete, bevor er vollständig war. Keine Datei wurde erstellt.",
            "try it again": "noch einmal versuchen",
            "--profile and --ndjson are for formats that are made of the nights.":
                "--profile und --ndjson sind für Formate, die aus den Nächten entstehen.",
            "--ndjson is for fhir.": "--ndjson ist für fhir.",
            "Standard output is closed.": "Die Standardausgabe ist geschlossen.",
            "every event as recorded, with what is needed to verify it (JSON Lines)":
                "jedes Ereignis wie erfasst, mit allem zum Prüfen (JSON Lines)",
            "a table of the record, or a row a night (csv nights)":
                "eine Tabelle der Aufzeichnung oder eine Zeile pro Nacht (csv nights)",
            "FHIR R4 for a clinic, one bundle": "FHIR R4 für eine Klinik, ein Bundle",
            "a calendar with a private event for each dose": "ein Kalender mit einem privaten Termin je Dosis",
            "the bundle that the iOS app's Studio reads (ZIP)": "das Bündel, das das Studio der iOS-App liest (ZIP)",
            "'%1' is exported as a whole: '%2' does not go with it.":
                "„%1“ wird als Ganzes exportiert: „%2“ passt nicht dazu.",
            "'%1' needs a table.": "„%1“ braucht eine Tabelle.",
            "--nights goes from 1 to 1000.": "--nights geht von 1 bis 1000.",
            "A date and --from or --to exclude each other.": "Ein Datum und --from oder --to schließen einander aus.",
            "--to lies before --from.": "--to liegt vor --from.",
            "--take-back stands alone, or with --dry-run.": "--take-back steht allein oder mit --dry-run.",
            "An import needs a source and a file.": "Ein Import braucht eine Quelle und eine Datei.",
            "'import list' takes nothing else.": "„import list“ hat keine weiteren Argumente.",
            "'%1' needs a file.": "„%1“ braucht eine Datei.",
            "--merge is for the log of another record.": "--merge ist für das Protokoll einer anderen Aufzeichnung.",
            "A log says its zones: --zone is for other sources.":
                "Ein Protokoll nennt seine Zonen: --zone ist für andere Quellen.",
            "There is no import '%1' that could be taken back.":
                "Es gibt keinen Import „%1“, der sich zurücknehmen ließe.",
            "--nights goes from %1 to %2.": "--nights geht von %1 bis %2.",
            "The lab gave no answer.": "Das Labor gab keine Antwort.",
            "Only a dose has an amount.": "Nur eine Dosis hat eine Menge.",
            "'%1' is a verb of its own.": "„%1“ ist ein eigenes Verb.",
            "--limit goes from 1 to %1.": "--limit geht von 1 bis %1.",
            "There is no night on record.": "Keine Nacht ist erfasst.",
            "%1 takes a date such as 2026-01-14, yesterday or '12 Nov': %2":
                "%1 erwartet ein Datum wie 2026-01-14, yesterday oder '12 Nov': %2",
            "%1 takes a date such as 2026-01-14, yesterday or '12 Nov', not '%2'.":
                "%1 erwartet ein Datum wie 2026-01-14, yesterday oder '12 Nov', nicht „%2“.",
            "There is no night %1: the last one on record is %2.":
                "Es gibt keine Nacht %1: Die letzte erfasste ist %2.",
            "There is no order '%1': by date the newest night is first, with --oldest-first the oldest.":
                "Es gibt keine Sortierung „%1“: Nach Datum steht die neueste Nacht zuerst, mit --oldest-first die älteste.",
            "A packet needs a place.": "Eine Arztmappe braucht einen Ort.",
            "Nothing was written: what a packet tells is shown before it is written.":
                "Nichts wurde geschrieben: Was eine Arztmappe sagt, wird vorher gezeigt.",
            "--nights goes from 1 to %1.": "--nights geht von 1 bis %1.",
            "--nights does not go with --from or --to.": "--nights passt nicht zu --from oder --to.",
            "--lights-out is now: with a time, log it by itself.":
                "--lights-out gilt für jetzt: Mit einer Zeit eigens erfassen.",
            "--skip and answers exclude each other.": "--skip und Antworten schließen einander aus.",
            "Nothing was answered, so nothing was recorded.": "Nichts wurde beantwortet, also nichts erfasst.",
            "--confirm: the clock is either right or wrong, not both":
                "--confirm: Die Uhr geht entweder richtig oder falsch, nicht beides",
            "A channel is a short word.": "Ein Kanal ist ein kurzes Wort.",
            "-o, --open and --pdf exclude each other.": "-o, --open und --pdf schließen einander aus.",
            "A report is not shown on a terminal: add --open, -o FILE or --pdf FILE.":
                "Ein Bericht wird nicht im Terminal gezeigt: --open, -o FILE oder --pdf FILE hinzufügen.",
            "--json needs -o FILE, --open or --pdf FILE.": "--json braucht -o FILE, --open oder --pdf FILE.",
            "--force needs -o FILE or --pdf FILE.": "--force braucht -o FILE oder --pdf FILE.",
            "--nights and --from or --to exclude each other.": "--nights und --from oder --to schließen einander aus.",
            "The report ended before it was complete. No file was made.":
                "Der Bericht endete, bevor er vollständig war. Keine Datei wurde erstellt.",
            "dosetapd %1 answers, this is dosetap %2": "dosetapd %1 antwortet, das hier ist dosetap %2",
            "There is no plugin '%1'.": "Es gibt kein Plugin „%1“.",
            "setup asks questions, and there is no terminal to ask at.":
                "setup stellt Fragen, und es gibt kein Terminal dafür.",
            "--script needs --night.": "--script braucht --night.",
            "Give a script, or --night.": "Ein Skript oder --night angeben.",
            "A night is a date or an id.": "Eine Nacht ist ein Datum oder eine ID.",
            "There is nothing in that night to replay.": "In dieser Nacht gibt es nichts abzuspielen.",
            "The simulation ended with exit code %1.": "Die Simulation endete mit Exit-Code %1.",
            "The simulation could not be started: %1: %2.": "Die Simulation ließ sich nicht starten: %1: %2.",
            "--night takes a date, YYYY-MM-DD, not '%1'.": "--night erwartet ein Datum, YYYY-MM-DD, nicht „%1“.",
            "%1 goes from 0 to 1440.": "%1 geht von 0 bis 1440.",
            "--wake takes HH:MM or DAY=HH:MM, not '%1'.": "--wake erwartet HH:MM oder DAY=HH:MM, nicht „%1“.",
            "There is no day '%1': use mon, tue, wed, thu, fri, sat or sun.":
                "Es gibt keinen Tag „%1“: mon, tue, wed, thu, fri, sat oder sun verwenden.",
            "--stages excludes --asleep, --awake and --in-bed.":
                "--stages schließt --asleep, --awake und --in-bed aus.",
            "--stages: '%1' is no stage with its length, such as light=30m.":
                "--stages: „%1“ ist keine Phase mit ihrer Länge, etwa light=30m.",
            "--range goes from 1 to %1.": "--range geht von 1 bis %1.",
            "--intervals takes dates, not --range.": "--intervals erwartet Datumsangaben, nicht --range.",
            "--by takes week or month, not '%1'.": "--by erwartet week oder month, nicht „%1“.",
            "--json and --format exclude each other.": "--json und --format schließen einander aus.",
            "--at and --follow exclude each other.": "--at und --follow schließen einander aus.",
            "-o needs the path of a new file.": "-o braucht den Pfad einer neuen Datei.",
            "Nothing was written: the bundle is shown before it is written. dosetap support-bundle shows it.":
                "Nichts wurde geschrieben: Das Paket wird vorher gezeigt. dosetap support-bundle zeigt es.",
            "The service wrote no bundle.": "Der Dienst schrieb kein Paket.",
            "--max-snoozes goes from 0 to 10.": "--max-snoozes geht von 0 bis 10.",
            "--snoozes cannot be negative.": "--snoozes kann nicht negativ sein.",
            "--rollover-hour goes from 0 to 23.": "--rollover-hour geht von 0 bis 23.",
            "--target is one of %1.": "--target ist eines von %1.",
            "--snoozed-to goes from the target, %1, to 225.": "--snoozed-to geht vom Ziel, %1, bis 225.",
            "--wake is a time of day, like 07:00.": "--wake ist eine Uhrzeit, etwa 07:00.",
            "--store needs --bus none: a running service has its store already.":
                "--store braucht --bus none: Ein laufender Dienst hat seine Datenbank schon.",
            "--store needs a path.": "--store braucht einen Pfad.",
            "'%1' is no bus: --bus takes %2.": "„%1“ ist kein Bus: --bus erwartet %2.",
            "%1 Times are shown and read in UTC.": "%1 Zeiten werden in UTC gezeigt und gelesen.",
            "The exchange program ended with exit code %1.": "Das Austauschprogramm endete mit Exit-Code %1.",
            "The file could not be made or read: %1: %2.": "Die Datei ließ sich nicht erstellen oder lesen: %1: %2.",
            "Nothing was written: what is taken out is shown before it is written.":
                "Nichts wurde geschrieben: Was herausgenommen wird, wird vorher gezeigt.",
            "What is taken out is too long to be shown.": "Was herausgenommen wird, ist zu lang zum Zeigen.",
            "The service did not say which night it is.": "Der Dienst sagte nicht, welche Nacht es ist.",
            "There is no memory for the answer.": "Für die Antwort ist kein Speicher da.",
            "The answer is too long.": "Die Antwort ist zu lang.",
            "Something went wrong: %1.": "Etwas ist schiefgegangen: %1.",
            "This cannot be sent to the service: %1. Remove it and try again.":
                "Das lässt sich nicht an den Dienst senden: %1. Entfernen und erneut versuchen.",
            "The %1 program '%2' is missing.": "Das Programm „%2“ (%1) fehlt.",
            "%1 is written while it is read. Close the program that writes it.":
                "%1 wird beim Lesen geschrieben. Das schreibende Programm schließen.",
            "There is no memory for the import: %1.": "Für den Import ist kein Speicher da: %1.",
            "The file has more than can be imported at once.":
                "Die Datei hat mehr, als auf einmal importiert werden kann.",
            "There is no memory for the import.": "Für den Import ist kein Speicher da.",
            "There is no file %1.": "Es gibt keine Datei %1.",
            "The calendar has no %1.": "Den Tag %1 gibt es im Kalender nicht.",
            "%1 was copied in the middle of a change: %2 is beside it.":
                "%1 wurde mitten in einer Änderung kopiert: %2 liegt daneben.",
            "open the app and close it, then copy its database again":
                "die App öffnen und schließen, dann ihre Datenbank noch einmal kopieren",
            "%1 cannot be '%2'.": "%1 kann nicht „%2“ sein.",
            "%1 is a link. Name the file itself.": "%1 ist ein Link. Die Datei selbst angeben.",
            "A log comes from a file or a pipe, and %1 is neither.":
                "Ein Protokoll kommt aus einer Datei oder einer Pipe, und %1 ist keines von beiden.",
            "The record has nothing for a packet of these dates.":
                "Die Aufzeichnung hat für diesen Zeitraum nichts für eine Arztmappe.",
            "There is no memory for the packet.": "Für die Arztmappe ist kein Speicher da.",
            "choose fewer nights": "weniger Nächte wählen",
            "'%1' names no new folder.": "„%1“ nennt keinen neuen Ordner.",
            "'%1' is the ending of an archive of another kind. A packet is a folder, or an archive NAME.zip.":
                "„%1“ ist die Endung eines Archivs anderer Art. Eine Arztmappe ist ein Ordner oder ein Archiv NAME.zip.",
            "%1 holds something else than a packet: it is not replaced.":
                "%1 enthält etwas anderes als eine Arztmappe: Es wird nicht ersetzt.",
            "choose another name": "einen anderen Namen wählen",
            "dosetap: The answer cannot be written: %1. What is on record: dosetap status":
                "dosetap: Die Antwort lässt sich nicht ausgeben: %1. Was erfasst ist, sagt: dosetap status",
            "'%1' names no file.": "„%1“ nennt keine Datei.",
            "%1 is a record: it is not replaced.": "%1 ist eine Aufzeichnung: Sie wird nicht ersetzt.",
            "%1 exists already. Nothing was changed.": "%1 gibt es schon. Nichts wurde geändert.",
            "choose another name, or add --force": "einen anderen Namen wählen oder --force hinzufügen",
            "%1 is no plain file: it is not replaced.": "%1 ist keine gewöhnliche Datei: Sie wird nicht ersetzt.",
            "%1 cannot be made: %2.": "%1 lässt sich nicht erstellen: %2.",
            "choose another place": "einen anderen Ort wählen",
            "The format has a { without a }. Known: %1": "Das Format hat ein { ohne }. Bekannt: %1",
            " Did you mean {%1}?": " Gemeint: {%1}?",
            "The format has an unknown {%1}.%2 Known: %3": "Das Format hat ein unbekanntes {%1}.%2 Bekannt: %3",
            "An argument is not valid UTF-8.": "Ein Argument ist kein gültiges UTF-8.",
            "%1 has no text. One that begins with a hyphen is written %2=-TEXT.":
                "%1 hat keinen Text. Ein Text, der mit einem Bindestrich beginnt, wird %2=-TEXT geschrieben.",
            "'%1' is no value: no value is below zero.": "„%1“ ist kein Wert: Kein Wert liegt unter null.",
            "The amount has an option of its own: --amount %1.": "Die Menge hat eine eigene Option: --amount %1.",
            "HOME names no folder, so there is no place to open a report from.":
                "HOME nennt keinen Ordner: kein Platz, um einen Bericht zu öffnen.",
            "no reminders will come: the service runs for this command only.":
                "es kommen keine Erinnerungen: Der Dienst läuft nur für diesen Befehl.",
            "process %1 answers as dosetapd; it cannot be checked whether it is.":
                "Prozess %1 antwortet als dosetapd; ob er es ist, lässt sich nicht prüfen.",
            "there is no session bus, so no service runs and no reminders come":
                "es gibt keinen Sitzungsbus; deshalb läuft kein Dienst, und es kommen keine Erinnerungen",
            "the bus cannot be reached": "der Bus ist nicht erreichbar",
            "the bus answers": "der Bus antwortet",
            "dosetapd does not run and cannot be started from here":
                "dosetapd läuft nicht und lässt sich von hier nicht starten",
            "dosetapd does not run or cannot be reached": "dosetapd läuft nicht oder ist nicht erreichbar",
            "A live stage needs a service that keeps running: without a session bus, and with --bus none, there is none.":
                "Eine gemeldete Schlafphase braucht einen Dienst, der weiterläuft: Ohne Sitzungsbus und mit --bus none gibt es keinen.",
            "dosetapd is there, but does not answer": "dosetapd ist da, antwortet aber nicht",
            "waiting for the service; do not type the command again.":
                "Warten auf den Dienst; den Befehl nicht noch einmal eingeben.",
            "%1 is '%2': set it to 1 or 0.": "%1 ist „%2“: auf 1 oder 0 setzen.",
            "%1: \"%2\" lies before 1970.": "%1: „%2“ liegt vor 1970.",
            "%1: %2 is in %3, and nothing ahead can be recorded. If you mean yesterday's, say %4.":
                "%1: %2 ist erst in %3, und Künftiges lässt sich nicht erfassen. Wenn gestern gemeint ist: %4.",
            "A time with a blank needs quotes: %1.": "Eine Zeit mit Leerzeichen braucht Anführungszeichen: %1.",
            "END: %1 is still to come, in %2. A sleep is recorded once it has ended.":
                "END: %1 kommt erst noch, in %2. Schlaf wird erfasst, wenn er vorbei ist.",
            "%1: %2 was %3, in the night of %4.": "%1: %2 war %3, in der Nacht vom %4.",
            " %1 was %2: if you mean that, say %3 %4.": " %1 war %2: Wenn das gemeint ist: %3 %4.",
            " If you mean that night, say %1.": " Wenn diese Nacht gemeint ist: %1.",
            "the clock showed \"%1\" twice: write %2 (the first time) or %3 (the second time)":
                "die Uhr zeigte „%1“ zweimal: %2 (beim ersten Mal) oder %3 (beim zweiten Mal) schreiben",
            "%1: the clock of %2 showed \"%3\" twice: say %4 (the first time) or %5 (the second time).":
                "%1: Die Uhr von %2 zeigte „%3“ zweimal: %4 (beim ersten Mal) oder %5 (beim zweiten Mal) angeben.",
            "%1: the night was in %2, and the clock here is that of %3. For %4 there say %5, for %6 here %7.":
                "%1: Die Nacht war in %2, und die Uhr hier ist die von %3. Für %4 dort %5 angeben, für %6 hier %7.",
            "%1 cannot be started.": "%1 lässt sich nicht starten.",
            "dosetap-web ended with exit code %1.": "dosetap-web endete mit Exit-Code %1.",
            "The page cannot be served: %1": "Die Seite lässt sich nicht bereitstellen: %1",
            "The page cannot be served.": "Die Seite lässt sich nicht bereitstellen.",
            "confirmation": "Bestätigung",
            "format": "Format",
            "kind of night": "Art der Nacht",
            "order": "Sortierung",
            "part": "Teil",
            "profile": "Profil",
            "question": "Frage",
            "source": "Quelle",
            "table": "Tabelle",
            "verb": "Verb",
            "channel": "Kanal",
        ]
    }
}
