import DoseTapDomain
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@testable import DoseTapEngine

@Suite struct BackupTests {
    /// A night with both doses, which ends in the afternoon.
    private func live(_ bench: NightBench, until end: Duration = .hours(18)) async throws {
        let start = bench.clock.now
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(165))
        try await bench.submit(.logDose(.dose2))
        try await bench.advance(by: .hours(4))
        try await bench.submit(.logFinalWake)
        try await bench.advance(to: start + end)
    }

    @Test func `R24.2 a backup follows the night, none an unresolved window and none a head that it has`() async throws
    {
        let bench = try await NightBench.open()
        let engine = bench.engine
        #expect(await engine.backUpIfDue() == nil)
        try await bench.submit(.logDose(.dose1))
        for _ in 0..<4 {
            #expect(await engine.backUpIfDue() == nil)
            try await bench.advance(by: .minutes(59))
        }
        #expect(try await bench.store.backups().isEmpty)
        #expect(try #require(await bench.engine.status(at: nil).dose1) < bench.clock.now)
        try await bench.submit(.logDose(.dose2)) { $0.confirmations = [.late] }
        try await bench.advance(by: .hours(20))
        #expect(await bench.engine.status(at: nil).dose1 == nil)
        #expect(await engine.backUpIfDue() == nil)
        let made = try await bench.store.backups()
        #expect(made.map(\.kind) == [.daily] && made[0].isVerified && made[0].isOwn)
        #expect(made[0].events == Int64(try await bench.log().count))
        // Without a new entry there is no second backup. The new entry opens a night.
        #expect(await engine.backUpIfDue() == nil)
        try await bench.submit(.logSleepEvent("bathroom"))
        if case let wait? = await engine.backUpIfDue() { #expect(wait == .hours(24)) } else { Issue.record("no wait") }
        try await bench.advance(by: .hours(20))
        #expect(await engine.backUpIfDue() == nil)
        #expect(try await bench.store.backups().count == 2)
        #expect(await engine.backupFacts.isNew == false)
        await bench.stop()
    }

    @Test func `R24.1 R24.2 a backup that a person makes counts at once as the last one`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        #expect(await bench.engine.backupFacts.age == nil)
        _ = try await bench.engine.backUp()
        let facts = await bench.engine.backupFacts
        #expect(facts.age == .zero && !facts.isNew, "\(facts)")
        await bench.stop()
    }

    @Test func `R24.2 the end of a night wakes the task, and its timer waits for the day to be over`() async throws {
        let bench = try await NightBench.open()
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let armed = Recorder<Duration>()
        let engine = bench.engine
        let keeping = Task(priority: .utility) {
            await engine.keepBackups(first: .minutes(5), ticks: ticks, tick: tick) { armed.append($0) }
        }
        try await armed.wait { $0 == [.minutes(5)] }
        try await live(bench)
        try await bench.store.backupsMade.wait(count: 1)
        try await bench.submit(.takeMedication("modafinil"))
        try await armed.wait { $0.count == 2 }
        #expect(armed.elements[1] <= .hours(20) && armed.elements[1] > .hours(1))
        keeping.cancel()
        await keeping.value
        await bench.stop()
    }

    @Test func `R24.4 R24.5 the service keeps what the rule says, and removes none where it makes none`() async throws {
        let bench = try await NightBench.open()
        let engine = bench.engine
        await engine.update(backups: BackupRule(daily: 3, weekly: 0))
        for _ in 0..<5 {
            try await live(bench, until: .hours(24))
            #expect(await engine.backUpIfDue() == nil)
        }
        let kept = try await bench.store.backups()
        #expect(kept.count == 3 && kept.map(\.at) == kept.map(\.at).sorted(by: >))
        try await live(bench, until: .hours(24))
        bench.store.failBackups(StoreError(code: .noSpace, context: "the test's disk is full"))
        #expect(await engine.backUpIfDue() == Engine.backupRetry)
        #expect(try await bench.store.backups() == kept)
        #expect(await engine.backupFacts.trouble == "the test's disk is full")
        bench.store.failBackups(nil)
        #expect(await engine.backUpIfDue() == nil)
        #expect(await engine.backupFacts.trouble == nil)
        #expect(try await bench.store.backups().dropFirst().elementsEqual(kept.dropLast()))
        await bench.stop()
    }

    @Test func `R24.13 a clock that is set back by days keeps the backup just made, and one an interval is made`()
        async throws
    {
        let bench = try await NightBench.open()
        let engine = bench.engine
        await engine.update(backups: BackupRule(daily: 1, weekly: 0))
        try await live(bench)
        #expect(await engine.backUpIfDue() == nil)
        bench.clock.step(by: .hours(-24 * 30))
        let before = await engine.backupFacts.age
        #expect(try #require(before) < .hours(1))
        try await bench.submit(.takeMedication("modafinil"))
        let wait = await engine.backUpIfDue()
        #expect(try #require(wait) > .hours(19))
        bench.clock.advance(by: .hours(21))
        #expect(await engine.backUpIfDue() == nil)
        // The backup from before the step counts as the older backup, so it is removed.
        let (made, events) = (try await bench.store.backups(), try await bench.log().count)
        #expect(made.map(\.events) == [Int64(events)], "\(made)")
        #expect(await engine.backupFacts.isNew == false)
        await bench.stop()
    }
}
