import DoseTapDomain
import Testing

@Suite struct HandleTests {
    @Test func `R23.8: doses and the last entry have names, wherever an entry is asked for`() async throws {
        let cli = try CLIHarness()
        let dose1 = try await cli.json("log", "dose1", "--ago", "170m")
        let dose2 = try await cli.json("log", "dose2", "--ago", "5m")
        let bathroom = try await cli.json("log", "bathroom", "--ago", "4m")
        let water = try await cli.json("log", "water", "--ago", "3m")
        func id(_ words: String...) async throws -> JSONValue? { try await cli.json(["why"] + words)["event"]?["id"] }
        #expect(try await id("dose1") == dose1["event_id"])
        #expect(try await id("DOSE", "2") == dose2["event_id"])
        #expect(try await id("last") == water["event_id"])
        #expect(try await id("last", "bathroom") == bathroom["event_id"])
        #expect(try await id("last dose") == dose2["event_id"])
        #expect(try await cli.json("show", "dose1")["entry"]?["original"]?["id"] == dose1["event_id"])
        let at = try Instant(iso8601: try #require(dose1["timestamp"]?.stringValue)) - .minutes(1)
        #expect(try await cli.json("amend", "dose1", "--at", at.iso8601)["target"] == dose1["event_id"])
        #expect(try await cli.json("amend", "last", "bathroom", "--ago", "20m")["target"] == bathroom["event_id"])
        let end = String(try #require(water["event_id"]?.stringValue).suffix(6))
        #expect(try await cli.json("delete", end)["target"] == water["event_id"])
        #expect(try await id("last") == bathroom["event_id"])
    }

    @Test func `R23.8: last is what was recorded last, also where it belongs to a night of months ago`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "2400h", "--confirm", "long_ago")
        try await cli.json("log", "dose1", "--ago", "170m")
        try await cli.json("log", "bathroom", "--ago", "4m")
        let old = try await cli.json("log", "bathroom", "--ago", "2399h", "--confirm", "long_ago")
        #expect(try await cli.json("why", "last")["event"]?["id"] == old["event_id"])
        #expect(try await cli.json("delete", "last", "bathroom")["target"] == old["event_id"])
        #expect(try await cli.json("why", "last", "bathroom")["event"]?["id"] != old["event_id"])
    }

    @Test func `R6.13: a second undo says of which night the dose is`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--at", "2026-01-09T22:30+00:00", "--confirm", "long_ago")
        try await cli.json("log", "bathroom", "--ago", "1m")
        try await cli.json("undo")
        let asked = try await cli.run("undo", "--time-zone", "UTC")
        #expect(
            asked.code == 4 && asked.err.contains("The newest entry is the dose of Fri 2026-01-09 22:30. Undo removes"),
            "\(asked)")
        #expect(!asked.err.contains("reminders"), "\(asked)")
    }

    @Test func `R23.8: stock has names, too`() async throws {
        let cli = try CLIHarness()
        try await cli.json("inventory", "add", "180mL", "--medicine", "xyrem")
        let cup = try await cli.json("inventory", "pour", "3g", "--medicine", "xyrem")
        let discarded = try await cli.json("inventory", "discard", "last", "cup")
        #expect(discarded["metadata"]?["entry"] ?? discarded["metadata"]?["target"] == cup["event_id"], "\(discarded)")
    }

    @Test func `R23.9: a name that none has is told with what was looked for`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "bathroom")
        func said(_ words: String...) async throws -> String {
            let error = try await cli.error(3, "delete", words.joined(separator: " "))
            return error["message"]?.stringValue ?? ""
        }
        #expect(try await said("dose2").contains("newest night has no dose 2"))
        #expect(try await said("last", "dream").contains("no entry 'dream'"))
        #expect(try await said("ffff").contains("ends with 'ffff'"))
        #expect(try await said("bathroom").contains("last bathroom"))
        #expect(try await said(String(repeating: "x", count: 60)).count < 200)
    }

    @Test func `R23.10: a receipt shows the short name and only what applies`() async throws {
        let cli = try CLIHarness()
        func said(_ words: String...) async throws -> String {
            let outcome = try await cli.run(words: words)
            #expect(outcome.code == 0, "\(words): \(outcome.err)")
            return outcome.out
        }
        #expect(
            try await said("log", "dose1", "--ago", "170m").contains("Wrong? dosetap undo, or dosetap amend dose1 --at")
        )
        #expect(try await said("snooze").contains("Wrong? dosetap undo, or dosetap delete "))
        #expect(try await said("log", "dose2").contains("Wrong? dosetap undo, or dosetap amend dose2 --at TIME"))
        let water = try await cli.json("log", "water", "--ago", "2m")
        let handle = try #require(water["handle"]?.stringValue)
        #expect(handle.count == 4 && water["event_id"]?.stringValue?.hasSuffix(handle) == true)
        #expect(try await cli.error(5, "log", "dose1")["hint"] == "dosetap amend dose1 --at TIME")
        #expect(try await cli.json("delete", handle)["handle"] == nil)
    }
}
