extension German {
    /// The state of the night, and the next step.
    package static var tonight: KeyValuePairs<String, String> {
        [
            "%1 Why: dosetap doctor": "%1 Warum: dosetap doctor",
            "%1 See: dosetap config check": "%1 Siehe: dosetap config check",
            "log in to a session with a bus, then: systemctl --user enable --now dosetapd":
                "in einer Sitzung mit Bus anmelden, dann: systemctl --user enable --now dosetapd",
            "look at DBUS_SESSION_BUS_ADDRESS, or log in anew": "DBUS_SESSION_BUS_ADDRESS prüfen oder neu anmelden",
            "install dosetapd, or name it: DOSETAP_DAEMON=/path/to/dosetapd":
                "dosetapd installieren oder den Ort angeben: DOSETAP_DAEMON=/path/to/dosetapd",
            "make the folder of the record writable, then: dosetap doctor":
                "den Ordner der Aufzeichnung beschreibbar machen, dann: dosetap doctor",
            "unlock your keyring, then: dosetap doctor; if the key is lost: dosetap db rekey":
                "Schlüsselbund entsperren, dann: dosetap doctor; wenn der Schlüssel verloren ist: dosetap db rekey",
            "free some space on that disk": "Platz auf diesem Datenträger schaffen",
            "start a notification server: your desktop's, or one such as dunst or mako":
                "einen Benachrichtigungsdienst starten: den des Desktops oder etwa dunst oder mako",
            "start your desktop's notification server anew, or one such as dunst or mako":
                "den Benachrichtigungsdienst des Desktops oder etwa dunst oder mako neu starten",
            "switch do-not-disturb off": "„Nicht stören“ ausschalten",
            "start PipeWire or PulseAudio": "PipeWire oder PulseAudio starten",
            "start PipeWire, or join the group audio (sudo adduser $USER audio) and log in anew":
                "PipeWire starten oder das Konto in die Gruppe audio aufnehmen (sudo adduser $USER audio) und neu anmelden",
            "set ladder.player to a program that only you or root can change":
                "ladder.player auf ein Programm setzen, das nur Sie oder root ändern können",
            "install it, or set ladder.player to a program that is there":
                "das Programm installieren oder ladder.player auf ein vorhandenes setzen",
            "install pipewire-bin, pulseaudio-utils or alsa-utils":
                "pipewire-bin, pulseaudio-utils oder alsa-utils installieren",
            "unmute it": "Stummschaltung aufheben",
            "turn it up": "lauter stellen",
            "keep the machine awake: charger in, lid open, automatic suspend off":
                "den Rechner wach halten: Netzteil anschließen, Deckel offen lassen, automatischen Ruhezustand ausschalten",
            "keep it awake until dose 2 is taken or skipped": "wach halten, bis Dosis 2 genommen oder ausgelassen ist",
            "plug in the charger": "Netzteil anschließen",
            "leave the lid open, or set HandleLidSwitch=ignore in /etc/systemd/logind.conf":
                "Deckel offen lassen oder HandleLidSwitch=ignore in /etc/systemd/logind.conf setzen",
            "look at another clock before you take anything": "vor jeder Einnahme auf eine andere Uhr sehen",
            " The alarm is on. %1": " Der Wecker klingelt. %1",
            "Next": "Nächste Erinnerung",
            "Not heard": "Nicht zu hören",
            " %1: %2 at %3.": " %1: %2, %3.",
            "The night is over.": "Die Nacht ist vorbei.",
            "A new night has begun.": "Eine neue Nacht hat begonnen.",
            "Dose 1": "Dosis 1",
            "Dose 2": "Dosis 2",
            "Extra doses: %1.": "Zusätzliche Dosen: %1.",
            "Dose 2 is open again.": "Dosis 2 ist wieder offen.",
            "Dose 2: not recorded.": "Dosis 2: nicht erfasst.",
            "Dose 2: skipped.": "Dosis 2: ausgelassen.",
            "Snoozed, %1.": "Schlummern gewählt: %1.",
            " The alarm is at %1.": " Der Wecker klingelt um %1.",
            "The alarm is at %1 now.": "Der Wecker klingelt jetzt um %1.",
            "The alarm is on. %1": "Der Wecker klingelt. %1",
            "The alarm is off.": "Der Wecker ist aus.",
            "A nap began at %1.": "Ein Nickerchen begann um %1.",
            "The nap has ended.": "Das Nickerchen ist zu Ende.",
            "The morning check-in is due: dosetap checkin": "Der Morgen-Check-in steht an: dosetap checkin",
            "%1 is no longer on record.": "%1 ist nicht mehr erfasst.",
            "%1 counts at %2 now.": "%1: Zeit jetzt %2.",
            "Reminders can reach you again.": "Erinnerungen kommen wieder an.",
            "to the opening": "bis zum Öffnen",
            "to the close": "bis zum Schließen",
            "THE ALARM IS ON": "DER WECKER KLINGELT",
            "Reminder: %1.": "Erinnerung: %1.",
            "the connection to the service ended; trying again.":
                "die Verbindung zum Dienst ist abgebrochen; neuer Versuch.",
            "the service has stopped; no reminders come until it is back.":
                "der Dienst ist beendet; bis er wieder läuft, kommen keine Erinnerungen.",
            "the service is back.": "der Dienst läuft wieder.",
            "Wind down from %1, in bed by %2, up by %3.":
                "Zur Ruhe kommen ab %1, spätestens %2 im Bett, spätestens %3 auf.",
            "In bed now, %1 of sleep are left.": "Wer jetzt im Bett ist, hat noch %1 Schlaf.",
            "No reminder is left.": "Keine Erinnerung steht mehr aus.",
            "At": "Zeit",
            "Minute": "Minute",
            "Urgency": "Dringlichkeit",
            "Reminder": "Erinnerung",
            "Phase: %1": "Phase: %1",
            "Elapsed: %1": "Vergangen: %1",
            "Closes in: %1": "Schließt in: %1",
            "Dose 2: in time now": "Dosis 2: jetzt im Zeitfenster",
            "Dose 2: within %1": "Dosis 2: noch %1 im Zeitfenster",
            "Dose 2: not before %1": "Dosis 2: frühestens in %1",
            "Dose 2: the window has closed": "Dosis 2: das Zeitfenster ist zu",
            "Dose 2: nothing to do": "Dosis 2: nichts zu tun",
            "Snooze: %1": "Schlummern: %1",
            "possible": "möglich",
            "Skip: %1": "Auslassen: %1",
            "not possible": "nicht möglich",
            "off, the night is ending": "aus, die Nacht endet",
            "off, done for tonight": "aus, für heute Nacht erledigt",
            "off, no dose 1": "aus, keine Dosis 1",
            "off, the window is not open": "aus, das Zeitfenster ist nicht offen",
            "off, the window has closed": "aus, das Zeitfenster ist zu",
            "off, too little time is left": "aus, es bleibt zu wenig Zeit",
            "off, none is left": "aus, keines mehr übrig",
            "switched off": "ausgeschaltet",
            "Phase": "Phase",
            "Night": "Nacht",
            "Window": "Zeitfenster",
            "%1 to %2": "%1 bis %2",
            "Elapsed": "Vergangen",
            "Opens in": "Öffnet in",
            "Closes in": "Schließt in",
            "Alarm": "Wecker",
            "Snoozes": "Schlummern",
            "Pre-sleep": "Abendprotokoll",
            "Nap": "Nickerchen",
            "since %1": "seit %1",
            "; it will not reach you": "; sie kommt nicht an",
            "Next reminder": "Nächste Erinnerung",
            "State": "Zustand",
            "Check-in": "Check-in",
            "still to come: dosetap checkin": "steht noch aus: dosetap checkin",
            "Night before": "Nacht davor",
            "not certain": "ungewiss",
            "checked in, dose 2 still open": "Check-in erfolgt, Dosis 2 noch offen",
            "final wake recorded, dose 2 still open": "endgültiges Aufwachen erfasst, Dosis 2 noch offen",
            "Earliest drive": "Fahren frühestens",
            "Meal": "Mahlzeit",
            "Alcohol": "Alkohol",
            "Stimulant": "Stimulans",
            "Prepared cup": "Becher",
            "an unknown time": "Uhrzeit unbekannt",
            "unknown": "unbekannt",
            "not before %1; after a dose 2 later": "nicht vor %1; nach Dosis 2 entsprechend später",
            "%1, over at %2": "%1, Ende: %2",
            ": 2 h until %1": "; die 2 h enden um %1",
            "drinks today: %1, the last at %2": "Getränke heute: %1, das letzte: %2",
            "%1 at %2": "%1, %2",
            "%1poured at %2": "%1eingefüllt: %2",
            "%1poured at %2: %3 until %4": "%1eingefüllt: %2; die %3 enden um %4",
            "%1poured at %2: the %3 were over at %4": "%1eingefüllt: %2; die %3 endeten um %4",
            "A nap began at %1 and has not ended.": "Ein Nickerchen (Beginn: %1) ist nicht beendet.",
            "%1, at %2, in %3": "%1, um %2, in %3",
            "Next reminder: %1.": "Nächste Erinnerung: %1.",
            "You will not hear the alarm of %1.": "Der Wecker um %1 wird nicht zu hören sein.",
            "You will not hear the next reminder (%1).": "Die nächste Erinnerung (%1) wird nicht zu hören sein.",
            "Snoozes used: %1.": "Schlummern genutzt: %1.",
            "Snoozes used": "Schlummern genutzt",
            "The alarm of %1 is on. %2": "Der Wecker von %1 klingelt. %2",
            "It stops with dosetap log dose2 once dose 2 is taken,%1 or with dosetap skip if it will not be taken.":
                "Er stoppt mit dosetap log dose2, sobald Dosis 2 genommen ist,%1 oder mit dosetap skip, wenn sie nicht genommen wird.",
            "It stops once dose 2 is on record,%1 or with dosetap skip if it will not be taken.":
                "Er stoppt, sobald Dosis 2 erfasst ist,%1 oder mit dosetap skip, wenn sie nicht genommen wird.",
            " with dosetap snooze for a while,": " mit dosetap snooze für eine Weile,",
            "Night of %1: ": "Nacht vom %1: ",
            "no": "nein",
            "Dose 1: %1. Dose 2: %2.": "Dosis 1: %1. Dosis 2: %2.",
            "yes, at %1": "ja, %1",
            "In the night of %1, dose 1: yes, at %2. Dose 2: %3.":
                "In der Nacht vom %1 – Dosis 1: ja, %2. Dosis 2: %3.",
            "In the night of %1, dose 1: yes, at %2. One dose a night.":
                "In der Nacht vom %1 – Dosis 1: ja, %2. Eine Dosis pro Nacht.",
            " %1 of %2 was taken off the record at %3.": " %1 von %2 wurde um %3 aus den Aufzeichnungen genommen.",
            " No dose since.": " Seither keine Dosis.",
            "Dose 1: yes, at %1%2. ": "Dosis 1: ja, %1%2. ",
            ", %1 later": ", %1 später",
            ", too early": ", zu früh",
            "Dose 2: yes, at %1%2%3.": "Dosis 2: ja, %1%2%3.",
            "Dose 2: %1.": "Dosis 2: %1.",
            "One dose a night.": "Eine Dosis pro Nacht.",
            " Extra doses: %1.": " Zusätzliche Dosen: %1.",
            "It is not certain whether the window for dose 2 is open. Reminders go on.":
                "Es ist nicht sicher, ob das Zeitfenster für Dosis 2 offen ist. Die Erinnerungen laufen weiter.",
            "Its check-in is still to come: dosetap checkin": "Ihr Check-in steht noch aus: dosetap checkin",
            "Last night": "Letzte Nacht",
            "The last night, of %1": "Die letzte Nacht, vom %1",
            "No dose is on record for tonight.": "Für heute Nacht ist keine Dosis erfasst.",
            "%1 %2: %3.": "%1 %2: %3.",
            "Too early for dose 2: opens in %1, at %2, closes at %3.":
                "Zu früh für Dosis 2: Das Fenster öffnet in %1, um %2, und schließt um %3.",
            "The window for dose 2 is open: %1 left, until %2.":
                "Das Zeitfenster für Dosis 2 ist offen: noch %1, bis %2.",
            "The window for dose 2 closes in %1, at %2.": "Das Zeitfenster für Dosis 2 schließt in %1, um %2.",
            "The window for dose 2 closed at %1.": "Das Zeitfenster für Dosis 2 schloss um %1.",
            "The final wake is on record, but dose 2 is neither taken nor skipped. Its window is from %1 to %2.":
                "Das endgültige Aufwachen ist erfasst, aber Dosis 2 ist weder genommen noch ausgelassen. Zeitfenster: %1 bis %2.",
            "The check-in is on record, but dose 2 is neither taken nor skipped. Its window is from %1 to %2.":
                "Der Check-in ist erfasst, aber Dosis 2 ist weder genommen noch ausgelassen. Zeitfenster: %1 bis %2.",
            "If the wake was a mistake: dosetap delete last wake":
                "War das Aufwachen ein Irrtum: dosetap delete last wake",
            "If the check-in was a mistake: dosetap delete last checkin":
                "War der Check-in ein Irrtum: dosetap delete last checkin",
            "The final wake is on record.": "Das endgültige Aufwachen ist erfasst.",
            "Done for tonight.": "Für heute Nacht erledigt.",
            "Nothing is on record for tonight.": "Für heute Nacht ist nichts erfasst.",
            "The pre-sleep log of %1 is on record (%2), no dose yet.":
                "Das Abendprotokoll von %1 ist erfasst (%2), noch keine Dosis.",
            "Did you have dose 2 in the night? Nothing is recorded of it.":
                "Wurde Dosis 2 in der Nacht genommen? Dazu ist nichts erfasst.",
            "If you did, with its time: dosetap log dose2 --at TIME":
                "Wenn ja, mit der Uhrzeit: dosetap log dose2 --at TIME",
            "If you did not: dosetap skip --at %1": "Wenn nein: dosetap skip --at %1",
            "If you did not: dosetap skip": "Wenn nein: dosetap skip",
            "No dose is on record yet.": "Noch ist keine Dosis erfasst.",
            "DoseTap records the two doses of a night and reminds you of the second.":
                "DoseTap erfasst die zwei Dosen einer Nacht und erinnert an die zweite.",
            "It writes down when each dose was taken, counts the time between them, and calls you while the window for dose 2 is open: 150 to 240 minutes after dose 1.":
                "Es hält fest, wann jede Dosis genommen wurde, zählt die Zeit dazwischen und weckt, während das Zeitfenster für Dosis 2 offen ist: 150 bis 240 Minuten nach Dosis 1.",
            "It gives no dose advice and is no medical device: follow your prescriber and the label. No computer is certain to wake you: keep your alarm clock set.":
                "DoseTap gibt keinen Rat zur Dosis und ist kein Medizinprodukt: Es gelten die ärztliche Verordnung und die Packungsbeilage. Kein Computer weckt mit Sicherheit: auch weiterhin einen eigenen Wecker stellen.",
            "Before the first night": "Vor der ersten Nacht",
            "  dosetap doctor              check that reminders can reach you":
                "  dosetap doctor              prüfen, ob Erinnerungen ankommen",
            "  dosetap setup               six questions: regimen, times, alarm, privacy":
                "  dosetap setup               sechs Fragen: Verordnung, Zeiten, Alarm, Privatsphäre",
            "At night": "In der Nacht",
            "  dosetap log dose1           dose 1 was taken: the time counts from here":
                "  dosetap log dose1           Dosis 1 wurde genommen: ab hier zählt die Zeit",
            "  dosetap                     how the night stands, and what to do next":
                "  dosetap                     Stand der Nacht und was als Nächstes kommt",
            "  dosetap log dose2           dose 2 was taken: the reminders end":
                "  dosetap log dose2           Dosis 2 wurde genommen: die Erinnerungen enden",
            "A dose that was taken before it was logged: dosetap log dose1 --ago 20m":
                "Eine Dosis, die vor dem Erfassen genommen wurde: dosetap log dose1 --ago 20m",
            "All commands: dosetap --help": "Alle Befehle: dosetap --help",
            "Run each command for this record with: %1": "Jeden Befehl für diese Aufzeichnung ausführen mit: %1",
        ]
    }
}
