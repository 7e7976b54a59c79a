import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// Imports of logs over the bus, with real stores.
@Suite struct ImportLogTests {
    private static let yesterday: Duration = .hours(30)

    private func log(_ bench: ServiceBench) async throws -> [UInt8] {
        let path = bench.folder.path("log-\(UUID().uuidString)")
        let file = UnixFD(owning: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        _ = try await bench.client.export(ExportRequest(.log), into: file)
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    private func failure(_ work: () async throws -> ImportReport) async -> ServiceError? {
        do {
            _ = try await work()
            return nil
        } catch { return error as? ServiceError }
    }

    /// A night of the past with all kinds of entries, one amended, one deleted, one undone.
    private func live(_ bench: ServiceBench, ago: Duration) async throws {
        let at = ServiceBench.now - ago
        func submit(_ command: NightCommand, _ moment: Instant, _ note: String? = nil) async throws -> Receipt {
            try await bench.submit(command) {
                ($0.at, $0.note) = (moment, note)
                $0.confirmations = Confirmation.allCases
            }
        }
        _ = try await submit(.logDose(.dose1), at, "first")
        let dose2 = try await submit(.logDose(.dose2), at + .minutes(160))
        let water = try await submit(.logSleepEvent("water"), at + .minutes(80))
        _ = try await submit(.logSleepEvent("bathroom"), at + .minutes(90))
        _ = try await submit(.logSleepEvent("noise"), at + .minutes(100))
        try await bench.submit(.undo)
        _ = try await submit(.logFinalWake, at + .hours(7))
        _ = try await submit(.takeMedication("modafinil"), at + .hours(9))
        let event = dose2.eventID
        try await bench.submit(.amend(event)) { $0.note = "second" }
        try await bench.submit(.delete(water.eventID)) { $0.confirmations = Confirmation.allCases }
    }

    @Test func `R35.2 R35.3 a log moves to another machine through a pipe, and is exported again with equal bytes`()
        async throws
    {
        let old = try await ServiceBench.start(environment: ["TZ": "UTC"])
        try await live(old, ago: Self.yesterday)
        let log = try await log(old)
        let new = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let dry = try await new.client.importLog(try UnixFD.memory(log), dryRun: true)
        #expect(dry.isDryRun && dry.isOfEvents && dry.new > 10)
        let list = new.folder.path("rows.csv")
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let write = ends[1]
        let writing = Task.detached {
            try FileHandle(fileDescriptor: write, closeOnDealloc: true).write(contentsOf: Data(log))
        }
        let report = try await new.client.importLog(
            UnixFD(owning: ends[0]), list: UnixFD(owning: open(list, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)))
        try await writing.value
        #expect(report.new == dry.new && report.id == nil, "\(report)")
        #expect(try String(contentsOfFile: list, encoding: .utf8).contains("events 1 to \(report.new),event,"))
        #expect(try await self.log(new) == log)
        #expect(try await new.client.examine(.verify)["ok"] == true)
        #expect(try await new.client.examine(.check)["ok"] == true)
        let page = try await new.client.find(SessionQuery(limit: 10))
        #expect(
            page.nights == (try await old.client.find(SessionQuery(limit: 10))).nights
                && page.nights.count == report.nights)
        #expect(try await new.client.importLog(try UnixFD.memory(log)).new == 0)
        // The record is the same after a new start.
        try await new.stop()
        let again = try await new.again(environment: ["TZ": "UTC"])
        #expect(try await self.log(again) == log)
        #expect(try await again.client.status().faults == [])
        try await live(old, ago: Self.yesterday + .hours(48))
        let grown = try await self.log(old)
        let added = try await again.client.importLog(try UnixFD.memory(grown))
        #expect(added.new > 10 && added.known == report.new && added.nights > 0, "\(added)")
        #expect(try await self.log(again) == grown)
        #expect(try await again.client.examine(.check)["ok"] == true)
        try await live(again, ago: Self.yesterday + .hours(96))
        try await live(old, ago: Self.yesterday + .hours(96))
        let fork = await failure { try await again.client.importLog(try UnixFD.memory(try await self.log(old))) }
        #expect(fork?.kind == .invalidInput && fork?.details["fault"] == "fork", "\(String(describing: fork))")
        #expect(fork?.message.contains("event \(added.known + added.new + 1) is the first") == true)
        for bench in [old, again] { try await bench.stop() }
    }

    @Test func `R35.4 R35.5 of another record come the entries that stand, and they can be taken back`() async throws {
        let (old, new) = (
            try await ServiceBench.start(environment: ["TZ": "UTC"]),
            try await ServiceBench.start(environment: ["TZ": "UTC"])
        )
        try await live(old, ago: Self.yesterday)
        try await old.submit(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"]))) {
            $0.confirmations = Confirmation.allCases
        }
        try await new.submit(.logSleepEvent("bathroom"))
        let log = try await log(old)
        let refused = await failure { try await new.client.importLog(try UnixFD.memory(log)) }
        #expect(refused?.kind == .invalidInput && refused?.details["fault"] == "other_record")
        let before = try await self.log(new)
        #expect(try await new.client.importLog(try UnixFD.memory(log), merges: true, dryRun: true).new == 5)
        #expect(try await self.log(new) == before)
        let merged = try await new.client.importLog(try UnixFD.memory(log), merges: true)
        #expect(merged.counts == ["dose": 2, "sleep_event": 1, "final_wake": 1, "medication": 1], "\(merged)")
        #expect(merged.notes.contains { $0.contains("inventory") })
        let night = try #require(try await new.client.find(SessionQuery(limit: 10)).nights.last)
        let shown = try #require(try await new.client.shown(night.sessionID.text).nights.first)
        #expect(shown.entries.compactMap { $0.metadata["note"]?.stringValue }.sorted() == ["first", "second"])
        #expect(try await new.client.importLog(try UnixFD.memory(log), merges: true).known == 5)
        #expect(try await new.client.takeBackImport(try #require(merged.id).text).new == 5)
        #expect(try await new.client.examine(.check)["ok"] == true)
        for bench in [old, new] { try await bench.stop() }
    }
}
