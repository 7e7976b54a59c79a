import DoseTapDomain
import Testing

/// R9: the morning check-in in its night.
struct CheckInTests {
    private static let good: JSONObject = ["mood": "good"]

    /// Dose 1 at 22:00, dose 2 at 01:00, awake and up at 06:30.
    private func morning() throws -> SimulatedMachine {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        machine.pass(.hours(3))
        try machine.perform(.logDose(.dose2))
        machine.pass(until: utc("2026-01-15T06:30:00Z"))
        try machine.perform(.logFinalWake)
        return machine
    }

    @Test func `R9.6 a check-in ends the night at its own time`() throws {
        var machine = try morning()
        #expect(machine.status().checkInPending && machine.status().window.phase == .finalizing)
        machine.pass(.minutes(20))
        let recording = try machine.perform(.saveCheckIn(Self.good, night: nil))
        #expect(recording.events.map(\.type) == [.checkinRecorded, .sessionClosed, .reminderDropped])
        let night = try #require(machine.night)
        #expect(night.end == utc("2026-01-15T06:50:00Z") && night.terminalState == .checkinCompleted)
        #expect(night.checkIn?.answers["mood"] == "good" && night.checkIn?.wellness == 61)
        #expect(machine.logState.open == nil && !machine.status().checkInPending)
        #expect(night.window(asOf: nil, now: machine.clock).phase == .completed)
        #expect(machine.status().previous?.wellnessScore == 61)
        #expect(CommandHandler.nextDeadline(machine.logState, machine.context) == nil)
    }

    @Test func `R9.6 it counts at the time it is said to have been`() throws {
        var machine = try morning()
        machine.pass(.hours(2))
        try machine.perform(.saveCheckIn([:], night: nil)) { $0.at = utc("2026-01-15T07:00:00Z") }
        #expect(machine.night?.end == utc("2026-01-15T07:00:00Z"))
        #expect(machine.status(at: utc("2026-01-15T06:59:59Z")).window.phase == .finalizing)
    }

    @Test func `R9.7 an open window is asked about, and its reminders go on`() throws {
        var machine = try SimulatedMachine.after(.minutes(120))
        #expect(machine.questions(.saveCheckIn([:], night: nil)) == [.windowUnresolved])
        try machine.performConfirmed(.saveCheckIn([:], night: nil))
        let night = try #require(machine.night)
        #expect(night.isOpen && night.terminalState == .checkinCompleted && !night.pendingReminders.isEmpty)
        #expect(night.window(asOf: nil, now: machine.clock).phase == .completed)
        machine.pass(.minutes(45))
        #expect(machine.questions(.logDose(.dose2)) == [.afterWake])
        try machine.performConfirmed(.logDose(.dose2))
        #expect(machine.night?.end == machine.wall && machine.night?.terminalState == .checkinCompleted)
        try machine.perform(.undo)
        #expect(machine.night?.isOpen == true && machine.night?.pendingReminders.isEmpty == false)
    }

