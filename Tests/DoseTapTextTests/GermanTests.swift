import DoseTapDomain
import DoseTapText
import Foundation
import Testing

/// German as the second language: the phrases in the source and their tables.
@Suite(.serialized) struct GermanTests {
    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    /// Keys that are the same word in both languages.
    private static let alike: Set<String> = [
        "Phase: %1", "Minute", "Phase", "Check-in", "Name", "Form", "Id", "%1 %", "REM", "Zone", "Trend", "Median",
        "Plugin", "In %1:", "rem|sleep", "normal", "CBD or THC", "in 15 min", "in 30 min", "in 1 h", "30 min",
        "normal|answer",
        "neutral|answer", "1|answer", "Magnesium", "Melatonin", "magnesium|answer", "melatonin|answer",
        "%1 mg; the limit is %2 mg. ", "podcast", "meditation", "%1 %2: %3.", "snack|answer",
        "Snack|event", "minute", "import", "%1 min", "%1; %2",
    ]

    @Test func `R38.1: each phrase of the source has its German, and nothing stands there that no source asks for`()
        throws
    {
        let asked = try SourcePhrases.all(in: Self.sources)
        #expect(asked.count > 1_200, "the scanner finds too little: \(asked.count)")
        var inTable: Set<String> = []
        for (key, words) in German.parts.joined() {
            #expect(inTable.insert(key).inserted, "twice in the tables: \(key)")
            #expect(SourcePhrases.blanks(key) == SourcePhrases.blanks(words), "other blanks: \(key)")
            #expect(words != key || Self.alike.contains(key), "as in English: \(key)")
            // A sentence that begins or ends with a blank is joined with others.
            #expect(key.first == " " ? words.first == " " : words.first != " ", "blank at the beginning: \(key)")
            #expect(key.last == " " ? words.last == " " : words.last != " ", "blank at the end: \(key)")
        }
        let ofRecord = Self.wordsOfRecord
        let missing = asked.union(ofRecord.needed).subtracting(inTable)
        #expect(missing.isEmpty, "without German: \(missing.sorted())")
        let unused = inTable.subtracting(asked).subtracting(ofRecord.allowed)
        #expect(unused.isEmpty, "no source asks for: \(unused.sorted())")
    }

    /// Words that come out of the record: codes of answers, names of questions, sleep events.
    private static var wordsOfRecord: (needed: Set<String>, allowed: Set<String>) {
        var (needed, allowed): (Set<String>, Set<String>) = ([], [])
        func blank(_ word: String) -> String { String(word.map { $0 == "_" ? " " : $0 }) }
        for kind in Questionnaire.Kind.allCases {
            for item in Questionnaire.of(kind).items {
                needed.insert("\(QuestionText.name(of: item.key, item))|answer")
                let text = QuestionText.of(item.key, in: kind)
                allowed.formUnion(item.kind.choices.map { "\(blank($0.code))|answer" })
                for code in item.kind.choices.map(\.code)
                where text.label(code) == blank(code) && German.table[blank(code)] == nil {
                    needed.insert("\(blank(code))|answer")
                }
            }
        }
        needed.formUnion(Finding.Level.allCases.map { "\($0.rawValue)|state" })
        // The states of plugins are words of the engine.
        allowed.formUnion(["running", "retrying", "hanging", "disabled"].map { "\($0)|state" })
        needed.formUnion(ImportedSleep.Stage.allCases.map { "\($0.rawValue)|sleep" })
        needed.formUnion(ImportedSleep.Grade.allCases.map { "\($0.rawValue)|sleep" })
        needed.formUnion(ImportedSleep.Part.allCases.map { "\($0.rawValue)|sleep" })
        needed.formUnion(LiveStage.Freshness.allCases.map { "\($0.rawValue)|sleep" })
        // The units of answers may be in the table.
        allowed.formUnion(["count|answer", "drinks|answer"])
        for type in SleepEventCatalogue.standard.types { needed.insert("\(type.displayName)|event") }
        return (needed, needed.union(allowed))
    }

    @Test func `R38.3: a locale says the language, and one that nobody wrote is English`() {
        for (locale, language) in [
            ("de_DE.UTF-8", Language.german), ("de_AT@euro", .german), ("de", .german), ("DE_CH", .german),
            ("den_CA", .english), ("fr_FR.UTF-8", .english), ("C", .english), ("", .english),
        ] {
            #expect(Language(locale: locale) == language, "\(locale)")
        }
        #expect(Language.ofLocale { ["LC_ALL": "", "LC_MESSAGES": "de_DE"][$0] } == .german)
        #expect(Language.ofLocale { ["LC_ALL": "C", "LANG": "de_DE"][$0] } == .english)
    }

