import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapEngine

@Suite struct RestoreTests {
    private func restore(
        _ bench: NightBench, _ path: String, _ confirmed: Set<DoseTapDomain.Confirmation> = [], dryRun: Bool = false
    ) async throws -> RestoreReport {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        let report = try await bench.engine.restore(from: descriptor, confirmed: confirmed, dryRun: dryRun)
        await bench.engine.published()
        return report
    }

    private func questions(
        _ bench: NightBench, _ path: String, _ confirmed: Set<DoseTapDomain.Confirmation> = []
    ) async -> [DoseTapDomain.Confirmation] {
        do {
            _ = try await restore(bench, path, confirmed)
            return []
        } catch EngineFailure.command(.needsConfirmation(let question)) { return question.confirmations } catch {
            Issue.record("\(error)")
            return []
        }
    }

    @Test
    func `R24.9 R24.10 R24.11 a restore in the night asks, keeps the night, its reminders and the plugins' places`()
        async throws
    {
        let bench = try await NightBench.open()
        try await bench.submit(.logSleepEvent("bathroom"))
        let path = try await bench.engine.backUp().path
        try await bench.advance(by: .hours(2))
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        let preview = try await restore(bench, path, dryRun: true)
        #expect(preview.isDryRun && preview.lost.events == 0 && preview.broughtIn > 0)
        #expect(await questions(bench, path) == [.restore, .windowUnresolved])
        #expect(await questions(bench, path, [.restore]) == [.windowUnresolved])
        let before = try await bench.log()
        #expect(await bench.engine.status(at: nil).dose1 == dose1)
        let seen = bench.plugin.received.elements.count
        let report = try await restore(bench, path, [.restore, .windowUnresolved])
        #expect(!report.isDryRun && report.replaced?.contains("dosetap.db.replaced-") == true)
        let after = try await bench.log()
        #expect(Set(before.map(\.event.id)).isSubset(of: Set(after.map(\.event.id))))
        guard case .storeRestored(let fact)? = after.last?.event.payload else { throw CocoaError(.coderReadCorrupt) }
        #expect(fact.isByPerson && fact.finding.contains("restored from a backup"))
        // The plugins get the event of the restore, and no event a second time.
        try await bench.plugin.received.wait(count: seen + 1)
        #expect(bench.plugin.received.elements.dropFirst(seen).map(\.event.type) == [.storeRestored])
        #expect(await bench.engine.status(at: nil).dose1 == dose1)
        try await bench.advance(to: dose1 + .minutes(166))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        let dose2 = try await bench.submit(.logDose(.dose2))
        #expect(dose2.phase == .completed)
        #expect(try await bench.store.verify().isSound)
        #expect(try await bench.store.check().isSound)
        await bench.stop()
        // The record that was replaced can be restored in turn.
        let second = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(await second.engine.status(at: nil).dose2 == dose2.timestamp)
        let back = try await restore(second, try #require(report.replaced), [.restore])
        #expect(back.broughtIn > 0)
        #expect(await second.engine.status(at: nil).dose2 == dose2.timestamp)
        #expect(try await second.store.verify().isSound)
        #expect(try await second.store.check().isSound)
        await second.stop()
    }

    @Test func `R26.4 a deletion waits for a backup that is being made, and after a restore beside one for none`()
        async throws
    {
        let bench = try await NightBench.open()
        try await bench.submit(.logSleepEvent("bathroom"))
        let path = try await bench.engine.backUp().path
        let gate = Gate()
        bench.store.hold(backupsAt: gate)
        let backup = Task { try await bench.engine.backUp() }
        try await gate.arrivals.wait(count: 1)
        _ = try await restore(bench, path, [.restore])
        func wipe() async throws -> Bool {
            try await bench.engine.wipe(includingBackups: false, confirmations: [.wipe], dryRun: false).isFinished
        }
        await #expect(throws: EngineFailure.self) { try await wipe() }
        gate.open()
        _ = try await backup.value
        #expect(try await wipe())
        await bench.stop()
    }

    @Test func `R24.9 a backup of another record is asked about`() async throws {
        let (bench, other) = (try await NightBench.open(), try await NightBench.open())
        try await bench.submit(.logSleepEvent("bathroom"))
        try await other.submit(.logSleepEvent("bathroom"))
        let path = try await other.engine.backUp().path
        #expect(await questions(bench, path) == [.restore, .otherRecord])
        #expect(await questions(bench, path, [.otherRecord]) == [.restore])
        let report = try await restore(bench, path, [.restore, .otherRecord])
        #expect(report.broughtIn == 2 || report.broughtIn == 1)
        #expect(await bench.engine.status(at: nil).warnings.isEmpty)
        #expect(await bench.engine.health == "ok")
        await bench.stop()
        await other.stop()
    }
}