    @Test(arguments: [150, 165, 167, 225, 235, 240])
    func `R9.7 after a check-in every reminder of an open window is told at its instant`(minutes: Int) throws {
        var machine = try SimulatedMachine.after(.minutes(120))
        try machine.performConfirmed(.saveCheckIn([:], night: nil))
        machine.pass(.minutes(minutes - 120))
        let due = DueReminders(session: try #require(machine.night), in: machine.logState, machine.context)
        #expect(due.fire.contains { $0.due == machine.wall })
    }

    @Test func `R9.7 slept through after a check-in, it ends with the automatic skip`() throws {
        var machine = try SimulatedMachine.after(.minutes(120))
        try machine.performConfirmed(.saveCheckIn([:], night: nil))
        machine.pass(.hours(5))
        machine.settle()
        #expect(machine.night?.end == utc("2026-01-15T02:30:00Z"))
        #expect(machine.night?.terminalState == .checkinCompleted)
    }

    @Test func `R9.8 late, it replaces the state and leaves the end`() throws {
        var machine = try morning()
        machine.pass(until: utc("2026-01-15T13:00:00Z"))
        machine.settle()
        #expect(machine.night?.terminalState == .incompleteMissedCheckin && machine.status().checkInPending)
        try machine.perform(.saveCheckIn([:], night: nil))
        #expect(machine.night?.terminalState == .checkinCompleted)
        #expect(machine.night?.end == utc("2026-01-15T11:00:00Z"))
        #expect(machine.night?.checkIn?.at == utc("2026-01-15T13:00:00Z"))
    }

    @Test func `R9.8 a night is named by date or id, and one that is missing is not found`() throws {
        var machine = try morning()
        try machine.perform(.saveCheckIn([:], night: nil))
        machine.pass(.hours(36))
        let id = try #require(machine.night?.id)
        for name in [nil, "2026-01-13", "01890a5d-ac96", "x"] as [String?] {
            #expect(machine.failure(.saveCheckIn([:], night: name)) == .notFound(name ?? ""))
        }
        try machine.perform(.saveCheckIn(["mood": "low"], night: "2026-01-14"))
        #expect(machine.night?.checkIn?.answers["mood"] == "low")
        try machine.perform(.saveCheckIn(["mood": "great"], night: id.text))
        #expect(machine.night?.checkIn?.answers["mood"] == "great")
        #expect(machine.logState.sessions.count == 1)
        var empty = SimulatedMachine.evening()
        #expect(empty.failure(.saveCheckIn([:], night: nil)) == .notFound(""))
    }

    /// Dose 1 at 22:00, the night closed by time at 11:00, a nap at 14:16.
    private func afternoon() throws -> (machine: SimulatedMachine, night: Session, nap: Session) {
        var machine = try SimulatedMachine.after(.hours(14))
        let night = try #require(machine.night)
        machine.pass(until: utc("2026-01-15T14:16:00Z"))
        try machine.perform(.logSleepEvent("nap_start"))
        machine.pass(.minutes(35))
        try machine.perform(.logSleepEvent("nap_end"))
        let nap = try #require(machine.night)
        #expect(nap.id != night.id && nap.date == night.date)
        return (machine, night, nap)
    }

    @Test(arguments: [nil, "2026-01-14"] as [String?], [Duration.zero, .hours(5)])
    func `R9.8 a nap by day does not take the check-in of the night`(name: String?, wait: Duration) throws {
        var (machine, night, nap) = try afternoon()
        #expect(machine.status().checkInPending, "the nap does not hide that the night waits for it")
        machine.pass(wait)
        machine.settle()
        try machine.perform(.saveCheckIn(Self.good, night: name))
        #expect(machine.logState.session(night.id)?.terminalState == .checkinCompleted)
        #expect(machine.logState.session(nap.id)?.checkIn == nil)
        try machine.perform(.saveCheckIn(["mood": "low"], night: name))
        #expect(machine.logState.session(night.id)?.checkIn?.answers["mood"] == "low", "changed there")
        #expect(machine.logState.session(nap.id)?.checkIn == nil)
        try machine.perform(.saveCheckIn(Self.good, night: nap.id.text))
        #expect(machine.logState.session(nap.id)?.checkIn != nil, "its id means the nap")
    }

    @Test(arguments: [
        ("bathroom", false), ("nap_start", false), ("in_bed", true), ("lights_out", true), ("wake_final", true),
    ])
    func `R9.8 only a night waits for a check-in and takes it from the night before`(word: String, isNight: Bool) throws
    {
        var (machine, night, _) = try afternoon()
        machine.pass(until: utc("2026-01-15T20:00:00Z"))
        try machine.perform(.logSleepEvent(word))
        let other = try #require(machine.night?.id)
        #expect(other != night.id)
        let waiting = machine
        machine.pass(.minutes(1))
        let recording = try machine.perform(.saveCheckIn(Self.good, night: nil))
        #expect(recording.primary.sessionID == (isNight ? other : night.id))
        machine = waiting
        machine.pass(.hours(24))
        machine.settle()
        let ended = try #require(machine.logState.session(other))
        #expect(!ended.isOpen && ended.isCheckInPending == isNight)
    }

    @Test func `R9.8 a checked-in night of another date is left alone`() throws {
        var machine = try morning()
        try machine.perform(.saveCheckIn(Self.good, night: nil))
        let night = try #require(machine.night?.id)
        machine.pass(until: utc("2026-01-16T03:00:00Z"))
        try machine.perform(.logSleepEvent("bathroom"))
        machine.pass(.hours(3))
        let recording = try machine.perform(.saveCheckIn(["mood": "low"], night: nil))
        #expect(recording.primary.sessionID == machine.night?.id && machine.night?.id != night)
        #expect(machine.logState.session(night)?.checkIn?.answers["mood"] == "good")
    }

    @Test func `R9.5 the second of a night changes the first`() throws {
        var machine = try morning()
        let first = try machine.perform(.saveCheckIn(["mood": "low", "sleep_quality": 1], night: nil))
        machine.pass(.minutes(5))
        let second = try machine.perform(.saveCheckIn(["mood": "great"], night: nil)) { $0.note = "after coffee" }
        #expect(second.primary.entityID == first.primary.id.text)
        let night = try #require(machine.night)
        #expect(night.checkIn?.id == first.primary.id && night.checkIn?.at == first.primary.effectiveAt)
        #expect(night.checkIn?.answers["mood"] == "great" && night.checkIn?.answers["sleep_quality"] == 1)
        #expect(night.checkIn?.answers["notes"] == "after coffee")
        #expect(NightRecord(night).corrections.map(\.type) == ["checkin_recorded"])
        try machine.perform(.undo)
        #expect(machine.night?.checkIn?.answers["mood"] == "low" && machine.night?.checkIn?.answers["notes"] == nil)
        try machine.perform(.amend(first.primary.id)) { options in
            options.at = utc("2026-01-15T06:20:00Z")
            options.note = "tired"
        }
        #expect(
            machine.night?.end == utc("2026-01-15T06:20:00Z") && machine.night?.checkIn?.answers["notes"] == "tired")
        try machine.perform(.saveCheckIn(["notes": nil], night: nil)) { $0.at = utc("2026-01-15T06:33:00Z") }
        #expect(machine.night?.checkIn?.answers["notes"] == nil && machine.night?.end == utc("2026-01-15T06:33:00Z"))
    }

