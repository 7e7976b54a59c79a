extension German {
    /// Care of the data.
    package static var care: KeyValuePairs<String, String> {
        [
            "Backed up: %1, %2, verified.": "Gesichert: %1, %2, geprüft.",
            "note: %1": "Hinweis: %1",
            "There is no backup yet. The service makes one after a night; or: dosetap db backup":
                "Es gibt noch keine Sicherung. Der Dienst erstellt eine nach jeder Nacht; oder: dosetap db backup",
            "In %1:": "In %1:",
            "Made": "Erstellt",
            "Events": "Ereignisse",
            "Size": "Größe",
            "Verified": "Geprüft",
            "NO": "NEIN",
            "File": "Datei",
            "wrong: %1: %2": "fehlerhaft: %1: %2",
            "The backup: %1": "Die Sicherung: %1",
            "Gained: %1": "Kommt hinzu: %1",
            "Put aside with the replaced record: %1": "Mit der ersetzten Aufzeichnung beiseitegelegt: %1",
            "Brought in from the last 24 hours: %1": "Aus den letzten 24 Stunden übernommen: %1",
            "The backup is of another record, your own or another person's.":
                "Die Sicherung ist von einer anderen Aufzeichnung, der eigenen oder der einer anderen Person.",
            "The backup was made on another computer, or before this record was begun.":
                "Die Sicherung wurde auf einem anderen Computer erstellt oder bevor diese Aufzeichnung begann.",
            "Restored: %1": "Wiederhergestellt: %1",
            "The replaced record is %1": "Die ersetzte Aufzeichnung ist %1",
            "The backup is encrypted. The restored record is not. Encrypt it afterwards: dosetap db encrypt":
                "Die Sicherung ist verschlüsselt. Die wiederhergestellte Aufzeichnung ist es nicht. Danach verschlüsseln: dosetap db encrypt",
            "To go back: dosetap db restore %1": "Zurück: dosetap db restore %1",
            "Do: %1": "Abhilfe: %1",
            "A second dosetap is at %1. Remove one of the two: they can be of different versions.":
                "Ein zweites dosetap liegt unter %1. Eines von beiden entfernen: Sie können verschiedene Versionen haben.",
            "Something is broken: a reminder may not reach you.":
                "Etwas ist defekt: Eine Erinnerung kommt vielleicht nicht an.",
            "Reminders should reach you, unless one of the amber points prevents it.":
                "Erinnerungen sollten ankommen, wenn kein gelber Punkt es verhindert.",
            "Reminders should reach you, as far as this can be checked.":
                "Erinnerungen sollten ankommen, soweit sich das prüfen lässt.",
            "Checking whether sleep can be blocked": "Prüft, ob sich der Ruhezustand sperren lässt",
            "reminders should reach you, as far as this can be checked.":
                "Erinnerungen sollten ankommen, soweit sich das prüfen lässt.",
            "asking whether a reminder can reach you ...": "prüft, ob eine Erinnerung Sie erreichen kann ...",
            "it is not known yet whether a reminder can reach you. Check: dosetap doctor":
                "noch ist nicht bekannt, ob eine Erinnerung Sie erreichen kann. Prüfen: dosetap doctor",
            "before you sleep: %1%2. Details: dosetap doctor": "vor dem Schlafen: %1%2. Näheres: dosetap doctor",
            "Encryption protects the record where somebody gets the disk, a copy or a backup without the key.":
                "Verschlüsselung schützt die Aufzeichnung, wenn jemand Datenträger, Kopie oder Sicherung bekommt, aber nicht den Schlüssel.",
            "It does not protect from programs that run as you, or while your keyring is unlocked.":
                "Sie schützt nicht vor Programmen mit denselben Rechten und nicht, solange der Schlüsselbund entsperrt ist.",
            "Encrypted: the record, its write-ahead log, fresh logs and entries kept beside it, the copy of the last nights, backups made from now on.":
                "Verschlüsselt: die Aufzeichnung, ihr Write-Ahead-Log, neue Protokolle und Einträge daneben, die Kopie der letzten Nächte, Sicherungen ab jetzt.",
            "Not encrypted: exports, backups, copies and records set aside before, answers of a check-in or pre-sleep log until they are recorded, how many entries there are (head file), what plugins show or pass on, the settings.":
                "Nicht verschlüsselt: Exporte, frühere Sicherungen, Kopien und beiseitegelegte Aufzeichnungen, Antworten eines Check-ins oder Abendprotokolls, bis sie erfasst sind, die Zahl der Einträge (Head-Datei), was Plugins zeigen oder weitergeben, die Einstellungen.",
            "A key in a file beside the settings protects only what is elsewhere, such as a copy on a stick.":
                "Ein Schlüssel in einer Datei neben den Einstellungen schützt nur, was anderswo liegt, etwa eine Kopie auf einem Stick.",
            "The old file is deleted. A disk may keep its blocks for some time.":
                "Die alte Datei wird gelöscht. Ein Datenträger kann ihre Blöcke noch eine Weile behalten.",
            "The key is never written to the journal. Core dumps are off. Swap is not encrypted by this.":
                "Der Schlüssel kommt nie ins Journal. Core-Dumps sind aus. Swap wird dadurch nicht verschlüsselt.",
            "Without the key nobody can open the record, also not its owner. What is left then is an import, an unencrypted backup, or to begin anew (wipe).":
                "Ohne den Schlüssel kann niemand die Aufzeichnung öffnen, auch nicht ihr Besitzer. Dann bleiben ein Import, eine unverschlüsselte Sicherung oder ein Neuanfang (wipe).",
            "The record is written anew with a new key. The old key is removed as soon as no backup beside the record needs it.":
                "Die Aufzeichnung wird mit einem neuen Schlüssel neu geschrieben. Der alte wird entfernt, sobald ihn keine Sicherung daneben braucht.",
            "Backups elsewhere still need the old key: keep a copy of it where they are wanted.":
                "Sicherungen an anderen Orten brauchen weiter den alten Schlüssel: Eine Kopie davon aufbewahren.",
            "The record is written without encryption. Its key is removed as soon as no backup beside the record needs it.":
                "Die Aufzeichnung wird ohne Verschlüsselung geschrieben. Ihr Schlüssel wird entfernt, sobald ihn keine Sicherung daneben braucht.",
            "Everybody who gets the disk, a copy or a backup can read it then.":
                "Wer den Datenträger, eine Kopie oder eine Sicherung bekommt, kann sie dann lesen.",
            "Encrypted backups elsewhere still need the key: keep a copy of it where they are wanted.":
                "Verschlüsselte Sicherungen an anderen Orten brauchen den Schlüssel weiter: Eine Kopie davon aufbewahren.",
            "The record is not encrypted any more.": "Die Aufzeichnung ist nicht mehr verschlüsselt.",
            "The key %1 is kept until nothing here needs it: %2 may need it now.":
                "Der Schlüssel %1 bleibt, bis ihn hier nichts mehr braucht; jetzt vielleicht: %2.",
            "The key %1 is in the %2. Keep a copy of it in a safe place.":
                "Der Schlüssel %1 liegt hier: %2. Eine Kopie an einem sicheren Ort aufbewahren.",
            "The key %1 is in the file %2. Keep a copy of it in a safe place.":
                "Der Schlüssel %1 liegt in der Datei %2. Eine Kopie an einem sicheren Ort aufbewahren.",
            "Encrypt the record now? Type encrypt:": "Die Aufzeichnung jetzt verschlüsseln? encrypt eingeben:",
            "Remove the encryption now? Type decrypt:": "Die Verschlüsselung jetzt entfernen? decrypt eingeben:",
            "Change the key now? Type rekey:": "Den Schlüssel jetzt wechseln? rekey eingeben:",
            "%1 verified.": "%1 geprüft.",
            "The record is encrypted. %1": "Die Aufzeichnung ist verschlüsselt. %1",
            "The record is not encrypted. %1": "Die Aufzeichnung ist nicht verschlüsselt. %1",
            "The record has a new key. %1": "Die Aufzeichnung hat einen neuen Schlüssel. %1",
            "Exported: %1, %2.": "Exportiert: %1, %2.",
            "something was recorded during the export, so some rows may be older than others. Export it anew.":
                "während des Exports wurde etwas erfasst, manche Zeilen können älter sein als andere. Neu exportieren.",
            "Write it like this? y writes it, Return does not. ": "So schreiben? j schreibt es, Enter nicht. ",
            "There is no space left for the export, and it is not complete.":
                "Für den Export ist kein Platz mehr; er ist unvollständig.",
            "dosetap: exporting": "dosetap: Export läuft",
            "Would be imported from %1: %2%3.": "Würde importiert aus %1: %2%3.",
            "Imported from %1: %2%3.": "Importiert aus %1: %2%3.",
            "Of them as they were: %1.": "Davon mit Vermerk: %1.",
            "Imported before, or twice in the file: %1.": "Schon früher importiert oder doppelt in der Datei: %1.",
            "On record already: %1. Those entries stay as they are.":
                "Schon erfasst: %1. Diese Einträge bleiben, wie sie sind.",
            "To take it back: dosetap import --take-back %1": "Zurücknehmen: dosetap import --take-back %1",
            "The record has all of this log, %1. Nothing was changed.":
                "Die Aufzeichnung hat dieses Protokoll schon ganz, %1. Nichts wurde geändert.",
            "Would be taken over from the log: %1%2.": "Würde aus dem Protokoll übernommen: %1%2.",
            "Taken over from the log: %1%2.": "Aus dem Protokoll übernommen: %1%2.",
            "On record already: %1.": "Schon erfasst: %1.",
            "New": "Neu",
            "On record": "Erfasst",
            "Not taken|import": "Nicht übernommen",
            "Would be taken back: %1%2.": "Würde zurückgenommen: %1%2.",
            "Taken back: %1%2.": "Zurückgenommen: %1%2.",
            "Nothing was imported yet.": "Noch wurde nichts importiert.",
            "Imported": "Importiert",
            "Entries": "Einträge",
            "Taken back": "Zurückgenommen",
            "dosetap: reading, %1 % of %2": "dosetap: Lesen, %1 % von %2",
            "The file has doses of tonight, and they do not count here: %1.":
                "Die Datei hat Dosen von heute Nacht, und sie zählen hier nicht: %1.",
            "Held back: %1. Import the file again tomorrow for them.":
                "Zurückgestellt: %1. Dafür die Datei morgen noch einmal importieren.",
            "Not taken: %1.": "Nicht übernommen: %1.",
            "Not taken, in whole or in part: %1 of the file.":
                "Ganz oder zum Teil nicht übernommen: %1 der Datei.",
            "  and %1 more: --report FILE lists all": "  und %1 weitere: --report FILE listet alle auf",
            "it is of the night that is open, which an import never touches":
                "es gehört zur offenen Nacht, die ein Import nie berührt",
            "it is younger than 12 hours": "es ist jünger als 12 Stunden",
            "its night is not over yet": "seine Nacht ist noch nicht vorbei",
            "its time lies in the future": "seine Zeit liegt in der Zukunft",
            "its time lies before 1990": "seine Zeit liegt vor 1990",
            "one is on record at %1: the same at another time?":
                "eines ist schon erfasst (%1): dasselbe zu anderer Zeit?",
            "the night has a dose 1 already": "die Nacht hat schon eine Dosis 1",
            "the night has one already": "die Nacht hat schon eines",
            "a regimen on record holds at that time": "eine erfasste Verordnung gilt zu dieser Zeit",
            "the night has no dose 1": "die Nacht hat keine Dosis 1",
            "its time does not fit the order of the doses": "seine Zeit passt nicht zur Reihenfolge der Dosen",
            "it lies in another nap": "es liegt in einem anderen Nickerchen",
            "no dose 2 is expected in a night of one dose":
                "in einer Nacht mit einer Dosis wird keine Dosis 2 erwartet",
            "the rules refuse it": "die Regeln lehnen es ab",
            "skips": "Auslassungen",
            "final wakes": "endgültiges Aufwachen",
            "sleep events": "Schlafereignisse",
            "check-ins": "Check-ins",
            "pre-sleep logs": "Abendprotokolle",
            "medicines": "Medikamente",
            "regimens": "Verordnungen",
            "recorded sleep": "aufgezeichneter Schlaf",
            "after a skip": "nach dem Auslassen",
            "after the final wake": "nach dem endgültigen Aufwachen",
            "extra": "zusätzlich",
            "over the label's limit": "über der Grenze der Packungsbeilage",
            "second of a night with one dose": "zweite einer Nacht mit einer Dosis",
            ", %1, %2 to %3": ", %1, %2 bis %3",
            "The record is locked, no reminders will come.":
                "Die Aufzeichnung ist gesperrt, es kommen keine Erinnerungen.",
            "The record is locked. Tonight's reminders still come; nothing can be recorded until it is unlocked.":
                "Die Aufzeichnung ist gesperrt. Die Erinnerungen dieser Nacht kommen noch; bis zum Entsperren kann nichts erfasst werden.",
            "%1. The record is locked: check what was taken before anything else.":
                "%1. Die Aufzeichnung ist gesperrt: Zuerst prüfen, was genommen wurde.",
            "The service has no plugins.": "Der Dienst hat keine Plugins.",
            "Plugin": "Plugin",
            "Behind": "Rückstand",
            "Failures": "Fehler",
            "Does": "Aufgabe",
            "Last error": "Letzter Fehler",
            "State: %1, %2 behind, %3": "Zustand: %1, %2 im Rückstand, %3",
            "Last error: %1": "Letzter Fehler: %1",
            "default|setting": "Vorgabe",
            "environment %1": "Umgebungsvariable %1",
            "option %1": "Option %1",
            "Channels: %1": "Kanäle: %1",
            "  Try one: dosetap reminders --test %1": "  Einen ausprobieren: dosetap reminders --test %1",
            "Settings:": "Einstellungen:",
            "  Change one: dosetap config set KEY VALUE": "  Eine ändern: dosetap config set KEY VALUE",
            "%1 is on": "%1 ist an",
            "%1 is off": "%1 ist aus",
            ", as %1 says": ", wie %1 sagt",
            "Written to %1.": "Geschrieben nach %1.",
            "The service has no channels.": "Der Dienst hat keine Kanäle.",
            "Channel": "Kanal",
            "Try one: dosetap reminders --test %1": "Einen ausprobieren: dosetap reminders --test %1",
            "A test went out by %1. Did it reach you?": "Ein Test ging über %1. Kam er an?",
            ", locked": ", gesperrt",
            "A rule of the night: a night that is open goes by it from now on, and its record says so.":
                "Eine Regel der Nacht: Auch eine offene Nacht richtet sich ab jetzt danach, und ihre Aufzeichnung vermerkt das.",
            "The settings are well formed.": "Die Einstellungen sind in Ordnung.",
            "The settings were read again.": "Die Einstellungen wurden neu gelesen.",
            "All is well": "Alles in Ordnung",
            "Something is wrong": "Etwas stimmt nicht",
            "  wrong: %1": "  fehlerhaft: %1",
            "  put right: %1": "  berichtigt: %1",
            "  on record: %1": "  erfasst: %1",
            "The record is repaired.": "Die Aufzeichnung ist repariert.",
            "The record is damaged. Nothing was changed yet.":
                "Die Aufzeichnung ist beschädigt. Noch wurde nichts geändert.",
            "Look at it: %1": "Ansehen: %1",
            "Next: %1": "Weiter: %1",
            "DoseTap records and reminds. It gives no dose advice. Follow your prescriber.\nSix questions. Enter keeps what is in brackets, Ctrl-D stops.\n":
                "DoseTap erfasst und erinnert. DoseTap gibt keinen Rat zur Dosis. Es gilt die ärztliche Verordnung.\nSechs Fragen. Enter behält, was in Klammern steht, Strg-D beendet.\n",
            "1/6 Regimen: the medicine and the amount of a whole night, such as xyrem 4.5g; with once after it, one dose a night.":
                "1/6 Verordnung: Medikament und Menge einer ganzen Nacht, etwa xyrem 4.5g; mit once dahinter eine Dosis pro Nacht.",
            "Type the medicine and the amount, such as: xyrem 4.5g": "Medikament und Menge eingeben, etwa: xyrem 4.5g",
            "2/6 Times: when do you plan to wake up?": "2/6 Zeiten: Wann ist das Aufwachen geplant?",
            "2/6 Times: when do you begin to prepare for the night? A night without a check-in is closed then. (24-hour clock, such as 18:30)":
                "2/6 Zeiten: Wann beginnt die Vorbereitung auf die Nacht? Eine Nacht ohne Check-in wird dann geschlossen. (24-Stunden-Uhr, etwa 18:30)",
            "%1 is less than six hours before %2, when you plan to wake up: type %3 for the evening.":
                "%1 liegt weniger als sechs Stunden vor der geplanten Aufwachzeit %2: für den Abend %3 eingeben.",
            "%1 is less than six hours before %2, when you plan to wake up: type an earlier time, such as %3.":
                "%1 liegt weniger als sechs Stunden vor der geplanten Aufwachzeit %2: eine frühere Zeit eingeben, etwa %3.",
            "3/6 Alarm: minutes from dose 1 to the alarm for dose 2 (165, 180, 195, 210 or 225)?":
                "3/6 Wecker: Minuten von Dosis 1 bis zum Wecker für Dosis 2 (165, 180, 195, 210 oder 225)?",
            "3/6 Alarm: ring it now, as a test? (yes, no)": "3/6 Wecker: jetzt zum Test klingeln? (ja, nein)",
            "4/6 Privacy: may notifications name medicines and amounts? (yes, no)":
                "4/6 Privatsphäre: Dürfen Benachrichtigungen Medikamente und Mengen nennen? (ja, nein)",
            "5/6 Encryption: encrypt the record? A key that is lost cannot be replaced. (yes, no)":
                "5/6 Verschlüsselung: die Aufzeichnung verschlüsseln? Ein verlorener Schlüssel ist nicht zu ersetzen. (ja, nein)",
            "5/6 Encryption: keep the key in a file instead? It lies on the same disk, so only copies elsewhere are protected. (yes, no)":
                "5/6 Verschlüsselung: den Schlüssel stattdessen in einer Datei aufbewahren? Sie liegt auf demselben Datenträger, geschützt sind also nur Kopien an anderen Orten. (ja, nein)",
            "The record is not encrypted. Once a keyring runs and is unlocked: dosetap db encrypt":
                "Die Aufzeichnung ist nicht verschlüsselt. Sobald ein Schlüsselbund läuft und entsperrt ist: dosetap db encrypt",
            "6/6 Backup: make a backup when a night is over? (yes, no)":
                "6/6 Sicherung: nach jeder Nacht eine Sicherung erstellen? (ja, nein)",
            "The policy of this machine decides this. See: dosetap config show":
                "Das bestimmt die Richtlinie dieses Rechners. Siehe: dosetap config show",
            "%1; did you mean %2?": "%1; gemeint %2?",
            "none|regimen": "keine",
            "yes|answer": "ja",
            "Type yes or no.": "ja oder nein eingeben.",
            "\nStopped. What was answered before holds. To go on: dosetap setup\n":
                "\nAbgebrochen. Die bisherigen Antworten gelten. Weiter mit: dosetap setup\n",
            "\nAll is answered. The check of everything that a reminder needs:\n\n":
                "\nAlles ist beantwortet. Die Prüfung von allem, was eine Erinnerung braucht:\n\n",
            "Write this to %1? y writes it, Return does not. ": "Das nach %1 schreiben? j schreibt es, Enter nicht. ",
            "Nothing was written.": "Nichts wurde geschrieben.",
            "Nothing was written: there is something at %1 already.":
                "Nichts wurde geschrieben: Unter %1 ist schon etwas.",
            "Nothing was written to %1: %2.": "Nichts wurde nach %1 geschrieben: %2.",
            "the record of %1": "die Aufzeichnung mit %1~",
            "the record": "die Aufzeichnung",
            "Delete all data": "Alle Daten löschen",
            "To be deleted: %1, every file beside it, unsaved entries and answers, what is in memory and on the screen.":
                "Gelöscht werden: %1, jede Datei daneben, ungespeicherte Einträge und Antworten, was im Arbeitsspeicher und auf dem Bildschirm ist.",
            " Also %1.": " Auch %1.",
            ", and %1 (--backups deletes them)": ", und %1 (--backups löscht sie)",
            "Kept: settings, hooks and the key that signs packets%1. Entries in the system's journal stay until it drops them.":
                "Es bleiben: Einstellungen, Hooks und der Schlüssel, der Arztmappen signiert%1. Einträge im Journal des Systems bleiben, bis es sie verwirft.",
            "Exports, reports and packets that you saved stay where they are.":
                "Exporte, Berichte und Arztmappen, die gespeichert wurden, bleiben, wo sie sind.",
            "The files are removed, not overwritten. Without a backup the data does not come back.":
                "Die Dateien werden entfernt, nicht überschrieben. Ohne Sicherung kommen die Daten nicht zurück.",
            "Doses taken before are then unknown: the next dose is not compared with them.":
                "Frühere Dosen sind danach unbekannt: Die nächste Dosis wird nicht mit ihnen verglichen.",
            "Doses taken before are unknown now: the next dose is not compared with them.":
                "Frühere Dosen sind jetzt unbekannt: Die nächste Dosis wird nicht mit ihnen verglichen.",
            "The key of the record is removed from the keyring or its file; a credential of the service manager is kept. Encrypted copies elsewhere cannot be opened without the key.":
                "Der Schlüssel der Aufzeichnung wird aus dem Schlüsselbund oder seiner Datei entfernt; ein Credential des Dienstmanagers bleibt. Verschlüsselte Kopien an anderen Orten sind ohne den Schlüssel nicht zu öffnen.",
            "The key of the record is removed. A new record is not encrypted: dosetap db encrypt":
                "Der Schlüssel der Aufzeichnung ist entfernt. Eine neue Aufzeichnung ist nicht verschlüsselt: dosetap db encrypt",
            "The key of the record is kept: an encrypted backup or copy beside the record needs it, or a file there cannot be read.":
                "Der Schlüssel der Aufzeichnung bleibt: Eine verschlüsselte Sicherung oder Kopie daneben braucht ihn, oder eine Datei dort ist nicht lesbar.",
            "Dose 2 may be open: the record cannot be read. Its reminders end with the data.":
                "Dosis 2 kann offen sein: Die Aufzeichnung ist nicht lesbar. Ihre Erinnerungen enden mit den Daten.",
            "Dose 2 is open. Its reminders end with the data.":
                "Dosis 2 ist offen. Ihre Erinnerungen enden mit den Daten.",
            "Type delete to delete all data. Press Return to keep it: ":
                "delete eingeben, um alle Daten zu löschen. Enter behält sie: ",
            "Nothing was deleted.": "Nichts wurde gelöscht.",
            "All data is being deleted. The rest goes when the service starts, before anything is opened.":
                "Alle Daten werden gelöscht. Der Rest verschwindet, wenn der Dienst startet, bevor etwas geöffnet wird.",
            "Still there: %1 of the record. To see them: dosetap db backups":
                "Noch vorhanden: %1 der Aufzeichnung. Anzeigen: dosetap db backups",
            "The folder of the backups is a link or no folder: what lies behind it stays.":
                "Der Ordner der Sicherungen ist ein Link oder kein Ordner: Was dahinter liegt, bleibt.",
            "All data is deleted. Settings, hooks and the key that signs packets are kept.":
                "Alle Daten sind gelöscht. Einstellungen, Hooks und der Schlüssel, der Arztmappen signiert, bleiben.",
            "The key of the record could not be removed yet: the keyring is locked or does not answer. The service removes it at a start while the keyring is unlocked.":
                "Der Schlüssel der Aufzeichnung ließ sich noch nicht entfernen: Der Schlüsselbund ist gesperrt oder antwortet nicht. Der Dienst entfernt ihn bei einem Start mit entsperrtem Schlüsselbund.",
        ]
    }
}
