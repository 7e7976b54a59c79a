extension German {
    /// Errors, questions and the next step.
    package static var errors: KeyValuePairs<String, String> {
        [
            " Known: %1": " Bekannt: %1",
            "set plugins.%1.enabled in %2": "plugins.%1.enabled in %2 setzen",
            "make the store writable, then run: dosetap status":
                "die Datenbank beschreibbar machen, dann: dosetap status",
            "free some disk space, then run: dosetap status":
                "Platz auf dem Datenträger schaffen, dann: dosetap status",
            "try again in a moment": "gleich noch einmal versuchen",
            "read it without a pause, or write it to a file with -o FILE":
                "ohne Pause lesen oder mit -o FILE in eine Datei schreiben",
            "dosetap db wipe, which keeps the backups; then dosetap db restore FILE (one that is not encrypted) or dosetap import log FILE":
                "dosetap db wipe, das die Sicherungen behält; dann dosetap db restore FILE (eine unverschlüsselte) oder dosetap import log FILE",
            "dosetap db repair; if that fails: dosetap db restore FILE; if the service does not start: dosetap db wipe first, which keeps the backups":
                "dosetap db repair; gelingt das nicht: dosetap db restore FILE; startet der Dienst nicht: zuerst dosetap db wipe, das die Sicherungen behält",
            "move that file elsewhere, or name another place with --store":
                "die Datei woandershin verschieben oder mit --store einen anderen Ort nennen",
            "dosetap db restore FILE, with one that dosetap db backups lists; without a backup: dosetap db wipe":
                "dosetap db restore FILE, mit einer aus dosetap db backups; ohne Sicherung: dosetap db wipe",
            "unlock your keyring, or put the key file back; the record then opens by itself. If its key is lost: %1":
                "Schlüsselbund entsperren oder die Schlüsseldatei zurücklegen; die Aufzeichnung öffnet sich dann von selbst. Ist ihr Schlüssel verloren: %1",
            "unlock or start your keyring, then try again; or keep the key in a file on the same disk: dosetap config set encryption.key file":
                "Schlüsselbund entsperren oder starten, dann erneut versuchen; oder den Schlüssel in einer Datei auf demselben Datenträger aufbewahren: dosetap config set encryption.key file",
            "put the key of this record back. If it is lost: %1":
                "den Schlüssel dieser Aufzeichnung zurücklegen. Ist er verloren: %1",
            "install DoseTap with SQLCipher (Contrib/install --sqlcipher)":
                "DoseTap mit SQLCipher installieren (Contrib/install --sqlcipher)",
            "install the newer version of dosetap": "die neuere Version von dosetap installieren",
            "sqlite3, with .schema, shows it": "sqlite3 zeigt es mit .schema",
            "put the key back into %1, or remove that file; then make the packet again":
                "den Schlüssel wieder in %1 ablegen oder diese Datei entfernen; dann die Arztmappe erneut erstellen",
            "look at the store's path and rights; then: dosetap status":
                "Pfad und Rechte der Datenbank prüfen; dann: dosetap status",
            "Too late: at %1 the window for dose 2 had closed. After a dose nobody should drive for 6 h (%2). Check the time.":
                "Zu spät: Um %1 war das Zeitfenster für Dosis 2 schon zu. Nach einer Dosis 6 h lang nicht fahren (%2). Die Zeit prüfen.",
            "Too late: the window for dose 2 has closed. After a dose nobody should drive for 6 h (%1).":
                "Zu spät: Das Zeitfenster für Dosis 2 ist zu. Nach einer Dosis 6 h lang nicht fahren (%1).",
            "At %1 %2 is on record already. Check whether this is one more.":
                "Um %1 ist %2 schon erfasst. Prüfen, ob dies eine weitere ist.",
            "Dose 2 is on record as skipped. A second dose that is not expected is easily doubled. Check what was taken.":
                "Dosis 2 ist als ausgelassen erfasst. Eine unerwartete zweite Dosis wird leicht doppelt genommen. Prüfen, was genommen wurde.",
            "After a dose nobody should drive for 6 h (%1). ":
                "Nach einer Dosis 6 h lang nicht fahren (%1). ",
            "The night has its final wake or check-in. ":
                "Das endgültige Aufwachen oder der Check-in ist schon erfasst. ",
            "Check the time of the dose.": "Die Zeit der Dosis prüfen.",
            "It would count as one dose more than prescribed.": "Es würde als eine Dosis mehr als verordnet zählen.",
            "%1 mg is over the label's limit of %2 mg for one night. Too much can stop breathing. Check the amount.":
                "%1 mg liegen über der Grenze der Packungsbeilage von %2 mg für eine Nacht. Zu viel kann die Atmung stoppen. Die Menge prüfen.",
            "%1 mg is over the label's limit of %2 mg for one dose. Too much can stop breathing. Check the amount.":
                "%1 mg liegen über der Grenze der Packungsbeilage von %2 mg für eine Dosis. Zu viel kann die Atmung stoppen. Die Menge prüfen.",
            " The amount of this dose is that of the regimen.": " Die Menge dieser Dosis ist die der Verordnung.",
            "One dose a night is prescribed and on record. A second one can stop breathing %1. Nothing more is due tonight.":
                "Eine Dosis pro Nacht ist verordnet und erfasst. Eine zweite kann die Atmung stoppen %1. Heute Nacht steht nichts mehr an.",
            "One dose a night is prescribed, and that of the night of %1 is on record. A second one can stop breathing %2. Check what was taken.":
                "Eine Dosis pro Nacht ist verordnet, und die der Nacht vom %1 ist erfasst. Eine zweite kann die Atmung stoppen %2. Prüfen, was genommen wurde.",
            "That is more than seven days ago. Check the date.": "Das ist mehr als sieben Tage her. Das Datum prüfen.",
            "One was thrown away%1, a moment ago. Check whether this is one more.":
                "Gerade eben%1 wurde schon etwas weggeworfen. Prüfen, ob das ein weiteres Mal ist.",
            "The same ingredient is on record%1, less than five minutes apart. Check whether this is one more.":
                "Schon erfasst: derselbe Wirkstoff%1, Abstand unter fünf Minuten. Prüfen, ob das noch eine Einnahme ist.",
            "Dose 2 is open, or the record cannot be read. Its reminders end with the data.":
                "Dosis 2 ist offen, oder die Aufzeichnung ist nicht lesbar. Ihre Erinnerungen enden mit den Daten.",
            "This deletes the record and all that belongs to it. The settings are kept.":
                "Das löscht die Aufzeichnung und alles, was dazu gehört. Die Einstellungen bleiben.",
            "Tonight's dose 2 is neither recorded nor skipped. While its window is open, its reminders go on. %1":
                "Dosis 2 von heute Nacht ist weder erfasst noch ausgelassen. Solange ihr Zeitfenster offen ist, laufen die Erinnerungen weiter. %1",
            "The clock stands before the newest entry. Look at another clock first.":
                "Die Uhr zeigt eine Zeit vor dem neuesten Eintrag. Zuerst auf eine andere Uhr sehen.",
            " Clock wrong: clock_suspect=wrong.": " Uhr falsch: clock_suspect=wrong.",
            "Tonight began with another number of doses: its window and reminders would change at once. %1":
                "Diese Nacht begann mit einer anderen Zahl von Dosen: Zeitfenster und Erinnerungen würden sich sofort ändern. %1",
            "The record is replaced by the backup. What only the record has and is older than a day is put aside with it.":
                "Die Aufzeichnung wird durch die Sicherung ersetzt. Was nur die Aufzeichnung hat und älter als ein Tag ist, wird mit ihr beiseitegelegt.",
            "The backup is of another record, your own or another person's. Look at its nights first.":
                "Die Sicherung ist von einer anderen Aufzeichnung, der eigenen oder der einer anderen Person. Zuerst ihre Nächte ansehen.",
            "Missing expected argument '%1'": "Es fehlt die Angabe „%1“",
            "Missing value for '%1'": "Es fehlt der Wert für „%1“",
            "Unexpected argument '%1'": "Unerwartete Angabe „%1“",
            "Unknown option '%1'": "Unbekannte Option „%1“",
            "Unknown option '%1'. Did you mean '%2'?": "Unbekannte Option „%1“. Gemeint „%2“?",
            "The value '%1' is invalid for '%2'": "Der Wert „%1“ passt nicht zu „%2“",
            "%1 unexpected arguments: %2": "%1 unerwartete Angaben: %2",
            "The newest entry is the dose of %1. Undo removes it from the record. Check whether it was taken.":
                "Der neueste Eintrag ist die Dosis von %1. Zurücknehmen entfernt sie aus der Aufzeichnung. Prüfen, ob sie genommen wurde.",
            "The newest entry is the dose%1. Undo removes it from the record, and the reminders follow. Check whether it was taken.":
                "Der neueste Eintrag ist die Dosis%1. Zurücknehmen entfernt sie aus der Aufzeichnung, und die Erinnerungen richten sich danach. Prüfen, ob sie genommen wurde.",
            " of %1": " von %1",
            "(boxed warning of the labels)": "(umrandeter Warnhinweis der US-Fachinformationen)",
            "Both doses are on record. One more than prescribed can stop breathing %1. Nothing more is due tonight.":
                "Beide Dosen sind erfasst. Eine mehr als verordnet kann die Atmung stoppen %1. Heute Nacht steht nichts mehr an.",
            "Both doses of the night of %1 are on record. One more than prescribed can stop breathing %2. Check what was taken.":
                "Beide Dosen der Nacht vom %1 sind erfasst. Eine mehr als verordnet kann die Atmung stoppen %2. Prüfen, was genommen wurde.",
            "The night of %1 ended at %2 with %3 on record. This would begin another night, and one dose too many can stop breathing %4.":
                "Die Nacht vom %1 endete um %2; erfasst: %3. Das würde eine weitere Nacht beginnen. Eine Dosis zu viel kann die Atmung stoppen %4.",
            "the extra dose": "die zusätzliche Dosis",
            "the dose before": "die Dosis davor",
            "Doses together can stop breathing %1.": "Dosen kurz nacheinander können die Atmung stoppen %1.",
            "Too early: %1 is on record at %2, less than 150 minutes after it. %3 Check both times.":
                "Zu früh: %1 ist für %2 erfasst, weniger als 150 Minuten nach dieser Zeit. %3 Beide Zeiten prüfen.",
            "just now": "gerade eben",
            "%1 was at %2, %3": "%1 war um %2, %3",
            "%1 was %2": "%1 war %2",
            "Too early: %1.": "Zu früh: %1.",
            "Too early: %1. %2 Wait until %3.": "Zu früh: %1. %2 Bis %3 warten.",
            "Too early: %1. %2 Nothing more is due tonight.": "Zu früh: %1. %2 Heute Nacht steht nichts mehr an.",
            "Too early: %1 is only %2 after %3. %4 Check the time.":
                "Zu früh: Um %1 war %3 erst %2 her. %4 Die Zeit prüfen.",
            "Too early: %1 is less than 150 minutes after %2 at %3. %4 Check the time.":
                "Zu früh: Um %1 war %2 (%3) weniger als 150 Minuten her. %4 Die Zeit prüfen.",
            "Too early: %1 may be only %2 after %3. Look at another clock. %4 Check the time.":
                "Zu früh: Um %1 war %3 vielleicht erst %2 her. Auf eine andere Uhr sehen. %4 Die Zeit prüfen.",
            "At least %1 since %2.": "Mindestens %1 ist %2 her.",
            "Too early. %1": "Zu früh. %1",
            "%1 %2 Wait %3.": "%1 %2 Noch %3 warten.",
            "%1 %2 Nothing more is due tonight.": "%1 %2 Heute Nacht steht nichts mehr an.",
            "Only if it was not taken": "Nur wenn sie nicht genommen wurde",
            "Only if that is right": "Nur wenn das richtig ist",
            "Only if it was really taken": "Nur wenn wirklich genommen",
            "Dose 2 is still open. Nothing was changed.": "Dosis 2 ist noch offen. Nichts wurde geändert.",
            " Try it again at %1 or later.": " Um %1 oder später erneut versuchen.",
            " Nothing was changed.": " Nichts wurde geändert.",
            " The alarm rings at %1.": " Der Wecker klingelt um %1.",
            "another time": "andere Uhrzeit",
            "Dose 1 is already on record at %1. If that is not its time, correct it. A second dose is dose 2, not before its window opens.":
                "Dosis 1 ist schon erfasst (%1). Stimmt die Zeit nicht, korrigieren. Eine zweite Dosis ist Dosis 2, nicht bevor ihr Fenster offen ist.",
            "Dose 1 is already on record at %1. If that is not its time, correct it. A second dose is dose 2, and its window has closed.":
                "Dosis 1 ist schon erfasst (%1). Stimmt die Zeit nicht, korrigieren. Eine zweite Dosis ist Dosis 2, und ihr Fenster ist zu.",
            "Dose 1 is already on record at %1. If that is not its time, correct it. A second dose is dose 2.":
                "Dosis 1 ist schon erfasst (%1). Stimmt die Zeit nicht, korrigieren. Eine zweite Dosis ist Dosis 2.",
            "Dose 1 is already on record at %1. If that is not its time, correct it.":
                "Dosis 1 ist schon erfasst (%1). Stimmt die Zeit nicht, korrigieren.",
            "Dose 1 is not on record for this night. When was it? Record it first, with its time%1":
                "Dosis 1 ist für diese Nacht nicht erfasst. Wann war sie? Zuerst mit ihrer Zeit erfassen%1",
            "The night of %1 ended at %2. A dose before that is recorded with its time; a later one begins another night as dose 1.":
                "Die Nacht vom %1 endete um %2. Eine Dosis davor wird mit ihrer Zeit erfasst. Eine spätere beginnt als Dosis 1 eine neue Nacht.",
            "The night of %1 ended at %2 with %3 on record: %4. One dose too many can stop breathing %5. A dose before that end is recorded with its time; a later one begins another night as dose 1.":
                "Die Nacht vom %1 endete um %2; erfasst: %3 (%4). Eine Dosis zu viel kann die Atmung stoppen %5. Eine Dosis vor diesem Ende wird mit ihrer Zeit erfasst. Eine spätere beginnt als Dosis 1 eine neue Nacht.",
            "The night of %1 ended at %2. A skip in it is recorded with its time.":
                "Die Nacht vom %1 endete um %2. Ein Auslassen in dieser Nacht wird mit seiner Zeit erfasst.",
            "The night of %1 ended at %2, so there is no alarm to put off.":
                "Die Nacht vom %1 endete um %2: Es gibt keinen Wecker, der sich verschieben ließe.",
            "Dose 1 is on record at %1, and one dose a night is prescribed. A second one can stop breathing %2. If that is not its time, correct it.":
                "Dosis 1 ist erfasst (%1), verordnet ist eine Dosis pro Nacht. Eine zweite kann die Atmung stoppen %2. Stimmt die Zeit nicht, korrigieren.",
            "One dose a night is prescribed: there is no dose 2 to skip.":
                "Eine Dosis pro Nacht ist verordnet: Es gibt keine Dosis 2, die sich auslassen ließe.",
            "One dose a night is prescribed: there is no alarm to put off.":
                "Eine Dosis pro Nacht ist verordnet: Es gibt keinen Wecker, der sich verschieben ließe.",
            "Only dose 1 is on record, at %1: the next one is dose 2. If that is not its time, correct it.":
                "Nur Dosis 1 ist erfasst (%1): Die nächste ist Dosis 2. Stimmt die Zeit nicht, korrigieren.",
            "That time lies before dose 1 at %1. If it was the first dose, correct dose 1; then record the other as dose 2 with its own time.":
                "Diese Zeit liegt vor Dosis 1 (%1). War es die erste Dosis: Dosis 1 korrigieren. Dann die andere mit ihrer Zeit als Dosis 2 erfassen.",
            "This entry stays: a later one%1 needs it. If only its time is wrong, correct it.":
                "Dieser Eintrag bleibt: Ein späterer Eintrag%1 braucht ihn. Stimmt nur seine Zeit nicht, korrigieren.",
            " If both are wrong, delete %1 first.": " Sind beide falsch, zuerst %1 löschen.",
            " If both are wrong, delete the later one first.": " Sind beide falsch, zuerst den späteren löschen.",
            "Dose 2 is not recorded, and its window is over. If you did not have it, the skip counts from then.":
                "Dosis 2 ist nicht erfasst, und ihr Zeitfenster ist vorbei. Wurde sie nicht genommen, zählt das Auslassen ab diesem Zeitpunkt.",
            "Dose 2 is not recorded, and its window is over.":
                "Dosis 2 ist nicht erfasst, und ihr Zeitfenster ist vorbei.",
            "That time does not fit the order of the entries: see the one%1.":
                "Diese Zeit passt nicht zur Reihenfolge der Einträge: siehe den Eintrag%1.",
            "That time lies before what it is about, which was noted%1.":
                "Diese Zeit liegt vor dem Eintrag, um den es geht; er wurde%1 notiert.",
            "The same is on record%1: as one more it can be logged in %2 s, or with its time.":
                "Schon erfasst: dasselbe%1. Noch eines lässt sich in %2 s erfassen, oder mit seiner Zeit.",
            "The nap would run into the one%1.": "Das Nickerchen würde in das andere%1 reichen.",
            "That time lies before the night, which began%1.": "Diese Zeit liegt vor der Nacht, die%1 begann.",
            "The final wake is already on record%1.": "Schon erfasst: endgültiges Aufwachen%1.",
            "The window is not open yet, so there is no alarm to put off.":
                "Das Zeitfenster ist noch nicht offen: Es gibt keinen Wecker, der sich verschieben ließe.",
            "The final wake is on record: after it no alarm is put off.":
                "Das endgültige Aufwachen ist erfasst: Danach wird kein Wecker mehr verschoben.",
            "The check-in is on record: after it no alarm is put off.":
                "Der Check-in ist erfasst: Danach wird kein Wecker mehr verschoben.",
            "The window has closed, so there is no alarm to put off.":
                "Das Zeitfenster ist zu: Es gibt keinen Wecker, der sich verschieben ließe.",
            "Dose 1 is not on record for this night. When was it? Record it with its time.":
                "Dosis 1 ist für diese Nacht nicht erfasst. Wann war sie? Mit ihrer Zeit erfassen.",
            "Dose 1 is already on record%1.": "Schon erfasst: Dosis 1%1.",
            "Dose 2 is already on record%1.": "Schon erfasst: Dosis 2%1.",
            "Dose 2 is already skipped%1.": "Dosis 2 wurde schon%1 ausgelassen.",
            "Dose 2 is already taken or skipped.": "Dosis 2 ist schon genommen oder ausgelassen.",
            "Too little of the window is left to snooze.": "Für Schlummern bleibt zu wenig vom Zeitfenster.",
            "No snooze is left tonight.": "Heute Nacht ist kein Schlummern mehr übrig.",
            "Snoozing is switched off.": "Schlummern ist ausgeschaltet.",
            "This does not fit where the night stands%1.": "Das passt nicht zum Stand der Nacht%1.",
            "That time lies in the future: %1 at %2.": "Diese Zeit liegt in der Zukunft: %1 um %2.",
            "That time lies in the future.": "Diese Zeit liegt in der Zukunft.",
            "The same was recorded a moment ago.": "Dasselbe wurde gerade eben erfasst.",
            "The nap that began%1 has not ended then.": "Das Nickerchen, das%1 begann, war da noch nicht beendet.",
            "That was thrown away before%1.": "Das wurde schon%1 weggeworfen.",
            "That cup was used up by the dose%1.": "Dieser Becher wurde schon mit der Dosis%1 verbraucht.",
            "The order of the doses does not allow it%1.": "Die Reihenfolge der Dosen lässt es%1 nicht zu.",
            "The dose window is open, or opens in some minutes.":
                "Das Zeitfenster ist offen oder öffnet in wenigen Minuten.",
            "The service is there but did not answer within %1 s%2.":
                "Der Dienst ist da, hat aber innerhalb von %1 s nicht geantwortet%2.",
            "The service did not answer (%1); %2.": "Der Dienst hat nicht geantwortet (%1); %2.",
            "The service does not know this request (%1): it is of another version.":
                "Der Dienst kennt diese Anfrage nicht (%1): Er hat eine andere Version.",
            "The service answered what this version of dosetap does not understand: %1.":
                "Diese Version von dosetap versteht die Antwort des Dienstes nicht: %1.",
            "Nothing was recorded; no reminders will come: the service dosetapd does not run, and nothing on the %1 bus starts it. Set an alarm clock.":
                "Nichts wurde erfasst, es kommen keine Erinnerungen: Der Dienst dosetapd läuft nicht, und nichts auf dem %1 startet ihn. Einen eigenen Wecker stellen.",
            "systemctl --user enable --now dosetapd (not installed yet: Contrib/install), or without reminders: %1":
                "systemctl --user enable --now dosetapd (noch nicht installiert: Contrib/install) oder ohne Erinnerungen: %1",
            "Nothing was recorded; no reminders will come: the service cannot be reached on the %1 bus (%2).":
                "Nichts wurde erfasst, es kommen keine Erinnerungen: Der Dienst ist auf dem %1 nicht erreichbar (%2).",
            "there is no variable %1. Did you mean %2?": "Die Variable %1 gibt es nicht. War %2 gemeint?",
            "Nothing was recorded: root would get a record apart from %1. Type the command without sudo; --bus none means root's record.":
                "Nichts wurde erfasst: root bekäme eine andere Aufzeichnung als %1. Den Befehl ohne sudo eingeben; --bus none meint die von root.",
            "that of %1": "die von %1",
            "your own": "die eigene",
            "start dosetapd in another terminal, or without reminders: %1":
                "dosetapd in einem anderen Terminal starten oder ohne Erinnerungen: %1",
            "systemctl --user start dosetapd, or: %1": "systemctl --user start dosetapd oder: %1",
            "The service crashes again and again (%1 restarts, result %2): %3; no reminders will come.":
                "Der Dienst stürzt immer wieder ab (%1 Neustarts, Ergebnis %2): %3; es kommen keine Erinnerungen.",
            "nothing was recorded": "nichts wurde erfasst",
            " Its last line in the journal: %1": " Seine letzte Zeile im Journal: %1",
            "journalctl --user -u dosetapd -n 30, then: systemctl --user restart dosetapd":
                "journalctl --user -u dosetapd -n 30, dann: systemctl --user restart dosetapd",
            " (process %1)": " (Prozess %1)",
            "Another program%1 answers in place of dosetapd: it is not believed, and it records nothing.":
                "Ein anderes Programm%1 antwortet anstelle von dosetapd: Seine Antwort gilt nicht, und es erfasst nichts.",
            "Another service holds the store.": "Ein anderer Dienst benutzt die Datenbank.",
            "The service ended before it answered (exit code %1); ask what is on record first.":
                "Der Dienst endete vor der Antwort (Exit-Code %1); zuerst nachsehen, was erfasst ist.",
            "The service program '%1' was found neither beside dosetap nor in PATH.":
                "Das Programm des Dienstes „%1“ liegt weder neben dosetap noch in PATH.",
            "The service could not be started: %1: %2.": "Der Dienst ließ sich nicht starten: %1: %2.",
            "whether anything was recorded is not known": "ob etwas erfasst wurde, ist nicht bekannt",
            "dosetap status, or: systemctl --user status dosetapd":
                "dosetap status oder: systemctl --user status dosetapd",
            "There is no night to check in for.": "Es gibt keine Nacht für einen Check-in.",
            "There is no night '%1'.": "Es gibt keine Nacht „%1“.",
            " Nothing was recorded.": " Nichts wurde erfasst.",
            " The entry is kept outside the record until it can be written there.":
                " Der Eintrag wird außerhalb der Aufzeichnung aufbewahrt, bis er sich dort speichern lässt.",
            " The service has more urgent work.": " Der Dienst hat Dringenderes zu tun.",
            "Something went wrong in the service.": "Im Dienst ist etwas schiefgegangen.",
            "session|bus": "Sitzungsbus",
            "system|bus": "Systembus",
            "'%1'|quoted": "„%1“",
            " or ": " oder ",
            ", or: ": ", oder: ",
            " Known: %1.": " Bekannt: %1.",
            "There is no %1 '%2'.": "Unbekannt: %1 „%2“.",
            " Did you mean %1?": " Gemeint: %1?",
            " A medicine of your own goes into the setting medications.custom.":
                " Ein eigenes Medikament gehört in die Einstellung medications.custom.",
            "The newest night has no dose 1 on record. An older one is named by the end of its id.":
                "In der neuesten Nacht ist keine Dosis 1 erfasst. Eine ältere wird mit dem Ende ihrer ID benannt.",
            "The newest night has no dose 2 on record. An older one is named by the end of its id.":
                "In der neuesten Nacht ist keine Dosis 2 erfasst. Eine ältere wird mit dem Ende ihrer ID benannt.",
            "The newest night has no extra dose on record. An older one is named by the end of its id.":
                "In der neuesten Nacht ist keine zusätzliche Dosis erfasst. Eine ältere wird mit dem Ende ihrer ID benannt.",
            "The newest nights have no entry on record.": "In den neuesten Nächten ist kein Eintrag erfasst.",
            "The newest nights have no entry '%1'.": "In den neuesten Nächten ist kein Eintrag „%1“ erfasst.",
            "No entry of the newest nights has an id that ends with '%1'.":
                "Kein Eintrag der neuesten Nächte hat eine ID, die mit „%1“ endet.",
            "There is no entry '%1'. Entries are named dose1, dose2, last, \"last bathroom\", or by the last four or more characters of their id.":
                "Es gibt keinen Eintrag „%1“. Einträge heißen dose1, dose2, last, \"last bathroom\" oder nach den letzten vier oder mehr Zeichen ihrer ID.",
            "If it was taken, record it. If not, skip it.": "Wenn genommen: erfassen. Wenn nicht: auslassen.",
            "If it was taken, record it: 'dosetap log dose2 --at TIME'. If not: 'dosetap skip'.":
                "Wenn genommen: „dosetap log dose2 --at TIME“. Wenn nicht: „dosetap skip“.",
            "If it was taken, record it. If not, skip it with the time of the close.":
                "Wenn genommen: erfassen. Wenn nicht: mit der Zeit des Endes auslassen.",
            "If it was taken, record it: 'dosetap log dose2 --at TIME'. If not: 'dosetap skip --at TIME' with the time of the close.":
                "Wenn genommen: „dosetap log dose2 --at TIME“. Wenn nicht: „dosetap skip --at TIME“ mit der Zeit des Endes.",
            "; then dose 2 with its own.": "; dann Dosis 2 mit ihrer eigenen.",
            "; then dose 2 with its own: dosetap log dose2 --at TIME.":
                "; dann Dosis 2 mit ihrer eigenen: dosetap log dose2 --at TIME.",
            "Clock right: confirm clock_suspect=right.": "Uhr richtig: clock_suspect=right bestätigen.",
            "Clock right: --confirm clock_suspect=right.": "Uhr richtig: --confirm clock_suspect=right.",
            "Without 'from' the regimen holds from the next night.":
                "Ohne „from“ gilt die Verordnung ab der nächsten Nacht.",
            "Without '--from' the regimen holds from the next night.":
                "Ohne „--from“ gilt die Verordnung ab der nächsten Nacht.",
            "; correct them": "; sie korrigieren",
            "; correct them with dosetap amend": "; sie mit dosetap amend korrigieren",
            "; a rebuild makes it anew": "; ein Neuaufbau stellt sie wieder her",
            "; 'dosetap db rebuild' makes it anew": "; „dosetap db rebuild“ stellt sie wieder her",
            "Another night's doses are on record as well: %1. Too many can stop breathing. Check what was taken.":
                "Auch Dosen einer anderen Nacht sind erfasst: %1. Zu viele können die Atmung stoppen. Prüfen, was genommen wurde.",
            "The channel '%1' waits for another test to end.":
                "Der Kanal „%1“ wartet auf das Ende eines anderen Tests.",
            "The channel '%1' did not work: %2.": "Der Kanal „%1“ hat nicht funktioniert: %2.",
            "The channel '%1' is one of the plugin '%2', which is switched off.":
                "Der Kanal „%1“ gehört zum Plugin „%2“, das ausgeschaltet ist.",
            "“%1” is no absolute path.": "„%1“ ist kein absoluter Pfad.",
            "Give one that starts with /.": "Einen angeben, der mit / beginnt.",
            "“%1” contains . or .. .": "„%1“ enthält . oder .. .",
            "Give the path without them.": "Den Pfad ohne sie angeben.",
            "%1 is a symbolic link.": "%1 ist ein symbolischer Link.",
            "Put a directory in its place, or name the directory it points to.":
                "Einen Ordner an seine Stelle setzen oder den Ordner angeben, auf den er zeigt.",
            "%1 belongs to user %2, not to you.": "%1 gehört dem Benutzer %2, nicht Ihnen.",
            "Choose a directory of your own.": "Einen eigenen Ordner wählen.",
            "%1 can be changed by other users.": "%1 kann von anderen Benutzern geändert werden.",
            "The environment names no home directory.": "Die Umgebung nennt keinen persönlichen Ordner.",
            "Set HOME to an absolute path.": "HOME auf einen absoluten Pfad setzen.",
            "No time zone data: %1.": "Keine Zeitzonendaten: %1.",
            "Install the package tzdata, or set TZ to a rule such as EST5EDT,M3.2.0,M11.1.0.":
                "Das Paket tzdata installieren oder TZ auf eine Regel wie EST5EDT,M3.2.0,M11.1.0 setzen.",
            "The data of time zone %1 is not usable: %2": "Die Daten der Zeitzone %1 sind nicht brauchbar: %2",
            "Reinstall the package tzdata.": "Das Paket tzdata neu installieren.",
            "“%1” is no time zone of this machine.": "„%1“ ist keine Zeitzone dieses Rechners.",
            "Give a name such as America/New_York; timedatectl list-timezones prints them all.":
                "Einen Namen wie Europe/Berlin angeben; timedatectl list-timezones zeigt alle.",
        ]
    }
}
