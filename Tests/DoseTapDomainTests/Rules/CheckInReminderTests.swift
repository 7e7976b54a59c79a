import DoseTapDomain
import Testing

/// R7.14–R7.16: the reminder of the morning check-in.
struct CheckInReminderTests {
    /// Dose 1 at 22:00 and dose 2 three hours later, so the window has no reminder left.
    private func resolved(_ zone: Zone = .utc, from dose1: String = "2026-01-14T22:00:00Z") throws -> SimulatedMachine {
        var machine = SimulatedMachine(at: utc(dose1), zone: zone)
        try machine.perform(.logDose(.dose1))
        machine.pass(.hours(3))
        machine.meetDeadline()
        try machine.perform(.logDose(.dose2))
        return machine
    }

    private func next(_ machine: SimulatedMachine) -> String? {
        machine.status().nextReminder.map { "\($0.id.rawValue) \($0.due.iso8601)" }
    }

    private func fates(_ machine: SimulatedMachine) -> [String] {
        (machine.night?.reminderRecords(now: machine.clock, in: machine.zone) ?? []).filter { $0.id == .checkIn }.map {
            [$0.due.iso8601, $0.state.rawValue, $0.dropped?.rawValue ?? $0.answer?.rawValue].compactMap(\.self)
                .joined(separator: " ")
        }
    }

