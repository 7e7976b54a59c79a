import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@testable import DoseTapEngine

@Suite struct ImportTests {
    /// Imports nights from before the present night.
    private func take(_ bench: NightBench, nights: ClosedRange<Int>) async throws -> ImportReport {
        let evening = NightBench.evening - .minutes(30)
        let entries = nights.reversed().flatMap { ImportLines.night($0, dose1: evening - .hours(24 * $0), offset: 120) }
        let file = try ImportLines(entries: entries).file()
        let report = try await bench.engine.importFile(from: file.rawValue, zone: nil, dryRun: false)
        await bench.engine.published()
        return report
    }

    @Test func `R29.5 R29.7 R29.11 a night is the same with and without an import before it`() async throws {
        var told: [[String]] = []
        var nights: [String] = []
        for imports in [false, true] {
            let bench = try await NightBench.open()
            if imports {
                let seen = bench.plugin.received.elements.count
                let report = try await take(bench, nights: 1...30)
                #expect(report.new == 150 && report.nights == 30, "\(report)")
                try await bench.plugin.received.wait(count: seen + 1)
                #expect(bench.plugin.received.elements.dropFirst(seen).map(\.event.type) == [.importRecorded])
                await #expect(throws: EngineFailure.self) { try await bench.submit(.undo) }
            }
            try await bench.advance(by: .hours(2))
            let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
            if imports { #expect(try await take(bench, nights: 1...31).new == 5) }
            try await bench.advance(to: dose1 + .minutes(239))
            told.append(bench.plugin.told.elements.map { "\($0.item.id) \($0.item.due.iso8601)" })
            let status = await bench.engine.status(at: nil)
            nights.append("\(status.window) \(status.dose1?.iso8601 ?? "") \(String(describing: status.nextReminder))")
            await bench.stop()
        }
        #expect(told[0] == told[1] && !told[0].isEmpty)
        #expect(nights[0] == nights[1])
    }

    @Test func `A7 R29.1 what was imported before a crash is there as a whole, and a full disk takes nothing`()
        async throws
    {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.noSpace))
        await #expect(throws: EngineFailure.self) { try await take(bench, nights: 2...9) }
        #expect(try await bench.log().isEmpty)
        // A failed flush leaves the content of the disk unknown, so the log is read again.
        bench.store.fail(.unknownAndLost)
        await #expect(throws: EngineFailure.self) { try await take(bench, nights: 2...9) }
        bench.store.fail(.unknownButLanded)
        #expect(try await take(bench, nights: 2...9).new == 40)
        bench.store.fail(nil)
        try await bench.crash()
        let again = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let log = try await again.log()
        // The night has the offset of the row (R29.9).
        #expect(log.dropLast().allSatisfy { $0.event.localOffsetMinutes == 120 && $0.event.surface == .importer })
        #expect(log.count { $0.event.type == .importRecorded } == 1 && log.last?.event.type == .importRecorded)
        #expect(try await take(again, nights: 2...9).known == 40)
        #expect(try await again.log().count == log.count)
        await again.stop()
    }
}
