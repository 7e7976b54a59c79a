import DoseTapDomain
import DoseTapExchange
import DoseTapImporters
import DoseTapTestSupport
import Foundation

/// Files of other programs, and the lines that the filter makes of them.
enum ImportBench {
    static let oracle = ExchangeBench.root.appendingPathComponent("Tests/Support/import_oracle.py").path
    static let berlin = try? Zone(posixRule: "CET-1CEST,M3.5.0,M10.5.0/3")

    static func read(
        _ source: ImportSource, _ file: [UInt8], log: [UInt8]? = nil, zone: Zone? = nil
    ) throws -> [ImportLine] {
        var written: [UInt8] = []
        try ImportRun.write(
            source, ForeignFile(file, log: log.map { ForeignFile($0) }), zone: zone,
            to: Output { bytes in
                written += bytes
                return 0
            })
        return try lines(written)
    }

    static func read(_ source: ImportSource, _ text: String, zone: Zone? = nil) throws -> [ImportLine] {
        try read(source, Array(text.utf8), zone: zone)
    }

    /// The fault that keeps a file from being read; nil if there is none.
    static func fault(_ source: ImportSource, _ file: [UInt8], zone: Zone? = nil) -> ExchangeFault? {
        do {
            _ = try read(source, file, zone: zone)
            return nil
        } catch let fault as ExchangeFault {
            return fault
        } catch {
            return nil
        }
    }

    static func fault(_ source: ImportSource, _ text: String) -> String {
        fault(source, Array(text.utf8)).map { "\($0)" } ?? "no fault"
    }

    /// Reads lines as the service does: a header first, and an end with the right count last.
    static func lines(_ bytes: [UInt8]) throws -> [ImportLine] {
        let lines = try bytes.split(separator: UInt8(ascii: "\n")).map { line in
            guard let object = try JSONValue.parse(line).objectValue else { throw CocoaError(.formatting) }
            return try ImportLine(json: object)
        }
        guard case .header = lines.first, case .end(let count) = lines.last else { throw CocoaError(.formatting) }
        let body = lines.dropFirst().dropLast()
        let refused = body.count { if case .notTaken = $0 { true } else { false } }
        guard count == ImportCount(records: body.count - refused, notTaken: refused) else {
            throw CocoaError(.formatting)
        }
        return lines
    }

    static func sleeps(_ lines: [ImportLine]) -> [ImportedSleep] {
        lines.compactMap { if case .sleep(let sleep) = $0 { sleep } else { nil } }
    }

    static func entries(_ lines: [ImportLine]) -> [ImportEntry] {
        lines.compactMap { if case .entry(let entry) = $0 { entry } else { nil } }
    }

    /// The rows that were not taken, as `row: reason`.
    static func refused(_ lines: [ImportLine]) -> [String] {
        lines.compactMap { if case .notTaken(let row, let reason) = $0 { "\(row): \(reason)" } else { nil } }
    }

    /// A database, made by the program sqlite3.
    static func database(_ sql: String) throws -> [UInt8] {
        let scratch = try ScratchFolder()
        try TestProgram.check(["sqlite3", scratch.path("db"), sql])
        return Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("db"))))
    }

    /// A database and its write-ahead log. Only the log has the second statement.
    static func database(_ sql: String, logged: String) throws -> (file: [UInt8], log: [UInt8]) {
        let scratch = try ScratchFolder()
        let script = """
            import shutil, sqlite3, sys
            path, sql, logged = sys.argv[1:]
            database = sqlite3.connect(path)
            database.executescript(sql)
            database.executescript("PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0;" + logged)
            for part in ("", "-wal"): shutil.copyfile(path + part, path + ".copy" + part)
            """
        try TestProgram.check(["python3", "-c", script, scratch.path("db"), sql, logged])
        func bytes(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path(name))))
        }
        return (try bytes("db.copy"), try bytes("db.copy-wal"))
    }

    /// The notes in the header.
    static func notes(_ lines: [ImportLine]) -> [String] {
        if case .header(let header)? = lines.first { header.notes } else { [] }
    }

    /// A file that the oracle makes.
    static func made(_ kind: String, seed: Int? = nil) throws -> [UInt8] {
        let scratch = try ScratchFolder()
        try TestProgram.check(
            ["python3", oracle, "make", kind, scratch.path("file")] + (seed.map { [String($0)] } ?? []))
        return Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("file"))))
    }

    /// The lines that the oracle prints of a file.
    static func told(_ action: String, _ kind: String, _ file: [UInt8]) throws -> [String] {
        let scratch = try ScratchFolder()
        try Data(file).write(to: URL(fileURLWithPath: scratch.path("file")))
        let outcome = try TestProgram.run(["python3", oracle, action, kind, scratch.path("file")])
        guard outcome.status == 0 else { throw CommandFailure(outcome.errors) }
        return outcome.text.split(separator: "\n").map(String.init)
    }

    struct CommandFailure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    /// Sleeps in the format of the oracle.
    static func told(_ sleeps: [ImportedSleep]) -> [String] {
        sleeps.map { sleep in
            var seconds: [ImportedSleep.Stage: Int] = [:]
            switch sleep.course {
            case .stages(let spans):
                for span in spans { seconds[span.stage, default: 0] += Int((span.end - span.start).wholeSeconds) }
            case .durations(let said): seconds = said
            }
            let words = seconds.filter { $0.value > 0 }.map { "\($0.key.rawValue):\($0.value)" }.sorted()
            return "\(sleep.device ?? "")|\(sleep.start.seconds)|\(sleep.end.seconds)|\(words.joined(separator: " "))"
        }
    }

    /// The stages with the minutes after the start at which they begin and end.
    static func course(_ sleep: ImportedSleep) -> String {
        guard case .stages(let spans) = sleep.course else { return "durations" }
        return spans.map { span in
            "\(span.stage.rawValue) \((span.start - sleep.start).wholeMinutes)–\((span.end - sleep.start).wholeMinutes)"
        }.joined(separator: ", ")
    }
}
