import DoseTapDomain
import Testing

@Suite struct ImportTakeBackTests {
    /// The time after which the night is over.
    private static let later: Duration = .hours(72)
    private static let evening = utc("2026-01-14T22:00:00Z")

    private static func entry(_ kind: DoseKind, _ minutes: Int) -> ImportEntry {
        let at = evening + .minutes(minutes)
        return ImportEntry(.dose(kind, amountMilligrams: 2_250), row: "\(kind) \(minutes)", at: at)
    }

    /// Imports doses on the nights that are over.
    private static func take(_ entries: [ImportEntry], _ machine: inout SimulatedMachine) throws -> [Event] {
        let state = machine.logState
        var planner = ImportPlanner(
            source: "ios", machine.context, tonight: state.open, newest: state.newest, regimens: [])
        planner.load(sessions: state.sessions, entries: [])
        for entry in entries { planner.decide(entry, key: entry.row, isKnown: false) }
        let plan = planner.finish()
        #expect(plan.rows.map(\.outcome) == entries.map { _ in .new })
        machine.append(plan.events)
        return plan.events
    }

    /// The plan that takes an import back from its night.
    private static func takeBack(_ events: [Event], _ machine: SimulatedMachine) throws -> ImportPlan {
        let state = machine.logState
        let scene = ImportScene(machine.context, tonight: state.open, newest: state.newest, sequence: 0)
        var back = ImportTakeBack(try #require(events.last), "ios", brought: Set(events.map(\.id)), scene)
        back.take(try #require(events.first?.sessionID.flatMap { state.session($0) }))
        return back.finish()
    }

    @Test func `R29.12 a night that was over stays over when its dose 2 is taken back, and tonight is tonight`() throws
    {
        var machine = try SimulatedMachine.after(Self.later)
        let dose1 = try #require(machine.night?.dose1?.id)
        let brought = try Self.take([Self.entry(.dose2, 200)], &machine)
        // The amendment ends the skip that time alone had recorded.
        try machine.perform(.amend(dose1)) {
            $0.at = Self.evening + .minutes(10)
            $0.confirmations = Set(Confirmation.allCases)
        }
        let night = try #require(machine.night)
        #expect(!night.isOpen && night.dose2 != nil)
        try machine.perform(.logDose(.dose1))
        let tonight = try #require(machine.logState.open)
        let plan = try Self.takeBack(brought, machine)
        #expect(night.appending([try #require(plan.events.first)])?.isOpen == true, "without more it would be open")
        #expect(plan.changes.map { $0.after?.isOpen } == [false])
        machine.append(plan.events)
        #expect(machine.logState.open?.id == tonight.id && machine.logState.session(night.id)?.dose2 == nil)
    }

    @Test func `R29.12 what a person amended stays when an import is taken back`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        let brought = try Self.take([Self.entry(.dose1, 0), Self.entry(.dose2, 200)], &machine)
        let dose1 = try #require(machine.night?.dose1?.id)
        try machine.perform(.amend(dose1)) {
            $0.amountMilligrams = 3_000
            $0.confirmations = Set(Confirmation.allCases)
        }
        machine.append(try Self.takeBack(brought, machine).events)
        #expect(machine.night?.doses.map(\.id) == [dose1] && machine.night?.isOpen == false)
    }

    @Test func `R29.12 the dose 1 of a person's dose 2 stays when an import is taken back`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        let brought = try Self.take([Self.entry(.dose1, 0)], &machine)
        try machine.perform(.logDose(.dose2)) {
            $0.at = Self.evening + .minutes(200)
            $0.confirmations = Set(Confirmation.allCases)
        }
        #expect(machine.night?.doses.count == 2)
        machine.append(try Self.takeBack(brought, machine).events)
        #expect(machine.night?.doses.map(\.kind) == [.dose1, .dose2])
    }

