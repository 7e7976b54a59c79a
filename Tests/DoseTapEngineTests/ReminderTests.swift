import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct ReminderTests {
    @Test func `every reminder of a night is told once, at its instant`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .hours(20))
        let told = bench.plugin.told.elements
        let window = ReminderPlan.items(dose1: dose1, alarm: .minutes(165))
        let plan = window + [ReminderPlan.Item(id: .checkIn, due: dose1 + .minutes(510))]
        #expect(told.map(\.item) == plan)
        #expect(told.allSatisfy { $0.fired == $0.item.due && $0.lateness == .zero })
        let fired = try await bench.log().compactMap { stored in
            if case .reminderFired(let payload) = stored.event.payload {
                ReminderPlan.Item(id: payload.reminder, due: payload.due)
            } else {
                nil
            }
        }
        #expect(fired == plan)
        await bench.stop()
    }

    @Test(arguments: [NightCommand.logDose(.dose2), .skipDose2])
    func `nothing of its window is told once dose 2 is settled`(command: NightCommand) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(166))
        let before = bench.plugin.told.elements.count
        try await bench.submit(command)
        try await bench.advance(by: .hours(20))
        #expect(bench.plugin.told.elements.dropFirst(before).map(\.item.id) == [.checkIn])
        #expect(try await bench.types().last == .sessionClosed)
        await bench.stop()
    }

    @Test func `undoing dose 2 brings the plan back`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(166))
        try await bench.submit(.logDose(.dose2))
        let silent = bench.timer.armed
        try await bench.submit(.undo)
        #expect(silent == dose1 + .minutes(510))
        #expect(bench.timer.armed == dose1 + .minutes(167))
        try await bench.advance(to: dose1 + .minutes(167))
        #expect(bench.plugin.told.elements.last?.item.id == .followup1)
        await bench.stop()
    }

    @Test func `a snooze moves the alarm and what follows it`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(165))
        try await bench.submit(.snooze)
        #expect(await bench.engine.status(at: nil).alarm == dose1 + .minutes(175))
        try await bench.advance(to: dose1 + .minutes(177))
        #expect(
            bench.plugin.told.elements.map { [$0.item.id.rawValue, "\($0.item.due.minutes(after: dose1))"] } == [
                ["window_open", "150"], ["pre_alarm", "160"], ["alarm", "165"], ["pre_alarm", "170"],
                ["alarm", "175"], ["followup_1", "177"],
            ])
        await bench.stop()
    }

    /// The minute at which the machine wakes after sleep from 149 minutes on, the reminder then told, and its lateness.
    static let gaps: [(wakes: Int, told: ReminderID?, late: Int, drops: Set<ReminderDrop>)] = [
        (150, .windowOpen, 0, []), (158, .windowOpen, 8, []), (166, .alarm, 1, [.superseded]),
        (230, .alarmRepeat, 4, [.superseded]), (239, .alarmRepeat, 3, [.superseded]),
        (240, .windowClosed, 0, [.windowOver]), (269, .windowClosed, 29, [.windowOver]), (270, nil, 0, [.windowOver]),
        (600, .checkIn, 90, [.windowOver]),
    ]

    @Test(arguments: gaps)
    func `E5: after a gap only the most urgent that is still true is told, with its lateness`(
        gap: (wakes: Int, told: ReminderID?, late: Int, drops: Set<ReminderDrop>)
    ) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        bench.clock.advance(to: dose1 + .minutes(gap.wakes))
        await bench.deadline()
        let told = bench.plugin.told.elements
        #expect(told.map(\.item.id) == (gap.told.map { [$0] } ?? []))
        if let only = told.first { #expect(only.lateness == .minutes(gap.late)) }
        let drops = try await bench.log().compactMap { stored in
            if case .reminderDropped(let payload) = stored.event.payload { payload.reason } else { nil }
        }
        #expect(Set(drops) == gap.drops)
        if let armed = bench.timer.armed { #expect(armed > bench.clock.now) }
        try await bench.advance(to: dose1 + .hours(20))
        let identities = bench.plugin.told.elements.map(\.item)
        #expect(Set(identities).count == identities.count)
        await bench.stop()
    }

    @Test func `a service that lives for one command tells no reminder, takes none from the next, and does not spin`()
        async throws
    {
        let folder = try ScratchFolder()
        let passing = try await NightBench.open(.silent, in: folder)
        let dose1 = try await passing.submit(.logDose(.dose1)).timestamp
        try await passing.advance(to: dose1 + .minutes(166))
        #expect(passing.plugin.told.elements.isEmpty)
        if let armed = passing.timer.armed { #expect(armed > passing.clock.now) }
        await passing.stop()
        let lasting = try await NightBench.open(in: folder, clock: passing.clock)
        #expect(lasting.plugin.told.elements.map(\.item.id) == [.alarm])
        await lasting.stop()
    }

    @Test func `after 240 minutes nothing but window_closed is told of the window`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .hours(20))
        let after = bench.plugin.told.elements.filter { $0.fired >= dose1 + .minutes(240) }
        #expect(after.map(\.item.id) == [.windowClosed, .checkIn])
        await bench.stop()
    }

    @Test func `F5: a service that dies one second before a reminder tells it once after its restart`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(150) - .seconds(1))
        try await bench.crash()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(later.timer.armed == dose1 + .minutes(150))
        try await later.advance(to: dose1 + .minutes(151))
        #expect(bench.plugin.told.elements.isEmpty)
        #expect(later.plugin.told.elements.map(\.item.id) == [.windowOpen])
        await later.stop()
    }

    @Test func `a reminder that became due while the service was down is told at its start, once`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.crash()
        bench.clock.advance(to: dose1 + .minutes(152))
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        try await later.plugin.told.wait(count: 1)
        #expect(later.plugin.told.elements.first?.lateness == .minutes(2))
        try await later.crash()
        let third = try await NightBench.open(in: bench.folder, clock: bench.clock)
        try await third.advance(to: dose1 + .minutes(159))
        #expect(third.plugin.told.elements.isEmpty)
        await third.stop()
    }

    @Test func `E7: a dose that comes first silences a reminder that is due at the same moment`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(150) - .seconds(1))
        bench.clock.advance(by: .seconds(1))
        let gate = Gate()
        bench.store.hold(at: gate)
        let dose2 = Task { try await bench.submit(.logDose(.dose2)) }
        try await gate.arrivals.wait(count: 1)
        let deadline = Task(executorPreference: bench.loop) { await bench.deadline() }
        gate.open()
        _ = try await dose2.value
        await deadline.value
        #expect(bench.plugin.told.elements.isEmpty)
        await bench.stop()
    }

    @Test func `a final wake with an unresolved window asks, and leaves the reminders running`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(151))
        let asked = await failure { try await bench.submit(.logFinalWake) }
        #expect(asked?.confirmations == [.windowUnresolved])
        try await bench.submit(.logFinalWake) { $0.confirmations = [.windowUnresolved] }
        try await bench.advance(to: dose1 + .minutes(165))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .checkIn, .preAlarm, .alarm])
        await bench.stop()
    }

    @Test func `a once-nightly regimen has no reminders but that of the check-in`() async throws {
        var setup = NightBench.Setup()
        setup.rules.onceNightly = true
        let bench = try await NightBench.open(setup)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        #expect(bench.timer.armed == dose1 + .minutes(510))
        try await bench.advance(to: dose1 + .hours(20))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.checkIn])
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded, .reminderFired, .sessionClosed])
        await bench.stop()
    }
}