    @Test func `R38.2: only what addresses the person is German in a process that also speaks to programs`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        #expect(Label.phase(.active) == "window open")
        DisplayLanguage.addressingPerson {
            #expect(Label.phase(.active) == "Zeitfenster offen")
            #expect(ReminderText.name(.windowOpen) == "das Zeitfenster öffnet sich")
            #expect(Count.nights(3) == "3 Nächte" && Count.nights(1) == "1 Nacht")
            #expect(QuestionText.of("mood", in: .morning).prompt == "Wie ist die Stimmung?")
            #expect(Figure.pointed("2.5") == "2,5")
        }
        #expect(Label.phase(.active) == "window open")
    }

    @Test func `R38.4: what is wrong with a file is told in German, with its place`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        let (fault, place) = ("Line 1: It is no JSON array and no object. (byte 12)", "events.csv, line 5, its note")
        #expect(FaultText.told(fault) == fault && FaultText.place(place) == place)
        DisplayLanguage.addressingPerson {
            #expect(FaultText.told(fault) == "Zeile 1: Das ist weder ein JSON-Array noch ein Objekt. (Byte 12)")
            #expect(FaultText.place(place) == "events.csv, Zeile 5, die Notiz")
            #expect(FaultText.place("7 of its rows") == "7 Zeile(n) davon")
            #expect(FaultText.told("Line x: blurred (byte )") == "Line x: blurred (byte )")
        }
    }

    @Test func `R38.4: a sentence of the service is told in German, and what is unknown stays as it is`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        let told = [
            (
                "Too early: dose 1 was at 22:58, just now. Doses together can stop breathing (boxed warning of the labels). "
                    + "Wait until 01:28.",
                "Zu früh: Dosis 1 war um 22:58, gerade eben. Dosen kurz nacheinander können die Atmung stoppen "
                    + "(umrandeter Warnhinweis der US-Fachinformationen). Bis 01:28 warten."
            ),
            (
                "Too early: dose 1 was at 22:34, 1 h 40 min ago. Doses together can stop breathing (boxed warning of the labels). "
                    + "Wait until 01:04.",
                "Zu früh: Dosis 1 war um 22:34, vor 1 h 40 min. Dosen kurz nacheinander können die Atmung stoppen "
                    + "(umrandeter Warnhinweis der US-Fachinformationen). Bis 01:04 warten."
            ),
            (
                "Too early: dose 1 was at 16:19 (Asia/Tokyo), 1 h 40 min ago. "
                    + "Doses together can stop breathing (boxed warning of the labels). Wait until 18:50 (Asia/Tokyo).",
                "Zu früh: Dosis 1 war um 16:19 (Asia/Tokyo), vor 1 h 40 min. Dosen kurz nacheinander können die Atmung "
                    + "stoppen (umrandeter Warnhinweis der US-Fachinformationen). Bis 18:50 (Asia/Tokyo) warten."
            ),
            ("Too early: dose 2 was at 13:29, 30 min ago.", "Zu früh: Dosis 2 war um 13:29, vor 30 min."),
            (
                "The night of Thu 2026-11-26 ended at 13:59 with 2 doses on record. This would begin another night, "
                    + "and one dose too many can stop breathing (boxed warning of the labels).",
                "Die Nacht vom Do 2026-11-26 endete um 13:59; erfasst: 2 Dosen. Das würde eine weitere Nacht "
                    + "beginnen. Eine Dosis zu viel kann die Atmung stoppen (umrandeter Warnhinweis der "
                    + "US-Fachinformationen)."
            ),
            (
                "There is no sleep event 'bathrom'. Did you mean 'bathroom'?",
                "Unbekannt: Schlafereignis „bathrom“. Gemeint: „bathroom“?"
            ),
            // A typed word stays, though the tables have it.
            ("There is no sleep event 'medicine'.", "Unbekannt: Schlafereignis „medicine“."),
            ("the last backup is 3 days old", "die letzte Sicherung ist 3 Tage alt"),
            (
                "when opened: the end of the log does not hold: event 3 is missing",
                "beim Öffnen: das Ende des Protokolls stimmt nicht: Ereignis 3 fehlt"
            ),
            (
                "the log ends at event 4, but 5 events had been recorded: this is an older copy, or its write-ahead log was lost",
                "das Protokoll endet mit Ereignis 4, erfasst waren aber 5 Ereignisse: eine ältere Kopie, oder das "
                    + "Write-Ahead-Log ging verloren"
            ),
            ("dose_events has 2 rows that no event explains", "dose_events hat 2 Zeilen, die kein Ereignis erklärt"),
            (
                "At least 12 minutes since dose 1; the computer's clock cannot say how many. Look at another clock before you "
                    + "take anything.",
                "Mindestens 12 Minuten seit Dosis 1; wie viele genau, weiß die Uhr des Computers nicht. Vor jeder Einnahme "
                    + "auf eine andere Uhr sehen."
            ),
            ("The backup is no database.", "Die Sicherung ist keine Datenbank."),
            (
                "Making a backup: there is no space left for the store. Nothing was recorded.",
                "Beim Erstellen der Sicherung: für die Datenbank ist kein Platz mehr. Es wurde nichts erfasst."
            ),
            // What the system says of a file stays.
            (
                "Making a backup (.new-1: Permission denied).",
                "Beim Erstellen der Sicherung (.new-1: Permission denied)."
            ),
            (
                "the store is at fault: looking at what is to be deleted: a file cannot be looked at (x: error 5)",
                "die Ursache ist die Datenbank: beim Ansehen dessen, was gelöscht werden soll: eine Datei lässt sich "
                    + "nicht ansehen (x: error 5)"
            ),
            (
                "A dose cannot be read; 'dosetap db rebuild' makes it anew.",
                "Eine Dosis ist nicht lesbar; „dosetap db rebuild“ stellt sie wieder her."
            ),
            (
                "event 7, 2026-01-15T08:00:00.000Z: the record was restored from a backup of 12 events; of the last day 3 "
                    + "brought in, 1 left in the replaced record",
                "Ereignis 7, 2026-01-15T08:00:00.000Z: die Aufzeichnung wurde aus einer Sicherung wiederhergestellt "
                    + "(12 Ereignisse); vom letzten Tag 3 übernommen, 1 in der ersetzten Aufzeichnung geblieben"
            ),
            // A question is named as people read it, numbers have a comma, and quoted words German quotation marks.
            (
                "The answer to caffeine_total_mg: 99999 is outside 1 to 2000 mg; the nearest is 2000.",
                "Die Antwort auf „Koffein insgesamt“: 99999 liegt außerhalb von 1 bis 2000 mg; am nächsten ist 2000."
            ),
            (
                "The answer to sleep_quality: 9 is outside 1 to 5; the nearest is 5.",
                "Die Antwort auf „Schlafqualität“: 9 liegt außerhalb von 1 bis 5; am nächsten ist 5."
            ),
            (
                "The answer to alcohol_total_drinks: 99 is outside 0.1 to 40 drinks; the nearest is 40.",
                "Die Antwort auf „Alkohol insgesamt“: 99 liegt außerhalb von 0,1 bis 40 Getränke; am nächsten ist 40."
            ),
            (
                "The answer to mood: 'grate' is none of low, great; the nearest is 'great'.",
                "Die Antwort auf „Stimmung“: „grate“ ist keines von low, great; am nächsten ist „great“."
            ),
            (
                "'--from' is a date such as 2026-01-14, not 'xx'.",
                "„--from“ ist ein Datum wie 2026-01-14, nicht „xx“."
            ),
            ("expected a whole number, found “99”", "erwartet wird eine ganze Zahl, gefunden „99“"),
            // Keys of settings and ids of plugins stay.
            (
                "Not in force: snooze. The defaults hold instead.",
                "Einstellungen, die nicht gelten: snooze. Stattdessen gelten die Vorgaben."
            ),
            (
                "the plugin alarm says: sound: /usr/bin/aplay exited with 1: no card; off: hooks",
                "das Plugin alarm sagt: sound: /usr/bin/aplay endete mit dem Exit-Code 1: no card; aus: hooks"
            ),
            (
                "the plugin awake says: this machine has no system bus",
                "das Plugin awake sagt: dieser Rechner hat keinen Systembus"
            ),
            ("off: alarm", "aus: alarm"),
            ("An amount of 9 mg is outside 10 to 20 mg.", "Eine Menge von 9 mg liegt außerhalb von 10 bis 20 mg."),
            ("Nobody wrote this. That time lies in the future.", "Nobody wrote this. Diese Zeit liegt in der Zukunft."),
            ("", ""),
        ]
        DisplayLanguage.addressingPerson {
            for (english, german) in told { #expect(Wire.told(english) == german) }
        }
        for (english, _) in told { #expect(Wire.told(english) == english) }
    }

    @Test func `R38.4: each sentence without blanks is found again in what the service sends`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        DisplayLanguage.addressingPerson {
            for part in [German.explanations, German.refusals, German.service, German.store] {
                for (key, words) in part where !key.contains("%") { #expect(Wire.told(key) == words, "\(key)") }
            }
        }
    }

    @Test func `Blanks may change places, and a counted noun gets its dative`() {
        #expect(Blanks.filled("%2 nach %1", ["a", "b"]) == "b nach a")
        #expect(Blanks.filled("von %1~", ["3 Nächte"]) == "von 3 Nächten")
        #expect(Blanks.filled("von %1~", ["1 Nacht"]) == "von 1 Nacht")
        #expect(Blanks.filled("in %1~", ["2 Dosen"]) == "in 2 Dosen")
        #expect(Blanks.filled("%1 % von %2~", ["40", "5"]) == "40 % von 5")
    }

    @Test func `R38.5: where a terminal has no umlauts, there are none`() {
        for (_, words) in German.parts.joined() {
            let plain = DisplayLanguage.ascii(words)
            #expect(
                plain.utf8.allSatisfy { $0 < 0x80 }
                    || !plain.unicodeScalars.contains { "äöüÄÖÜß".unicodeScalars.contains($0) })
        }
        #expect(DisplayLanguage.ascii("Zeitfenster öffnet; „groß“") == "Zeitfenster oeffnet; \"gross\"")
    }

    @Test func `A table stands straight with umlauts`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        let (moments, dose1) = (Moments(zone: .utc), Instant(seconds: 1_700_000_000))
        let lines = DisplayLanguage.addressingPerson {
            PlanText.lines(ReminderPlan.items(dose1: dose1, alarm: .minutes(165)), dose1, moments)
        }
        let place = lines[0].firstRange(of: "Erinnerung")?.lowerBound
        let column = place.map { lines[0].distance(from: lines[0].startIndex, to: $0) } ?? 0
        #expect(column > 0 && lines.count > 3)
        for line in lines {
            #expect(line.dropFirst(column - 2).hasPrefix("  "), "\(line)")
            #expect(line.dropFirst(column).first != " ", "\(line)")
        }
    }

    @Test func `A reminder that was not told says so however narrow the terminal is`() throws {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        let due = Instant(seconds: 1_700_000_000)
        let reminders = try [ReminderID.followup1, .followup2].map { id in
            try ReminderRecord(json: [
                "id": .string(id.rawValue), "due": .instant(due), "urgency": .string(id.urgency.rawValue),
                "state": "dropped", "channels": .array([]), "seen": false, "reason": "superseded",
            ])
        }
        for columns in [20, 40, 80, 200] {
            let lines = DisplayLanguage.addressingPerson {
                RemindersText.lines(reminders, Moments(zone: .utc), columns)
            }
            #expect(lines[0].contains("Zustand") && lines.count == 2, "\(lines)")
            #expect(lines[1].contains("nicht gemeldet: eine dringendere wurde gemeldet"), "\(lines)")
        }
    }

    @Test func `German has one word for one thing`() {
        // The other word is Link, Write-Ahead-Log, "kurz nacheinander", Handlung.
        for (key, words) in German.parts.joined() {
            for other in ["Verknüpfung", "Write-ahead-Log", "Dosen zusammen", "Aktion "] {
                #expect(!words.contains(other), "\(key): \(words)")
            }
        }
    }

    @Test func `R38.6: German gives no dose advice, and says you only politely`() {
        for (key, words) in German.parts.joined() {
            let lower = " \(words.lowercased()) "
            for wrong in ["nehmen sie", "einnehmen sie", " du ", " dein", " dir ", " dich "] {
                #expect(!lower.contains(wrong), "\(key): \(words)")
            }
        }
        for (key, words) in German.notifications where !key.contains("%") {
            for sentence in words.split(separator: ".") where sentence.split(separator: " ").count > 15 {
                Issue.record("more than fifteen words to somebody half asleep: \(sentence)")
            }
        }
    }
}