    @Test(
        arguments: [
            ("mood", "good"), ("sleep_quality", 5), ("fell_out_of_bed", true), ("pain_areas", ["neck"]), ("notes", "n"),
            ("awakenings", 2),
        ] as [(String, JSONValue)])
    func `R9.5 an answer that is taken back is none, of whatever kind`(key: String, answer: JSONValue) throws {
        for none in [JSONValue.null, ""] {
            var machine = try morning()
            try machine.perform(.saveCheckIn([key: none], night: nil))
            let first = try #require(machine.night?.checkIn)
            #expect(first.given.isEmpty && first.wellness == nil && first.answers["has_physical_symptoms"] == false)
            machine.pass(.minutes(5))
            try machine.perform(.saveCheckIn([key: answer], night: nil))
            #expect(machine.night?.checkIn?.given == [key])
            machine.pass(.minutes(5))
            try machine.perform(.saveCheckIn([key: none], night: nil))
            #expect(machine.night?.checkIn?.given == [])
            try machine.perform(.undo)
            #expect(machine.night?.checkIn?.given == [key] && machine.night?.checkIn?.answers[key] == answer)
        }
    }

    @Test func `R5.5 R9.5 the default in words is no repeat of an answer that was taken back`() throws {
        var machine = try morning()
        try machine.perform(.saveCheckIn(["mood": nil], night: nil))
        #expect(try machine.perform(.saveCheckIn(["mood": nil], night: nil)).isDuplicate)
        #expect(try !machine.perform(.saveCheckIn(["mood": "neutral"], night: nil)).isDuplicate)
        #expect(machine.night?.checkIn?.given == ["mood"])
    }

    @Test func `R9.11 deleted, the night is open again, or ends as if there had been none`() throws {
        var machine = try morning()
        let id = try machine.perform(.saveCheckIn([:], night: nil)).primary.id
        machine.pass(.minutes(5))
        try machine.perform(.delete(id))
        #expect(machine.night?.isOpen == true && machine.night?.terminalState == .finalizingWake)
        let again = try machine.perform(.saveCheckIn(["mood": "low"], night: nil))
        #expect(again.events.map(\.type) == [.checkinRecorded, .sessionClosed, .reminderDropped])
        machine.pass(.hours(10))
        try machine.perform(.delete(again.primary.id))
        #expect(machine.night?.end == utc("2026-01-15T11:00:00Z"))
        #expect(machine.night?.terminalState == .incompleteMissedCheckin)
        #expect(machine.failure(.delete(again.primary.id)) == .notFound(again.primary.id.text), "deleted already")
    }

