extension German {
    /// The text of each reminder, its name, and its outcome.
    package static var reminders: KeyValuePairs<String, String> {
        [
            "It is time. Look at the screen.": "Es ist Zeit. Auf den Bildschirm sehen.",
            "The computer's clock may be wrong. Look at the screen.":
                "Die Uhr des Computers geht vielleicht falsch. Auf den Bildschirm sehen.",
            "the window opens": "das Zeitfenster öffnet sich",
            "alarm in 5 minutes": "Wecker in 5 Minuten",
            "alarm": "Wecker",
            "alarm again": "Wecker erneut",
            "The times are those of %1.": "Die Zeiten sind die von %1.",
            "alarm, repeated": "Wecker, wiederholt",
            "%1 left": "%1 vor Fensterschluss",
            "the window has closed": "das Zeitfenster ist zu",
            "the morning check-in": "der Morgen-Check-in",
            "It is nearly time.": "Gleich ist es so weit.",
            "It is too late now. Look at the screen.": "Es ist jetzt zu spät. Auf den Bildschirm sehen.",
            "The morning check-in is open.": "Der Morgen-Check-in ist offen.",
            "Dose 2 is not recorded. Did you have it? In a terminal: dosetap status":
                "Dosis 2 ist nicht erfasst. Wurde sie genommen? Im Terminal: dosetap status",
            "Good morning: the check-in is open": "Guten Morgen: Der Check-in ist offen",
            "In a terminal: dosetap checkin": "Im Terminal: dosetap checkin",
            "This comes %1 late.": "Diese Erinnerung kommt %1 verspätet.",
            "Dose 2: the computer's clock may be wrong": "Dosis 2: Die Uhr des Computers geht vielleicht falsch",
            "%1 since dose 1.": "%1 seit Dosis 1.",
            "%1 left, until %2.": "Noch %1, bis %2.",
            "You can take dose 2 now": "Dosis 2 ist jetzt möglich",
            "The window for dose 2 has closed": "Das Zeitfenster für Dosis 2 ist zu",
            "It closed at %1.": "Es schloss um %1.",
            "Did you have dose 2? In a terminal: dosetap log dose2 --at TIME":
                "Wurde Dosis 2 genommen? Im Terminal: dosetap log dose2 --at TIME",
            "If you did not: skip it.": "Wenn nein: auslassen.",
            "The alarm for dose 2 rings in %1 min": "Der Wecker für Dosis 2 klingelt in %1 min",
            "Time to take dose 2": "Zeit für Dosis 2",
            "Dose 2 is still open": "Dosis 2 ist noch offen",
            "Only %1 min left for dose 2": "Nur noch %1 min für Dosis 2",
            "No reminders tonight.": "Keine Erinnerungen heute Nacht.",
            "Due": "Fällig",
            "%1, %2 times": "%1, %2 Mal",
            "Late": "Verspätet",
            "By": "Über",
            "planned": "geplant",
            "told, seen": "gemeldet, gesehen",
            "told": "gemeldet",
            "delivered, seen": "zugestellt, gesehen",
            "delivered": "zugestellt",
            "answered: %1": "beantwortet: %1",
            "not answered": "nicht beantwortet",
            "not told: %1": "nicht gemeldet: %1",
        ]
    }
}
