import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct BesideLogTests {
    @Test func `R21.9 a store that turns out to be damaged under way does not end the night`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        bench.store.damage()
        try await bench.advance(to: dose1 + .minutes(166))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        let receipt = try await bench.submit(.logDose(.dose2)) { $0.key = "k" }
        #expect(!receipt.duplicate && receipt.phase == .completed)
        let status = await bench.engine.status(at: nil)
        #expect(status.dose1 == dose1 && status.dose2 == receipt.timestamp)
        #expect(status.warnings.count == 1 && status.warnings[0].message.contains("is damaged"))
        #expect(status.warnings[0].message.contains("1 so far"), "\(status.warnings)")
        #expect(await bench.engine.health == "damaged")
        // The plugins got each event once. They did not get the events that the fresh log took over.
        let doses = bench.plugin.received.elements.filter { $0.event.type == .doseRecorded }
        #expect(doses.count == 2)
        #expect(try await bench.store.verify().isSound == false)
        await bench.stop()
        let log = try await StoredLog.read(bench.folder.path("dosetap.db.beside"))
        #expect(log.count { $0.event.type == .doseRecorded } == 2)
        #expect(log.count { $0.event.type == .storeRestored } == 1)
    }

    @Test func `R21.16 logs that turn out to be damaged under way, one after the other, do not end the night`()
        async throws
    {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        bench.store.damage()
        try await bench.submit(.logSleepEvent("bathroom"))
        bench.store.damage(logs: 4)
        try await bench.advance(to: dose1 + .minutes(166))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        let dose2 = try await bench.submit(.logDose(.dose2)).timestamp
        let status = await bench.engine.status(at: nil)
        #expect(status.dose1 == dose1 && status.dose2 == dose2)
        #expect(status.warnings.count == 1 && status.warnings[0].message.contains("3 fresh logs beside it are damaged"))
        #expect(status.warnings[0].message.contains("2 so far"), "\(status.warnings)")
        // No further fresh log may be made. New entries are kept in memory and outside the log.
        bench.store.damage(logs: 9)
        let refusal = await failure { try await bench.submit(.logFinalWake) }
        #expect(refusal?.store?.code == .damaged && refusal?.store?.kept == true)
        #expect(await bench.engine.status(at: nil).warnings.contains { $0.message.contains("not yet safe on disk") })
        await bench.stop()
        let log = try await StoredLog.read(bench.folder.path("dosetap.db.beside-8"))
        #expect(log.count { $0.event.type == .doseRecorded } == 2)
    }

    @Test func `R21.14 a timer of the daily comparison that cannot be armed is told, and tried again`() async throws {
        let bench = try await NightBench.open()
        let armed = Recorder<Duration>()
        let (ticks, ticking) = AsyncStream.makeStream(of: Void.self)
        let timer = ManualTimer()
        timer.fail(true)
        let (engine, clock) = (bench.engine, bench.clock)
        let comparing = Task {
            await engine.keepComparing(ticks: ticks) { wait in
                try await timer.arm(NextDue(wall: clock.now + wait), clock.clock())
                armed.append(wait)
            }
        }
        try await bench.observer.changes.wait { $0.count(where: \.isFinding) == 1 }
        #expect(await engine.health == "warning")
        #expect(await engine.status(at: nil).warnings.contains { $0.message.contains("daily comparison") })
        timer.fail(false)
        try await bench.submit(.logSleepEvent("bathroom"))
        try await armed.wait { $0 == [.seconds(86_400)] }
        ticking.yield()
        try await armed.wait { $0.count == 2 }
        #expect(await engine.health == "ok")
        #expect(bench.observer.changes.elements.count(where: \.isFinding) == 1)
        comparing.cancel()
        await comparing.value
        await bench.stop()
    }

    @Test(arguments: [StoreError.Code.internal, .damaged])
    func `R21.14 rows rebuilt are told and recorded, also where the comparison does not come to its end`(
        code: StoreError.Code
    ) async throws {
        let bench = try await NightBench.open()
        bench.store.audits([
            .success(TableAudit(next: TableAudit.Place(step: 1, after: ""), mended: ["dose_events": 1])),
            .failure(StoreError(code: code, context: "the test's store cannot be read")),
        ])
        #expect(await bench.engine.compareTables() == false)
        let warnings = await bench.engine.status(at: nil).warnings
        #expect(warnings.contains { $0.message.hasPrefix("1 row of dose_events ") }, "\(warnings)")
        #expect(try await bench.types() == [.storeRestored])
        await bench.stop()
    }

    @Test func `R21.14 while a window is unresolved only the rows of that night are compared`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1))
        #expect(await bench.engine.compareTables() == false)
        #expect(bench.store.audits == [dose1.sessionID])
        try await bench.advance(by: .minutes(170))
        try await bench.submit(.logDose(.dose2))
        #expect(await bench.engine.compareTables())
        let pages = bench.store.audits.dropFirst()
        #expect(pages.count > 1 && pages.allSatisfy { $0 == nil })
        #expect(await bench.engine.status(at: nil).warnings.isEmpty)
        await bench.stop()
    }

    @Test(arguments: [false, true])
    func `R21.18 a window that opens while a repair is made ready ends that`(isBeside: Bool) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logSleepEvent("bathroom"))
        if isBeside {
            bench.store.damage()
            try await bench.submit(.logSleepEvent("water"))
        }
        bench.store.repair { step in
            if step == 2 { try await bench.submit(.logDose(.dose1)) }
            guard step < 20 else { throw StoreError(code: .internal, context: "the test's repair has no end") }
            return nil
        }
        if isBeside { _ = await bench.engine.compareTables() } else { await bench.engine.makeRepairReady() }
        #expect(bench.store.repairSteps == 2)
        // The comparison within the window makes no step of the repair either.
        _ = await bench.engine.compareTables()
        #expect(bench.store.repairSteps == 2)
        await bench.stop()
    }

    @Test func `R21.18 a repair that a window was in the way of is made ready after it`() async throws {
        let first = try await NightBench.open()
        try await first.submit(.logSleepEvent("bathroom"))
        await first.stop()
        let sql = "UPDATE events SET payload = payload || ' ' WHERE seq = 1"
        #expect(try Command.run(["sqlite3", first.folder.path("dosetap.db"), sql]).status == 0)
        let bench = try await NightBench.open(in: first.folder)
        try await bench.submit(.logDose(.dose1))
        await bench.engine.makeRepairReady()
        #expect(bench.store.repairSteps == 0)
        try await bench.advance(by: .minutes(170))
        try await bench.submit(.logDose(.dose2))
        _ = await bench.engine.compareTables()
        #expect(bench.store.repairSteps > 0)
        let warnings = await bench.engine.status(at: nil).warnings
        #expect(warnings.contains { $0.message.contains("of the damaged record") }, "\(warnings)")
        await bench.stop()
    }
}

extension EngineChange {
    fileprivate var isFinding: Bool { if case .finding = self { true } else { false } }
}
