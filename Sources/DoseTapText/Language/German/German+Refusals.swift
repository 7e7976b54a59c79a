extension German {
    /// The service's text about an entry that it refuses.
    package static var refusals: KeyValuePairs<String, String> {
        [
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
            "the newest action was already undone": "die neueste Handlung wurde schon zurückgenommen",
            "the newest action was already undone, and the one before it is older than %1 seconds; amend or delete that one instead":
                "die neueste Handlung wurde schon zurückgenommen, und die davor ist älter als %1 Sekunden; diese stattdessen ändern oder löschen",
            "the clocks do not show that the newest action is at most %1 seconds old; amend or delete it instead":
                "die Uhren zeigen nicht, dass die neueste Handlung höchstens %1 Sekunden alt ist; stattdessen ändern oder löschen",
            "dose 1 is on record with that time already. Nothing was changed":
                "Dosis 1 ist schon mit dieser Zeit erfasst. Nichts wurde geändert",
            "dose 2 is on record with that time already. Nothing was changed":
                "Dosis 2 ist schon mit dieser Zeit erfasst. Nichts wurde geändert",
            "the extra dose is on record with that time already. Nothing was changed":
                "die zusätzliche Dosis ist schon mit dieser Zeit erfasst. Nichts wurde geändert",
            "the entry is on record with that time already. Nothing was changed":
                "der Eintrag ist schon mit dieser Zeit erfasst. Nichts wurde geändert",
            "an amendment names a new time, amount or note": "eine Änderung nennt eine neue Zeit, Menge oder Notiz",
            "only a dose or a medicine has an amount": "nur eine Dosis oder ein Medikament hat eine Menge",
            "a cup is for dose1, dose2 or none, not for '%1'":
                "ein Becher ist für dose1, dose2 oder none, nicht für „%1“",
            "a bottle holds more than 0 mL and at most 10000 mL, not %1":
                "eine Flasche fasst mehr als 0 mL und höchstens 10000 mL, nicht %1",
            "a bottle holds at most 10000 mL, not what %1 of %2 makes":
                "eine Flasche fasst höchstens 10000 mL, nicht was %1 von %2 ergibt",
            "a cup is for dose1, dose2 or none, not for '%1': did you mean '%2'?":
                "ein Becher ist für dose1, dose2 oder none, nicht für „%1“: „%2“ gemeint?",
            "there is no '%1' here": "„%1“ gibt es hier nicht",
            "there is no '%1' here: did you mean '%2'?": "„%1“ gibt es hier nicht: „%2“ gemeint?",
            "the stock knows no such action": "der Vorrat kennt keine solche Handlung",
            "that time belongs to another night: delete the entry and log it again":
                "diese Zeit gehört zu einer anderen Nacht: den Eintrag löschen und neu erfassen",
            "the key was used before with other arguments":
                "der Schlüssel wurde schon mit anderen Argumenten verwendet",
            "dosetapd %1 answers": "dosetapd %1 antwortet",
            "From %1 to %2 mg a night within a week of %3: labels raise it by at most %4 mg a week.":
                "Von %1 auf %2 mg pro Nacht binnen einer Woche ab %3: laut Packungsbeilagen höchstens %4 mg mehr pro Woche.",
            "%1 mg as one dose is over the %2 mg of the labels for a dose.":
                "%1 mg als eine Dosis liegen über der Grenze der Packungsbeilagen von %2 mg für eine Dosis.",
            "%1 mg a night is over the %2 mg of the labels.":
                "%1 mg pro Nacht liegen über der Grenze der Packungsbeilagen von %2 mg.",
            "sleep event": "Schlafereignis",
            "a sleep event": "ein Schlafereignis",
            "more than one night begins with '%1': write more of the id":
                "mehr als eine Nacht beginnt mit „%1“: mehr von der ID schreiben",
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
                "„%1“ ist keine Konzentration einer Flüssigkeit: etwa 500mg/mL schreiben",
            "a count is a whole number from %1 to %2": "eine Anzahl ist eine ganze Zahl von %1 bis %2",
            "a bottle holds more than 0 mL and at most 10000 mL":
                "eine Flasche enthält mehr als 0 mL und höchstens 10000 mL",
            "a log that is skipped has no answers: save it as partial or complete":
                "ein ausgelassenes Protokoll hat keine Antworten: als partial oder complete speichern",
            "a regimen is not amended: set another one, or delete it":
                "eine Verordnung wird nicht geändert: eine andere setzen oder sie löschen",
            "a regimen says how much a night, for example total 4.5g":
                "eine Verordnung sagt, wie viel pro Nacht, etwa total 4.5g",
            "one dose a night is not split in two": "eine Dosis pro Nacht wird nicht geteilt",
            "the ratios sum to %1, not to 1": "die Anteile ergeben %1, nicht 1",
            "a regimen begins with its date 'from', not at a time":
                "eine Verordnung beginnt mit ihrem Datum „from“, nicht zu einer Uhrzeit",
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
            "Nothing is recorded as '%1'.": "Unter „%1“ ist nichts erfasst.",
            "%1 label": "US-Fachinformation von %1",
            "labels of Xyrem, Xywav and Lumryz": "US-Fachinformationen von Xyrem, Xywav und Lumryz",
            "%1: no driving or hazardous work for at least 6 h after a dose":
                "%1: mindestens 6 h nach einer Dosis nicht fahren, nichts Gefährliches tun",
            "%1: a dose is taken at least 2 h after eating": "%1: eine Dosis mindestens 2 h nach dem Essen",
            "%1: contraindicated with alcohol": "%1: nicht mit Alkohol",
            "Sunosi label, copy by pillsync": "US-Fachinformation von Sunosi, Kopie von pillsync",
            "Wakix label, copy by pillsync": "US-Fachinformation von Wakix, Kopie von pillsync",
            "Xyrem label, DailyMed set 926eb076-a4a8-45e4-91ef-411f0aa4f3ca":
                "US-Fachinformation von Xyrem, DailyMed-Set 926eb076-a4a8-45e4-91ef-411f0aa4f3ca",
            "Xywav label, DailyMed set 1e0ae43a-037f-42af-8e23-a0e51d75abe8":
                "US-Fachinformation von Xywav, DailyMed-Set 1e0ae43a-037f-42af-8e23-a0e51d75abe8",
            "Lumryz label, DailyMed set 10e5e40c-52f3-4c73-8a34-2c29c690a934, December 2025":
                "US-Fachinformation von Lumryz, DailyMed-Set 10e5e40c-52f3-4c73-8a34-2c29c690a934, Dezember 2025",
            "Xyrem, Xywav and Lumryz labels, dosage": "US-Fachinformationen von Xyrem, Xywav und Lumryz, Dosierung",
            "Xyrem and Xywav labels, dosage": "US-Fachinformationen von Xyrem und Xywav, Dosierung",
            "pre-sleep log: had from noon on": "Abendprotokoll: ab Mittag",
            "Xyrem label, copy by medslook.com: a diluted dose is used within 24 h":
                "US-Fachinformation von Xyrem, Kopie von medslook.com: eine verdünnte Dosis wird innerhalb von 24 h verwendet",
            "Lumryz label: drunk within 30 min of mixing":
                "US-Fachinformation von Lumryz: innerhalb von 30 min nach dem Mischen zu trinken",
            "medicines taken: from noon on": "Medikamente: ab Mittag",
            "key must have 1 to %1 bytes and no control characters":
                "key hat 1 bis %1 Bytes und keine Steuerzeichen",
            "%1 has 1 to %2 characters and no control characters": "%1 hat 1 bis %2 Zeichen und keine Steuerzeichen",
            "a recorded sleep has no '%1'": "aufgezeichneter Schlaf hat kein „%1“",
            "a recorded sleep has its own start: name no other time":
                "aufgezeichneter Schlaf hat seinen eigenen Anfang: keine andere Zeit nennen",
            "the stages of a recorded sleep, 1 to %1, lie within it, in their order, and none in another":
                "1 bis %1 Phasen aufgezeichneten Schlafs liegen darin, der Reihe nach und ohne Überschneidung",
            "the durations of a recorded sleep are seconds of known stages, together no longer than it":
                "die Dauern aufgezeichneten Schlafs sind Sekunden bekannter Phasen, zusammen nicht länger als er",
            "the time in bed of a recorded sleep, %1 min, is shorter than its time asleep, %2 min":
                "die Zeit im Bett des aufgezeichneten Schlafs, %1 min, ist kürzer als seine Schlafzeit, %2 min",
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
                "eine Nacht gehört zu einem Plan, und der Plan für %1 hat alle Nächte bis %2: danach beginnen oder ihn löschen",
            "the lab is told no '%1'": "das Labor kennt kein „%1“",
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
            "%1, for example 180mL; '%2' is none of it": "%1, etwa 180mL; „%2“ passt nicht",
            "%1 what? Give a unit, for example %2mL": "%1 was? Eine Einheit angeben, etwa %2mL",
            "what is left is 0 to %1 mg, not %2 mg": "übrig sind 0 bis %1 mg, nicht %2 mg",
            "%1 a night is out of range": "%1 pro Nacht liegt außerhalb der Grenzen",
            "a regimen has no '%1'": "eine Verordnung hat kein „%1“",
            "until %1 lies before from %2": "until %1 liegt vor from %2",
            "'%1' is no concentration: write for example 500mg/mL or 750mg/tablet":
                "„%1“ ist keine Konzentration: etwa 500mg/mL oder 750mg/tablet schreiben",
            "a custom split has ratios, for example 0.6 and 0.4": "eine eigene Teilung hat Anteile, etwa 0.6 und 0.4",
            "only a custom split has ratios": "nur eine eigene Teilung hat Anteile",
            "there is no split '%1': did you mean '%2'?": "es gibt keine Teilung „%1“: gemeint „%2“?",
            "ratios are a list of one or two numbers": "Anteile sind eine Liste von einer oder zwei Zahlen",
            "a ratio is a number between 0 and 1, such as 0.6": "ein Anteil ist eine Zahl zwischen 0 und 1, etwa 0.6",
            "steps are a list of up to %1": "Schritte sind eine Liste von bis zu %1",
            "the step of %1 does not come after the one before it, or not before the end":
                "der Schritt vom %1 kommt nicht nach dem davor oder nicht vor dem Ende",
            "a step is a date and a total, for example 2026-02-01=6g":
                "ein Schritt ist ein Datum und eine Gesamtmenge, etwa 2026-02-01=6g",
            "'%1' is a date such as 2026-01-14, not '%2'": "„%1“ ist ein Datum wie 2026-01-14, nicht „%2“",
            "%1 is true or false": "%1 ist true oder false",
            "a regimen is for %1": "eine Verordnung ist für %1",
            "sodium oxybate is in more than one product, so type the name of yours: xyrem (sodium oxybate, liquid), lumryz (sodium oxybate, extended release) or xywav (calcium, magnesium, potassium and sodium oxybates, liquid)":
                "Natriumoxybat ist in mehreren Produkten enthalten, also den Namen des eigenen eingeben: xyrem (Natriumoxybat, flüssig), lumryz (Natriumoxybat, retardiert) oder xywav (Calcium-, Magnesium-, Kalium- und Natriumoxybat, flüssig)",
            "a regimen is for %1: did you mean '%2'?": "eine Verordnung ist für %1: gemeint „%2“?",
            "%1 is none of %2": "%1 ist keines von %2",
            "unknown key": "unbekannte Einstellung",
            "the answer to %1: %2": "die Antwort auf „%1“: %2",
            "%1 is neither true nor false": "%1 ist weder true noch false",
            "%1 is no code; known: %2": "%1 ist kein Code; bekannt: %2",
            "%1 is no list of codes; known: %2": "%1 ist keine Liste von Codes; bekannt: %2",
            "%1 is none of %2; the nearest is %3": "%1 ist keines von %2; am nächsten ist %3",
            "drinks": "Getränke",
            "%1 is no whole number from %2 to %3": "%1 ist keine ganze Zahl von %2 bis %3",
            "%1 is no whole number from %2 to %3 %4": "%1 ist keine ganze Zahl von %2 bis %3 %4",
            "%1 is outside %2 to %3; the nearest is %4": "%1 liegt außerhalb von %2 bis %3; am nächsten ist %4",
            "%1 is no step of %2; the nearest are %3 and %4": "%1 ist kein Schritt von %2; am nächsten sind %3 und %4",
            "%1 is no number from %2 to %3 %4": "%1 ist keine Zahl von %2 bis %3 %4",
            "%1 is outside %2 to %3 %4; the nearest is %5": "%1 liegt außerhalb von %2 bis %3 %4; am nächsten ist %5",
            "%1 is no text": "%1 ist kein Text",
            "%1 is no instant such as %2": "%1 ist kein Zeitpunkt wie %2",
            "%1 is no list of places such as 'knee left 4 aching'":
                "%1 ist keine Liste von Stellen wie „knee left 4 aching“",
            "%1 is no place such as 'knee left 4 aching'": "%1 ist keine Stelle wie „knee left 4 aching“",
            "'none' stands alone or not at all": "„none“ steht allein oder gar nicht",
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
            "it needs %1 to be an answer": "sie setzt eine Antwort auf „%1“ voraus",
            "it needs %1 to be %2": "sie setzt %2 als Antwort auf „%1“ voraus",
            "it needs %1 to be something other than %2": "sie setzt eine andere Antwort auf „%1“ voraus als %2",
            "%1 is less than the last alone; the least is %2": "%1 ist weniger als die letzte allein; mindestens %2",
            "%1 % of %2 mg leaves a part of %3 mg; the least is %4 mg":
                "%1 % von %2 mg lässt einen Teil von %3 mg; mindestens %4 mg",
            "there is no question %1": "es gibt keine Frage %1",
            "there is no question %1; the nearest is %2": "es gibt keine Frage %1; am nächsten ist %2",
            "cannot be read: %1": "lässt sich nicht lesen: %1",
            "the damaged record is kept at %1": "die beschädigte Aufzeichnung bleibt unter %1",
            "the damaged record would be kept at %1": "die beschädigte Aufzeichnung bliebe unter %1",
            "what cannot be read is listed in %1": "was nicht lesbar ist, steht in %1",
            "what cannot be read would be listed in %1": "was nicht lesbar ist, stünde in %1",
            "the record at %1 is damaged and is left as it is":
                "die Aufzeichnung unter %1 ist beschädigt und bleibt, wie sie ist",
            "%1; new entries go to %2, %3 so far": "%1; neue Einträge gehen nach %2, bisher %3",
            "Doses recorded before are not known here.": "Vorher erfasste Dosen sind hier nicht bekannt.",
            "A repair brings back what can be read.": "Eine Reparatur bringt zurück, was lesbar ist.",
            "'dosetap db repair' brings back what can be read.": "„dosetap db repair“ bringt zurück, was lesbar ist.",
            "something else was recorded since; amend or delete the entry instead":
                "inzwischen wurde etwas anderes erfasst; den Eintrag stattdessen ändern oder löschen",
            "snoozes stay behind, %1 of them: their reminders are over":
                "Schlummern bleibt zurück (%1 Mal): Die Erinnerungen dazu sind vorbei",
            "questions, plans and nights of the lab stay behind, %1 of them: they are about one record":
                "Fragen, Pläne und Nächte des Labors bleiben zurück, %1 davon: Sie betreffen eine bestimmte Aufzeichnung",
            "entries of the inventory stay behind, %1 of them: each record has its own":
                "Vorratseinträge bleiben zurück (%1): Jede Aufzeichnung hat ihre eigenen",
            "medication": "Medikament",
            "reminder": "Erinnerung",
        ]
    }
}
