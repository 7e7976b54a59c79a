import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct DeadlineTests {
    /// The minutes after dose 1 that have a deadline, in an untouched night that begins at 22:30 UTC.
    static let wholeNight: [Int64] = [
        150, 160, 165, 167, 169, 171, 176, 181, 186, 191, 196, 201, 206, 211, 216, 221, 225, 226, 231, 235, 236, 240,
        270, 510, 750,
    ]

    @Test func `the timer is armed for exactly the instants of a whole night`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .hours(24))
        #expect(bench.timer.instants.map { ($0 - dose1).wholeMilliseconds } == Self.wholeNight.map { $0 * 60_000 })
        #expect(bench.timer.armed == nil)
        try await bench.observer.changes.wait { RecordingObserver.phases(in: $0).count >= 6 }
        #expect(bench.observer.phases == [.beforeWindow, .active, .nearClose, .closed, .completed, .noDose1])
        await bench.stop()
    }

    /// Milliseconds after dose 1, and the phase at that time.
    static let edges: [(Int64, Phase)] = [
        (8_999_999, .beforeWindow), (9_000_000, .active), (13_499_999, .active), (13_500_000, .nearClose),
        (14_399_999, .nearClose), (14_400_000, .closed), (16_199_999, .closed), (16_200_000, .completed),
    ]

    @Test(arguments: edges)
    func `the phase changes at its millisecond, not before`(milliseconds: Int64, phase: Phase) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .milliseconds(milliseconds))
        #expect(await bench.phase() == phase)
        #expect(bench.plugin.told.elements.allSatisfy { $0.fired >= $0.item.due })
        await bench.stop()
    }

    @Test func `a night without dose 2 is slept through at 270 minutes, and closes at its own boundary`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(270) - .milliseconds(1))
        #expect(try await bench.types().contains(.doseSkipped) == false)
        try await bench.advance(to: dose1 + .minutes(270))
        let skip = try #require(try await bench.log().last { $0.event.type == .doseSkipped }?.event)
        #expect(skip.effectiveAt == dose1 + .minutes(270))
        #expect(skip.surface == .service)
        #expect(await bench.engine.status(at: nil).terminalState == .incompleteSleptThrough)
        try await bench.advance(to: dose1 + .minutes(750))
        let night = try #require(try await bench.engine.nights(SessionQuery()).nights.first)
        #expect(night.terminalState == .incompleteSleptThrough)
        #expect(night.end == dose1 + .minutes(750))
        await bench.stop()
    }

    @Test func `commands that come before a deadline is handled do not put it off`() async throws {
        let bench = try await NightBench.open()
        let opens = try await bench.submit(.logDose(.dose1)).timestamp + .minutes(150)
        bench.clock.advance(to: opens + .milliseconds(20))
        for _ in 0..<3 {
            await #expect(throws: EngineFailure.self) { try await bench.submit(.logDose(.extra)) }
            #expect(bench.timer.armed == opens)
            bench.clock.advance(by: .milliseconds(20))
        }
        await bench.deadline()
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen])
        await bench.stop()
    }

    /// The minute after dose 1 at which the machine starts again, with dose 2 before that or not, and the state of the
    /// night.
    static let whileOff: [(dose2: Bool, minutes: Int, state: TerminalState?, end: Int64?)] = [
        (false, 269, nil, nil), (false, 270, .incompleteSleptThrough, nil), (true, 749, nil, nil),
        (true, 750, .incompleteMissedCheckin, 750), (false, 750, .incompleteSleptThrough, 750),
        (true, 60 * 24 * 9, .incompleteMissedCheckin, 750),
    ]

    @Test(arguments: whileOff)
    func `boundaries passed while the service was off are applied at start, at their own instant`(
        night: (dose2: Bool, minutes: Int, state: TerminalState?, end: Int64?)
    ) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        if night.dose2 {
            try await bench.advance(by: .minutes(165))
            try await bench.submit(.logDose(.dose2))
        }
        try await bench.crash()
        bench.clock.advance(to: dose1 + .minutes(night.minutes))
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let found = try #require(try await later.engine.nights(SessionQuery()).nights.first)
        #expect(found.terminalState == night.state)
        #expect(found.end.map { $0.minutes(after: dose1) } == night.end)
        if let armed = later.timer.armed { #expect(armed > later.clock.now) }
        #expect(try await later.store.check().isSound)
        await later.stop()
    }

    @Test func `a day sleep ends at the prep time when that comes first`() async throws {
        var setup = NightBench.Setup()
        setup.start = try Instant(iso8601: "2026-01-14T08:00:00Z")
        let bench = try await NightBench.open(setup)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(165))
        try await bench.submit(.logDose(.dose2))
        try await bench.advance(by: .hours(24))
        let night = try #require(try await bench.engine.nights(SessionQuery()).nights.first)
        #expect(night.terminalState == .incompletePrepRollover)
        #expect(night.end == (try Instant(iso8601: "2026-01-14T18:00:00Z")))
        #expect(night.start == dose1)
        await bench.stop()
    }

    @Test func `a dose entered forty minutes late is a live night with all that is still ahead`() async throws {
        let bench = try await NightBench.open()
        let dose1 = bench.clock.now - .minutes(40)
        try await bench.submit(.logDose(.dose1)) { $0.at = dose1 }
        #expect(bench.timer.armed == dose1 + .minutes(150))
        try await bench.advance(to: dose1 + .minutes(165))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        await bench.stop()
    }

    @Test func `a dose entered when its window is open is told at once what is most urgent`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1)) { $0.at = bench.clock.now - .minutes(170) }
        try await bench.advance(by: .zero)
        #expect(bench.plugin.told.elements.map(\.item.id) == [.followup2])
        await bench.stop()
    }

    @Test func `the final wake survives a crash`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(165))
        try await bench.submit(.logDose(.dose2))
        try await bench.advance(by: .hours(4))
        try await bench.submit(.logFinalWake)
        try await bench.crash()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let status = await later.engine.status(at: nil)
        #expect(status.window.phase == .finalizing)
        #expect(status.terminalState == .finalizingWake)
        await later.stop()
    }

    @Test func `a question about a past or a coming moment changes nothing`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        #expect(await bench.engine.status(at: dose1 + .minutes(240)).window.phase == .closed)
        #expect(await bench.engine.status(at: dose1 + .minutes(271)).window.phase == .completed)
        #expect(await bench.engine.status(at: dose1 - .minutes(1)).window.phase == .noDose1)
        try await bench.advance(by: .hours(24 * 6))
        let old = try await bench.engine.status(asOf: dose1 + .minutes(200))
        #expect(old.window.phase == .active && old.sessionDate != nil)
        #expect(bench.timer.armed == nil)
        await bench.stop()
    }
}