    @Test func `R9.11 it stays in its night`() throws {
        var machine = try morning()
        let before = machine.facts
        #expect(
            machine.refusal(.saveCheckIn([:], night: "2026-01-14")) { $0.at = utc("2026-01-14T21:59:59Z") } == .order)
        let ahead = machine.wall + .minutes(2)
        #expect(machine.refusal(.saveCheckIn([:], night: nil)) { $0.at = ahead } == .future)
        #expect(machine.facts == before)
        let id = try machine.perform(.saveCheckIn([:], night: nil)).primary.id
        machine.pass(.hours(2))
        try machine.perform(.logSleepEvent("nap_start"))
        machine.pass(.hours(1))
        #expect(machine.logState.sessions.count == 2)
        let now = machine.wall
        guard case .invalidInput? = machine.failure(.amend(id), { $0.at = now }) else {
            Issue.record("a check-in moved over the beginning of the next session")
            return
        }
        try machine.perform(.amend(id)) { $0.at = utc("2026-01-15T08:00:00Z") }
        #expect(machine.logState.sessions.first?.end == utc("2026-01-15T08:00:00Z"))
    }

    @Test func `R9.4 answers that are refused change nothing`() throws {
        var machine = try morning()
        let (log, facts) = (machine.log, machine.facts)
        for answers in [["moood": "good"], ["mood": "grate"], ["sleep_quality": 9]] as [JSONObject] {
            guard case .invalidInput? = machine.failure(.saveCheckIn(answers, night: nil)) else {
                Issue.record("\(answers) was taken")
                continue
            }
        }
        guard case .invalidInput? = machine.failure(.saveCheckIn(["notes": "a"], night: nil), { $0.note = "b" }) else {
            Issue.record("notes were given twice")
            return
        }
        #expect(machine.log == log && machine.facts == facts)
    }

    @Test func `R5.5 R5.8 the same answers are the same tap, others are not`() throws {
        var machine = try morning()
        let first = try machine.perform(.saveCheckIn(Self.good, night: nil))
        #expect(try machine.perform(.saveCheckIn(Self.good, night: nil)).isDuplicate)
        #expect(try !machine.perform(.saveCheckIn(["mood": "low"], night: nil)).isDuplicate)
        machine.pass(.seconds(11))
        #expect(try !machine.perform(.saveCheckIn(["mood": "low"], night: nil)).isDuplicate)
        #expect(
            try machine.perform(.saveCheckIn(Self.good, night: nil), keyed: first.primary) { $0.key = "k" }.isDuplicate)
        for other in [.saveCheckIn(["mood": "low"], night: nil), .saveCheckIn(Self.good, night: "2026-01-14")]
            as [Command]
        {
            guard case .invalidInput? = machine.failure(other, keyed: first.primary, { $0.key = "k" }) else {
                Issue.record("\(other) passed for a repeat")
                continue
            }
        }
    }

    @Test func `R5.7 a save is compared with the last one of its entry that stands`() throws {
        var machine = try morning()
        let low: JSONObject = ["mood": "low"]
        let id = try machine.perform(.saveCheckIn(Self.good, night: nil)).primary.id
        for answers in [low, Self.good] {
            machine.pass(.seconds(2))
            #expect(try !machine.perform(.saveCheckIn(answers, night: nil)).isDuplicate)
        }
        #expect(machine.night?.checkIn?.answers["mood"] == "good")
        #expect(try machine.perform(.saveCheckIn(Self.good, night: nil)).isDuplicate)
        try machine.perform(.undo)
        #expect(machine.night?.checkIn?.answers["mood"] == "low")
        #expect(try machine.perform(.saveCheckIn(low, night: nil)).isDuplicate, "it stands again")
        try machine.perform(.saveCheckIn(["notes": "a"], night: nil))
        try machine.perform(.amend(id)) { $0.note = "b" }
        #expect(try !machine.perform(.saveCheckIn(["notes": "a"], night: nil)).isDuplicate)
        #expect(machine.night?.checkIn?.answers["notes"] == "a")
    }

    @Test func `R9.10 the night measures its sleep from events and answers`() throws {
        var machine = SimulatedMachine.evening()
        for (word, minutes) in [("in_bed", 20), ("Lights Out", 120), ("wake_temp", 370)] {
            try machine.perform(.logSleepEvent(word))
            machine.pass(.minutes(minutes))
        }
        try machine.perform(.logFinalWake)
        try machine.perform(.saveCheckIn(["sleep_latency_min": 10, "awake_after_onset_min": 30], night: nil))
        let logState = try #require(machine.night?.sleepDiary)
        #expect(logState.timeInBedMinutes == 510 && logState.totalSleepMinutes == 450 && logState.awakenings == 1)
        #expect(logState.sleepEfficiencyPercent == 88)
    }
}