/// The phrases of `tr("…")` and `sent("…")` in the source, and what errors of the store say of their work.
enum SourcePhrases {
    /// The modules whose errors of the store reach a person.
    private static let ofStore = ["/DoseTapStore/", "/DoseTapEngine/", "/DoseTapService/"]

    static func all(in folder: URL) throws -> Set<String> {
        var keys: Set<String> = []
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        while let file = files?.nextObject() as? URL {
            guard file.pathExtension == "swift", !file.path.contains("/Language/German/") else { continue }
            var reader = Reader(Array(try String(contentsOf: file, encoding: .utf8)))
            reader.readsErrors = ofStore.contains { file.path.contains($0) }
            reader.read(into: &keys)
        }
        return keys
    }

    /// The blanks of a phrase, in order of their numbers; a `~` belongs to the German.
    static func blanks(_ text: String) -> [Character] {
        zip(text, text.dropFirst()).filter { $0 == "%" && $1.isNumber }.map(\.1).sorted()
    }

    private struct Reader {
        /// What stands before the work that an error of the store names.
        private static let works = ["context:", "doing:", "read(", "reading(", "transaction("]

        let text: [Character]
        var place = 0
        /// True if the literals of errors of the store are phrases, without a mark.
        var readsErrors = false
        /// True behind the code of an internal error, whose work is for the journal only.
        private var isInternal = false

