import DoseTapDomain
import Testing

@Suite struct InventoryTests {
    @Test func `bottles, cups and doses make what is left, and how long it lasts`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run("inventory").out.hasPrefix("No bottle is on record: "))
        let added = try await cli.run(
            "inventory", "add", "180mL", "--medicine", "xyrem", "--count", "2", "--ago", "5h", "--note", "pharmacy")
        #expect(added.out.hasPrefix("Recorded: 2 bottles of xyrem, 180 mL each at "), "\(added.err)")
        #expect(added.out.contains("\nWrong? dosetap undo, or dosetap amend "))
        _ = try await cli.json("regimen", "set", "xyrem", "9g")
        let poured = try await cli.run("inventory", "pour", "--for", "dose1", "--ago", "3h")
        #expect(poured.out.contains("Recorded: cup poured for dose 1, xyrem 4500 mg at "), "\(poured.err)")
        let status = try await cli.run("status")
        #expect(status.out.contains("Prepared cup  dose 1, poured at ") && status.out.contains("24 h until "))
        let text = try await cli.run("inventory")
        #expect(text.out.contains("Refill by") && text.out.contains("351 mL") && text.out.contains("Cup for dose 1: "))
        _ = try await cli.json("log", "dose1", "--amount", "4.5g", "--ago", "2h")
        let stock = try await cli.json("inventory")
        let supply = stock["supplies"]?.arrayValue?.first
        #expect(supply?["left_mg"] == 175_500 && supply?["left_ml"]?.doubleValue == 351 && supply?["days"] == 19)
        #expect(supply?["level"] == "ok" && supply?["per_night_source"] == "regimen")
        #expect(supply?["bottles"]?.arrayValue?.count == 1 && stock["cups"] == .array([]))
        #expect(try await cli.json("db", "rebuild")["repairs"] == .array([]))
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `bare dosetap tells a supply that is low, and nothing else of it`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("regimen", "set", "xyrem", "9g")
        _ = try await cli.json("inventory", "add", "180mL")
        #expect(try await cli.run().out.contains("The supply of xyrem is low: 10 nights, refill by "))
        let counted = try await cli.run("inventory", "correct", "xyrem", "20mL", "--reason", "spilled")
        #expect(counted.out.hasPrefix("Recorded: counted: 20 mL of xyrem left at "), "\(counted.err)")
        let tonight = try await cli.run()
        #expect(tonight.out.contains("The supply of xyrem is critical: 1 night, refill by "))
        #expect(tonight.out.contains("\nOnce it is taken: dosetap log dose1\n"))
        _ = try await cli.json("inventory", "correct", "xyrem", "0mL")
        #expect(try await cli.run().out.contains("The supply of xyrem is used up."))
        _ = try await cli.json("inventory", "add", "180mL", "--count", "5")
        #expect(try await cli.run().out.contains("supply") == false)
        #expect(try await cli.run("status").out.contains("supply") == false)
    }

    @Test func `what nobody knows is at most so much, and more than there was is told`() async throws {
        let cli = try CLIHarness()
        let id = try await cli.json("inventory", "add", "4mL", "--medicine", "xyrem", "--ago", "2h")["event_id"]
        _ = try await cli.json("inventory", "pour", "--medicine", "xyrem", "--ago", "1h")
        let unknown = try await cli.run("inventory")
        #expect(unknown.out.contains("≤ 4 mL") && unknown.out.contains("1 amount is unknown"))
        let poured = try await cli.run("inventory", "pour", "2.25g", "--medicine", "xyrem")
        #expect(poured.code == 0 && poured.out.contains("\nThat is more than the 2000 mg that are on record.\n"))
        #expect(try await cli.run("inventory").out.contains("250 mg more were taken than came in"))
        _ = try await cli.json("undo")
        let bottle = try #require(id?.stringValue)
        _ = try await cli.json("amend", bottle, "--amount", "90mL", "--note", "big one")
        #expect(try await cli.json("inventory")["supplies"]?.arrayValue?.first?["left_mg"] == 45_000)
        #expect(try await cli.json("why", bottle)["entity_type"] == "inventory")
        let shown = try await cli.run("show", bottle)
        #expect(shown.out.contains("1 bottle of xyrem, 4 mL") && shown.out.contains("amended"), "\(shown.out)")
        let day = try #require(try await cli.json("inventory")["date"]?.stringValue)
        #expect(try await cli.json("show", day)["inventory"]?.arrayValue?.count == 2)
        #expect(try await cli.run("show", day).out.contains("cup poured, xyrem an unknown amount"))
    }

    @Test func `a cup is thrown away once`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("inventory", "add", "180mL", "--medicine", "xyrem", "--ago", "3h")
        let cup = try #require(
            try await cli.json("inventory", "pour", "2.25g", "--medicine", "xyrem", "--ago", "2h")["event_id"]?
                .stringValue)
        let gone = try await cli.json("inventory", "discard", String(cup.prefix(18)), "--ago", "1h")
        #expect(gone["metadata"]?["kind"] == "cup_discarded" && gone["metadata"]?["entry"]?.stringValue == cup)
        let twice = try await cli.error(5, "inventory", "discard", cup)
        #expect(twice["reason"] == "already_discarded" && twice["hint"] == "dosetap inventory")
        #expect(try await cli.error(5, "delete", cup)["reason"] == "order")
        #expect(try await cli.error(3, "inventory", "discard", "0190a000")["kind"] == "not_found")
        #expect(try await cli.error(3, "inventory", "correct", "0190a000", "5mL")["kind"] == "not_found")
        #expect(try await cli.json("inventory")["supplies"]?.arrayValue?.first?["left_mg"] == 87_750)
        let dry = try await cli.json("inventory", "pour", "2.25g", "--medicine", "xyrem", "--dry-run")
        #expect(dry["dry_run"] == true)
        let key = ["inventory", "pour", "2.25g", "--medicine", "xyrem", "--key", "k"]
        #expect(try await cli.json(key)["duplicate"] == false)
        #expect(try await cli.json(key)["duplicate"] == true)
        #expect(try await cli.error(64, "inventory", "pour", "3g", "--medicine", "xyrem", "--key", "k")["kind"] != nil)
        #expect(
            try await cli.error(4, "inventory", "add", "1mL", "--medicine", "xyrem", "--ago", "8d")["confirm_with"]
                != nil)
        #expect(try await cli.json("inventory")["cups"]?.arrayValue?.count == 1)
    }

    @Test(arguments: [
        (["add", "0mL", "--medicine", "xyrem"], "more than 0 mL"), (["add", "12L", "--medicine", "xyrem"], "10000 mL"),
        (["add", "10001mL", "--medicine", "xyrem"], "at most 10000 mL"), (["add", "180mL"], "xywav, xyrem, lumryz"),
        (["add", "180mL", "--medicine", "xyrm"], "Did you mean 'xyrem'?"),
        (["add", "180mL", "--medicine", "modafinil"], "not of modafinil"),
        (["add", "9mL", "--medicine", "lumryz"], "by weight"), (["add"], "amount"),
        (["add", "180mL", "--medicine", "xyrem", "--count", "0"], "1 to 100"),
        (["pour", "2.25g"], "of which medicine"), (["pour", "21g", "--medicine", "xyrem"], "20000 mg"),
        (["pour", "9mL", "--medicine", "lumryz"], "no concentration"),
        (["pour", "--medicine", "xyrem", "--for", "dose3"], "did you mean 'dose1'?"),
        (["correct", "xyrem", "much"], "no amount"), (["correct", "lumryz", "9g"], "which packets"),
    ])
    func `what is wrong exits with 64, says why, and records nothing`(arguments: [String], text: String) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: ["inventory"] + arguments + ["--json"])
        #expect(outcome.code == 64, "\(arguments): \(outcome.out)")
        let error = try #require(try outcome.json["error"])
        #expect(error["message"]?.stringValue?.contains(text) == true, "\(error.serialized())")
        let hint = error["hint"]?.stringValue
        #expect(hint?.hasPrefix("dosetap inventory") == true || hint?.hasPrefix("dosetap inventory") == true)
        #expect(try await cli.json("inventory")["supplies"] == .array([]))
    }
}
