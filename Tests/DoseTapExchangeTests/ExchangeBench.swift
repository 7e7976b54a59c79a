import DoseTapDomain
import DoseTapExchange
import DoseTapTestSupport
import Foundation
import Testing

/// Streams of nights, and the files that the filter makes of them.
enum ExchangeBench {
    /// The project's folder.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL
    /// The independent reader, which shares no code with the program.
    static let checker = root.appendingPathComponent("Tests/Support/exchange_check.py").path
    /// The Python with fhir.resources and icalendar, where Contrib/test made it.
    static let python = root.appendingPathComponent(".build/python/bin/python3").path
    static let hasModels = FileManager.default.isExecutableFile(atPath: python)

    /// The built program, in the same folder as this test program.
    static let program: String = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("dosetap-exchange").path
    }()

    /// An identity that the tests share, so that their outputs can be compared.
    static let identity = Identity(salt: Array(repeating: 7, count: 32))

    static func make(
        _ format: Format, _ stream: String, profile: ExportProfile = .full, isLines: Bool = false,
        identity: Identity = identity
    ) throws -> String {
        String(
            decoding: try bytes(format, stream, profile: profile, isLines: isLines, identity: identity), as: UTF8.self)
    }

    static func bytes(
        _ format: Format, _ stream: String, profile: ExportProfile = .full, isLines: Bool = false,
        identity: Identity = identity
    ) throws -> [UInt8] {
        let run = try ExchangeRun(format, profile: profile, isLines: isLines, identity: identity)
        var written: [UInt8] = []
        var output = Output { bytes in
            written += bytes
            return 0
        }
        try run.write(LineReader(Array(stream.utf8)), to: &output)
        return written
    }

    /// The resources of a FHIR file, which has one on each line.
    static func resources(_ stream: String, profile: ExportProfile = .full) throws -> [JSONValue] {
        try make(.fhir, stream, profile: profile, isLines: true).split(separator: "\n").map {
            try JSONValue.parse(String($0))
        }
    }

    /// Checks that the independent reader finds no fault in a file and the nights that it was made of.
    static func check(
        _ kind: String, _ file: [UInt8], _ stream: String?, profile: ExportProfile = .full, models: Bool = false
    ) throws {
        let said = try verdict(kind, file, stream, profile: profile, models: models)
        #expect(said.hasPrefix("ok "), "\(said)")
    }

    /// The verdict of the independent reader on a file: `ok` with counts, or the faults.
    static func verdict(
        _ kind: String, _ file: [UInt8], _ stream: String?, profile: ExportProfile = .full, models: Bool = false
    ) throws -> String {
        let scratch = try ScratchFolder()
        try Data(file).write(to: URL(fileURLWithPath: scratch.path("file")))
        var words = [models ? python : "python3", checker, kind, scratch.path("file")]
        if let stream {
            try Data(stream.utf8).write(to: URL(fileURLWithPath: scratch.path("nights")))
            words.append(scratch.path("nights"))
        }
        let outcome = try TestProgram.run(words + ["--profile", profile.rawValue] + (models ? ["--models"] : []))
        return outcome.status == 0 ? outcome.text : "wrong: \(outcome.text)\(outcome.errors)"
    }

    // MARK: Streams

    /// A stream of random nights, with the entries that belong to no night.
    static func random(seed: UInt64, steps: Int = 160) -> String {
        var history = RandomHistory(seed: seed)
        for _ in 0..<steps { _ = history.step() }
        return stream(history.logState)
    }

    /// The lines that the service would write for a log.
    static func stream(_ log: LogState) -> String {
        var lines: [JSONObject] = [["history": .array(regimens(log).map(JSONValue.object))]]
        let active = log.standalone.filter { $0.isActive && EntityType.shownInNight.contains($0.entity) }
        var told: Set<EventID> = []
        for (place, session) in log.sessions.sorted(by: { $0.start < $1.start }).enumerated() {
            let own = place == 0 ? active : []
            told.formUnion(own.map(\.id))
            let night = NightRecord(session, standalone: own.filter { $0.entity != .inventory })
            // A line of the service is a night. A line of the command has further keys around the night.
            lines.append(place.isMultiple(of: 2) ? night.json : ["nights": [.object(night.json)]])
        }
        return lines.map { JSONValue.object($0).serialized() + "\n" }.joined()
    }

    private static func regimens(_ log: LogState) -> [JSONObject] {
        log.standalone.filter { $0.isActive && $0.entity == .regimen }.reversed().map { entry in
            var object = entry.metadata
            object["id"] = .string(entry.id.text)
            object["recorded_at"] = .instant(entry.event.occurredAt)
            if object["until"] == nil { object["until"] = .null }
            return object
        }
    }
}