    @Test(arguments: [
        ("UTC", "2026-01-14T22:00:00Z", "2026-01-15T07:00:00.000Z"),
        ("America/New_York", "2026-01-15T03:00:00Z", "2026-01-15T12:00:00.000Z"),
    ])
    func `R7.14 without a final wake it comes at the wake time of the session's zone, once`(
        zone: String, dose1: String, due: String
    ) throws {
        var machine = try resolved(SystemZones.zone(zone), from: dose1)
        #expect(next(machine) == "check_in \(due)")
        // The zone where the person wakes up does not matter.
        machine.knownZones = [machine.zone]
        machine.zone = try SystemZones.zone("Asia/Tokyo")
        #expect(next(machine) == "check_in \(due)")
        machine.pass(until: utc(due) - .milliseconds(1))
        #expect(machine.meetDeadline()?.isEmpty == true)
        machine.pass(.milliseconds(1))
        #expect(CommandHandler.nextDeadline(machine.logState, machine.context) == machine.wall)
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.checkIn])
        #expect(machine.meetDeadline()?.isEmpty == true && next(machine) == nil)
        try machine.perform(.logFinalWake)
        #expect(machine.meetDeadline()?.isEmpty == true)
        #expect(ReminderID.checkIn.urgency == .normal)
    }

    @Test func `R7.14 a final wake brings it at once, and it holds for a night whose window is open`() throws {
        var machine = try resolved()
        machine.pass(until: utc("2026-01-15T05:00:00Z"))
        try machine.perform(.logFinalWake) { $0.at = utc("2026-01-15T04:30:00Z") }
        #expect(machine.meetDeadline()?.fire == [.init(id: .checkIn, due: utc("2026-01-15T04:30:00Z"))])
        var open = try SimulatedMachine.after(.minutes(155))
        open.meetDeadline()
        try open.performConfirmed(.logFinalWake)
        #expect(open.meetDeadline()?.fire.map(\.id) == [.checkIn])
        open.pass(.minutes(10))
        #expect(open.meetDeadline()?.fire.map(\.id) == [.alarm])
    }

    @Test func `R7.14 there is none in a nap, a backfilled night or before a sign of a night`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T13:00:00Z"))
        try machine.perform(.logSleepEvent("nap_start"))
        #expect(next(machine) == nil)
        try machine.perform(.logSleepEvent("lights_out"))
        #expect(next(machine) == "check_in 2026-01-15T07:00:00.000Z")
        var late = SimulatedMachine(at: utc("2026-01-17T12:00:00Z"))
        try late.performConfirmed(.logDose(.dose1)) { $0.at = utc("2026-01-14T22:00:00Z") }
        #expect(late.night?.isBackfilled == true && late.meetDeadline() == nil && next(late) == nil)
    }

    @Test func `R7.15 of one instant the window's reminder is told, and this one after it`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-15T04:15:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(until: utc("2026-01-15T06:59:59Z"))
        machine.meetDeadline()
        machine.pass(.seconds(1))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.alarm, .checkIn])
        let night = try #require(machine.night)
        #expect(night.activeReminder?.item.id == .alarm && night.activeCheckIn?.item.id == .checkIn)
        // After a gap neither of the two reminders supersedes the other.
        machine = SimulatedMachine(at: utc("2026-01-15T04:00:00Z"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(200))
        let met = machine.meetDeadline()
        #expect(met?.fire.map(\.id) == [.alarmRepeat, .checkIn])
        // An answer to the window leaves the reminder of the check-in, and a check-in leaves the alarm.
        try machine.perform(.snooze)
        #expect(fates(machine) == ["2026-01-15T07:00:00.000Z fired"])
        machine.pass(.minutes(12))
        machine.meetDeadline()
        let alarm = try #require(machine.night?.activeReminder)
        try machine.performConfirmed(.saveCheckIn([:], night: nil))
        #expect(fates(machine) == ["2026-01-15T07:00:00.000Z acknowledged checkin"])
        #expect(machine.night?.activeReminder == alarm)
        #expect(machine.night?.holds(alarm.item, now: machine.clock, in: machine.zone) == true)
    }

    @Test func `R7.15 told for a final wake that is taken back, it comes again in the morning`() throws {
        var machine = try resolved()
        machine.pass(until: utc("2026-01-15T03:00:00Z"))
        try machine.perform(.logFinalWake)
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.checkIn])
        machine.pass(.seconds(20))
        try machine.perform(.undo)
        #expect(next(machine) == "check_in 2026-01-15T07:00:00.000Z")
        #expect(fates(machine) == ["2026-01-15T03:00:00.000Z expired", "2026-01-15T07:00:00.000Z planned"])
        machine.pass(until: utc("2026-01-15T07:00:00Z"))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.checkIn])
        try machine.perform(.logFinalWake) { $0.at = utc("2026-01-15T06:50:00Z") }
        #expect(machine.meetDeadline()?.isEmpty == true)
    }

    @Test func `R7.16 a check-in before it resolves it, undone it is due again`() throws {
        var machine = try resolved()
        machine.pass(until: utc("2026-01-15T06:00:00Z"))
        let saved = try machine.perform(.saveCheckIn([:], night: nil))
        #expect(saved.events.last?.payload.cause == saved.primary.id)
        #expect(fates(machine) == ["2026-01-15T07:00:00.000Z dropped resolved"])
        try machine.perform(.undo)
        #expect(fates(machine) == ["2026-01-15T07:00:00.000Z planned"])
        machine.pass(.seconds(30))
        try machine.perform(.saveCheckIn(["mood": "good"], night: nil))
        try machine.perform(.delete(try #require(machine.night?.checkIn?.id)))
        machine.pass(.hours(1))
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.checkIn])
    }

    @Test func `R7.16 a night that ended before it could be told drops it`() throws {
        var machine = try resolved()
        machine.pass(until: utc("2026-01-15T10:59:00Z"))
        var off = machine
        #expect(machine.meetDeadline()?.fire.map(\.id) == [.checkIn], "late, it is still true")
        machine.pass(.hours(1))
        machine.meetDeadline()
        #expect(machine.night?.terminalState == .incompleteMissedCheckin)
        #expect(fates(machine) == ["2026-01-15T07:00:00.000Z expired"])
        off.pass(.hours(1))
        off.meetDeadline()
        #expect(fates(off) == ["2026-01-15T07:00:00.000Z dropped too_late"])
    }
}
