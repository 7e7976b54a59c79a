import DoseTapDomain
@testable import DoseTapExchange
import Testing

@Suite struct CalendarTests {
    @Test(arguments: 1...2)
    func `R28.12 the calendar of nights of chance is what an independent reader makes of them`(seed: Int) throws {
        let stream = ExchangeBench.random(seed: UInt64(seed) * 31_337)
        for profile in [ExportProfile.full, .clinic, .share] {
            try ExchangeBench.check(
                "ical", ExchangeBench.bytes(.ical, stream, profile: profile), stream, profile: profile,
                models: ExchangeBench.hasModels)
        }
    }

    @Test func `R28.12 an event tells that there was something, and nothing else`() throws {
        let text = try ExchangeBench.make(.ical, PlantedNight.stream)
        let events = text.split(separator: "BEGIN:VEVENT\r\n").dropFirst()
        #expect(
            events.first == """
                UID:\(PlantedNight.id(3))\r
                DTSTAMP:20260103T213000Z\r
                DTSTART:20260103T213000Z\r
                SUMMARY:Night entry 1\r
                SEQUENCE:0\r
                STATUS:CONFIRMED\r
                CLASS:PRIVATE\r
                TRANSP:TRANSPARENT\r
                END:VEVENT\r

                """)
        for word in ["dose", "xywav", "mg", "2257", "zq"] { #expect(!text.contains(word), "\(word)") }
    }

    @Test func `R28.12 an amended dose has a new stamp, and a deleted one is taken back`() throws {
        let text = try ExchangeBench.make(.ical, PlantedNight.stream)
        let events = text.split(separator: "BEGIN:VEVENT\r\n").map(String.init)
        let amended = try #require(events.first { $0.contains(PlantedNight.id(5)) })
        #expect(amended.contains("SEQUENCE:1\r\n") && amended.contains("DTSTAMP:20260104T002000Z\r\n"))
        let deleted = try #require(events.first { $0.contains(PlantedNight.id(14)) })
        #expect(deleted.contains("STATUS:CANCELLED\r\n") && deleted.contains("DTSTART:20260104T005000Z\r\n"))
    }

    @Test func `R28.12 a deletion that was undone gives the dose a higher sequence than the deletion had`() throws {
        let night = try #require(PlantedNight.lines[1]["nights"]?.arrayValue?.first?.objectValue)
        func correction(_ id: Int, _ type: String, about target: Int) -> JSONValue {
            [
                "id": .string(PlantedNight.id(id)), "type": .string(type), "timestamp": "2026-01-04T02:00:00.000Z",
                "recorded_at": "2026-01-04T02:00:00.000Z", "surface": "cli", "target": .string(PlantedNight.id(target)),
                "metadata": ["original": ["type": "dose1", "timestamp": "2026-01-03T21:30:00.000Z"]],
            ]
        }
        func event(_ corrections: [JSONValue], isStanding: Bool) throws -> String {
            var night = night
            night["corrections"] = .array(corrections)
            if !isStanding {
                night["entries"] = .array(
                    night["entries"]?.arrayValue?.filter { $0["id"]?.stringValue != PlantedNight.id(3) } ?? [])
            }
            let text = try ExchangeBench.make(
                .ical, JSONValue.object(["nights": [.object(night)]]).serialized() + "\n")
            return try #require(
                text.split(separator: "BEGIN:VEVENT").map(String.init).first { $0.contains(PlantedNight.id(3)) })
        }
        let deletion = correction(40, "entry_deleted", about: 3)
        let deleted = try event([deletion], isStanding: false)
        #expect(deleted.contains("STATUS:CANCELLED") && deleted.contains("SEQUENCE:1\r\n"))
        let back = try event([deletion, correction(41, "action_undone", about: 40)], isStanding: true)
        #expect(back.contains("STATUS:CONFIRMED") && back.contains("SEQUENCE:2\r\n"))
    }

    @Test func `R28.12 nothing gives a whole calendar without events`() throws {
        let text = try ExchangeBench.make(.ical, "")
        #expect(text.hasPrefix("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n") && text.hasSuffix("END:VCALENDAR\r\n"))
    }

    @Test(arguments: [
        String(repeating: "a", count: 75), String(repeating: "a", count: 76), String(repeating: "ä", count: 200),
        String(repeating: "🌙", count: 60), "",
    ])
    func `a line is folded between characters, and unfolds to itself`(line: String) throws {
        var bytes: [UInt8] = []
        var output = Output { part in
            bytes += part
            return 0
        }
        try CalendarFormat.write(line, &output)
        try output.flush()
        let text = try #require(String(validating: bytes, as: UTF8.self))
        let parts = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        for part in parts {
            #expect(part.utf8.count <= 75)
            #expect(String(validating: Array(part.utf8), as: UTF8.self) != nil)
        }
        #expect(text.replacing("\r\n ", with: "") == line + "\r\n")
    }

    @Test func `text with a meaning of its own is escaped`() {
        #expect(CalendarFormat.text("a,b;c\\d\ne\r\nf") == "a\\,b\\;c\\\\d\\ne\\nf")
    }
}
