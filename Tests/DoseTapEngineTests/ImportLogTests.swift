import DoseTapDomain
import DoseTapSimulation
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@testable import DoseTapEngine

/// A person moves the record to another machine.
@Suite struct ImportLogTests {
    private func log(_ bench: NightBench) async throws -> UnixFD {
        let file = try UnixFD.memory([])
        _ = try await bench.engine.export(ExportRequest(.log), into: file.rawValue)
        lseek(file.rawValue, 0, SEEK_SET)
        return file
    }

    private func take(
        _ log: UnixFD, _ bench: NightBench, merges: Bool = false
    ) async throws -> ImportReport {
        lseek(log.rawValue, 0, SEEK_SET)
        let report = try await bench.engine.importLog(from: log.rawValue, merges: merges, dryRun: false)
        await bench.engine.published()
        return report
    }

    private func told(_ bench: NightBench) -> [String] {
        bench.plugin.told.elements.map { "\($0.item.id) \($0.item.due.iso8601)" }
    }

    @Test func `R35.2 a night that is moved in the evening gets on another machine the reminders it would have had`()
        async throws
    {
        let (old, new) = (try await NightBench.open(), try await NightBench.open())
        let dose1 = try await old.submit(.logDose(.dose1)).timestamp
        for bench in [old, new] { try await bench.advance(to: dose1 + .minutes(100)) }
        let log = try await log(old)
        let report = try await take(log, new)
        #expect(report.isOfEvents && report.new > 0 && report.known == 0 && report.nights == 1)
        let (one, other) = (await old.engine.status(at: nil), await new.engine.status(at: nil))
        #expect(one.window == other.window && one.dose1 == other.dose1 && one.nextReminder == other.nextReminder)
        #expect(other.nextReminder != nil && new.timer.armed == old.timer.armed)
        // The plugins get later reminders, and no event or reminder from before the import.
        #expect(new.plugin.received.elements.isEmpty && told(new).isEmpty)
        let before = told(old).count
        for bench in [old, new] { try await bench.advance(to: dose1 + .minutes(239)) }
        #expect(Array(told(old).dropFirst(before)) == told(new) && !told(new).isEmpty)
        // Dose 2 is recorded on the new machine. The old log then adds nothing.
        try await new.submit(.logDose(.dose2))
        #expect(try await take(log, new).new == 0)
        let grown = try await self.log(new)
        await #expect(throws: EngineFailure.self) { try await take(grown, old) }
        for bench in [old, new] { await bench.stop() }
    }

    @Test func `R35.2 a night that is over meanwhile is over, and nothing of it is told`() async throws {
        let old = try await NightBench.open()
        let dose1 = try await old.submit(.logDose(.dose1)).timestamp
        let log = try await log(old)
        await old.stop()
        old.clock.advance(to: dose1 + .hours(24 * 9))
        let new = try await NightBench.open(clock: old.clock)
        #expect(try await take(log, new).new > 0)
        try await new.advance(by: .minutes(1))
        #expect(told(new).isEmpty)
        #expect(await new.phase() == .noDose1)
        #expect(try await new.log().last?.event.type != .reminderDelivered)
        #expect(try await take(log, new).new == 0)
        await new.stop()
    }

    @Test func `R35.3 R35.4 what goes on is added to the night, and another record is merged when that is asked for`()
        async throws
    {
        let (old, new) = (try await NightBench.open(), try await NightBench.open())
        let dose1 = try await old.submit(.logDose(.dose1)).timestamp
        _ = try await take(try await log(old), new)
        try await old.advance(to: dose1 + .minutes(60))
        try await old.submit(.logSleepEvent("bathroom"))
        try await new.advance(to: dose1 + .minutes(60))
        let seen = new.plugin.received.elements.count
        let report = try await take(try await log(old), new)
        #expect(report.new == 1 && report.known > 0, "\(report)")
        #expect(await new.engine.status(at: nil).window.phase == (await old.engine.status(at: nil).window.phase))
        #expect(new.plugin.received.elements.count == seen)
        // The third record has a night of its own.
        let log = try await log(old)
        for bench in [old, new] { await bench.stop() }
        old.clock.advance(to: dose1 + .hours(48))
        let third = try await NightBench.open(clock: old.clock)
        try await third.submit(.logDose(.dose1))
        let refused = await #expect(throws: EngineFailure.self) { try await take(log, third) }
        guard case .store(let error, _)? = refused else { throw refused ?? EngineFailure.busy }
        #expect(error.code == .unfit && error.underlying == "other_record")
        let before = await third.engine.status(at: nil)
        let merged = try await take(log, third, merges: true)
        #expect(merged.counts == ["dose": 1, "sleep_event": 1] && merged.id != nil, "\(merged)")
        let after = await third.engine.status(at: nil)
        #expect(after.dose1 == before.dose1 && after.nextReminder == before.nextReminder)
        #expect(try await take(log, third, merges: true).known == 2)
        #expect(try await third.engine.takeBackImport(try #require(merged.id), dryRun: false).new > 0)
        #expect(try await take(log, third, merges: true).new == 2)
        await third.stop()
    }

    @Test func `R35.5 a dose that is merged keeps the medicine that was named with it`() async throws {
        let old = try await NightBench.open()
        let dose1 = try await old.submit(.takeMedication("xywav")).timestamp
        try await old.advance(to: dose1 + .minutes(160))
        try await old.submit(.logDose(.dose2))
        let log = try await log(old)
        await old.stop()
        old.clock.advance(to: dose1 + .hours(48))
        let new = try await NightBench.open(clock: old.clock)
        try await new.submit(.logSleepEvent("bathroom"))
        #expect(try await take(log, new, merges: true).counts == ["dose": 2])
        let doses = try await new.log().compactMap { stored -> DoseRecorded? in
            if case .doseRecorded(let dose) = stored.event.payload { dose } else { nil }
        }
        #expect(doses.map(\.kind) == [.dose1, .dose2] && doses.map(\.medicationID) == ["xywav", nil])
        #expect(doses.allSatisfy { !$0.isOnceNightly })
        await new.stop()
    }

    @Test func `R35.6 in a window nothing is begun, and a dry run changes nothing`() async throws {
        let (old, new) = (try await NightBench.open(), try await NightBench.open())
        let dose1 = try await old.submit(.logDose(.dose1)).timestamp
        let first = try await log(old)
        let reading = try await new.engine.importLog(from: first.rawValue, merges: false, dryRun: true)
        #expect(reading.isDryRun && reading.new > 0)
        #expect(try await new.log().isEmpty)
        _ = try await take(first, new)
        try await old.submit(.logSleepEvent("bathroom"))
        let grown = try await log(old)
        for bench in [old, new] { try await bench.advance(to: dose1 + .minutes(145)) }
        let refused = await #expect(throws: EngineFailure.self) { try await take(grown, new) }
        guard case .command(.refused(.windowOpen, _))? = refused else { throw refused ?? EngineFailure.busy }
        for bench in [old, new] { await bench.stop() }
    }
}
