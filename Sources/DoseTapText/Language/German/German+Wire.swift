extension German {
    /// What the service says: warnings, findings, notes, cautions.
    package static var wire: KeyValuePairs<String, String> {
        [
            "Help: the emergency number (112, 911), a poison centre, your pharmacist or prescriber.":
                "Hilfe: Notruf (112, 911), Giftnotruf, Apotheke oder Arztpraxis.",
            " Look at another clock before you take anything.": " Vor jeder Einnahme auf eine andere Uhr sehen.",
            "At least %1 since dose 1": "Mindestens %1 seit Dosis 1",
            "%1; the computer's clock cannot say how many.": "%1; wie viele genau, weiß die Uhr des Computers nicht.",
            "%1, %2 by the computer's clock.": "%1, laut Uhr des Computers %2.",
            "%1 by the computer's clock, %2 as counted.": "%1 laut Uhr des Computers, gezählt %2.",
            "%1 minute has passed since dose 1": "Seit Dosis 1 ist %1 Minute vergangen",
            "%1 minutes have passed since dose 1": "Seit Dosis 1 sind %1 Minuten vergangen",
            "%1; the window opens at %2 by the new clock.": "%1; das Zeitfenster öffnet um %2 (neue Uhrzeit).",
            "%1; the window has closed.": "%1; das Zeitfenster ist zu.",
            "%1; the window closes at %2 by the new clock.": "%1; das Zeitfenster schließt um %2 (neue Uhrzeit).",
            "Recorded although the clock stands before the newest entry.":
                "Erfasst, obwohl die Uhr eine Zeit vor dem neuesten Eintrag zeigt.",
            "The clock of the computer was checked.": "Die Uhr des Computers wurde geprüft.",
            "The computer's clock is synchronised.": "Die Uhr des Computers ist synchronisiert.",
            "The computer's clock was set back %1.": "Die Uhr des Computers wurde um %1 zurückgestellt.",
            "The computer's clock was set ahead %1.": "Die Uhr des Computers wurde um %1 vorgestellt.",
            "An entry of a night that is over opens a session that is already closed.":
                "Ein Eintrag einer vergangenen Nacht beginnt eine Nacht, die schon beendet ist.",
            "The first dose, sleep event or final wake opens a session at its own time.":
                "Die erste Dosis, das erste Schlafereignis oder das endgültige Aufwachen beginnt eine Nacht zu seiner Zeit.",
            "270 minutes after dose 1 nobody had recorded a dose 2 or a skip: it stays not recorded.":
                "270 Minuten nach Dosis 1 hatte niemand Dosis 2 oder ihr Auslassen erfasst: Dosis 2 bleibt „nicht erfasst“.",
            "A skip needs dose 1 and is possible in any phase, once.":
                "Auslassen setzt Dosis 1 voraus und ist in jeder Phase einmal möglich.",
            "A snooze is for the open window and never moves the alarm past 225 minutes.":
                "Schlummern gilt im offenen Zeitfenster und schiebt den Wecker nie über 225 Minuten hinaus.",
            "The alarm moves to the later of alarm and now, plus the step.":
                "Der Wecker rückt um den Schritt weiter, ab Wecker oder jetzt, was später ist.",
            "A final wake makes the night finalizing; an unresolved window keeps its reminders.":
                "Mit dem endgültigen Aufwachen geht die Nacht zu Ende; ist Dosis 2 offen, bleiben ihre Erinnerungen.",
            "A check-in ends its night.": "Ein Check-in beendet seine Nacht.",
            "A night has one check-in: a later one changes it.":
                "Eine Nacht hat einen Check-in: Ein späterer ändert ihn.",
            "An amendment changes only what it names; the original stays in the log.":
                "Eine Änderung ändert nur, was sie nennt; das Original bleibt im Protokoll.",
            "An amended time stays in its night and in its order.":
                "Eine geänderte Zeit bleibt in ihrer Nacht und ihrer Reihenfolge.",
            "A deleted entry leaves the night, not the log; what others rest on goes last.":
                "Ein gelöschter Eintrag verlässt die Nacht, nicht das Protokoll; worauf andere beruhen, geht zuletzt.",
            "An undo takes back the newest action with all it brought about.":
                "Zurücknehmen macht die neueste Handlung mit allem rückgängig, was sie bewirkte.",
            "It is possible within the undo window from the recording.":
                "Es ist innerhalb der Frist ab dem Erfassen möglich.",
            "Changed settings hold for the open night from the change on.":
                "Geänderte Einstellungen gelten für die offene Nacht ab der Änderung.",
            "%1 is due at a fixed time after dose 1, or with the alarm.":
                "%1 ist zu fester Zeit nach Dosis 1 fällig oder mit dem Wecker.",
            "check_in is due at the final wake or at the wake time, whichever comes first.":
                "check_in ist beim endgültigen Aufwachen oder zur Weckzeit fällig, je nachdem, was zuerst kommt.",
            "What reached a channel is on record; that a person noticed it is not known by that.":
                "Was einen Kanal erreichte, ist erfasst; dass es jemand bemerkte, ist damit nicht bekannt.",
            "A reminder that was only seen goes on.": "Eine Erinnerung, die nur gesehen wurde, läuft weiter.",
            "A logged dose, skip, snooze or check-in answers the reminders told before it.":
                "Dosis, Auslassen, Schlummern oder Check-in, einmal erfasst, beantworten die Erinnerungen davor.",
            "After a new start a clock that stands before the newest event is asked about, never refused.":
                "Zeigt die Uhr nach einem Neustart eine Zeit vor dem neuesten Ereignis, wird gefragt, nie abgelehnt.",
            "What is done to the clock while a window is open is recorded and told; it moves nothing.":
                "Was bei offenem Zeitfenster mit der Uhr geschieht, wird erfasst und gemeldet; es verschiebt nichts.",
            "A record that was restored from a backup says so.":
                "Eine aus einer Sicherung wiederhergestellte Aufzeichnung sagt das.",
            "A store that is older than what was written to it is recorded and told.":
                "Eine Datenbank, die älter ist als das Geschriebene, wird erfasst und gemeldet.",
            "A file is taken in one transaction, whose last event says what it brought.":
                "Eine Datei wird in einer Transaktion übernommen, deren letztes Ereignis sagt, was sie brachte.",
            "A session has one dose 1.": "Eine Nacht hat eine Dosis 1.",
            "A dose after dose 2 is an extra dose and asks twice.":
                "Eine Dosis nach Dosis 2 ist eine zusätzliche; es wird zweimal gefragt.",
            "In the open window dose 2 is recorded without a question.":
                "Im offenen Zeitfenster wird Dosis 2 ohne Frage erfasst.",
            "Before the window dose 2 asks early.": "Vor dem Zeitfenster verlangt Dosis 2 die Bestätigung early.",
            "From 240 minutes on dose 2 asks late.": "Ab 240 Minuten verlangt Dosis 2 die Bestätigung late.",
            "What was really taken is recorded, with the questions it raises.":
                "Was wirklich genommen wurde, wird erfasst, mit den Fragen, die es aufwirft.",
            "A nap starts where none is open.": "Ein Nickerchen beginnt, wo keines offen ist.",
            "The end of a nap belongs to the first start that has none yet.":
                "Das Ende eines Nickerchens gehört zum ersten Beginn ohne Ende.",
            "A live repeat within 60 seconds is refused; an earlier time never is.":
                "Eine Wiederholung binnen 60 Sekunden wird abgelehnt, eine frühere Zeit nie.",
            "A type is known by its word, in any spelling.":
                "Ein Typ ist an seinem Wort zu erkennen, in jeder Schreibweise.",
            "Without a check-in a night ends at the wake time plus the cutoff.":
                "Ohne Check-in endet eine Nacht zur Weckzeit plus Frist.",
            "A night ends at the next prep time at the latest.":
                "Eine Nacht endet spätestens zur nächsten Vorbereitungszeit.",
            "A night entered when it was over is closed at once.":
                "Eine nachträglich eingetragene Nacht ist sofort beendet.",
            "A night whose window was slept through keeps that state.":
                "Eine Nacht, deren Zeitfenster verschlafen wurde, behält diesen Zustand.",
            "After the final wake a night waits for its check-in.":
                "Nach dem endgültigen Aufwachen wartet eine Nacht auf ihren Check-in.",
            "Once the check-in is saved nothing reminds of it.":
                "Nach dem gespeicherten Check-in erinnert nichts mehr daran.",
            "When the night is over nothing reminds of its check-in.":
                "Ist die Nacht vorbei, erinnert nichts mehr an ihren Check-in.",
            "After a gap only the most urgent reminder is told.":
                "Nach einer Lücke wird nur die dringendste Erinnerung gemeldet.",
            "Once dose 2 is taken or skipped nothing reminds of it.":
                "Ist Dosis 2 genommen oder ausgelassen, erinnert nichts mehr an sie.",
            "From 240 minutes on nothing says that dose 2 is to be had.":
                "Ab 240 Minuten sagt nichts mehr, dass Dosis 2 ansteht.",
            "What is no longer true is not told.": "Was nicht mehr zutrifft, wird nicht gemeldet.",
            "What is switched off is not told.": "Was ausgeschaltet ist, wird nicht gemeldet.",
            "early: less than 150 minutes from another dose.":
                "early: weniger als 150 Minuten Abstand zu einer anderen Dosis.",
            "late: 240 minutes or more after dose 1.": "late: 240 Minuten oder mehr nach Dosis 1.",
            "after_skip: the person had skipped dose 2.": "after_skip: Die Person hatte Dosis 2 ausgelassen.",
            "after_wake: the final wake or the check-in was on record.":
                "after_wake: Das endgültige Aufwachen oder der Check-in war erfasst.",
            "%1: one dose more than prescribed.": "%1: eine Dosis mehr als verordnet.",
            "over_limit: more than 4500 mg at once or 9000 mg in the night.":
                "over_limit: mehr als 4500 mg auf einmal oder 9000 mg in der Nacht.",
            "once_nightly: one dose a night is prescribed.": "once_nightly: Eine Dosis pro Nacht ist verordnet.",
            "long_ago: more than seven days before it was recorded.":
                "long_ago: mehr als sieben Tage vor dem Erfassen.",
            "duplicate: the same ingredient less than five minutes from another.":
                "duplicate: derselbe Wirkstoff zweimal in weniger als fünf Minuten.",
            "window_unresolved: dose 2 was neither taken nor skipped.":
                "window_unresolved: Dosis 2 war weder genommen noch ausgelassen.",
            "clock_suspect: the clocks left doubt how much time had passed.":
                "clock_suspect: Nach den Uhren war zweifelhaft, wie viel Zeit vergangen war.",
            "night_begun: dose 1 was taken under another number of doses.":
                "night_begun: Dosis 1 wurde unter einer anderen Zahl von Dosen genommen.",
            "restore: a backup took the place of the record.": "restore: Eine Sicherung ersetzte die Aufzeichnung.",
            "other_record: the backup was of another record.":
                "other_record: Die Sicherung war von einer anderen Aufzeichnung.",
            "undo_dose: an undo after another, or after an entry that was declined, took back a dose.":
                "undo_dose: Ein Zurücknehmen nach einem anderen oder nach einem abgelehnten Eintrag entfernte eine Dosis.",
            "wipe: nothing of the record stays.": "wipe: Nichts von der Aufzeichnung bleibt.",
            "%1 is longer than %2 characters": "%1 ist länger als %2 Zeichen",
            "%1 holds a control or text-direction character": "%1 enthält ein Steuer- oder Schreibrichtungszeichen",
            "an amount of %1 mg is outside %2 to %3 mg": "eine Menge von %1 mg liegt außerhalb von %2 bis %3 mg",
            "only a dose, a medicine or a poured cup has an amount":
                "nur eine Dosis, ein Medikament oder ein eingefüllter Becher hat eine Menge",
            "only a skip, a deletion, a discard or a count has a reason: give a note":
                "nur Auslassen, Löschen, Wegwerfen oder Zählen hat einen Grund: eine Notiz angeben",
            "nothing is recorded as %1": "unter %1 ist nichts erfasst",
            "nothing was recorded just now": "gerade eben wurde nichts erfasst",
            "the newest action is older than %1 seconds; amend or delete it instead":
                "die neueste Handlung ist älter als %1 Sekunden; stattdessen ändern oder löschen",
            "the clocks do not show that the newest action is at most %1 seconds old; amend or delete it instead":
                "die Uhren zeigen nicht, dass die neueste Handlung höchstens %1 Sekunden alt ist; stattdessen ändern oder löschen",
            "an amendment names a new time, amount or note": "eine Änderung nennt eine neue Zeit, Menge oder Notiz",
            "only a dose or a medicine has an amount": "nur eine Dosis oder ein Medikament hat eine Menge",
            "'%1' may be more than one entry: %2": "'%1' kann mehr als ein Eintrag sein: %2",
            "more than one id begins with '%1': %2": "mehr als eine Kennung beginnt mit '%1': %2",
            "a cup is for dose1, dose2 or none, not for '%1'":
                "ein Becher ist für dose1, dose2 oder none, nicht für '%1'",
            "a bottle holds more than 0 mL and at most 10000 mL, not %1":
                "eine Flasche fasst mehr als 0 mL und höchstens 10000 mL, nicht %1",
            "a bottle holds at most 10000 mL, not what %1 of %2 makes":
                "eine Flasche fasst höchstens 10000 mL, nicht was %1 von %2 ergibt",
            "a cup is for dose1, dose2 or none, not for '%1': did you mean '%2'?":
                "ein Becher ist für dose1, dose2 oder none, nicht für '%1': '%2' gemeint?",
            "there is no '%1' here": "'%1' gibt es hier nicht",
            "there is no '%1' here: did you mean '%2'?": "'%1' gibt es hier nicht: '%2' gemeint?",
            "the stock knows no such action": "der Vorrat kennt keine solche Handlung",
            "that time belongs to another night: delete the entry and log it again":
                "diese Zeit gehört zu einer anderen Nacht: den Eintrag löschen und neu erfassen",
            "the key was used before with other arguments":
                "der Schlüssel wurde schon mit anderen Argumenten verwendet",
            "not asked": "nicht gefragt",
            "cannot be asked: %1": "kann nicht gefragt werden: %1",
            "the service is on your session bus": "der Dienst ist auf dem Sitzungsbus",
            "dosetapd %1 answers": "dosetapd %1 antwortet",
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
            "the plugin %1 says: %2%3": "das Plugin %1 sagt: %2%3",
            "all plugins are on": "alle Plugins sind an",
            "%1 MiB free on the disk of the record": "%1 MiB frei auf dem Datenträger der Aufzeichnung",
            "automatic backups are off": "automatische Sicherungen sind aus",
            "the last backup could not be made: %1": "die letzte Sicherung ließ sich nicht erstellen: %1",
            "there is no backup of this record yet: one is made when a night is over":
                "es gibt noch keine Sicherung dieser Aufzeichnung: Nach jeder Nacht wird eine erstellt",
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
            "A time is missing: write for example 22:30, 9pm, \"20m ago\" or 2026-01-14T22:30:00-05:00.":
                "Eine Zeit fehlt: etwa 22:30, 9pm, \"20m ago\" oder 2026-01-14T22:30:00-05:00 schreiben.",
            "A time has at most %1 characters: write for example 22:30 or 2026-01-14T22:30:00-05:00.":
                "Eine Zeit hat höchstens %1 Zeichen: etwa 22:30 oder 2026-01-14T22:30:00-05:00 schreiben.",
            "%1 is not a time: write for example 22:30, 9pm, \"yesterday 23:05\", \"12 Nov 22:30\", \"20m ago\" or 2026-01-14T22:30:00-05:00.":
                "%1 ist keine Zeit: etwa 22:30, 9pm, \"yesterday 23:05\", \"12 Nov 22:30\", \"20m ago\" oder 2026-01-14T22:30:00-05:00 schreiben.",
            "The calendar has no such day as in %1.": "Den Tag in %1 gibt es nicht.",
            "No clock shows the time in %1: hours go from 00 to 23, or 1 to 12 with am or pm, minutes and seconds from 00 to 59.":
                "Keine Uhr zeigt die Zeit in %1: Stunden gehen von 00 bis 23, oder 1 bis 12 mit am oder pm, Minuten und Sekunden von 00 bis 59.",
            "%1 names a leap second, which this system's clock does not have: write second 59 or 00.":
                "%1 nennt eine Schaltsekunde, die die Uhr dieses Systems nicht hat: Sekunde 59 oder 00 schreiben.",
            "%1 does not say its offset from UTC: end it with Z or for example -05:00, or write local time as \"2026-01-14 22:30\".":
                "%1 nennt keinen Abstand zu UTC: mit Z oder etwa -05:00 beenden oder die Ortszeit schreiben als \"2026-01-14 22:30\".",
            "%1 never happened in %2: the clocks were put forward past it. Write the time a clock showed, or one with its offset from UTC.":
                "%1 gab es in %2 nie: Beim Vorstellen der Uhren wurde diese Zeit übersprungen. Eine Zeit schreiben, die eine Uhr zeigte, oder eine mit Abstand zu UTC.",
            "%1 has no unit: write %2m for minutes or %3h for hours.":
                "%1 hat keine Einheit: %2m für Minuten oder %3h für Stunden schreiben.",
            "%1 is not a duration: write for example 20m, 1h30m or 90s.":
                "%1 ist keine Dauer: etwa 20m, 1h30m oder 90s schreiben.",
            "%1 is longer than the 400 days a duration may have.":
                "%1 ist länger als die 400 Tage, die eine Dauer haben darf.",
            "%1 lies outside the years 0001 to 9999.": "%1 liegt außerhalb der Jahre 0001 bis 9999.",
            "Not within 9 hours of bedtime.": "Nicht innerhalb von 9 Stunden vor der Schlafenszeit.",
            "A new dose is reached in weekly steps: 8.9, 17.8, 35.6 mg.":
                "Eine neue Dosis wird in Wochenschritten erreicht: 8,9 mg; 17,8 mg; 35,6 mg.",
            "Once at bedtime: there is no second dose.": "Einmal zur Schlafenszeit: Es gibt keine zweite Dosis.",
            "To be drunk within 30 minutes of mixing.": "Innerhalb von 30 Minuten nach dem Mischen zu trinken.",
            "Not with alcohol, nor with medicines for sleeping or calming.":
                "Nicht mit Alkohol, nicht mit Schlaf- oder Beruhigungsmitteln.",
            "Two hours or more after eating.": "Zwei Stunden oder mehr nach dem Essen.",
            "No driving or dangerous work for at least 6 hours after a dose.":
                "Mindestens 6 Stunden nach einer Dosis nicht fahren und nichts Gefährliches tun.",
            "The second dose 2.5 to 4 hours after the first; a missed one is skipped.":
                "Die zweite Dosis 2,5 bis 4 Stunden nach der ersten; eine versäumte wird ausgelassen.",
            "From %1 to %2 mg a night within a week of %3: labels raise it by at most %4 mg a week.":
                "Von %1 auf %2 mg pro Nacht binnen einer Woche ab %3: laut Packungsbeilagen höchstens %4 mg mehr pro Woche.",
            "%1 mg a night is over the %2 mg of the labels.":
                "%1 mg pro Nacht liegen über der Grenze der Packungsbeilagen von %2 mg.",
            "sleep event": "Schlafereignis",
            "a medication": "ein Medikament",
            "a sleep event": "ein Schlafereignis",
            "more than one night begins with '%1': write more of the id":
                "mehr als eine Nacht beginnt mit '%1': mehr von der ID schreiben",
            "another night had begun by then: name an earlier time, or that night":
                "da hatte schon eine andere Nacht begonnen: eine frühere Zeit oder jene Nacht nennen",
            "the notes are given twice: as answer and as note":
                "die Notizen sind doppelt angegeben: als Antwort und als Notiz",
            "say what one bottle or packet holds, for example 180mL or 4.5g":
                "angeben, was eine Flasche oder ein Beutel enthält, etwa 180mL oder 4.5g",
            "say what is left, for example 120mL, or 0mL for nothing":
                "angeben, was übrig ist, etwa 120mL, oder 0mL für nichts",
            "say of which medicine: %1": "das Medikament angeben: %1",
            "the inventory is of %1, not of %2": "der Vorrat ist von %1, nicht von %2",
            "'%1' is no concentration of a liquid: write for example 500mg/mL":
                "'%1' ist keine Konzentration einer Flüssigkeit: etwa 500mg/mL schreiben",
            "a count is a whole number from %1 to %2": "eine Anzahl ist eine ganze Zahl von %1 bis %2",
            "a bottle holds more than 0 mL and at most 10000 mL":
                "eine Flasche enthält mehr als 0 mL und höchstens 10000 mL",
            "'%1' is no amount: write for example 2.25g, 2250mg or 4.5mL":
                "'%1' ist keine Menge: etwa 2.25g, 2250mg oder 4.5mL schreiben",
            "%1 what? Give a unit: %2mL, %3g or %4mg": "%1 was? Eine Einheit angeben: %2mL, %3g oder %4mg",
            "%1 is no whole number of milligrams": "%1 ist keine ganze Zahl von Milligramm",
            "%1 cannot be recorded: no concentration says how many milligrams one %2 holds; give the amount in mg or g":
                "%1 lässt sich nicht erfassen: Keine Konzentration sagt, wie viel Milligramm 1 %2 enthält; die Menge in mg oder g angeben",
            "%1 is too much": "%1 ist zu viel",
            "%1 has no usual dose: say how much, for example 5mg":
                "%1 hat keine übliche Dosis: die Menge angeben, etwa 5mg",
            "the amount is given twice": "die Menge ist doppelt angegeben",
            "a log that is skipped has no answers: save it as partial or complete":
                "ein ausgelassenes Protokoll hat keine Antworten: als partial oder complete speichern",
            "a regimen is not amended: set another one, or delete it":
                "eine Verordnung wird nicht geändert: eine andere setzen oder sie löschen",
            "a regimen says how much a night, for example total 4.5g":
                "eine Verordnung sagt, wie viel pro Nacht, etwa total 4.5g",
            "one dose a night is not split in two": "eine Dosis pro Nacht wird nicht geteilt",
            "the ratios sum to %1, not to 1": "die Anteile ergeben %1, nicht 1",
            "a regimen begins with its date 'from', not at a time":
                "eine Verordnung beginnt mit ihrem Datum 'from', nicht zu einer Uhrzeit",
            "the lab plans no change of doses, amounts or intervals: what is prescribed is changed with the prescriber only":
                "das Labor plant keine Änderung von Dosen, Mengen oder Abständen: Verordnetes wird nur mit der verordnenden Praxis geändert",
            "alcohol is not planned: the labels of oxybates warn of both together":
                "Alkohol wird nicht geplant: Die Packungsbeilagen der Oxybate warnen vor beidem zusammen",
            "a question begins with the next night, %1: what is past is explored":
                "eine Frage beginnt mit der nächsten Nacht, %1: Vergangenes wird erkundet",
            "a plan begins between the next night, %1, and %2":
                "ein Plan beginnt zwischen der nächsten Nacht, %1, und %2",
            "no plan of the lab has that night": "kein Plan des Labors hat diese Nacht",
            "a question waits for %1 to %2 nights": "eine Frage wartet auf %1 bis %2 Nächte",
            "a plan has %1 to %2 pairs of nights": "ein Plan hat %1 bis %2 Nächtepaare",
            "a recorded sleep ends after it begins, at most 24 hours later":
                "aufgezeichneter Schlaf endet nach seinem Beginn, höchstens 24 Stunden später",
            "a recorded sleep keeps its times: delete it and record it again":
                "aufgezeichneter Schlaf behält seine Zeiten: löschen und neu erfassen",
            "the record is locked: its key is not at hand":
                "die Aufzeichnung ist gesperrt: ihr Schlüssel ist nicht verfügbar",
            "the key is not the one of this record: nothing was changed":
                "der Schlüssel gehört nicht zu dieser Aufzeichnung: nichts wurde geändert",
            "the record is encrypted, but this program was built without encryption: nothing was changed":
                "die Aufzeichnung ist verschlüsselt, aber dieses Programm wurde ohne Verschlüsselung gebaut: nichts wurde geändert",
            "this program was built without encryption: nothing was changed":
                "dieses Programm wurde ohne Verschlüsselung gebaut: nichts wurde geändert",
            "there is not enough space for a backup: %1 MiB are needed, %2 MiB are free":
                "für eine Sicherung ist nicht genug Platz: %1 MiB sind nötig, %2 MiB sind frei",
            "there is not enough space to restore: %1 MiB are needed, %2 MiB are free":
                "zum Wiederherstellen ist nicht genug Platz: %1 MiB sind nötig, %2 MiB sind frei",
            "the file is too large": "die Datei ist zu groß",
            "the backup is encrypted with the key %1, which is not at hand":
                "die Sicherung ist mit dem Schlüssel %1 verschlüsselt, und der ist nicht verfügbar",
            "the store cannot be written": "die Datenbank lässt sich nicht schreiben",
            "the damaged record at %1 is put aside, too":
                "auch die beschädigte Aufzeichnung unter %1 wird beiseitegelegt",
            "Nothing is recorded as '%1'.": "Unter '%1' ist nichts erfasst.",
            "The settings that were last in order stay in force.":
                "Die zuletzt gültigen Einstellungen bleiben in Kraft.",
            "The defaults hold instead.": "Stattdessen gelten die Vorgaben.",
            "Not in force: %1. %2": "Nicht in Kraft: %1. %2",
            "Not in force: %1 and %2 more. %3": "Nicht in Kraft: %1 und %2 weitere. %3",
            "No setting of %1 is in force: %2. %3": "Keine Einstellung aus %1 ist in Kraft: %2. %3",
            "The settings were not taken over: %1.": "Die Einstellungen wurden nicht übernommen: %1.",
            "The plugin '%1' is on until the settings are read again. The file was not written: %2.":
                "Das Plugin '%1' ist an, bis die Einstellungen neu gelesen werden. Die Datei wurde nicht geschrieben: %2.",
            "The plugin '%1' is off until the settings are read again. The file was not written: %2.":
                "Das Plugin '%1' ist aus, bis die Einstellungen neu gelesen werden. Die Datei wurde nicht geschrieben: %2.",
            "Nothing was changed: the policy of this machine, %1, sets %2.":
                "Nichts wurde geändert: Die Richtlinie dieses Rechners, %1, bestimmt %2.",
            "Nothing was changed: %1.": "Nichts wurde geändert: %1.",
            "The value of '%1' is text, true or false, or a whole number.":
                "Der Wert von '%1' ist Text, true oder false, oder eine ganze Zahl.",
            "No reminders will come: no service keeps running.":
                "Es kommen keine Erinnerungen: Kein Dienst läuft dauerhaft.",
            "No reminder will come: the service's timer cannot be set. Set an alarm clock.":
                "Es kommt keine Erinnerung: Der Zeitgeber des Dienstes lässt sich nicht stellen. Einen eigenen Wecker stellen.",
            "the store is at fault: %1": "die Ursache ist die Datenbank: %1",
            " not yet safe on disk: %1": " noch nicht sicher gespeichert: %1",
            "Xyrem label: no driving or hazardous work for at least 6 h after a dose":
                "US-Fachinformation von Xyrem: mindestens 6 h nach einer Dosis nicht fahren, nichts Gefährliches tun",
            "Xyrem label: a dose is taken at least 2 h after eating":
                "US-Fachinformation von Xyrem: eine Dosis mindestens 2 h nach dem Essen",
            "Xyrem label: contraindicated with alcohol": "US-Fachinformation von Xyrem: nicht mit Alkohol",
            "pre-sleep log: had from noon on": "Abendprotokoll: ab Mittag",
            "Xyrem label, copy by medslook.com: a diluted dose is used within 24 h":
                "US-Fachinformation von Xyrem, Kopie von medslook.com: eine verdünnte Dosis wird innerhalb von 24 h verwendet",
            "Lumryz label: drunk within 30 min of mixing":
                "US-Fachinformation von Lumryz: innerhalb von 30 min nach dem Mischen zu trinken",
            "medicines taken: from noon on": "Medikamente: ab Mittag",
            "key must have 1 to %1 bytes and no control characters":
                "key hat 1 bis %1 Bytes und keine Steuerzeichen",
            "%1 has 1 to %2 characters and no control characters": "%1 hat 1 bis %2 Zeichen und keine Steuerzeichen",
            "a recorded sleep has no '%1'": "aufgezeichneter Schlaf hat kein '%1'",
            "a recorded sleep has its own start: name no other time":
                "aufgezeichneter Schlaf hat seinen eigenen Anfang: keine andere Zeit nennen",
            "the stages of a recorded sleep, 1 to %1, lie within it, in their order, and none in another":
                "1 bis %1 Phasen aufgezeichneten Schlafs liegen darin, der Reihe nach und ohne Überschneidung",
            "the durations of a recorded sleep are seconds of known stages, together no longer than it":
                "die Dauern aufgezeichneten Schlafs sind Sekunden bekannter Phasen, zusammen nicht länger als er",
            "the %1 of a recorded sleep has 1 to %2 characters and no control characters":
                "%1 von aufgezeichnetem Schlaf hat 1 bis %2 Zeichen und keine Steuerzeichen",
            "a question is not amended: delete it and ask another one":
                "eine Frage wird nicht geändert: löschen und eine andere stellen",
            "minutes of naps are no outcome of a planned nap: they would count the nap itself":
                "Minuten Nickerchen sind kein Ergebnis eines geplanten Nickerchens: Sie würden es selbst zählen",
            "a plan is not amended: delete it and make another one":
                "ein Plan wird nicht geändert: löschen und einen anderen machen",
            "what was kept is of a night, not of a time":
                "was eingehalten wurde, gilt für eine Nacht, nicht für eine Zeit",
            "the night of %1 is none of the plan, or has not come yet":
                "die Nacht vom %1 gehört nicht zum Plan oder kommt erst noch",
            "what was kept is not amended: record it again, and what was said last counts":
                "was eingehalten wurde, wird nicht geändert: neu erfassen, das Letzte zählt",
            "a night is of one plan, and the plan of %1 has those until %2: begin after it, or delete it":
                "eine Nacht gehört zu einem Plan, und der Plan vom %1 hat alle bis %2: danach beginnen oder ihn löschen",
            "the lab is told no '%1'": "das Labor kennt kein '%1'",
            "%1 is one of %2": "%1 ist eines von %2",
            "%1 begins with a night, not at a time": "%1 beginnt mit einer Nacht, nicht zu einer Uhrzeit",
            "the seed is a whole number from 0 to %1": "der Seed ist eine ganze Zahl von 0 bis %1",
            "a night is a date, YYYY-MM-DD": "eine Nacht ist ein Datum, YYYY-MM-DD",
            "only bottles are counted: a poured cup is amended":
                "nur Flaschen werden gezählt: ein eingefüllter Becher wird geändert",
            "only a cup or a bottle is thrown away: what was noted by mistake is deleted":
                "nur ein Becher oder eine Flasche wird weggeworfen: irrtümlich Notiertes wird gelöscht",
            "what was thrown away has the amount of its own entry":
                "Weggeworfenes hat die Menge seines eigenen Eintrags",
            "%1 comes in packets: they have no concentration": "%1 kommt in Beuteln: Sie haben keine Konzentration",
            "a packet of %1 is given by weight, for example 4.5g":
                "ein Beutel %1 wird nach Gewicht angegeben, etwa 4.5g",
            "a packet is given by weight, for example 4.5g": "ein Beutel wird nach Gewicht angegeben, etwa 4.5g",
            "a packet holds 1 to %1 mg, not %2 mg": "ein Beutel enthält 1 bis %1 mg, nicht %2 mg",
            "say what a millilitre of %1 holds, for example concentration 500mg/mL":
                "angeben, was ein Milliliter %1 enthält, etwa concentration 500mg/mL",
            "say which packets of %1 were counted, for example packet 4.5g":
                "angeben, welche Beutel %1 gezählt wurden, etwa packet 4.5g",
            "%1 is a short text": "%1 ist ein kurzer Text",
            "%1, for example 180mL; '%2' is none of it": "%1, etwa 180mL; '%2' passt nicht",
            "%1 what? Give a unit, for example %2mL": "%1 was? Eine Einheit angeben, etwa %2mL",
            "what is left is 0 to %1 mg, not %2 mg": "übrig sind 0 bis %1 mg, nicht %2 mg",
            "there is no record yet, so there is nothing to export":
                "es gibt noch keine Aufzeichnung, also nichts zu exportieren",
            "there is no record": "es gibt keine Aufzeichnung",
            "the record is whole: there is nothing to repair":
                "die Aufzeichnung ist unbeschädigt: nichts zu reparieren",
            "that reminder was answered: %1": "diese Erinnerung wurde beantwortet: %1",
            "there is no record yet, so there is nothing to back up":
                "es gibt noch keine Aufzeichnung, also nichts zu sichern",
            "%1 a night is out of range": "%1 pro Nacht liegt außerhalb der Grenzen",
            "a regimen has no '%1'": "eine Verordnung hat kein '%1'",
            "until %1 lies before from %2": "until %1 liegt vor from %2",
            "'%1' is no concentration: write for example 500mg/mL or 750mg/tablet":
                "'%1' ist keine Konzentration: etwa 500mg/mL oder 750mg/tablet schreiben",
            "a custom split has ratios, for example 0.6 and 0.4": "eine eigene Teilung hat Anteile, etwa 0.6 und 0.4",
            "only a custom split has ratios": "nur eine eigene Teilung hat Anteile",
            "there is no split '%1': did you mean '%2'?": "es gibt keine Teilung '%1': gemeint '%2'?",
            "ratios are a list of one or two numbers": "Anteile sind eine Liste von einer oder zwei Zahlen",
            "a ratio is a number between 0 and 1, such as 0.6": "ein Anteil ist eine Zahl zwischen 0 und 1, etwa 0.6",
            "steps are a list of up to %1": "Schritte sind eine Liste von bis zu %1",
            "the step of %1 does not come after the one before it, or not before the end":
                "der Schritt vom %1 kommt nicht nach dem davor oder nicht vor dem Ende",
            "a step is a date and a total, for example 2026-02-01=6g":
                "ein Schritt ist ein Datum und eine Gesamtmenge, etwa 2026-02-01=6g",
            "%1 is a date such as 2026-01-14, not '%2'": "%1 ist ein Datum wie 2026-01-14, nicht '%2'",
            "%1 is true or false": "%1 ist true oder false",
            "a regimen is for %1": "eine Verordnung ist für %1",
            "a regimen is for %1: did you mean '%2'?": "eine Verordnung ist für %1: gemeint '%2'?",
            "expected a time of day such as 21:30, found %1": "erwartet wird eine Uhrzeit wie 21:30, gefunden %1",
            "expected a whole number, found %1": "erwartet wird eine ganze Zahl, gefunden %1",
            "%1 is out of range: %2 to %3": "%1 liegt außerhalb: %2 bis %3",
            "%1 is none of %2": "%1 ist keines von %2",
            "expected a whole number of seconds or off, found %1":
                "erwartet wird eine ganze Zahl von Sekunden oder off, gefunden %1",
            "%1 is out of range: %2 to %3, or off": "%1 liegt außerhalb: %2 bis %3, oder off",
            "expected true or false, found %1": "erwartet wird true oder false, gefunden %1",
            "%1 is no name of a time zone": "%1 ist kein Name einer Zeitzone",
            "%1 is no name of a sound": "%1 ist kein Name eines Tons",
            "unknown key": "unbekannte Einstellung",
            "unknown plugin": "unbekanntes Plugin",
            "unknown variable": "unbekannte Variable",
            "nobody is there to be asked": "niemand ist da, der gefragt werden kann",
            "no keyring answers": "kein Schlüsselbund antwortet",
            "the keyring is locked": "der Schlüsselbund ist gesperrt",
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
            "the answer to %1: %2": "die Antwort auf %1: %2",
            "%1 is neither true nor false": "%1 ist weder true noch false",
            "%1 is no code; known: %2": "%1 ist kein Code; bekannt: %2",
            "%1 is no list of codes; known: %2": "%1 ist keine Liste von Codes; bekannt: %2",
            "%1 is none of %2; the nearest is %3": "%1 ist keines von %2; am nächsten ist %3",
            "%1 is no whole number from %2": "%1 ist keine ganze Zahl von %2",
            "%1 is outside %2; the nearest is %3": "%1 liegt außerhalb %2; am nächsten ist %3",
            "%1 is no step of %2; the nearest are %3 and %4": "%1 ist kein Schritt von %2; am nächsten sind %3 und %4",
            "%1 is no number from %2 to %3 %4": "%1 ist keine Zahl von %2 bis %3 %4",
            "%1 is outside %2 to %3 %4; the nearest is %5": "%1 liegt außerhalb %2 bis %3 %4; am nächsten ist %5",
            "%1 is no text": "%1 ist kein Text",
            "%1 is no instant such as %2": "%1 ist kein Zeitpunkt wie %2",
            "%1 is no list of places such as 'knee left 4 aching'":
                "%1 ist keine Liste von Stellen wie 'knee left 4 aching'",
            "%1 is no place such as 'knee left 4 aching'": "%1 ist keine Stelle wie 'knee left 4 aching'",
            "'none' stands alone or not at all": "'none' steht allein oder gar nicht",
            "it is longer than %1 characters": "sie ist länger als %1 Zeichen",
            "it holds a control or text-direction character":
                "sie enthält ein Steuerzeichen oder eines der Textrichtung",
            "the time lies in the future; the latest is the moment of the answer":
                "die Zeit liegt in der Zukunft; die späteste ist der Moment der Antwort",
            "the time is too long ago; the earliest is %1 h before the answer":
                "die Zeit ist zu lange her; die früheste liegt %1 h vor der Antwort",
            "more than %1 places": "mehr als %1 Stellen",
            "a place has up to 400 characters": "eine Stelle hat höchstens 400 Zeichen",
            "it is missing; known: %1": "sie fehlt; bekannt: %1",
            "it needs %1 to be an answer": "sie setzt eine Antwort auf %1 voraus",
            "it needs %1 to be %2": "sie setzt %2 als Antwort auf %1 voraus",
            "it needs %1 to be something other than %2": "sie setzt eine andere Antwort auf %1 voraus als %2",
            "%1 is less than the last alone; the least is %2": "%1 ist weniger als die letzte allein; mindestens %2",
            "%1 % of %2 mg leaves a part of %3 mg; the least is %4 mg":
                "%1 % von %2 mg lässt einen Teil von %3 mg; mindestens %4 mg",
            "there is no question %1": "es gibt keine Frage %1",
            "there is no question %1; the nearest is %2": "es gibt keine Frage %1; am nächsten ist %2",
            "not valid YAML: %1": "kein gültiges YAML: %1",
            "is a link to a file that is not there, or that the service may not see":
                "ist eine Verknüpfung mit einer Datei, die es nicht gibt oder die der Dienst nicht sehen darf",
            "cannot be read: %1": "lässt sich nicht lesen: %1",
            "cannot be written: %1": "lässt sich nicht schreiben: %1",
            "is a symbolic link; edit the file it points to":
                "ist eine symbolische Verknüpfung; die Datei bearbeiten, auf die sie zeigt",
            "is no regular file": "ist keine gewöhnliche Datei",
            "is not valid text; mend it by hand first": "ist kein gültiger Text; zuerst von Hand berichtigen",
            "belongs to another user": "gehört einem anderen Benutzer",
            "cannot be changed in place; set it to %1 in an editor":
                "lässt sich nicht an seiner Stelle ändern; in einem Editor auf %1 setzen",
            "the file is not valid YAML": "die Datei ist kein gültiges YAML",
            "the key occurs more than once": "die Einstellung kommt mehrfach vor",
            "the damaged record is kept at %1": "die beschädigte Aufzeichnung bleibt unter %1",
            "the damaged record would be kept at %1": "die beschädigte Aufzeichnung bliebe unter %1",
            "what cannot be read is listed in %1": "was nicht lesbar ist, steht in %1",
            "what cannot be read would be listed in %1": "was nicht lesbar ist, stünde in %1",
            "the record at %1 is damaged and is left as it is":
                "die Aufzeichnung unter %1 ist beschädigt und bleibt, wie sie ist",
            "%1; new entries go to %2, %3 so far": "%1; neue Einträge gehen nach %2, bisher %3",
            "the record at %1 is damaged and is not in the backup: keep it; the backup has the fresh log %2":
                "die Aufzeichnung unter %1 ist beschädigt und nicht in der Sicherung: aufbewahren; die Sicherung hat das neue Protokoll %2",
            "something else was recorded since; amend or delete the entry instead":
                "inzwischen wurde etwas anderes erfasst; den Eintrag stattdessen ändern oder löschen",
            "snoozes stay behind, %1 of them: their reminders are over":
                "Schlummern bleibt zurück (%1 Mal): Die Erinnerungen dazu sind vorbei",
            "questions, plans and nights of the lab stay behind, %1 of them: they are about one record":
                "Fragen, Pläne und Nächte des Labors bleiben zurück, %1 davon: Sie betreffen eine bestimmte Aufzeichnung",
            "entries of the inventory stay behind, %1 of them: each record has its own":
                "Vorratseinträge bleiben zurück (%1): Jede Aufzeichnung hat ihre eigenen",
            "it has another key than the record now": "sie hat einen anderen Schlüssel als die Aufzeichnung jetzt",
            "only the journal had kept these, without amount and note: %1; correct them":
                "nur das Journal hatte dies behalten, ohne Menge und Notiz: %1; bitte berichtigen",
            "the record had lost these, and has them again: %1":
                "die Aufzeichnung hatte dies verloren und hat es wieder: %1",
            "the record has lost these, and they wait to be recorded again: %1":
                "die Aufzeichnung hat dies verloren, und es wartet darauf, wieder erfasst zu werden: %1",
            "recorded now, because the last run could not: %1":
                "jetzt erfasst, weil der letzte Lauf es nicht konnte: %1",
            "the last run could not record these, and they still wait: %1":
                "der letzte Lauf konnte dies nicht erfassen, und es wartet noch: %1",
            "these are not in the record, and something else was recorded since: %1; log what is missing with its time":
                "dies steht nicht in der Aufzeichnung, und seither wurde anderes erfasst: %1; Fehlendes mit seiner Uhrzeit erfassen",
            "there is no record at %1 yet": "unter %1 gibt es noch keine Aufzeichnung",
            "there is no session bus": "es gibt keinen Sitzungsbus",
            "there is no system bus for this service": "es gibt für diesen Dienst keinen Systembus",
            "%1 reaches no sound server": "%1 erreicht keinen Tondienst",
            "the system bus does not answer": "der Systembus antwortet nicht",
            "this machine has no system bus": "dieser Rechner hat keinen Systembus",
            "the bus does not answer": "der Bus antwortet nicht",
            "it does not answer": "er antwortet nicht",
            "not asked lately": "zuletzt nicht gefragt",
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
            "'%1': %2; did you mean %3?": "'%1': %2; gemeint %3?",
            "shows reminders on the desktop, with buttons": "zeigt Erinnerungen auf dem Desktop, mit Knöpfen",
            "runs the programs in hooks.d when something is recorded":
                "führt die Programme in hooks.d aus, wenn etwas erfasst wird",
            "keeps the machine awake while dose 2 is open, and wakes it":
                "hält den Rechner wach, solange Dosis 2 offen ist, und weckt ihn",
            "rings, speaks and calls for help when an alarm is not answered":
                "klingelt, spricht und ruft Hilfe, wenn ein Wecker nicht beantwortet wird",
            "writes events and reminders to the journal": "schreibt Ereignisse und Erinnerungen ins Journal",
            "medication": "Medikament",
            "reminder": "Erinnerung",
        ]
    }
}
