import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct MedicationTests {
    @Test func `a medicine over the bus is recorded, announced, listed and undone`() async throws {
        let bench = try await ServiceBench.start(environment: ["DOSETAP_MEDICATIONS_CUSTOM": "Melatonin 3mg/tablet"])
        let at = ServiceBench.now - .minutes(40)
        let taken = try await bench.submit(.takeMedication("Provigil")) { options in
            options.at = at
            options.key = "pill"
            options.note = "with tea"
        }
        #expect(taken.type == "medication" && taken.timestamp == at && taken.sessionID == nil)
        #expect(taken.metadata["medication_id"] == "provigil" && taken.metadata["note"] == "with tea")
        try await bench.awaitRecorded(.medicationRecorded)
        let again = try await bench.submit(.takeMedication("provigil")) { options in
            options.at = at
            options.key = "pill"
            options.note = "with tea"
        }
        #expect(again.duplicate && again.eventID == taken.eventID)
        let asked = await bench.refusal(.takeMedication("modafinil")) { $0.at = at + .minutes(4) }
        #expect(asked?.kind == .requiresConfirmation && asked?.confirmations == [.duplicate])
        #expect(asked?.details["standing_id"]?.stringValue == taken.eventID.text)
        let warned = try await bench.submit(.takeMedication("modafinil"))
        #expect(warned.metadata["warning"]?["span_min"] == 720)
        let tablets = try await bench.submit(.takeMedication("melatonin")) { $0.amount = "2 tablets" }
        #expect(tablets.metadata["dose_mg"] == 6)
        let list = try await bench.client.medications(limit: 10)
        #expect(list.map(\.id) == [tablets.eventID, warned.eventID, taken.eventID])
        #expect(try await bench.client.medicationCatalogue().count == 17)
        #expect(try await bench.client.why(taken.eventID.text).entityType == "medication")
        #expect(try await bench.client.shown(taken.eventID.text).entries().map(\.id) == [taken.eventID])
        try await bench.submit(.undo)
        try await bench.submit(.delete(EventID(String(warned.eventID.text.prefix(20)))))
        #expect(try await bench.client.medications(limit: 10).map(\.id) == [taken.eventID])
        for member in [Client.Examination.check, .verify] {
            #expect(try await bench.client.examine(member)["ok"] == true)
        }
        try await bench.stop()
    }

    @Test func `an old medicine is found again after a restart, corrected and guarded`() async throws {
        let bench = try await ServiceBench.start()
        let at = ServiceBench.now - .hours(100)
        let taken = try await bench.submit(.takeMedication("modafinil")) { $0.at = at }
        try await bench.stop()
        let later = try await bench.again()
        let asked = await later.refusal(.takeMedication("provigil")) { $0.at = at - .minutes(4) }
        #expect(asked?.confirmations == [.duplicate])
        let amended = try await later.submit(.amend(taken.eventID)) { options in
            options.at = at - .hours(30)
            options.amount = "0.1g"
        }
        #expect(amended.target == taken.eventID && amended.sessionDate != taken.sessionDate)
        try await later.submit(.takeMedication("provigil")) { $0.at = at - .minutes(4) }
        let entry = try #require(try await later.client.medications(limit: 10).last)
        #expect(entry.metadata["dose_mg"] == 100 && entry.timestamp == at - .hours(30))
        #expect(try await later.client.examine(.rebuild)["repairs"] == .array([]))
        try await later.stop()
    }

    @Test func `a regimen over the bus is the property, the amounts and the number of doses`() async throws {
        let bench = try await ServiceBench.start()
        #expect(try Self.active(bench) == "a{sv} 0\n")
        let set = try await bench.submit(
            .setRegimen(["medication_id": "xyrem", "total": "15mL", "ratios": [0.6, 0.4], "from": "2020-01-01"]))
        #expect(set.type == "regimen" && set.metadata["total_mg"] == 7_500)
        try await bench.awaitRecorded(.regimenSet)
        #expect(try Self.active(bench).contains("\"total_mg\" x 7500"))
        let answer = try await bench.client.regimen()
        #expect(answer["active"]?["id"]?.stringValue == set.eventID.text)
        let dose = try await bench.submit(.logDose(.dose1))
        #expect(dose.metadata["amount_mg"] == 4_500 && dose.metadata["regimen_id"]?.stringValue == set.eventID.text)
        let bundle = try await bench.client.show(dose.eventID.text).first?.bundle
        #expect(bundle?.targetMilligrams == 7_500 && bundle?.state == .under)
        try await bench.stop()
        let later = try await bench.again()
        #expect(try Self.active(later).contains(set.eventID.text), "it is known again after a restart")
        let lumryz: JSONObject = ["medication_id": "lumryz", "total": "9g", "from": "2020-01-01"]
        #expect(await later.refusal(.setRegimen(lumryz))?.confirmations == [.nightBegun])
        let told = try await later.submit(.setRegimen(lumryz)) { $0.confirmations = [.nightBegun] }
        #expect(told.metadata["tonight"] == "one_dose")
        #expect(try await later.client.status().window.phase == .completed)
        try await later.submit(.undo)
        #expect(try await later.client.status().window.phase == .beforeWindow)
        #expect(try Self.active(later).contains("\"total_mg\" x 7500"))
        #expect(try await later.client.examine(.rebuild)["repairs"] == .array([]))
        try await later.stop()
    }

    /// Calls that the service must refuse: member, arguments of busctl, a part of the error.
    static let invalid: [(String, [String], String)] = [
        ("Take", ["sa{sv}", "modafinl", "0"], "Did you mean 'modafinil'?"), ("Take", ["sa{sv}", "", "0"], "1 to 64"),
        ("Take", ["sa{sv}", "sunosi", "1", "amount", "s", "5mL"], "no concentration"),
        ("Take", ["sa{sv}", "sunosi", "1", "amount", "s", "\u{1B}[2J"], "no amount"),
        ("Take", ["sa{sv}", "sunosi", "2", "amount", "s", "75mg", "amount_mg", "u", "75"], "given twice"),
        ("Take", ["sa{sv}", "sunosi", "1", "dose", "s", "75mg"], "Unknown option 'dose'"),
        ("Take", ["sa{sv}", String(repeating: "x", count: 70_000), "0"], "longer than the 65536"),
        ("List", ["u", "0"], "1 to 1000"), ("List", ["u", "1001"], "1 to 1000"),
        ("SetRegimen", ["a{sv}a{sv}", "0", "0"], "is for"),
        ("SetRegimen", ["a{sv}a{sv}", "1", "medication_id", "s", "xyrem", "0"], "how much a night"),
        (
            "SetRegimen",
            [
                "a{sv}a{sv}", "3", "medication_id", "s", "xyrem", "total", "s", "9g", "ratios", "ad", "2", "0.6", "0.5",
                "0",
            ],
            "sum to 1.1"
        ),
        ("SetRegimen", ["a{sv}a{sv}", "2", "medication_id", "s", "xyrem", "total", "u", "9", "0"], "short text"),
        ("SetRegimen", ["a{sv}a{sv}", "1", "totl", "s", "9g", "0"], "'total'"),
    ]

    @Test func `nothing that is wrong is recorded`() async throws {
        let bench = try await ServiceBench.start()
        for (member, arguments, text) in Self.invalid {
            let outcome = try TestProgram.run(
                [
                    "timeout", "20", "busctl", "--address=\(bench.bus.address)", "call", Contract.name,
                    "/org/dosetap/DoseTap1", Contract.InterfaceName.medications, member,
                ] + arguments)
            #expect(outcome.status != 0, "\(arguments.prefix(3))")
            #expect(outcome.errors.contains(text), "\(member) \(text): \(outcome.errors.prefix(200))")
        }
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).isEmpty)
    }

    private static func active(_ bench: ServiceBench) throws -> String {
        try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.medications, "ActiveRegimen"
        ).text
    }
}
