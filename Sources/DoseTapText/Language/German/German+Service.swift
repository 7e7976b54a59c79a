extension German {
    /// The service's text about itself: findings, readiness, settings, the record.
    package static var service: KeyValuePairs<String, String> {
        [
            "it does not answer": "er antwortet nicht",
            "'%1' may be more than one entry: %2": "„%1“ kann mehr als ein Eintrag sein: %2",
            "more than one id begins with '%1': %2": "mehr als eine ID beginnt mit „%1“: %2",
            "not asked": "nicht gefragt",
            "cannot be asked: %1": "kann nicht gefragt werden: %1",
            "the service is on your session bus": "der Dienst ist auf dem Sitzungsbus",
            "no service is running: dosetapd %1 was started for this command only":
                "es läuft kein Dienst: dosetapd %1 wurde nur für diesen Befehl gestartet",
            "nothing can be recorded: %1": "nichts kann erfasst werden: %1",
            "entries can be saved, but after a restart: %1":
                "Einträge lassen sich speichern, aber nach einem Neustart: %1",
            "entries can be saved": "Einträge lassen sich speichern",
            "entries can be saved, but there is a warning": "Einträge lassen sich speichern, aber es gibt eine Warnung",
            "no reminder will come: the service's timer cannot be set":
                "es kommt keine Erinnerung: Der Zeitgeber des Dienstes lässt sich nicht stellen",
            "the store does not work: %1": "die Datenbank funktioniert nicht: %1",
            "all settings are in force": "alle Einstellungen gelten",
            "off: %1": "aus: %1",
            "no plugin can show a reminder: all that could are off":
                "kein Plugin kann eine Erinnerung zeigen: Alle dafür sind aus",
            "the plugin %1 says: %2": "das Plugin %1 sagt: %2",
            "the plugin %1 says: %2; off: %3": "das Plugin %1 sagt: %2; aus: %3",
            "%1 exited with %2": "%1 endete mit dem Exit-Code %2",
            "%1 exited with %2: %3": "%1 endete mit dem Exit-Code %2: %3",
            "%1 ended by signal %2": "%1 wurde durch das Signal %2 beendet",
            "%1 ended by signal %2: %3": "%1 wurde durch das Signal %2 beendet: %3",
            "%1 took longer than %2 s and was ended": "%1 brauchte länger als %2 s und wurde beendet",
            "%1 took longer than %2 s and was ended: %3": "%1 brauchte länger als %2 s und wurde beendet: %3",
            "%1 said more than %2 KiB and was ended": "%1 gab mehr als %2 KiB aus und wurde beendet",
            "%1 said more than %2 KiB and was ended: %3": "%1 gab mehr als %2 KiB aus und wurde beendet: %3",
            "%1 could not be started: %2": "%1 ließ sich nicht starten: %2",
            "%1 is not run: %2": "%1 wird nicht ausgeführt: %2",
            "it leads nowhere": "der Verweis führt ins Leere",
            "it leads out of %1, to %2": "der Verweis führt aus %1 heraus, nach %2",
            "it cannot be looked at": "die Datei lässt sich nicht ansehen",
            "it is no file": "das ist keine Datei",
            "it is not executable (chmod u+x)": "die Datei ist nicht ausführbar (chmod u+x)",
            "it belongs to user %1, not to you": "die Datei gehört Benutzer %1, nicht Ihnen",
            "others may write to it (chmod go-w)": "andere dürfen darin schreiben (chmod go-w)",
            "in its folder %1, %2": "im Ordner %1: %2",
            "all plugins are on": "alle Plugins sind an",
            "%1 MiB free on the disk of the record": "%1 MiB frei auf dem Datenträger der Aufzeichnung",
            "automatic backups are off": "automatische Sicherungen sind aus",
            "the last backup could not be made: %1": "die letzte Sicherung ließ sich nicht erstellen: %1",
            "there is no backup of this record yet: one is made when a night is over":
                "es gibt noch keine Sicherung dieser Aufzeichnung: Nach jeder Nacht wird eine erstellt",
            "no automatic backup is made, because the service runs for this command only; %1":
                "es wird keine automatische Sicherung erstellt, weil der Dienst nur für diesen Befehl läuft; %1",
            "no automatic backup is made, because the service runs for this command only, and there is none of this record yet":
                "es wird keine automatische Sicherung erstellt, weil der Dienst nur für diesen Befehl läuft, und von dieser Aufzeichnung gibt es noch keine",
            "the last backup is less than a day old": "die letzte Sicherung ist weniger als einen Tag alt",
            "the last backup is %1 old": "die letzte Sicherung ist %1 alt",
            "%1 did not show what it was given: %2": "%1 zeigte nicht, was es bekam: %2",
            "shown by %1, which answered": "gezeigt von %1, das antwortete",
            "the bus starts a server when it is needed; it was not asked":
                "der Bus startet bei Bedarf einen Dienst; er wurde nicht gefragt",
            "the notification server does not answer: %1": "der Benachrichtigungsdienst antwortet nicht: %1",
            "no notification server is running": "es läuft kein Benachrichtigungsdienst",
            "do-not-disturb is on: reminders stay hidden": "„Nicht stören“ ist an: Erinnerungen bleiben verborgen",
            "do-not-disturb is off": "„Nicht stören“ ist aus",
            "the last tone was not heard: %1": "der letzte Ton war nicht zu hören: %1",
            "no sound server answers": "kein Tondienst antwortet",
            "%1 finds no sound card that you may use": "%1 findet keine Soundkarte, die Sie benutzen dürfen",
            "%1 is set to play the tone, but is not run: %2": "%1 soll den Ton spielen, wird aber nicht ausgeführt: %2",
            "%1 plays sounds": "%1 spielt Töne ab",
            "%1 is set to play the tone, but is not installed": "%1 soll den Ton spielen, ist aber nicht installiert",
            "no program that plays sounds is installed": "es ist kein Programm installiert, das Töne abspielt",
            "the sound is muted": "der Ton ist stumm",
            "the volume is %1 %": "die Lautstärke ist %1 %",
            "sleep is blocked until dose 2 is taken or skipped":
                "der Ruhezustand ist gesperrt, bis Dosis 2 genommen oder ausgelassen ist",
            "sleep will be blocked while dose 2 is open": "der Ruhezustand wird gesperrt, solange Dosis 2 offen ist",
            "the computer's sleep cannot be blocked: %1": "der Ruhezustand des Computers lässt sich nicht sperren: %1",
            "the computer is woken from sleep for reminders": "der Computer wird für Erinnerungen geweckt",
            "the computer cannot be woken from sleep: %1": "der Computer lässt sich nicht wecken: %1",
            "the computer has no battery": "der Computer hat keinen Akku",
            "the charger is plugged in, %1 %": "das Netzteil ist angeschlossen, %1 %",
            "on battery, %1 %": "auf Akku, %1 %",
            "there is no lid": "es gibt keinen Deckel",
            "closing the lid does no harm": "den Deckel zu schließen schadet nicht",
            "closing the lid means %1": "den Deckel zu schließen bewirkt: %1",
            "closing the lid does no harm until dose 2 is taken or skipped":
                "den Deckel zu schließen schadet nicht, bis Dosis 2 genommen oder ausgelassen ist",
            "%1, but not while dose 2 is open": "%1, aber nicht, solange Dosis 2 offen ist",
            "%1, and that cannot be blocked: %2": "%1, und das lässt sich nicht sperren: %2",
            "the clock is in doubt: %1": "die Uhr geht vielleicht falsch: %1",
            "the clock is synchronised": "die Uhr ist synchronisiert",
            "the clock is not synchronised": "die Uhr ist nicht synchronisiert",
            "the service keeps running when you log out": "der Dienst läuft nach dem Abmelden weiter",
            "the service ends when you log out": "der Dienst endet mit dem Abmelden",
            "the service runs as long as you are logged in": "der Dienst läuft nur, solange Sie angemeldet sind",
            "No reminder can reach you: %1, and %2. Set an alarm clock.":
                "Es kommt keine Erinnerung an: %1, und %2. Einen eigenen Wecker stellen.",
            "notifications are off": "Benachrichtigungen sind aus",
            "no program shows notifications": "kein Programm zeigt Benachrichtigungen",
            "the notification server does not answer": "der Benachrichtigungsdienst antwortet nicht",
            "notifications are not shown": "Benachrichtigungen werden nicht gezeigt",
            "do-not-disturb is on": "„Nicht stören“ ist an",
            "the alarm's sound is off": "der Ton des Weckers ist aus",
            "the sound does not work": "der Ton funktioniert nicht",
            "no program plays sounds": "kein Programm spielt Töne ab",
            "no sound server runs": "es läuft kein Tondienst",
            "no sound card can be used": "keine Soundkarte ist benutzbar",
            "the record is locked: its key is not at hand":
                "die Aufzeichnung ist gesperrt: ihr Schlüssel ist nicht verfügbar",
            "the key is not the one of this record: nothing was changed":
                "der Schlüssel gehört nicht zu dieser Aufzeichnung: nichts wurde geändert",
            "the record is encrypted, but this program was built without encryption: nothing was changed":
                "die Aufzeichnung ist verschlüsselt, aber dieses Programm wurde ohne Verschlüsselung gebaut: nichts wurde geändert",
            "this program was built without encryption: nothing was changed":
                "dieses Programm wurde ohne Verschlüsselung gebaut: nichts wurde geändert",
            "a table of another program cannot be written anew (%1): nothing was changed":
                "eine Tabelle eines anderen Programms lässt sich nicht neu schreiben (%1): nichts wurde geändert",
            "there is not enough space beside the record for a backup: %1 MiB are needed, %2 MiB are free":
                "neben der Aufzeichnung ist nicht genug Platz für eine Sicherung: %1 MiB sind nötig, %2 MiB sind frei",
            "there is not enough space to restore: %1 MiB are needed, %2 MiB are free":
                "zum Wiederherstellen ist nicht genug Platz: %1 MiB sind nötig, %2 MiB sind frei",
            "the file is too large": "die Datei ist zu groß",
            "the backup is encrypted with the key %1, which is not at hand":
                "die Sicherung ist mit dem Schlüssel %1 verschlüsselt, und der ist nicht verfügbar",
            "the store cannot be written": "die Datenbank lässt sich nicht schreiben",
            "the damaged record at %1 is put aside, too":
                "auch die beschädigte Aufzeichnung unter %1 wird beiseitegelegt",
            "The settings that were last in order stay in force.":
                "Die zuletzt gültigen Einstellungen bleiben in Kraft.",
            "The defaults hold instead.": "Stattdessen gelten die Vorgaben.",
            "Not in force: %1. %2": "Einstellungen, die nicht gelten: %1. %2",
            "Not in force: %1 and %2 more. %3": "Einstellungen, die nicht gelten: %1 und %2 weitere. %3",
            "No setting of %1 is in force: %2. %3": "Keine Einstellung aus %1 ist in Kraft: %2. %3",
            "The settings were not taken over: %1.": "Die Einstellungen wurden nicht übernommen: %1.",
            "The plugin '%1' is on until the settings are read again. The file was not written: %2.":
                "Das Plugin „%1“ ist an, bis die Einstellungen neu gelesen werden. Die Datei wurde nicht geschrieben: %2.",
            "The plugin '%1' is off until the settings are read again. The file was not written: %2.":
                "Das Plugin „%1“ ist aus, bis die Einstellungen neu gelesen werden. Die Datei wurde nicht geschrieben: %2.",
            "Nothing was changed: the policy of this machine, %1, sets %2.":
                "Nichts wurde geändert: Die Richtlinie dieses Rechners, %1, bestimmt %2.",
            "Nothing was changed: %1.": "Nichts wurde geändert: %1.",
            "The value of '%1' is text, true or false, or a whole number.":
                "Der Wert von „%1“ ist Text, true oder false, oder eine ganze Zahl.",
            "No reminders will come: no service keeps running.":
                "Es kommen keine Erinnerungen: Kein Dienst läuft dauerhaft.",
            "No reminder will come: the service's timer cannot be set. Set an alarm clock.":
                "Es kommt keine Erinnerung: Der Zeitgeber des Dienstes lässt sich nicht stellen. Einen eigenen Wecker stellen.",
            "the store is at fault: %1": "die Ursache ist die Datenbank: %1",
            "there is no record yet, so there is nothing to export":
                "es gibt noch keine Aufzeichnung, also nichts zu exportieren",
            "there is no record": "es gibt keine Aufzeichnung",
            "the record is whole: there is nothing to repair":
                "die Aufzeichnung ist unbeschädigt: nichts zu reparieren",
            "that reminder was answered: %1": "diese Erinnerung wurde beantwortet: %1",
            "there is no record yet, so there is nothing to back up":
                "es gibt noch keine Aufzeichnung, also nichts zu sichern",
            "expected a time of day such as 21:30, found %1": "erwartet wird eine Uhrzeit wie 21:30, gefunden %1",
            "expected a whole number, found %1": "erwartet wird eine ganze Zahl, gefunden %1",
            "%1 is out of range: %2 to %3": "%1 liegt außerhalb: %2 bis %3",
            "expected a whole number of seconds or off, found %1":
                "erwartet wird eine ganze Zahl von Sekunden oder off, gefunden %1",
            "%1 is out of range: %2 to %3, or off": "%1 liegt außerhalb: %2 bis %3 oder off",
            "expected true or false, found %1": "erwartet wird true oder false, gefunden %1",
            "%1 is no name of a time zone": "%1 ist kein Name einer Zeitzone",
            "%1 is no name of a sound": "%1 ist kein Name eines Tons",
            "unknown plugin": "unbekanntes Plugin",
            "unknown variable": "unbekannte Variable",
            "nobody is there to be asked": "niemand ist da, der gefragt werden kann",
            "no keyring answers": "kein Schlüsselbund antwortet",
            "the keyring does not have its key": "der Schlüsselbund hat ihren Schlüssel nicht",
            "the keyring has another key under its name":
                "der Schlüsselbund hat unter ihrem Namen einen anderen Schlüssel",
            "the credential is another key": "das Credential ist ein anderer Schlüssel",
            "the service has no credential %1": "der Dienst hat kein Credential %1",
            "the key file %1 has another key": "die Schlüsseldatei %1 hat einen anderen Schlüssel",
            "the key file %1 is not there": "die Schlüsseldatei %1 ist nicht da",
            "its key is not there": "ihr Schlüssel ist nicht da",
            "All data was deleted a moment ago, and the service starts anew. Nothing was recorded.":
                "Alle Daten wurden soeben gelöscht, und der Dienst beginnt neu. Nichts wurde erfasst.",
            "not valid YAML: %1": "kein gültiges YAML: %1",
            "is a link to a file that is not there, or that the service may not see":
                "ist ein Link auf eine Datei, die es nicht gibt oder die der Dienst nicht sehen darf",
            "cannot be written: %1": "lässt sich nicht schreiben: %1",
            "is a symbolic link; edit the file it points to":
                "ist ein symbolischer Link; die Datei bearbeiten, auf die er zeigt",
            "is no regular file": "ist keine gewöhnliche Datei",
            "is not valid text; mend it by hand first": "ist kein gültiger Text; zuerst von Hand berichtigen",
            "belongs to another user": "gehört einem anderen Benutzer",
            "cannot be changed in place; set it to %1 in an editor":
                "lässt sich nicht an seiner Stelle ändern; in einem Editor auf %1 setzen",
            "the file is not valid YAML": "die Datei ist kein gültiges YAML",
            "the key occurs more than once": "die Einstellung kommt mehrfach vor",
            "the record at %1 is damaged and is not in the backup: keep it; the backup has the fresh log %2":
                "die Aufzeichnung unter %1 ist beschädigt und nicht in der Sicherung: aufbewahren; die Sicherung hat das neue Protokoll %2",
            "it has another key than the record now": "sie hat einen anderen Schlüssel als die Aufzeichnung jetzt",
            "only the journal had kept these, without amount and note: %1; correct them":
                "nur das Journal hatte dies behalten, ohne Menge und Notiz: %1; bitte berichtigen",
            "the record had lost these, and has them again: %1":
                "die Aufzeichnung hatte dies verloren und hat es wieder: %1",
            "the copy of the last nights cannot be read: what the record has lost is not known; the next start looks again":
                "die Kopie der letzten Nächte ist nicht lesbar: Was der Aufzeichnung fehlt, ist nicht bekannt; der nächste Start prüft es wieder",
            "the record has lost these, and they wait to be recorded again: %1":
                "die Aufzeichnung hat dies verloren, und es wartet darauf, wieder erfasst zu werden: %1",
            "recorded now, because the last run could not: %1":
                "jetzt erfasst, weil der letzte Lauf es nicht konnte: %1",
            "the last run could not record these, and they still wait: %1":
                "der letzte Lauf konnte dies nicht erfassen, und es wartet noch: %1",
            "these are not in the record, and something else was recorded since: %1; log what is missing with its time":
                "dies steht nicht in der Aufzeichnung, und seither wurde anderes erfasst: %1; Fehlendes mit seiner Uhrzeit erfassen",
            "the log ends at event %1, its counter stands at %2":
                "das Protokoll endet mit Ereignis %1, sein Zähler steht auf %2",
            "the log ends at event %1, this process recorded up to %2":
                "das Protokoll endet mit Ereignis %1, dieser Prozess hat bis %2 erfasst",
            "the log ends at event %1, %2 have been recorded":
                "das Protokoll endet mit Ereignis %1, erfasst wurden %2",
            "the log ends at event %1, but %2 had been recorded: this is an older copy, or its write-ahead log was lost":
                "das Protokoll endet mit Ereignis %1, erfasst waren aber %2: eine ältere Kopie, oder das Write-Ahead-Log ging verloren",
            "the end of the log does not hold: %1": "das Ende des Protokolls stimmt nicht: %1",
            "the file is damaged: %1": "die Datei ist beschädigt: %1",
            "the store's identity changed while it was open":
                "die Kennung der Datenbank änderte sich, während sie offen war",
            "when opened: %1": "beim Öffnen: %1",
            "event %1 is missing": "Ereignis %1 fehlt",
            "events %1 to %2 are missing": "die Ereignisse %1 bis %2 fehlen",
            "event %1 does not follow the one before it": "Ereignis %1 folgt nicht auf das davor",
            "event %1 is not what was recorded": "Ereignis %1 ist nicht, was erfasst wurde",
            "event %1 is not the one that had been recorded: the file was replaced or changed":
                "Ereignis %1 ist nicht das, das erfasst war: die Datei wurde ersetzt oder verändert",
            "event %1 is older than the one before it": "Ereignis %1 ist älter als das davor",
            "event %1 has a malformed column %2": "Ereignis %1 hat eine fehlerhafte Spalte %2",
            "event %1, %2: the store was found not whole": "Ereignis %1, %2: die Datenbank war nicht vollständig",
            "event %1, %2: the store was found not whole: %3":
                "Ereignis %1, %2: die Datenbank war nicht vollständig: %3",
            "the file with the end of the log is missing or torn; the next entry writes it anew":
                "die Datei mit dem Ende des Protokolls fehlt oder ist unvollständig; der nächste Eintrag schreibt sie neu",
            "the file with the end of the log is missing or torn: an older copy could not be told":
                "die Datei mit dem Ende des Protokolls fehlt oder ist unvollständig: eine ältere Kopie fiele nicht auf",
            "the file with the end of the log belongs to another store":
                "die Datei mit dem Ende des Protokolls gehört zu einer anderen Datenbank",
            "the file with the end of the log knows another event %1 than the log, which ends at %2":
                "die Datei mit dem Ende des Protokolls kennt ein anderes Ereignis %1 als das Protokoll, das mit %2 endet",
            "another store with %1 was here before: its file was replaced or removed":
                "hier war vorher eine andere Datenbank mit %1~: ihre Datei wurde ersetzt oder entfernt",
            "a row of %1 of %2 is missing": "eine Zeile von %1 zu %2 fehlt",
            "a row of %1 of %2 does not say what the log says":
                "eine Zeile von %1 zu %2 sagt nicht, was das Protokoll sagt",
            "%1 has %2 that no event explains": "%1 hat %2, die kein Ereignis erklärt",
            "%1 is missing from the schema": "%1 fehlt im Schema",
            "%1 is not defined as it should be": "%1 ist nicht so definiert, wie es sein soll",
            "%1 does not belong to the schema": "%1 gehört nicht zum Schema",
            "%1 does not tell": "%1 sagt es nicht",
            "UPower tells an impossible charge": "UPower nennt einen unmöglichen Ladestand",
            "there is no record at %1 yet": "unter %1 gibt es noch keine Aufzeichnung",
            "there is no session bus": "es gibt keinen Sitzungsbus",
            "there is no system bus for this service": "es gibt für diesen Dienst keinen Systembus",
            "%1 reaches no sound server": "%1 erreicht keinen Tondienst",
            "the system bus does not answer": "der Systembus antwortet nicht",
            "this machine has no system bus": "dieser Rechner hat keinen Systembus",
            "the bus does not answer": "der Bus antwortet nicht",
            "not asked lately": "in letzter Zeit nicht gefragt",
            "the plugin awake is off": "das Plugin awake ist aus",
            "logind does not allow it": "logind erlaubt es nicht",
            "logind does not know you": "logind kennt diesen Benutzer nicht",
            "neither wpctl nor pactl is there": "weder wpctl noch pactl ist da",
            "no player is installed": "kein Abspielprogramm ist installiert",
            "no program that speaks is installed": "es ist kein Programm installiert, das spricht",
            "no systemd user manager answers: %1": "kein systemd-Benutzermanager antwortet: %1",
            "systemd %1: wake timers need %2": "systemd %1: Weckzeitgeber brauchen %2",
            "there is no clock in this machine that can wake it": "dieser Rechner hat keine Uhr, die ihn wecken kann",
            "the service manager does not tell its version": "der Dienstmanager nennt seine Version nicht",
            "'%1': %2; did you mean %3?": "„%1“: %2; gemeint %3?",
            "shows reminders on the desktop, with buttons": "zeigt Erinnerungen auf dem Desktop, mit Knöpfen",
            "runs the programs in hooks.d when something is recorded":
                "führt die Programme in hooks.d aus, wenn etwas erfasst wird",
            "keeps the machine awake while dose 2 is open, and wakes it":
                "hält den Rechner wach, solange Dosis 2 offen ist, und weckt ihn",
            "rings, speaks and calls for help when an alarm is not answered":
                "klingelt, spricht und ruft Hilfe, wenn ein Wecker nicht beantwortet wird",
            "writes events and reminders to the journal": "schreibt Ereignisse und Erinnerungen ins Journal",
        ]
    }
}