        init(_ text: [Character]) { self.text = text }

        private func begins(_ word: String, at place: Int) -> Bool {
            place + word.count <= text.count && Array(word).elementsEqual(text[place..<place + word.count])
        }

        mutating func read(into keys: inout Set<String>) {
            while place < text.count {
                if begins("//", at: place) {
                    while place < text.count, text[place] != "\n" { place += 1 }
                } else if text[place] == "\"" {
                    _ = literal(into: &keys)
                } else if let call = ["tr(", "sent("].first(where: { begins($0, at: place) }),
                    place == 0 || !(text[place - 1].isLetter || text[place - 1] == "_" || text[place - 1] == ".")
                {
                    place += call.count
                    skipBlanks()
                    guard place < text.count, text[place] == "\"" else { continue }
                    var key = literal(into: &keys)
                    skipBlanks()
                    if begins(", context: \"", at: place) {
                        place += ", context: ".count
                        key += "|" + literal(into: &keys)
                    }
                    keys.insert(key)
                } else if readsErrors, readError(into: &keys) {
                    continue
                } else {
                    place += 1
                }
            }
        }

        /// Reads the work or the fault that an error of the store names; false if none stands here.
        private mutating func readError(into keys: inout Set<String>) -> Bool {
            guard "cdrt".contains(text[place]), place == 0 || !text[place - 1].isLetter else { return false }
            if begins("code: .", at: place) {
                isInternal = begins("code: .internal", at: place)
                return false
            }
            guard let call = Self.works.first(where: { begins($0, at: place) }) else { return false }
            let isLabel = call.hasSuffix(":")
            let isTold = !isLabel || !isInternal
            if isLabel { isInternal = false }
            place += call.count
            skipBlanks()
            guard place < text.count, text[place] == "\"" else { return true }
            let key = literal(into: &keys)
            // A blank alone is no phrase, and other functions of these names read no work.
            let isWork = isLabel || key.prefix { $0.isLetter }.hasSuffix("ing")
            if isTold, isWork, key.contains(where: \.isLetter) { keys.insert(key) }
            return true
        }

