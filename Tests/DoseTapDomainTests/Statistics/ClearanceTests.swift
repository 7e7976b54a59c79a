import DoseTapDomain
import Testing

/// R20.10: logged facts and the time that has to pass after each.
struct ClearanceTests {
    private static let evening: JSONObject = [
        "late_meal": "heavy", "meal_end_at": "2026-01-14T20:30:00Z", "alcohol": "2-3",
        "alcohol_last_at": "2026-01-14T19:00:00Z", "stimulants": "tea", "caffeine_last_at": "2026-01-14T12:00:00Z",
    ]

    private static func machine(_ answers: JSONObject) throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: utc("2026-01-14T21:00:00Z"))
        try machine.perform(.savePreSleep(answers, .complete))
        machine.pass(.hours(1))
        try machine.perform(.logDose(.dose1))
        return machine
    }

    private static func facts(_ status: NightStatus) -> [String] {
        status.clearance.map {
            "\($0.kind.rawValue) \($0.at?.iso8601 ?? "-") \($0.until?.iso8601 ?? "-") \($0.detail ?? "-")"
        }
    }

    static let logs: [(JSONObject, [String])] = [
        (
            evening,
            [
                "meal 2026-01-14T20:30:00.000Z 2026-01-14T22:30:00.000Z heavy",
                "alcohol 2026-01-14T19:00:00.000Z - 2-3", "late_stimulant 2026-01-14T12:00:00.000Z - tea",
            ]
        ),
        (["late_meal": "none", "alcohol": "none", "stimulants": "none"], []), ([:], []),
        (["late_meal": "snack", "alcohol": "1"], ["meal - - snack", "alcohol - - 1"]),
        // A stimulant before noon is not late. A stimulant without a time is not told.
        (["stimulants": "coffee", "caffeine_last_at": "2026-01-14T11:59:00Z"], []), (["stimulants": "coffee"], []),
    ]

    @Test(arguments: logs)
    func `R20.10 the evening is told as it was answered, what is unknown stays unknown`(
        answers: JSONObject, expected: [String]
    ) throws {
        let status = try Self.machine(answers).status()
        let drive = "earliest_drive 2026-01-14T22:00:00.000Z 2026-01-15T04:00:00.000Z at_least"
        #expect(Self.facts(status) == [drive] + expected)
        #expect(try NightStatus(json: status.json).clearance == status.clearance)
        #expect(status.clearance.allSatisfy { !$0.kind.source(of: nil).isEmpty })
    }

    @Test func `R20.10 the label cited is that of the medicine of the night, and all where none is known`() throws {
        func sources(_ medicine: String?) throws -> [String] {
            var machine = SimulatedMachine(at: utc("2026-01-14T21:00:00Z"))
            try machine.perform(.savePreSleep(Self.evening, .complete))
            machine.pass(.hours(1))
            if let medicine {
                try machine.perform(.takeMedication(medicine))
            } else {
                try machine.perform(.logDose(.dose1))
            }
            return machine.status().clearance.map(\.source).filter { $0.contains("label") }
        }
        let all = try sources(nil)
        #expect(all.count == 3 && all.allSatisfy { $0.hasPrefix("labels of Xyrem, Xywav and Lumryz: ") }, "\(all)")
        let lumryz = try sources("lumryz")
        #expect(lumryz.count == 3 && lumryz.allSatisfy { $0.hasPrefix("Lumryz label: ") }, "\(lumryz)")
    }

    @Test(arguments: [
        ("2026-01-14T15:00:00Z", "adderall_ir", "late_stimulant 2026-01-14T15:00:00.000Z - adderall_ir"),
        // A medicine before noon is not late. At the log's own time the log goes first. Modafinil is no stimulant by
        // its label.
        ("2026-01-14T11:59:00Z", "adderall_ir", "late_stimulant 2026-01-14T12:00:00.000Z - tea"),
        ("2026-01-14T12:00:00Z", "adderall_ir", "late_stimulant 2026-01-14T12:00:00.000Z - tea"),
        ("2026-01-14T15:00:00Z", "modafinil", "late_stimulant 2026-01-14T12:00:00.000Z - tea"),
    ])
    func `R20.10 a stimulant is late also when it was taken as a medicine`(
        at: String, medicine: String, fact: String
    ) throws {
        var machine = try Self.machine(Self.evening)
        let entry = try machine.perform(.takeMedication(medicine)) { $0.at = utc(at) }.primary
        #expect(Self.facts(machine.status()).filter { $0.hasPrefix("late_stimulant") } == [fact])
        try machine.perform(.delete(entry.id))
        #expect(Self.facts(machine.status()).last?.hasSuffix("- tea") == true)
    }

    @Test func `R20.10 six hours count from the last dose, also when the night is over, and end`() throws {
        var machine = try Self.machine([:])
        machine.pass(.minutes(165))
        try machine.perform(.logDose(.dose2))
        machine.pass(.hours(5))
        try machine.perform(.saveCheckIn([:], night: nil))
        #expect(Self.facts(machine.status()) == ["earliest_drive 2026-01-15T00:45:00.000Z 2026-01-15T06:45:00.000Z -"])
        let drive = try #require(machine.status().clearance.first)
        #expect(drive.isRunning(at: utc("2026-01-15T06:44:59Z")) && !drive.isRunning(at: utc("2026-01-15T06:45:00Z")))
        // Before dose 2 the time counts from dose 1. Nothing is told before the first entry, or twelve hours later.
        #expect(Self.facts(machine.status(at: utc("2026-01-14T23:00:00Z"))).first?.contains("04:00") == true)
        #expect(machine.status(at: utc("2026-01-14T20:00:00Z")).clearance.isEmpty)
        machine.pass(.hours(12))
        #expect(machine.status().clearance.isEmpty)
    }
}
