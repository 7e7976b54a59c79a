import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct InventoryTests {
    private static func left(_ bench: ServiceBench) async throws -> JSONValue? {
        try await bench.client.inventory()["supplies"]?.arrayValue?.first?["left_mg"]
    }

    @Test func `the stock over the bus is noted, announced, derived, corrected and there again after a restart`()
        async throws
    {
        let bench = try await ServiceBench.start()
        let at = ServiceBench.now - .hours(60)
        let bottle: JSONObject = ["medication_id": "xyrem", "amount": "180mL", "count": 2]
        let added = try await bench.submit(.inventory(.addBottle(bottle))) { options in
            options.at = at
            options.key = "bottles"
            options.note = "pharmacy"
        }
        #expect(added.type == "inventory" && added.metadata["unit_mg"] == 90_000 && added.sessionID == nil)
        try await bench.awaitRecorded(.inventoryRecorded)
        let again = try await bench.submit(.inventory(.addBottle(bottle))) { options in
            options.at = at
            options.key = "bottles"
            options.note = "pharmacy"
        }
        #expect(again.duplicate && again.eventID == added.eventID)
        let old = try await bench.submit(.inventory(.pour(["medication_id": "xyrem"]))) { options in
            options.at = at + .hours(1)
            options.amount = "4.5mL"
        }
        #expect(old.metadata["amount_mg"] == 2_250)
        try await bench.submit(.logDose(.dose1)) { options in
            options.at = at + .hours(2)
            options.amountMilligrams = 2_250
        }
        let cup = try await bench.submit(.inventory(.pour(["medication_id": "xyrem", "for": "dose2"])))
        #expect(try await Self.left(bench) == 177_750)
        let status = try await bench.client.status()
        let told = try #require(status.clearance.first { $0.kind == .preparedCup })
        #expect(told.at == cup.timestamp && told.until == cup.timestamp + .hours(24) && told.source.contains("24 h"))
        #expect(await bench.refusal(.inventory(.discard(old.eventID)))?.details["reason"] == "already_used")
        try await bench.stop()

        let later = try await bench.again()
        #expect(try await Self.left(later) == 177_750)
        #expect(try await later.client.status().clearance.contains { $0.kind == .preparedCup })
        #expect(await later.refusal(.inventory(.discard(old.eventID)))?.details["reason"] == "already_used")
        try await later.submit(.inventory(.discard(EventID(String(cup.eventID.text.prefix(20))))))
        #expect(try await later.client.status().clearance.contains { $0.kind == .preparedCup } == false)
        try await later.submit(.undo)
        #expect(try await later.client.status().clearance.contains { $0.kind == .preparedCup })
        try await later.submit(.amend(added.eventID)) { $0.amount = "90mL" }
        #expect(try await Self.left(later) == 87_750)
        let counted = try await later.submit(
            .inventory(.correct(["of": .string(added.eventID.text), "left": "60mL"]))
        ) { $0.reason = "spilled" }
        #expect(counted.metadata["reason"] == "spilled" && counted.metadata["left_mg"] == 30_000)
        #expect(try await Self.left(later) == 30_000)
        try await later.submit(.delete(counted.eventID))
        #expect(try await Self.left(later) == 87_750)
        #expect(try await later.client.why(added.eventID.text).entityType == "inventory")
        #expect(try await later.client.shown(added.eventID.text).entries().map(\.id) == [added.eventID])
        for member in [Client.Examination.check, .verify] {
            #expect(try await later.client.examine(member)["ok"] == true)
        }
        #expect(try await later.client.examine(.rebuild)["repairs"] == .array([]))
        try await later.stop()
        #expect(try await StoredLog.read(bench.store).count { $0.event.type == .inventoryRecorded } == 5)
    }

    /// Calls that the service must refuse: member, arguments of busctl, a part of the error.
    static let invalid: [(String, [String], String)] = [
        ("AddBottle", ["a{sv}a{sv}", "0", "0"], "of which medicine"),
        ("AddBottle", ["a{sv}a{sv}", "2", "amount", "s", "0mL", "medication_id", "s", "xyrem", "0"], "more than 0 mL"),
        ("AddBottle", ["a{sv}a{sv}", "2", "amount", "u", "180", "medication_id", "s", "xyrem", "0"], "short text"),
        ("AddBottle", ["a{sv}a{sv}", "2", "amount", "s", "9mL", "medication_id", "s", "xyrm", "0"], "'xyrem'?"),
        (
            "AddBottle",
            ["a{sv}a{sv}", "3", "amount", "s", "9mL", "medication_id", "s", "xyrem", "count", "t", "1000", "0"],
            "1 to 100"
        ),
        ("AddBottle", ["a{sv}a{sv}", "1", "bottle", "o", "/", "0"], "a type that nothing here has"),
        ("AddBottle", ["a{sv}a{sv}", "1", "bottle", "s", "180mL", "0"], "no 'bottle'"),
        ("Pour", ["a{sv}a{sv}", "1", "medication_id", "s", "xyrem", "1", "amount_mg", "u", "0"], "outside"),
        ("Pour", ["a{sv}a{sv}", "1", "medication_id", "s", "\u{1B}[2J", "0"], "short text"),
        ("Pour", ["a{sv}a{sv}", "0", "1", "amont", "s", "9mL"], "Unknown option 'amont'"),
        ("Correct", ["a{sv}a{sv}", "2", "of", "s", "xyrem", "left", "s", "1mL1", "0"], "no amount"),
        ("Discard", ["sa{sv}", "0190a000-0000-7000-8000-000000000000", "0"], "no entry"),
        ("Discard", ["sa{sv}", "'; DROP TABLE events;--", "0"], "no entry"), ("Show", ["s", "x"], "Invalid arguments"),
        ("Discard", ["sa{sv}", String(repeating: "x", count: 70_000), "0"], "longer than the 65536"),
    ]

    @Test func `nothing that is wrong is recorded`() async throws {
        let bench = try await ServiceBench.start()
        for (member, arguments, text) in Self.invalid {
            let outcome = try TestProgram.run(
                [
                    "timeout", "20", "busctl", "--address=\(bench.bus.address)", "call", Contract.name,
                    "/org/dosetap/DoseTap1", Contract.InterfaceName.inventory, member,
                ] + arguments)
            #expect(outcome.status != 0, "\(member) \(arguments.prefix(3))")
            #expect(outcome.errors.contains(text), "\(member) \(text): \(outcome.errors.prefix(200))")
        }
        #expect(try await bench.client.inventory()["supplies"]?.arrayValue ?? [] == [])
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).isEmpty)
    }
}
