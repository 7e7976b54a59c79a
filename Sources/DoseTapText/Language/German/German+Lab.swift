extension German {
    /// Questions and plans of the lab, its answers, and its refusals.
    package static var lab: KeyValuePairs<String, String> {
        [
            "%1: A %2, B as usual": "%1: A %2, B wie sonst",
            "no screens in the last hour before bed": "keine Bildschirme in der letzten Stunde vor dem Zubettgehen",
            "no meal in the last 4 hours before bed": "keine Mahlzeit in den letzten 4 Stunden vor dem Zubettgehen",
            "no caffeine after 14:00": "kein Koffein nach 14:00",
            "a cooler bedroom": "ein kühleres Schlafzimmer",
            "one planned nap of 20 min by day": "ein geplantes Nickerchen von 20 min am Tag",
            "lights out 30 min earlier": "Licht 30 min früher aus",
            "lights out 30 min later": "Licht 30 min später aus",
            "30 min more between the doses": "30 min mehr zwischen den Dosen",
            "a late meal": "eine späte Mahlzeit",
            "alcohol": "Alkohol",
            "lights out an hour later": "Licht eine Stunde später aus",
            "10 % more of the night in dose 1": "10 % der Nachtmenge mehr in Dosis 1",
            "half an hour of screens or more before bed": "eine halbe Stunde Bildschirm oder mehr vor dem Zubettgehen",
            "rested (1 to 5)": "erholt (1 bis 5)",
            "mental clarity (1 to 10)": "klares Denken (1 bis 10)",
            "wellness (0 to 100)": "Befinden (0 bis 100)",
            "grogginess (0 to 4)": "Benommenheit (0 bis 4)",
            "minutes of naps": "Minuten Nickerchen",
            "fewer than %1 nights are known": "weniger als %1 Nächte sind bekannt",
            "fewer than %1 nights are on one side of the comparison":
                "weniger als %1 Nächte stehen auf einer Seite des Vergleichs",
            "beside trend, weekday and regimen it hardly differs from night to night":
                "neben Verlauf, Wochentag und Verordnung unterscheidet es sich kaum von Nacht zu Nacht",
            "the outcome does not differ": "das Ergebnis unterscheidet sich nicht",
            "a day is so much like the day before it that the nights say little":
                "ein Tag gleicht dem vorigen so sehr, dass die Nächte wenig sagen",
            "the regimen changed too often for the number of nights":
                "die Verordnung wechselte zu oft für die Zahl der Nächte",
            "the nights leave one side of the interval open": "die Nächte lassen eine Seite des Bereichs offen",
            "the nights fit no difference as well as one that matters":
                "die Nächte passen ebenso zu keinem Unterschied wie zu einem bedeutsamen",
            "it is one of several questions, and among several some go together by chance":
                "es ist eine von mehreren Fragen, und unter mehreren passt manches zufällig zusammen",
            "fewer than %1 known nights follow a known one, so how alike days are is unknown":
                "weniger als %1 bekannte Nächte folgen auf eine bekannte; wie ähnlich die Tage sind, ist unbekannt",
            "fewer than %1 pairs are known": "weniger als %1 Paare sind bekannt",
            "%1 find a moderate link (r 0.3), where there is one, in about %2 of 100 cases. More nights find it more often.":
                "%1 finden einen mäßigen Zusammenhang (r 0,3), wenn es ihn gibt, in etwa %2 von 100 Fällen. Mehr Nächte finden ihn öfter.",
            "Nothing was asked yet.": "Noch wurde nichts gefragt.",
            "Next: dosetap lab ask late_meal rested": "Weiter: dosetap lab ask late_meal rested",
            "Looked at afterwards: a suggestion of what to ask, no answer to a question asked before.":
                "Im Nachhinein betrachtet: ein Vorschlag, was zu fragen wäre, keine Antwort auf eine vorher gestellte Frage.",
            "Nights from %1 on are left out: a question or a plan about them waits.":
                "Nächte ab %1 bleiben außen vor: Eine Frage oder ein Plan zu ihnen wartet.",
            "Night of %1: %2": "Nacht vom %1: %2",
            "B, as usual": "B, wie sonst",
            "pairs": "Paare",
            "%1 of %2 %3 are known. Nothing more is told before.":
                "Bekannt (%3): %1 von %2. Mehr wird erst danach gesagt.",
            "id %1": "ID %1",
            ", from %1": ", ab %1",
            "%1, and %2 the day after%3": "%1, und %2 am Tag danach%3",
            "It describes the nights as they came. Doses and intervals are changed with the prescriber only.":
                "Es beschreibt die Nächte, wie sie kamen. Dosen und Abstände werden nur mit der verordnenden Praxis geändert.",
            "Goes with: %1, in %2.": "Geht einher mit: %1, in %2~.",
            "No difference that matters: %1, in %2. One that matters is %3 or more.":
                "Kein bedeutsamer Unterschied: %1, in %2~. Bedeutsam ist %3 oder mehr.",
            "Cannot tell, in %1: %2.": "Nicht zu sagen, in %1~: %2.",
            "The nights fit every difference from %1 to %2; in 95 of 100 such records this interval holds the true one.":
                "Die Nächte passen zu jedem Unterschied von %1 bis %2; in 95 von 100 solchen Aufzeichnungen enthält dieser Bereich den wahren.",
            ", judged together with %1 more": ", zusammen mit %1 weiteren beurteilt",
            "below 0.01": "unter 0,01",
            "p %1%2: how often chance alone does as much.": "p %1%2: wie oft Zufall allein so viel ausmacht.",
            "%1 with it, %2 without.": "%1 damit, %2 ohne.",
            "What brings about what, this does not say: something else may go with both.":
                "Was was bewirkt, sagt das nicht: Etwas anderes kann mit beidem einhergehen.",
            "Kept as planned %1, otherwise %2, not told %3. Each night counts as it was planned.":
                "Wie geplant eingehalten %1, anders %2, nicht gesagt %3. Jede Nacht zählt, wie sie geplant war.",
            "%1 on average": "%1 im Mittel",
            "unknown on average": "im Mittel unbekannt",
        ]
    }
}
