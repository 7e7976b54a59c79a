extension German {
    /// The page of the report, the summary, the page in the browser.
    package static var report: KeyValuePairs<String, String> {
        [
            "Night record": "Nachtprotokoll",
            "It records; it gives no advice.": "Es erfasst und gibt keinen Rat.",
            "%1 %2 %3|date": "%1. %2 %3",
            "%1 %2|date": "%1. %2",
            "Jan": "Jan.",
            "Feb": "Feb.",
            "Mar": "März",
            "Apr": "Apr.",
            "May": "Mai",
            "Jun": "Juni",
            "Jul": "Juli",
            "Aug": "Aug.",
            "Sep": "Sept.",
            "Oct": "Okt.",
            "Nov": "Nov.",
            "Dec": "Dez.",
            "Night %1": "Nacht %1",
            "Times are those of the clock on the wall.": "Alle Zeiten sind Ortszeiten.",
            "Times are those of %1.": "Alle Zeiten: %1.",
            "Times are those of the clock on the wall, in %1.": "Alle Zeiten sind Ortszeiten in %1.",
            "Nights of %1. %2 Made from the person's own record. %3":
                "Nächte vom %1. %2 Erstellt aus der eigenen Aufzeichnung der Person. %3",
            "%1, numbered from the oldest; dates, time zone and medicines are left out. Times are those of the clock on the wall. Made from the person's own record. %2":
                "%1, gezählt ab der ältesten; Datumsangaben, Zeitzone und Medikamente sind weggelassen. Alle Zeiten sind Ortszeiten. Erstellt aus der eigenen Aufzeichnung der Person. %2",
            "Counts and medians of %1, and nothing of a single night. Made from the person's own record. %2":
                "Anzahlen und Mediane von %1~, nichts von einer einzelnen Nacht. Erstellt aus der eigenen Aufzeichnung der Person. %2",
            "No nights yet": "Noch keine Nächte",
            "The record has no night of these dates. A night begins with its first entry, such as dose 1:":
                "Die Aufzeichnung hat keine Nacht in diesem Zeitraum. Eine Nacht beginnt mit ihrem ersten Eintrag, etwa Dosis 1:",
            "Other nights are chosen with --from and --to, or with more of --nights.":
                "Andere Nächte wählt man mit --from und --to oder mit mehr --nights.",
            "Nights on record": "Erfasste Nächte",
            "of %1, first to last": "von %1~, erste bis letzte",
            "Dose 2 on time": "Dosis 2 rechtzeitig",
            "%1 %": "%1 %",
            "%1 of %2|share": "%1 von %2~",
            "Interval, median": "Abstand, Median",
            "middle half %1 to %2": "mittlere Hälfte %1 bis %2",
            "Nights without dose 2": "Nächte ohne Dosis 2",
            "%1 not recorded, %2 skipped": "%1 nicht erfasst, %2 ausgelassen",
            "One dose a night": "Eine Dosis pro Nacht",
            "extra dose is": "zusätzliche Dosis ist",
            "extra doses are": "zusätzliche Dosen sind",
            "%1 on record.": "%1 erfasst.",
            "Asleep, median, diary": "Schlaf, Median, Tagebuch",
            "Asleep, median, recorded": "Schlaf, Median, Gerät",
            "Interval between the doses": "Abstand zwischen den Dosen",
            "Minutes from dose 1 to dose 2. A filled dot lies in the window of 150 to 240 minutes; a diamond is late, a triangle early. Below: × not recorded, – skipped.":
                "Minuten von Dosis 1 bis Dosis 2. Ein gefüllter Punkt liegt im Zeitfenster von 150 bis 240 Minuten; eine Raute ist zu spät, ein Dreieck zu früh. Darunter: × nicht erfasst, – ausgelassen.",
            "Minutes from dose 1 to dose 2, night by night": "Minuten von Dosis 1 bis Dosis 2, Nacht für Nacht",
            "; their median is %1 minutes": "; ihr Median ist %1 Minuten",
            "%1 of %2 intervals lie in the window of 150 to 240 minutes%3. Every value is in the table of all nights.":
                "%1 von %2 Abständen liegen im Zeitfenster von 150 bis 240 Minuten%3. Jeder Wert steht in der Tabelle aller Nächte.",
            "One dose a night is prescribed on these nights, so there is no interval between doses to show.":
                "In diesen Nächten ist eine Dosis pro Nacht verordnet, also gibt es keinen Abstand zwischen Dosen zu zeigen.",
            "No interval between doses is on record for these nights.":
                "Für diese Nächte ist kein Abstand zwischen Dosen erfasst.",
            "window opens": "Fenster öffnet",
            "window closes": "Fenster schließt",
            "target %1": "Ziel %1",
            "median of 15": "Median von 15",
            "no interval": "kein Abstand",
            "beyond %1": "über %1",
            "Nights and naps": "Nächte und Nickerchen",
            "One row a night, 18:00 to 18:00, oldest on top. Time is counted from 18:00, so no bar is shorter or longer because a clock was changed.":
                "Eine Zeile pro Nacht, 18:00 bis 18:00, die älteste oben. Die Zeit zählt ab 18:00, also ist kein Balken wegen einer Uhrumstellung kürzer oder länger.",
            " A gap in a bar of recorded sleep is time that was not recorded as sleep.":
                " Eine Lücke in einem Balken aufgezeichneten Schlafs ist Zeit, die nicht als Schlaf aufgezeichnet wurde.",
            " The diary tells how long somebody was awake, not when, so its bars have no gaps.":
                " Das Tagebuch sagt, wie lange jemand wach war, nicht wann; seine Balken haben keine Lücken.",
            "Nights from 18:00 to 18:00, one row each, oldest on top":
                "Nächte von 18:00 bis 18:00, je eine Zeile, die älteste oben",
            "Bars: asleep; dots: dose 1; upright strokes: dose 2; dark bars: naps. The table of all nights has the times.":
                "Balken: Schlaf; Punkte: Dosis 1; senkrechte Striche: Dosis 2; dunkle Balken: Nickerchen. Die Zeiten stehen in der Tabelle aller Nächte.",
            "asleep (diary)": "Schlaf (Tagebuch)",
            "asleep (recorded)": "Schlaf (Gerät)",
            "nap": "Nickerchen",
            "clock −%1": "Uhr −%1",
            "clock +%1": "Uhr +%1",
            "mark lies outside these 24 hours; it stands in the table.":
                "Zeichen liegt außerhalb dieser 24 Stunden; es steht in der Tabelle.",
            "marks lie outside these 24 hours; they stand in the table.":
                "Zeichen liegen außerhalb dieser 24 Stunden; sie stehen in der Tabelle.",
            "Every night at a glance": "Alle Nächte auf einen Blick",
            "Outcome of every night, a column a week": "Ergebnis jeder Nacht, eine Spalte pro Woche",
            "Outcome of every night, a column for seven nights": "Ergebnis jeder Nacht, eine Spalte für sieben Nächte",
            "no record": "keine Aufzeichnung",
            "Week by week": "Woche für Woche",
            "A dot is a night, the line the median of each week with at least three nights, the number its last value. Bars are the sum of a week; the first and the last may have fewer days. Diary and recorded sleep are told apart; each counts the nights that have it.":
                "Ein Punkt ist eine Nacht, die Linie der Median jeder Woche mit mindestens drei Nächten, die Zahl ihr letzter Wert. Balken sind die Summe einer Woche; die erste und die letzte haben vielleicht weniger Tage. Tagebuch und Gerät sind getrennt; jedes zählt die Nächte, die es hat.",
            "Rested, own answer": "Erholt, eigene Antwort",
            "Asleep, diary": "Schlaf, Tagebuch",
            "Awake in the night, diary": "Nachts wach, Tagebuch",
            "Sleep efficiency, diary": "Schlafeffizienz, Tagebuch",
            "Asleep, recorded": "Schlaf, Gerät",
            "Awake in the night, recorded": "Nachts wach, Gerät",
            "Sleep efficiency, recorded": "Schlafeffizienz, Gerät",
            "Naps, whole week": "Nickerchen, ganze Woche",
            "%1 to %2 of 100": "%1 bis %2 von 100",
            "%1 to %2 of 5": "%1 bis %2 von 5",
            "%1 to %2 h": "%1 bis %2 h",
            "%1 to %2 %": "%1 bis %2 %",
            "%1 to %2 min": "%1 bis %2 min",
            "; weekly figures from %1 to %2": "; Wochenwerte von %1 bis %2",
            "%1: %2%3. Every value is in the table of all nights.":
                "%1: %2%3. Jeder Wert steht in der Tabelle aller Nächte.",
            "One night: %1": "Eine Nacht: %1",
            "The newest night with recorded stages. Those of a device are its estimate.":
                "Die neueste Nacht mit aufgezeichneten Phasen. Die eines Geräts sind seine Schätzung.",
            "The newest night with a dose.": "Die neueste Nacht mit einer Dosis.",
            "One night, %1: sleep, doses and events": "Eine Nacht, %1: Schlaf, Dosen und Ereignisse",
            "Every time of it is in the table of this night.": "Jede Zeit steht in der Tabelle dieser Nacht.",
            "window %1 to %2": "Fenster %1 bis %2",
            "dose 2 after %1 min": "Dosis 2 nach %1 min",
            "REM": "REM",
            "light": "leicht",
            "deep": "tief",
            "asleep": "Schlaf",
            "in bed": "im Bett",
            "Other medicines": "Andere Medikamente",
            "It goes on at the right: push it to the left.": "Es geht rechts weiter: nach links schieben.",
            "A row a medicine, by the time of day at which it was taken.":
                "Eine Zeile pro Medikament, nach der Tageszeit der Einnahme.",
            "Medicines by the time of day": "Medikamente nach der Tageszeit",
            "All nights": "Alle Nächte",
            "Table of every night: the figures behind the charts":
                "Tabelle aller Nächte: die Werte hinter den Diagrammen",
            "Times are of the clock on the wall; lengths are in minutes; a dash is unknown. Zone and clock changes stand where they are new.":
                "Zeiten sind Ortszeiten, Längen in Minuten; ein Strich ist unbekannt. Zone und Uhrumstellungen stehen, wo sie neu sind.",
            "Table of one night": "Tabelle einer Nacht",
            "What is on record of the night, in order of time.": "Was von der Nacht erfasst ist, nach der Zeit.",
            "another night of a date": "weitere Nacht eines Datums",
            "Stages of the night as they were recorded.": "Phasen der Nacht, wie sie aufgezeichnet wurden.",
            "When the sleep of the night began and ended.": "Wann der Schlaf der Nacht begann und endete.",
            "Table of medicines": "Tabelle der Medikamente",
            "Medicines that were recorded, in order of time.": "Erfasste Medikamente, nach der Zeit.",
            "Outcome": "Ergebnis",
            "Slept": "Geschlafen",
            "Awake, diary": "Wach, Tagebuch",
            "Efficiency, diary": "Effizienz, Tagebuch",
            "Awake, recorded": "Wach, Gerät",
            "Efficiency, recorded": "Effizienz, Gerät",
            "Naps": "Nickerchen",
            "Extra doses": "Zusätzliche Dosen",
            "Rested": "Erholt",
            "Clock": "Uhr",
            "Time": "Zeit",
            "What": "Was",
            "Until": "Bis",
            "Stage": "Phase",
            "Amount": "Menge",
            " (usual)": " (üblich)",
            "How these figures are made": "Wie diese Werte entstehen",
            "On time: dose 2 at least 150 and less than 240 minutes after dose 1. The share is of the nights that expected a dose 2 and are over.":
                "Rechtzeitig: Dosis 2 mindestens 150 und weniger als 240 Minuten nach Dosis 1. Der Anteil gilt für Nächte, in denen eine Dosis 2 vorgesehen war und die vorbei sind.",
            "Diary: from trying to sleep to the final wake, less the time to fall asleep and the time awake, as the person told it. Recorded: what one device or program recorded. The two are never put together.":
                "Tagebuch: vom Einschlafversuch bis zum endgültigen Aufwachen, ohne Einschlafdauer und Wachzeit, wie die Person es angab. Gerät: was ein Gerät oder Programm aufzeichnete. Beides wird nie vermischt.",
            "The night score says how complete a night's doses, entries and sleep are. It is no diagnosis.":
                "Die Punkte einer Nacht sagen, wie vollständig Dosen, Einträge und Schlaf sind. Sie sind keine Diagnose.",
            "A mean or median counts the nights that have the value. Charts show what went together; they do not show what caused what.":
                "Ein Mittel oder Median zählt die Nächte, die den Wert haben. Diagramme zeigen, was zusammenfiel, nicht, was wovon kam.",
            "Report: %1.": "Bericht: %1.",
            "It is opened in your browser. Only you can read the file.":
                "Er wird im Browser geöffnet. Niemand sonst kann die Datei lesen.",
            "No program opened it. Open the file in a browser; only you can read it.":
                "Kein Programm öffnete ihn. Die Datei im Browser öffnen; niemand sonst kann sie lesen.",
            "When you have seen it, delete it: %1": "Nach dem Ansehen löschen: %1",
            "%1 makes the PDF.": "%1 erstellt das PDF.",
            "No PDF was made: neither weasyprint nor chromium is installed. The report is in %1, and any browser can print it.":
                "Kein PDF: Weder weasyprint noch chromium ist installiert. Der Bericht liegt in %1, und jeder Browser kann ihn drucken.",
            "No PDF was made: %1 failed%2. The report is in %3, and any browser can print it.":
                "Kein PDF: %1 scheiterte%2. Der Bericht liegt in %3, und jeder Browser kann ihn drucken.",
            "Night record, summary for a clinician": "Nachtprotokoll, Zusammenfassung für die Praxis",
            "no date without one": "kein Tag ohne Aufzeichnung",
            "%1 of %2 dates without one, at most %3 in a row":
                "%1 von %2 Tagen ohne Aufzeichnung, höchstens %3 hintereinander",
            "the clock on the wall": "Ortszeit",
            "the clock on the wall, in %1": "Ortszeit in %1",
            "%1 on record, %2; %3. Times are those of %4.": "%1 erfasst, %2; %3. Alle Zeiten: %4.",
            "Made from the person's own record. It is not validated, says nothing about causes, and gives no advice.":
                "Erstellt aus der eigenen Aufzeichnung der Person. Nicht validiert, sagt nichts über Ursachen und gibt keinen Rat.",
            "Prescribed, as recorded": "Verordnet, wie erfasst",
            "No prescription is on record.": "Keine Verordnung ist erfasst.",
            " until %1": " bis %1",
            ", %1 a night from %2": ", %1 pro Nacht ab %2",
            ", %1 mg a night": ", %1 mg pro Nacht",
            "%1, from %2%3": "%1, ab %2%3",
            "and %1 more": "und %1 weitere",
            "on time, 150 to 239 min after dose 1": "rechtzeitig, 150 bis 239 min nach Dosis 1",
            "early, before 150 min": "zu früh, vor 150 min",
            "late, 240 min or more": "zu spät, 240 min oder mehr",
            "skipped by the person": "von der Person ausgelassen",
            "one dose a night prescribed": "eine Dosis pro Nacht verordnet",
            "no dose 1 on record": "keine Dosis 1 erfasst",
            "of %1 that expected a dose 2 and are over":
                "von %1~, in denen eine Dosis 2 vorgesehen war und die vorbei sind",
            "%1 in %2": "%1 in %2~",
            "More than prescribed": "Mehr als verordnet",
            "no amounts to compare": "keine Mengen zum Vergleichen",
            "%1 of %2, by more than 5 %": "%1 von %2, um mehr als 5 %",
            "Sleep": "Schlaf",
            "Diary, told": "Tagebuch, angegeben",
            "Device, recorded": "Gerät, aufgezeichnet",
            "mean ± SD (n)": "Mittel ± SD (n)",
            "Sleep onset latency, min": "Einschlaflatenz, min",
            "Wake after sleep onset, min": "Wach nach dem Einschlafen, min",
            "Awakenings": "Wie oft aufgewacht",
            "Time in bed, min": "Zeit im Bett, min",
            "Total sleep time, min": "Gesamtschlafzeit, min",
            "Sleep efficiency, %": "Schlafeffizienz, %",
            "Measures of the Consensus Sleep Diary (2012). What the person told and what a device recorded are never put together.":
                "Maße des Consensus Sleep Diary (2012). Was die Person angab und was ein Gerät aufzeichnete, wird nie vermischt.",
            "Recorded sleep without a night": "Aufgezeichneter Schlaf ohne Nacht",
            "record of sleep belongs to no night. A night begins with an entry of the person, such as dose 1.":
                "Schlafaufzeichnung gehört zu keiner Nacht. Eine Nacht beginnt mit einem Eintrag der Person, etwa Dosis 1.",
            "records of sleep belong to no night. A night begins with an entry of the person, such as dose 1.":
                "Schlafaufzeichnungen gehören zu keiner Nacht. Eine Nacht beginnt mit einem Eintrag der Person, etwa Dosis 1.",
            "Table of recorded sleep without a night": "Tabelle des aufgezeichneten Schlafs ohne Nacht",
            "Recorded sleep that belongs to no night, and stands in no figure. Lengths are in minutes.":
                "Aufgezeichneter Schlaf, der zu keiner Nacht gehört und in keiner Kennzahl steht. Längen sind in Minuten.",
            "Recorded sleep by date, 18:00 to 18:00": "Aufgezeichneter Schlaf nach Datum, 18:00 bis 18:00",
            "A row a date. Every sleep is in the table of recorded sleep without a night.":
                "Eine Zeile pro Datum. Jeder Schlaf steht in der Tabelle des aufgezeichneten Schlafs ohne Nacht.",
            "Date": "Datum",
            "record of sleep belongs to no night and is not counted here.":
                "Schlafaufzeichnung gehört zu keiner Nacht und ist hier nicht mitgezählt.",
            "records of sleep belong to no night and are not counted here.":
                "Schlafaufzeichnungen gehören zu keiner Nacht und sind hier nicht mitgezählt.",
            "Asleep in them, without what the source calls a nap, in minutes, mean ± SD (n): %1.":
                "Schlaf darin, ohne was die Quelle Nickerchen nennt, in Minuten, Mittelwert ± SD (n): %1.",
            "%1 with recorded sleep that a person told are in neither.":
                "In keinem von beiden: %1 mit Schlaf, den die Person selbst angab.",
            "The record is damaged or not complete: what could not be read is missing here.":
                "Die Aufzeichnung ist beschädigt oder unvollständig: Was nicht lesbar war, fehlt hier.",
            "Times and naps": "Zeiten und Nickerchen",
            "To bed": "Ins Bett",
            "Got up": "Aufgestanden",
            "median %1, quartiles %2 and %3, n %4": "Median %1, Quartile %2 und %3, n %4",
            "%1 on %2, median %3": "%1 an %2~, Median %3",
            "none on record": "keine erfasst",
            "Morning score": "Wert am Morgen",
            "median %1 of 100, quartiles %2 and %3, n %4; DoseTap's own sum of answers":
                "Median %1 von 100, Quartile %2 und %3, n %4; eigene Summe der Antworten von DoseTap",
            "; in %1 of them questions were left out and count as their defaults":
                "; in %1 davon wurden Fragen ausgelassen und zählen mit ihren Vorgaben",
            "Symptoms told in the morning": "Am Morgen angegebene Symptome",
            "sleep paralysis": "Schlaflähmung",
            "hallucinations at sleep onset or waking": "Halluzinationen beim Einschlafen oder Aufwachen",
            "automatic behaviour": "automatisches Verhalten",
            "confusion on waking": "Verwirrtheit beim Aufwachen",
            "Mornings": "Morgen mit Symptom",
            "How the doses were recorded": "Wie die Dosen erfasst wurden",
            "%1: %2 entered more than %3 min after the dose, %4 corrected later, %5 imported from another program.":
                "%1: %2 mehr als %3 min nach der Dosis eingetragen, %4 später korrigiert, %5 aus einem anderen Programm importiert.",
            "Signature": "Signatur",
            "Made on %1. The packet is signed by the key %2":
                "Erstellt am %1. Die Arztmappe ist signiert mit dem Schlüssel %2",
            "It takes the place of the lost key %1": "Er ersetzt den verlorenen Schlüssel %1",
            "For your browser on this machine, once. Ctrl-C ends it, or %1 min without a look.":
                "Einmalig für den Browser auf diesem Rechner. Endet mit Strg-C oder nach %1 min ohne Abruf.",
            "ended: no page was loaded for %1 min.": "beendet: %1 min lang wurde keine Seite geladen.",
            "no browser could be opened; open the address yourself.":
                "es ließ sich kein Browser öffnen; die Adresse selbst öffnen.",
            "The page could not be made.": "Die Seite ließ sich nicht erstellen.",
            "The nights": "Die Nächte",
            "This page hears of no more changes. Reload it, or run: dosetap web":
                "Diese Seite erfährt nichts Neues mehr. Neu laden oder aufrufen: dosetap web",
            "This address leads nowhere, or was used already. Run: dosetap web":
                "Diese Adresse führt nirgendwohin oder wurde schon benutzt. Aufrufen: dosetap web",
        ]
    }
}