        private mutating func skipBlanks() {
            while place < text.count, text[place].isWhitespace { place += 1 }
        }

        /// The literal that begins here as a key; the phrases in its interpolations are read, too.
        private mutating func literal(into keys: inout Set<String>) -> String {
            let isBlock = begins("\"\"\"", at: place)
            let end = isBlock ? "\"\"\"" : "\""
            place += end.count
            var key = ""
            var blanks = 0
            while place < text.count, !begins(end, at: place) {
                if begins("\\(", at: place) {
                    place += 2
                    blanks += 1
                    key += "%\(blanks)"
                    var inner: [Character] = []
                    var depth = 1
                    while place < text.count {
                        if text[place] == "\"" {
                            let start = place
                            _ = literal(into: &keys)
                            inner += text[start..<place]
                            continue
                        }
                        depth += text[place] == "(" ? 1 : text[place] == ")" ? -1 : 0
                        place += 1
                        if depth == 0 { break }
                        inner.append(text[place - 1])
                    }
                    var reader = Reader(inner)
                    reader.read(into: &keys)
                } else if text[place] == "\\" {
                    key +=
                        place + 1 < text.count
                        ? ["n": "\n", "\"": "\"", "\\": "\\", "t": "\t"][text[place + 1]] ?? "?" : ""
                    place += 2
                } else {
                    key.append(text[place])
                    place += 1
                }
            }
            place += end.count
            guard isBlock else { return key }
            let lines = key.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            let indent = lines.last?.count ?? 0
            return lines.dropFirst().dropLast().map { String($0.dropFirst(indent)) }.joined(separator: "\n")
        }
    }
}
