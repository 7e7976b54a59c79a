import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// Imports over the bus, with real stores. The lines are as a reader of foreign files makes them.
@Suite struct ImportTests {
    /// 22:00 UTC of the evening `days` days ago.
    private func evening(_ days: Int) -> Instant {
        let day = 86_400 as Int64
        let today = ServiceBench.now.microseconds / 1_000_000 / day
        return Instant(seconds: (today - Int64(days)) * day + 22 * 3_600)
    }

    private func lines(nights: ClosedRange<Int>) -> ImportLines {
        ImportLines(entries: nights.reversed().flatMap { ImportLines.night($0, dose1: evening($0)) })
    }

    private func failure(_ work: () async throws -> ImportReport) async -> ServiceError? {
        do {
            _ = try await work()
            return nil
        } catch { return error as? ServiceError }
    }

    /// The nights and the statistics, as people and programs get them.
    private func told(_ bench: ServiceBench) async throws -> [JSONValue] {
        let page = try await bench.client.find(SessionQuery(limit: 1_000))
        let statistics = try await bench.client.statistics(StatisticsQuery(range: 365))
        return page.nights.map { .object($0.json) } + [.object(statistics.json)]
    }

    /// The log, as it is exported.
    private func log(_ bench: ServiceBench) async throws -> [JSONObject] {
        let path = bench.folder.path("log-\(UUID().uuidString)")
        let file = UnixFD(owning: open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        _ = try await bench.client.export(ExportRequest(.log), into: file)
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return try lines.dropFirst().dropLast().compactMap { try JSONValue.parse($0).objectValue }
    }

    @Test func `R29.1 R29.2 a file is taken in one transaction, twice changes nothing, and a grown one adds`()
        async throws
    {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let first = try await bench.client.import(try lines(nights: 3...5).file())
        #expect(first.new == 15 && first.nights == 3 && first.notTaken == 0, "\(first)")
        #expect(first.counts == ["dose": 6, "sleep_event": 3, "final_wake": 3, "check_in": 3])
        let log = try await log(bench)
        let fact = try #require(log.last)
        #expect(fact["type"] == "import_recorded" && fact["id"]?.stringValue == first.id?.text)
        let payload = try JSONValue.parse(fact["payload"]?.stringValue ?? "").objectValue
        #expect(payload?["events"]?.integerValue == Int64(log.count - 1))
        #expect(Set(log.map { $0["occurred_at"]?.stringValue }).count == 1)
        let page = try await bench.client.find(SessionQuery(limit: 10))
        #expect(page.nights.count == 3)
        for night in page.nights {
            let shown = try await bench.client.shown(night.sessionID.text)
            let record = try #require(shown.nights.first)
            #expect(
                record.summary.intervalMinutes == 165 && record.summary.terminalState == .checkinCompleted,
                "\(record.json)")
            let doses = record.entries.filter { ["dose1", "dose2"].contains($0.type) }
            #expect(doses.map { $0.metadata["source"] } == ["imported", "imported"], "\(record.json)")
        }
        let again = try await bench.client.import(try lines(nights: 3...5).file())
        #expect(again.new == 0 && again.known == 15 && again.id == nil)
        #expect(try await self.log(bench).count == log.count)
        let grown = try await bench.client.import(try lines(nights: 2...6).file())
        #expect(grown.new == 10 && grown.known == 15)
        #expect(try await bench.client.examine(.verify)["ok"] == true)
        #expect(try await bench.client.examine(.check)["ok"] == true)
        try await bench.stop()
    }