    @Test func `R29.3 a dose of another kind minutes from one on record is not linked with it, and is named`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        _ = try Self.take([Self.entry(.dose1, 0), Self.entry(.dose2, 200)], &machine)
        var planner = ImportPlanner(
            source: "fitbit", machine.context, tonight: nil, newest: machine.logState.newest, regimens: [])
        planner.load(sessions: machine.logState.sessions, entries: [])
        for entry in [Self.entry(.dose2, 202), Self.entry(.extra, 203), Self.entry(.extra, 240)] {
            planner.decide(entry, key: entry.row, isKnown: false)
        }
        #expect(planner.finish().rows.map(\.outcome) == [.linked, .notTaken, .new])
    }

    @Test func `R29.4 a second dose 2 of a file is not recorded as an extra dose`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        let state = machine.logState
        var planner = ImportPlanner(
            source: "ios", machine.context, tonight: nil, newest: state.newest, regimens: [])
        for entry in [Self.entry(.dose1, 0), Self.entry(.dose2, 180), Self.entry(.dose2, 225)] {
            planner.decide(entry, key: entry.row, isKnown: false)
        }
        #expect(planner.finish().rows.map(\.outcome) == [.new, .new, .notTaken])
    }

    @Test func `R29.2 a dose that a file has twice at one time is known, one with another amount is named`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        var planner = ImportPlanner(
            source: "ios", machine.context, tonight: nil, newest: machine.logState.newest, regimens: [])
        var other = Self.entry(.dose1, 0)
        other.what = .dose(.dose1, amountMilligrams: 3_000)
        let entries = [
            Self.entry(.dose1, 0), Self.entry(.dose1, 0), other, Self.entry(.dose2, 180), Self.entry(.dose2, 180),
        ]
        for (place, entry) in entries.enumerated() { planner.decide(entry, key: "\(place)", isKnown: false) }
        let plan = planner.finish()
        #expect(plan.rows.map(\.outcome) == [.new, .known, .notTaken, .new, .known])
        #expect(plan.rows[2].reason == ImportReason(.secondDose1) && plan.fact.known == 2)
    }

    @Test(arguments: [("log", ImportOutcome.new), ("ios", .notTaken)])
    func `R35.5 a second night of one date is taken from an own log, and not from another file`(
        source: String, second: ImportOutcome
    ) throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        var planner = ImportPlanner(
            source: source, machine.context, tonight: nil, newest: machine.logState.newest, regimens: [])
        func entry(_ what: ImportEntry.What, _ minutes: Int) -> ImportEntry {
            ImportEntry(what, row: "\(minutes)", at: Self.evening + .minutes(minutes))
        }
        let entries = [
            Self.entry(.dose1, 0), Self.entry(.dose2, 170), entry(.finalWake, 480), entry(.checkIn([:]), 490),
            Self.entry(.dose1, 720), Self.entry(.dose2, 900),
        ]
        for entry in entries { planner.decide(entry, key: entry.row, isKnown: false) }
        #expect(planner.finish().rows.map(\.outcome) == [.new, .new, .new, .new, second, second])
    }

    @Test func `R29.2 a dose that was deleted stays deleted where a file has it twice`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        _ = try Self.take([Self.entry(.dose1, 0), Self.entry(.dose2, 180)], &machine)
        let dose2 = try #require(machine.night?.dose2?.id)
        try machine.perform(.delete(dose2))
        #expect(machine.night?.dose2 == nil)
        var planner = ImportPlanner(
            source: "ios", machine.context, tonight: nil, newest: machine.logState.newest, regimens: [])
        planner.load(sessions: machine.logState.sessions, entries: [])
        var other = Self.entry(.dose2, 180)
        other.what = .dose(.dose2, amountMilligrams: 3_000)
        for (place, entry) in [Self.entry(.dose1, 0), Self.entry(.dose2, 180)].enumerated() {
            planner.decide(entry, key: "\(place)", isKnown: true)
        }
        for (place, entry) in [Self.entry(.dose2, 180), other].enumerated() {
            planner.decide(entry, key: "twin \(place)", isKnown: false)
        }
        // A dose with another amount is not the deleted dose.
        #expect(planner.finish().rows.map(\.outcome) == [.known, .known, .known, .new])
    }

    @Test func `R29.4 a skip in a night of one dose is not told as a second one`() throws {
        var machine = SimulatedMachine.evening()
        machine.pass(Self.later)
        var planner = ImportPlanner(
            source: "ios", machine.context, tonight: nil, newest: machine.logState.newest, regimens: [])
        let entries = [
            ImportEntry(.medication("lumryz", amountMilligrams: 6_000), row: "dose", at: Self.evening),
            ImportEntry(.skip(reason: nil), row: "skip", at: Self.evening + .minutes(60)),
        ]
        for entry in entries { planner.decide(entry, key: entry.row, isKnown: false) }
        #expect(planner.finish().rows.last?.reason == ImportReason(.refused, BlockReason.phase.rawValue))
    }
}
