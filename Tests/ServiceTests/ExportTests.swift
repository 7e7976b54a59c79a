import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite struct ExportTests {
    /// F_SETPIPE_SZ of fcntl(2).
    private static let setPipeSize: Int32 = 1_031

    /// A service whose night has more entries than fit into one page of a pipe.
    private func bench() async throws -> ServiceBench {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        for word in ["bathroom", "water", "noise", "snack", "dream", "pain"] {
            try await bench.submit(.logSleepEvent(word)) { $0.note = "=2+2, \"so\"" }
        }
        try await bench.submit(.takeMedication("modafinil"))
        return bench
    }

    private func file(_ bench: ServiceBench, _ name: String) -> UnixFD {
        UnixFD(owning: open(bench.folder.path(name), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600))
    }

    private func text(_ bench: ServiceBench, _ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: bench.folder.path(name))), as: UTF8.self)
    }

    /// A small pipe that nobody reads.
    private static func pipe() throws -> (read: UnixFD, write: UnixFD) {
        let (read, write) = try UnixFD.pipe()
        for end in [read, write] { _ = fcntl(end.rawValue, F_SETFL, 0) }
        _ = fcntl(write.rawValue, setPipeSize, 4_096)
        return (read, write)
    }

    /// The value with the keys of its objects in one order, because a D-Bus dictionary has no order.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let object):
            .object(JSONObject(object.entries.sorted { $0.key < $1.key }.map { ($0.key, sorted($0.value)) }))
        case .array(let values): .array(values.map(sorted))
        case .instant(let instant): .string(instant.iso8601)
        default: value
        }
    }

    private func refusal(_ bench: ServiceBench, _ request: ExportRequest, _ target: UnixFD) async -> ErrorKind? {
        do {
            _ = try await bench.client.export(request, into: target)
            return nil
        } catch { return (error as? ServiceError)?.kind }
    }

    @Test func `R27.6 each night is the object that show answers`() async throws {
        let bench = try await bench()
        let report = try await bench.client.export(ExportRequest(.nights), into: file(bench, "nights"))
        let lines = try text(bench, "nights").split(separator: "\n")
        let page = try await bench.client.find(SessionQuery(limit: 30))
        #expect(lines.count == page.nights.count && Int(report.rows) == lines.count && !lines.isEmpty)
        for (line, night) in zip(lines, page.nights.reversed()) {
            let shown = try await bench.client.shown(night.sessionID.text)
            let exported = try JSONValue.parse(String(line))
            #expect(shown.nights.map { Self.sorted(.object($0.json)) } == [Self.sorted(exported)])
        }
        try await bench.stop()
    }

    @Test func `R27.2 R27.3 over the bus: words and options are refused by name, and there must be a record`()
        async throws
    {
        let bench = try await ServiceBench.start()
        let target = file(bench, "log")
        #expect(await refusal(bench, ExportRequest(.log), target) == .nothingToDo)
        try await bench.submit(.logDose(.dose1))
        func error(_ what: String, _ options: VariantEntries) async -> ServiceError? {
            do {
                _ = try await bench.client.call(Contract.Data.export, (what, target, options))
                return nil
            } catch { return error as? ServiceError }
        }
        for what in ["", "table:", "table:plugin_cursors", "table:events", "table:x'; DROP TABLE events", "Log"] {
            let error = await error(what, [:])
            #expect(error?.kind == .invalidInput && error?.details["known"] != nil, "\(what)")
        }
        let date = Variant("2026-01-14")
        for (what, options) in [
            ("log", ["from": date]), ("table:regimens", ["to": date]), ("nights", ["from": Variant("tomorrow")]),
            ("nights", ["exact": Variant("yes")]), ("log", ["more": Variant(true)]),
        ] as [(String, VariantEntries)] {
            #expect(await error(what, options)?.kind == .invalidInput, "\(what)")
        }
        #expect(try text(bench, "log").isEmpty)
        let reading = UnixFD(owning: open(bench.store, O_RDONLY | O_CLOEXEC))
        #expect(await refusal(bench, ExportRequest(.log), reading) == .invalidInput)
        let report = try await bench.client.export(ExportRequest(.log), into: target)
        #expect(try text(bench, "log").split(separator: "\n").count == Int(report.rows) + 2)
        try await bench.stop()
    }

    @Test func `R27.1 R27.2 three exports run at once, doses go on, and who leaves the bus makes room`() async throws {
        let bench = try await bench()
        let loop = try EventLoop.spawn(name: "reader")
        let connection = try await Connection.open(.address(bench.bus.address), on: loop)
        let other = Client(connection)
        let pipes = try (0..<3).map { _ in try Self.pipe() }
        let exports = pipes.map { pipe in
            Task { try await other.export(ExportRequest(.log), into: pipe.write) }
        }
        // An export that has begun to write has its place.
        for pipe in pipes {
            var first: UInt8 = 0
            #expect(read(pipe.read.rawValue, &first, 1) == 1)
        }
        #expect(await refusal(bench, ExportRequest(.log), file(bench, "fourth")) == .busy)
        try await bench.submit(.logSleepEvent("temperature"))
        try await bench.submit(.undo)
        #expect(try await bench.client.status().dose1 != nil)
        await connection.close()
        for export in exports { await #expect(throws: (any Error).self) { try await export.value } }
        loop.stop()
        // The service learns from the bus that the callers are gone.
        var answer: ErrorKind? = .busy
        for _ in 0..<400 where answer == .busy {
            answer = await refusal(bench, ExportRequest(.log), file(bench, "again"))
            if answer == .busy { try await Task.sleep(for: .milliseconds(20)) }
        }
        #expect(answer == nil)
        #expect(try text(bench, "again").hasSuffix("\"}\n"))
        try await bench.stop()
    }

    @Test func `K6 R27.2 a closed pipe ends an export with a report, and the service lives`() async throws {
        let bench = try await bench()
        let (reader, write) = try {
            let ends = try Self.pipe()
            return (try ends.read.take(), ends.write)
        }()
        let export = Task { try await bench.client.export(ExportRequest(.log), into: write) }
        var first: UInt8 = 0
        #expect(read(reader, &first, 1) == 1)
        close(reader)
        #expect(try await export.value.isComplete == false)
        #expect(try await bench.client.export(ExportRequest(.nights), into: file(bench, "nights")).isComplete)
        try await bench.stop()
    }
}