    @Test func `R29.3 R29.4 the same within 5 minutes is linked, up to 30 it is asked about`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let at = evening(3)
        try await bench.submit(.logDose(.dose1)) {
            $0.at = at
            $0.confirmations = [.longAgo]
        }
        let before = try await self.log(bench).count
        func row(_ kind: DoseKind, _ minutes: Int, _ id: String) -> ImportEntry {
            ImportEntry(.dose(kind, amountMilligrams: nil), row: id, id: id, at: at + .minutes(minutes))
        }
        let report = try await bench.client.import(
            try ImportLines(entries: [row(.dose1, 4, "near"), row(.dose1, 20, "far"), row(.dose1, 40, "second")]).file()
        )
        #expect(report.new == 0 && report.linked == 1 && report.notTaken == 2, "\(report)")
        #expect(report.reasons == ["another_time": 1, "second_dose1": 1])
        #expect(report.rows.map(\.row).sorted() == ["far", "second"])
        #expect(try await self.log(bench).count == before)
        // The import completes the person's night. Early and late doses are taken as they were. Only a row that the
        // file calls an extra dose is an extra dose.
        let more = try await bench.client.import(
            try ImportLines(entries: [row(.dose2, 120, "early"), row(.dose2, 160, "second"), row(.extra, 200, "extra")])
                .file())
        #expect(more.new == 2 && more.reasons == ["on_record": 1] && more.flags["extra"] == 1, "\(more)")
        try await bench.stop()
    }

    @Test func `R29.5 tonight is never touched: the status is the same with and without an import`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        try await bench.submit(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        let before = try await bench.client.status()
        let now = ServiceBench.now
        var entries = ImportLines.night(4, dose1: evening(4))
        entries += [
            ImportEntry(.dose(.dose2, amountMilligrams: nil), row: "tonight", id: "t", at: now),
            ImportEntry(.sleepEvent("bathroom"), row: "an hour ago", id: "h", at: now - .hours(1)),
            ImportEntry(.dose(.dose1, amountMilligrams: nil), row: "ahead", id: "f", at: now + .hours(1)),
            ImportEntry(.finalWake, row: "1900", id: "o", at: Instant(seconds: -2_208_988_800)),
            ImportEntry(.finalWake, row: "2106", id: "n", at: Instant(seconds: 4_294_967_296)),
            ImportEntry(
                .regimen(["medication_id": "xywav", "total": "6g"]), row: "regimen", id: "r", at: evening(10)),
        ]
        let report = try await bench.client.import(try ImportLines(entries: entries).file())
        #expect(report.new == 5 && report.heldBack == 3 && report.notTaken == 3, "\(report)")
        #expect(report.reasons == ["tonight": 3, "future": 2, "too_old": 1])
        let after = try await bench.client.status()
        #expect(after.sessionID == before.sessionID && after.dose1 == before.dose1 && after.regimen == before.regimen)
        #expect(after.alarm == before.alarm && after.windowOpens == before.windowOpens)
        #expect(after.nextReminder == before.nextReminder && after.window.phase == before.window.phase)
        #expect(
            bench.signals.elements.filter { $0.member == "EventRecorded" }.map { $0.arguments.first?.stringValue }
                .suffix(1) == ["import_recorded"])
        #expect(try await bench.client.undoesDose1(bench))
        try await bench.stop()
    }

    @Test func `R29.6 while a dose window is open an import is refused, and named is when it can be tried`()
        async throws
    {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let dose1 = ServiceBench.now - .minutes(145)
        try await bench.submit(.logDose(.dose1)) { $0.at = dose1 }
        let refused = await failure { try await bench.client.import(try lines(nights: 3...3).file()) }
        #expect(
            refused?.kind == .refused && refused?.details["reason"] == "window_open", "\(String(describing: refused))")
        let again = try #require(refused?.details["retry_at"]?.instantValue)
        #expect((again - dose1 - DoseWindow.closes).magnitude < .seconds(2))
        let tried = await failure { try await bench.client.import(try lines(nights: 3...3).file(), dryRun: true) }
        #expect(tried?.details["reason"] == "window_open")
        try await bench.submit(.logDose(.dose2)) { $0.confirmations = [.early] }
        #expect(try await bench.client.import(try lines(nights: 3...3).file()).new == 5)
        try await bench.stop()
    }

    @Test func `R29.12 what is taken back is as if it had never been, and can be imported anew`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        try await bench.submit(.logDose(.dose1)) {
            $0.at = evening(4)
            $0.confirmations = [.longAgo]
        }
        try await bench.submit(.logDose(.dose2)) {
            $0.at = evening(4) + .minutes(170)
            $0.confirmations = [.longAgo]
        }
        let before = try await told(bench)
        var entries = (3...6).reversed().flatMap { ImportLines.night($0, dose1: evening($0) + .minutes(1)) }
        entries.append(
            ImportEntry(.medication("modafinil", amountMilligrams: 200), row: "m", id: "m", at: evening(5) + .hours(12))
        )
        let report = try await bench.client.import(try ImportLines(entries: entries).file())
        let id = try #require(report.id)
        #expect(report.new == 19 && report.linked == 2, "\(report)")
        #expect(try await told(bench) != before)
        #expect(try await bench.client.imports().map(\.id) == [id])
        #expect(try await bench.client.takeBackImport(id.text, dryRun: true).new == 19)
        #expect(try await bench.client.takeBackImport(id.text).new == 19)
        #expect(try await told(bench) == before)
        #expect(try await bench.client.imports().first?.takenBack != nil)
        #expect(await failure { try await bench.client.takeBackImport(id.text) }?.kind == .notFound)
        #expect(try await bench.client.examine(.check)["ok"] == true)
        let second = try await bench.client.import(try ImportLines(entries: entries).file())
        #expect(second.new == 19 && second.linked == 2, "\(second)")
        #expect(try await bench.client.import(try ImportLines(entries: entries).file()).new == 0)
        #expect(try await bench.client.examine(.verify)["ok"] == true)
        try await bench.stop()
    }

    @Test func `R29.2 R29.12 R30.1 sleep of a device is recorded once, beside the night, and taken back`() async throws
    {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        func sleep(_ days: Int, _ id: String?) -> ImportLine {
            let start = evening(days)
            return .sleep(
                ImportedSleep(
                    row: "sleep \(days)", id: id, device: "band", start: start, end: start + .hours(8),
                    offsetMinutes: 60,
                    part: .main, grade: .estimated,
                    course: .stages([
                        .init(.light, start, start + .hours(3)), .init(.deep, start + .hours(3), start + .hours(8)),
                    ])))
        }
        let file = ImportLines("gadgetbridge", [sleep(3, "a"), sleep(4, nil), sleep(0, "now")])
        let report = try await bench.client.import(try file.file())
        #expect(report.counts == ["sleep_record": 2] && report.new == 2, "\(report)")
        #expect(report.heldBack + report.notTaken == 1)
        #expect(try await bench.client.import(try file.file()).known == 2)
        #expect(try await bench.client.import(try ImportLines("gadgetbridge", [sleep(3, "b")]).file()).linked == 1)
        #expect(try await bench.client.find(SessionQuery(limit: 9)).nights.isEmpty)
        let id = try #require(report.id)
        #expect(try await bench.client.takeBackImport(id.text).new == 2)
        #expect(try await bench.client.examine(.check)["ok"] == true)
        #expect(try await bench.client.import(try file.file()).new == 2)
        try await bench.stop()
    }

    @Test func `R29.8 a line that is wrong is named, and nothing of the file is taken`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let good = lines(nights: 3...3).text.split(separator: "\n").map { String($0) + "\n" }
        let deep = String(repeating: "[", count: 100_000)
        let wrong: [(String, String)] = [
            ("", "line 1"), (good.dropLast().joined(), "line 7"), (good.dropFirst().joined(), "line 1"),
            (good.joined() + good[1], "line 8"), (String(good.joined().dropLast(1)), "line 7"),
            (good[0] + deep + "\n", "line 2"), (good[0] + "{\"kind\":\"dose\",\"row\":1}\n", "line 2"),
            (good[0] + "\u{0}\n", "line 2"), (good[0] + "[]\n", "line 2"), (good[0] + good[0], "line 2"),
            (good[0] + String(repeating: "x", count: 1 << 21) + "\n", "line 2"),
            (good[0] + good[1] + "{\"kind\":\"end\",\"records\":2,\"not_taken\":0}\n", "line 3"),
            (good[0] + "{\"kind\":\"dose\",\"dose\":\"dose1\",\"row\":\"1\",\"at\":9e99}\n", "line 2"),
        ]
        for (text, line) in wrong {
            let error = await failure { try await bench.client.import(try UnixFD.memory(Array(text.utf8))) }
            #expect(
                error?.kind == .invalidInput && error?.message.lowercased().contains("\(line) of") == true,
                "\(text.prefix(80)): \(String(describing: error))")
        }
        let hostile: [ImportEntry] = [
            ImportEntry(.dose(.dose1, amountMilligrams: .max), row: "a", id: "a", at: evening(3), offsetMinutes: .max),
            ImportEntry(.dose(.dose1, amountMilligrams: -1), row: "b", at: evening(3)),
            ImportEntry(.sleepEvent("no such"), row: "c", at: evening(3)),
            ImportEntry(
                .medication(String(repeating: "m", count: 70_000), amountMilligrams: 1), row: "d", at: evening(3)),
            ImportEntry(.checkIn(["sleep_quality": "x"]), row: "e", at: evening(3)),
            ImportEntry(.dose(.dose2, amountMilligrams: nil), row: "f", at: evening(3)),
            ImportEntry(.skip(reason: String(repeating: "r", count: 9_000)), row: "g", at: .max, note: "\u{7}"),
            ImportEntry(.regimen(["medication_id": "xywav", "total": "9999kg"]), row: "h", at: evening(9)),
            ImportEntry(.finalWake, row: "i", at: .min),
        ]
        let report = try await bench.client.import(try ImportLines(entries: hostile).file())
        #expect(report.new == 0 && report.notTaken == hostile.count, "\(report)")
        #expect(try await bench.client.status().window.phase == .noDose1)
        #expect(try await bench.client.find(SessionQuery(limit: 9)).nights.isEmpty)
        try await bench.stop()
    }

    @Test func `R29.9 a list of all rows is written, and the service lives when its reader or writer goes`()
        async throws
    {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let list = UnixFD(owning: open(bench.folder.path("rows.csv"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600))
        var all = lines(nights: 3...4)
        all.lines.append(.notTaken(row: "line 9", reason: "=its time is no time"))
        let report = try await bench.client.import(try all.file(), list: list)
        #expect(report.new == 10 && report.notTaken == 1)
        let text = try String(contentsOfFile: bench.folder.path("rows.csv"), encoding: .utf8)
        let rows = text.split(separator: "\r\n")
        #expect(rows.count == 12 && rows[0] == "row,kind,time,night,outcome,flags,reason")
        #expect(rows.contains { $0.hasPrefix("line 9,not_taken,") && $0.contains("'=its time") })
        // A writer that goes away leaves a stream that is cut off.
        let reader = try {
            let ends = try UnixFD.pipe()
            _ = "{".withCString { Glibc.write(ends.writing.rawValue, $0, 1) }
            return ends.reading
        }()
        #expect(await failure { try await bench.client.import(reader) }?.kind == .invalidInput)
        #expect(try await bench.client.status().window.phase == .noDose1)
        try await bench.stop()
    }

    @Test func `R29.10 doses go on while years are imported`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": "UTC"])
        let years = try lines(nights: 3...1_200).file()
        let done = Recorder<Bool>()
        let importing = Task {
            defer { done.append(true) }
            return try await bench.client.import(years)
        }
        var slowest: Duration = .zero
        let clock = ContinuousClock()
        for _ in 0..<20 {
            let begin = clock.now
            try await bench.submit(.logSleepEvent("bathroom")) { $0.at = evening(2) + .minutes(1) }
            slowest = max(slowest, clock.now - begin)
            try await bench.submit(.undo)
            try await Task.sleep(for: .milliseconds(20))
        }
        // A command that records nothing waits for one commit only, so the import comes to its end.
        var longest: Duration = .zero
        while done.elements.isEmpty {
            let begin = clock.now
            try await bench.submit(.logDose(.dose1)) { $0.dryRun = true }
            longest = max(longest, clock.now - begin)
            try await Task.sleep(for: .milliseconds(10))
        }
        let report = try await importing.value
        #expect(report.new == 5 * 1_198)
        #expect(slowest < .seconds(2) && longest < .seconds(5), "\(slowest) \(longest)")
        #expect(try await bench.client.examine(.verify)["ok"] == true)
        try await bench.stop()
    }
}

extension Client {
    /// True when an undo takes back the person's own dose 1, not an imported entry.
    fileprivate func undoesDose1(_ bench: ServiceBench) async throws -> Bool {
        try await bench.submit(.undo)
        return try await status().dose1 == nil
    }
}
