extension German {
    /// The service's text about a night: the rules that decided, clocks, cautions.
    package static var explanations: KeyValuePairs<String, String> {
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
            "A time is missing: write for example 22:30, 9pm, \"20m ago\" or 2026-01-14T22:30:00-05:00.":
                "Eine Zeit fehlt: etwa 22:30, 9pm, \"20m ago\" oder 2026-01-14T22:30:00-05:00 schreiben.",
            "A time has at most %1 characters: write for example 22:30 or 2026-01-14T22:30:00-05:00.":
                "Eine Zeit hat höchstens %1 Zeichen: etwa 22:30 oder 2026-01-14T22:30:00-05:00 schreiben.",
            "%1 is not a time: write %2.": "%1 ist keine Zeit: %2 schreiben.",
            "%1 is not a time: write %2am or %3pm.": "%1 ist keine Zeit: %2am oder %3pm schreiben.",
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
            "a medication": "ein Medikament",
            "'%1' is no amount: write for example 2.25g, 2250mg or 4.5mL":
                "„%1“ ist keine Menge: etwa 2.25g, 2250mg oder 4.5mL schreiben",
            "%1 what? Give a unit: %2mL, %3g or %4mg": "%1 was? Eine Einheit angeben: %2mL, %3g oder %4mg",
            "%1 is no whole number of milligrams": "%1 ist keine ganze Zahl von Milligramm",
            "%1 cannot be recorded: no concentration says how many milligrams one %2 holds; give the amount in mg or g":
                "%1 lässt sich nicht erfassen: Keine Konzentration sagt, wie viel Milligramm 1 %2 enthält; die Menge in mg oder g angeben",
            "%1 is too much": "%1 ist zu viel",
            "%1 has no usual dose: say how much, for example 5mg":
                "%1 hat keine übliche Dosis: die Menge angeben, etwa 5mg",
            "the amount is given twice": "die Menge ist doppelt angegeben",
            "the keyring is locked": "der Schlüsselbund ist gesperrt",
        ]
    }
}
