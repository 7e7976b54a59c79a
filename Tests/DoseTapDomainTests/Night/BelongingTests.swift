import DoseTapDomain
import Testing

/// R2.1–R2.5: the session that an entry belongs to or opens.
struct BelongingTests {
    @Test func `R2.1 the first dose, sleep event or final wake opens a session at its own time`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T21:20:00Z") }
        let night = try #require(machine.night)
        #expect(night.start == utc("2026-01-14T21:20:00Z"))
        #expect(night.date.text == "2026-01-14")
        #expect(night.isOpen && !night.isBackfilled)
        for command in [Command.logFinalWake, .logSleepEvent("in_bed")] {
            var other = SimulatedMachine.evening()
            try other.perform(command)
            #expect(other.night?.start == other.wall)
        }
    }

    @Test(arguments: [(Duration.zero, true), (.milliseconds(1), false)])
    func `R2.2 up to 12 hours before its start an entry joins the open session and does not move it`(
        beyond: Duration, joins: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logFinalWake)
        let open = try #require(machine.night)
        machine.pass(.minutes(5))
        let at = open.start - .hours(12) - beyond
        let recording = try machine.performConfirmed(.logDose(.dose1)) { $0.at = at }
        #expect((recording.primary.sessionID == open.id) == joins)
        #expect(machine.logState.session(open.id)?.start == open.start)
        #expect(machine.logState.session(open.id)?.date == open.date)
        #expect(machine.logState.open?.id == open.id)
    }

    @Test(arguments: [
        ("2026-01-14T22:00:00Z", true), ("2026-01-14T21:59:59.999Z", false), ("2026-01-15T11:00:00Z", true),
        ("2026-01-15T11:00:00.001Z", false),
    ])
    func `R2.3 a closed session takes entries from its start to its end, both included`(
        text: String, joins: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        let night = try #require(machine.night)
        machine.pass(.hours(15))
        machine.settle()
        #expect(machine.logState.session(night.id)?.end == utc("2026-01-15T11:00:00Z"))
        let recording = try machine.performConfirmed(.logFinalWake) { $0.at = utc(text) }
        #expect((recording.primary.sessionID == night.id) == joins)
    }

    @Test func `R2.2 what lies in a night that is over stays there, though a nap has opened a session since`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T23:00:00Z"))
        try machine.perform(.logDose(.dose1))
        let night = try #require(machine.night)
        machine.pass(until: utc("2026-01-15T12:03:00Z"))
        machine.settle()
        #expect(machine.night?.end == utc("2026-01-15T11:00:00Z"))
        try machine.perform(.logSleepEvent("nap_start"))
        let nap = try #require(machine.logState.open)
        #expect(nap.id != night.id)
        for (command, at) in [
            (Command.logDose(.dose2), "2026-01-15T02:30:00Z"), (.logSleepEvent("bathroom"), "2026-01-15T04:00:00Z"),
            (.logFinalWake, "2026-01-15T11:00:00Z"),
        ] {
            #expect(try machine.perform(command) { $0.at = utc(at) }.primary.sessionID == night.id)
        }
        #expect(machine.logState.session(night.id)?.interval == .minutes(210))
        // An entry between the two sessions, or after the start of the open one, belongs to the open one.
        for at in ["2026-01-15T11:00:00.001Z", "2026-01-15T12:03:00Z"] {
            #expect(try machine.perform(.logSleepEvent("water")) { $0.at = utc(at) }.primary.sessionID == nap.id)
        }
        #expect(machine.logState.open?.id == nap.id && machine.logState.open?.start == nap.start)
        // An amendment moves no entry from one session into the other.
        machine.pass(.minutes(10))
        let water = try machine.perform(.logSleepEvent("bathroom")).primary
        let refusal = machine.failure(.amend(water.id)) { $0.at = utc("2026-01-15T04:00:00Z") }
        #expect(
            refusal == .invalidInput("that time belongs to another night: delete the entry and log it again"))
        #expect(machine.failure(.amend(water.id)) { $0.at = utc("2026-01-15T11:30:00Z") } == nil)
    }

    @Test(arguments: [
        ("2026-01-15T10:30:00Z", true), ("2026-01-15T07:33:00Z", false), ("2026-01-15T07:33:00.001Z", true),
    ])
    func `R2.2 a dose 1 that is not slept through joins the open session, where its reminders go on`(
        at: String, joins: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logSleepEvent("lights_out"))
        machine.pass(until: utc("2026-01-15T12:03:00Z"))
        try machine.perform(.logSleepEvent("nap_start"))
        // The night is over. A dose 1 beside the night asks (R4.23), a dose 1 in the night does not.
        var trial = machine
        #expect(trial.questions(.logDose(.dose1)) { $0.at = utc(at) } == (joins ? [.extra] : []))
        let recording = try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc(at) }
        #expect((recording.primary.sessionID == machine.logState.open?.id) == joins)
        #expect(machine.logState.open?.hasUnresolvedWindow == joins)
    }

    @Test(
        arguments: [
            // now, at, end
            ("2026-01-14T22:00:00Z", "2026-01-14T21:20:00Z", nil),
            ("2026-01-15T10:59:59.999Z", "2026-01-14T22:00:00Z", nil),
            ("2026-01-15T11:00:00Z", "2026-01-14T22:00:00Z", "2026-01-15T11:00:00.000Z"),
            ("2026-01-15T17:59:59.999Z", "2026-01-15T07:00:00Z", nil),
            ("2026-01-15T18:00:00Z", "2026-01-15T07:00:00Z", "2026-01-15T18:00:00.000Z"),
            ("2026-01-20T12:00:00Z", "2026-01-14T22:00:00Z", "2026-01-15T11:00:00.000Z"),
            // The window keeps the night open past the prep time.
            ("2026-01-14T19:00:00Z", "2026-01-14T17:30:00Z", nil),
            ("2026-01-14T22:00:00Z", "2026-01-14T17:30:00Z", "2026-01-14T22:00:00.000Z"),
        ] as [(String, String, String?)])
    func `R2.4 an entry opens a live session, or one already closed where a closing instant has passed`(
        now: String, at: String, end: String?
    ) throws {
        var machine = SimulatedMachine(at: utc(now))
        try machine.performConfirmed(.logDose(.dose1)) { $0.at = utc(at) }
        let night = try #require(machine.night)
        #expect(night.start == utc(at))
        #expect(night.end?.iso8601 == end)
        #expect(night.isBackfilled == (end != nil))
        #expect((night.terminalState == .backfilled) == (end != nil))
    }

    @Test func `R2.4 a dose logged 40 minutes late has all its reminders`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T21:20:00Z") }
        let due = machine.night?.pendingReminders.map(\.due) ?? []
        #expect(due.first == utc("2026-01-14T23:50:00Z"))
        #expect(due.count == machine.night?.reminders.count)
    }

    @Test func `R2.5 a night entered beside an open one is over when that one began`() throws {
        // The dose is of 18:30 yesterday, entered while the session of 08:00 is open. The closing of its own night is
        // still ahead.
        var machine = SimulatedMachine(at: utc("2026-01-15T08:00:00Z"))
        try machine.perform(.logFinalWake)
        let open = try #require(machine.logState.open)
        machine.pass(.minutes(30))
        try machine.perform(.logDose(.dose1)) { $0.at = utc("2026-01-14T18:30:00Z") }
        #expect(machine.logState.open?.id == open.id)
        let beside = try #require(machine.logState.sessions.first { $0.id != open.id })
        #expect(beside.end == open.start)
        #expect(beside.terminalState == .backfilled)
        #expect(beside.date.text == "2026-01-14")
        #expect(beside.isDose2Skipped && !beside.hasUnresolvedWindow)
        #expect(machine.logState.sessions.filter(\.isOpen).count == 1)
    }

    @Test func `R1.4 an entry keeps the session's date when its own key is another`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T17:30:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(160))
        let recording = try machine.perform(.logDose(.dose2))
        #expect(machine.night?.date.text == "2026-01-13")
        #expect(recording.primary.sessionID == machine.night?.id)
        #expect(machine.logState.sessions.count == 1)
    }
}
