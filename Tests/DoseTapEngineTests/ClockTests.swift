import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct ClockTests {
    private func steps(_ bench: NightBench) async throws -> [ClockStepped] {
        try await bench.log().compactMap { stored in
            if case .clockStepped(let payload) = stored.event.payload { payload } else { nil }
        }
    }

    @Test func `E4: a clock set forward leaves doubt: it rings by the wall, and opens by what was counted`()
        async throws
    {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(60))
        bench.clock.step(by: .hours(1))
        await bench.deadline()
        #expect(try await steps(bench).map(\.byMilliseconds) == [3_600_000])
        #expect(await bench.engine.status(at: nil).warnings.contains { $0.message.contains("Look at another clock") })
        try await bench.advance(to: dose1 + .minutes(166))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        #expect(await bench.phase() == .beforeWindow)
        try await bench.advance(to: dose1 + .minutes(210))
        #expect(await bench.phase() == .active)
        try await bench.advance(to: dose1 + .minutes(240))
        #expect(await bench.phase() == .closed)
        try await bench.advance(to: dose1 + .minutes(310))
        let told = bench.plugin.told.elements.map { $0.item.due.minutes(after: dose1) }
        #expect(told.contains { $0 > 290 } && !told.contains { $0 >= 300 }, "until it is over for certain")
        #expect(Set(bench.plugin.told.elements.map(\.item)).count == told.count)
        #expect(try await steps(bench).count == 1)
        await bench.stop()
    }

    @Test func `E4: a clock set back changes nothing, and every time is told by it as it is now`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(100))
        bench.clock.step(by: .minutes(-60))
        await bench.deadline()
        #expect(try await steps(bench).map(\.byMilliseconds) == [-3_600_000])
        try await bench.advance(to: dose1 + .minutes(90))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen])
        #expect(await bench.engine.status(at: nil).windowCloses == dose1 + .minutes(180))
        try await bench.advance(to: dose1 + .minutes(180))
        #expect(await bench.phase() == .closed)
        #expect(bench.plugin.told.elements.last?.item.id == .windowClosed)
        try await bench.advance(to: dose1 + .hours(20))
        #expect(bench.plugin.told.elements.last { $0.item.id.isOfWindow }?.item.id == .windowClosed)
        await bench.stop()
    }

    @Test(arguments: [3, -3])
    func `E4: three hours either way bring no burst of reminders`(hours: Int) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(90))
        bench.clock.step(by: .hours(hours))
        await bench.deadline()
        #expect(bench.plugin.told.elements.count <= 1)
        try await bench.advance(by: .hours(20))
        let told = bench.plugin.told.elements.map(\.item)
        #expect(Set(told).count == told.count)
        await bench.stop()
    }

    @Test(arguments: [-60, -1, 1, 60])
    func `a step of a minute or less is not worth an event`(seconds: Int) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(10))
        bench.clock.step(by: .seconds(seconds))
        await bench.deadline()
        #expect(try await steps(bench).isEmpty)
        await bench.stop()
    }

    @Test func `a clock set forward and back again is told twice and then forgotten`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(10))
        bench.clock.step(by: .hours(2))
        await bench.deadline()
        bench.clock.step(by: .hours(-2))
        await bench.deadline()
        #expect(try await steps(bench).map(\.byMilliseconds) == [7_200_000, -7_200_000])
        #expect(bench.timer.armed == dose1 + .minutes(150))
        #expect(await bench.engine.status(at: nil).warnings.isEmpty)
        await bench.stop()
    }

    @Test func `across a reboot the wall clock counts`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(60))
        try await bench.crash()
        bench.clock.reboot()
        bench.clock.advance(by: .minutes(30))
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(later.timer.armed == dose1 + .minutes(150))
        #expect(try await steps(later).map(\.byMilliseconds) == [0], "the first reading of the new boot")
        try await later.advance(to: dose1 + .minutes(150))
        #expect(await later.phase() == .active)
        await later.stop()
    }

    @Test func `E6: a clock before the newest event asks, and what is recorded then keeps the order`() async throws {
        let bench = try await NightBench.open()
        let first = try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(160))
        bench.clock.reboot()
        bench.clock.step(by: .hours(-24 * 365 * 56))
        let asked = await failure { try await bench.submit(.skipDose2) }
        #expect(asked?.confirmations.contains(.clockSuspect) == true)
        try await bench.submit(.skipDose2) { $0.confirmations = [.clockSuspect] }
        let log = try await bench.log().map(\.event)
        #expect(zip(log, log.dropFirst()).allSatisfy { $0.occurredAt <= $1.occurredAt })
        #expect(log.contains { $0.payload == .clockStepped(ClockStepped(byMilliseconds: 0, suspect: true)) } == false)
        #expect(try await steps(bench).contains { $0.suspect })
        #expect(first.sessionID == log.last?.sessionID)
        await bench.stop()
    }

    @Test func `new rules change the open night at once, and are an event`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        var rules = NightRules.standard
        rules.targetMinutes = 195
        await bench.engine.update(rules: rules)
        await bench.engine.update(rules: rules)
        await bench.engine.published()
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded, .settingChanged])
        #expect(await bench.engine.status(at: nil).alarm == dose1 + .minutes(195))
        try await bench.advance(to: dose1 + .minutes(196))
        #expect(
            bench.plugin.told.elements.map { $0.item.due.minutes(after: dose1) } == [150, 190, 195])
        await bench.stop()
    }

    @Test func `new rules without an open night wait for the next one`() async throws {
        let bench = try await NightBench.open()
        var rules = NightRules.standard
        rules.targetMinutes = 210
        await bench.engine.update(rules: rules)
        await bench.engine.published()
        #expect(try await bench.log().isEmpty)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        #expect(await bench.engine.status(at: nil).alarm == dose1 + .minutes(210))
        await bench.stop()
    }

    @Test func `E3: a journey during the night changes neither its window nor its date nor its end`() async throws {
        let berlin = try SystemZones.named("Europe/Berlin")
        let tokyo = try SystemZones.named("Asia/Tokyo")
        var setup = NightBench.Setup()
        setup.zone = berlin
        let bench = try await NightBench.open(setup)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(100))
        bench.clock.travel(to: tokyo)
        await bench.deadline()
        #expect(bench.timer.armed == dose1 + .minutes(150))
        try await bench.advance(by: .minutes(65))
        let dose2 = try await bench.submit(.logDose(.dose2))
        #expect(dose2.sessionDate?.text == "2026-01-14")
        #expect(dose2.metadata["local_offset_minutes"] == .integer(540))
        #expect(await bench.engine.status(at: nil).timeZone == "Europe/Berlin")
        // The reminder is due at 07:00 in Berlin, and again four hours later.
        let wake = try Instant(iso8601: "2026-01-15T06:00:00Z")
        #expect(bench.timer.armed == wake)
        try await bench.advance(to: wake)
        #expect(bench.timer.armed == (try Instant(iso8601: "2026-01-15T10:00:00Z")))
        try await bench.advance(by: .hours(20))
        let next = try await bench.submit(.logDose(.dose1))
        #expect(next.timeZone == "Asia/Tokyo")
        await bench.stop()
    }

    @Test(arguments: [false, true])
    func `R4.13: by a clock days ahead a dose is judged by the counter against the night that ended`(
        restarts: Bool
    ) async throws {
        var bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(165))
        try await bench.submit(.logDose(.dose2))
        try await bench.advance(by: .minutes(5))
        try await bench.submit(.saveCheckIn([:], night: nil))
        bench.clock.step(by: .hours(72))
        await bench.deadline()
        try await bench.submit(.logSleepEvent("water"))
        if restarts {
            try await bench.crash()
            bench = try await NightBench.open(in: bench.folder, clock: bench.clock)
        }
        try await bench.advance(by: .minutes(25))
        do {
            try await bench.submit(.logDose(.dose1))
            Issue.record("a dose 30 minutes after another one was taken without a question")
        } catch EngineFailure.command(.needsConfirmation(let question)) {
            #expect(question.confirmations.contains(.early) || question.confirmations.contains(.clockSuspect))
        }
        await bench.stop()
    }

    /// Nights over a change of the clocks: the zone, dose 1, and the time of the missed check-in.
    static let changes = [
        ("Europe/Berlin", "2026-03-29T00:30:00+01:00", "2026-03-29T11:00:00+02:00"),
        ("Europe/Berlin", "2026-10-25T01:15:00+02:00", "2026-10-25T11:00:00+01:00"),
        ("America/New_York", "2026-03-07T23:30:00-05:00", "2026-03-08T11:00:00-04:00"),
        ("America/New_York", "2026-11-01T00:30:00-04:00", "2026-11-01T11:00:00-05:00"),
        ("Australia/Lord_Howe", "2026-04-05T00:30:00+11:00", "2026-04-05T11:00:00+10:30"),
    ]

    @Test(arguments: changes)
    func `E1, E2: over a change of the clocks the window counts elapsed time, and each reminder comes once`(
        zone: String, dose: String, end: String
    ) async throws {
        var setup = NightBench.Setup()
        setup.zone = try SystemZones.named(zone)
        setup.start = try Instant(iso8601: dose)
        let bench = try await NightBench.open(setup)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .hours(24))
        let plan = ReminderPlan.items(dose1: dose1, alarm: .minutes(165))
        let checkIn = ReminderPlan.Item(id: .checkIn, due: try Instant(iso8601: end) - .hours(4))
        #expect(bench.plugin.told.elements.map(\.item) == plan + [checkIn])
        #expect(plan.first?.due == dose1 + .minutes(150))
        let night = try #require(try await bench.engine.nights(SessionQuery()).nights.first)
        #expect(night.end == (try Instant(iso8601: end)))
        await bench.stop()
    }
}
