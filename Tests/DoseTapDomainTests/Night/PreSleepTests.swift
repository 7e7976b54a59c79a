import DoseTapDomain
import Testing

/// R10: the pre-sleep log.
struct PreSleepTests {
    private static let tea: JSONObject = ["stimulants": "tea"]

    private func active(_ machine: SimulatedMachine) -> [PreSleepLog] {
        machine.logState.preSleepLogs.filter(\.isActive)
    }

    @Test(arguments: [(0, true), (119, true), (120, true), (121, false)])
    func `R10.2 it belongs to the session that begins within 120 minutes after it`(minutes: Int, links: Bool) throws {
        var machine = SimulatedMachine.evening()
        let saved = try machine.perform(.savePreSleep(Self.tea, .complete))
        #expect(saved.events.map(\.type) == [.preSleepRecorded] && machine.logState.sessions.isEmpty)
        machine.pass(.minutes(minutes))
        try machine.perform(.logDose(.dose1))
        let night = try #require(machine.night)
        #expect(machine.logState.preSleepLogs(of: night).map(\.id) == (links ? [saved.primary.id] : []))
        if links { try machine.perform(.undo) }
        #expect(machine.logState.session(of: saved.primary) == nil)
    }

    @Test func `R10.2 of several sessions the first, and never one before it`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(1))
        let saved = try machine.perform(.savePreSleep(Self.tea, .complete)).primary
        #expect(machine.logState.session(of: saved) == nil)
        let before = machine.wall - .minutes(30)
        try machine.perform(.amend(saved.id)) { $0.at = before }
        #expect(machine.logState.session(of: saved)?.id == machine.night?.id)
    }

    @Test func `R10.3 a later save within two hours goes on with it`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.savePreSleep(Self.tea, .partial)).primary
        machine.pass(.minutes(120))
        let second = try machine.perform(.savePreSleep(["alcohol": "none"], .complete)).primary
        #expect(second.entityID == first.id.text)
        let log = try #require(active(machine).first)
        #expect(log.answers.values == ["stimulants": "tea", "alcohol": "none"])
        #expect(log.completion == .complete && log.at == first.effectiveAt)
        machine.pass(.seconds(30))
        try machine.perform(.undo)
        #expect(active(machine).first?.completion == .partial)
        #expect(active(machine).first?.answers.values == Self.tea)
        machine.pass(.minutes(1))
        try machine.perform(.savePreSleep(["alcohol": "1"], .partial))
        #expect(active(machine).count == 2, "beyond its reach it is another one")
    }

    @Test func `R10.4 skipping says so, and takes nothing away`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.savePreSleep([:], .skipped))
        #expect(active(machine).map(\.completion) == [.skipped])
        machine.pass(.minutes(1))
        try machine.perform(.savePreSleep(Self.tea, .partial))
        machine.pass(.minutes(1))
        try machine.perform(.savePreSleep([:], .skipped))
        #expect(active(machine).map(\.completion) == [.partial])
        #expect(active(machine).first?.answers.values == Self.tea)
        guard case .invalidInput? = machine.failure(.savePreSleep(Self.tea, .skipped)) else {
            Issue.record("a skipped log had answers")
            return
        }
    }

    @Test func `R10.5 it is undone, amended and deleted like any entry`() throws {
        var machine = SimulatedMachine.evening()
        let id = try machine.perform(.savePreSleep(Self.tea, .complete)).primary.id
        try machine.perform(.amend(id)) { $0.note = "late" }
        #expect(active(machine).first?.answers["notes"] == "late")
        try machine.perform(.undo)
        #expect(active(machine).first?.answers["notes"] == nil)
        machine.pass(.minutes(5))
        try machine.perform(.delete(id))
        #expect(active(machine).isEmpty)
        try machine.perform(.undo)
        #expect(active(machine).map(\.id) == [id])
        machine.pass(.minutes(5))
        try machine.perform(.delete(id))
        machine.pass(.minutes(5))
        #expect(machine.failure(.delete(id)) == .notFound(id.text))
        try machine.perform(.savePreSleep(Self.tea, .complete))
        #expect(active(machine).count == 1, "a deleted log is not continued")
    }

    @Test func `R10.6 it keeps no dose waiting and judges none`() throws {
        var machine = SimulatedMachine.evening()
        let plan: JSONObject = ["dose_plan_total_mg": 12_000, "dose_plan_first_percent": 75]
        let saved = try machine.perform(.savePreSleep(plan, .complete)).primary
        let log = try #require(active(machine).first)
        #expect(log.metadata["plan_over_limit"] == ["dose", "night"])
        // A total of more than twice a dose's limit has a part over that limit in any split.
        for (total, wanted) in [(9_000, nil), (9_250, ["dose", "night"])] as [(Int64, JSONValue?)] {
            var other = SimulatedMachine.evening()
            try other.perform(.savePreSleep(["dose_plan_total_mg": .integer(total)], .complete))
            #expect(try #require(active(other).first).metadata["plan_over_limit"] == wanted, "\(total)")
        }
        #expect(Receipt(saved, session: nil, duplicate: false, clock: machine.clock).type == "pre_sleep")
        #expect(machine.questions(.logDose(.dose1)).isEmpty)
        try machine.perform(.logDose(.dose1))
    }
}
