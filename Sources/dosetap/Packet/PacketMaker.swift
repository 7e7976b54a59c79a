internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// Makes the files of a packet (R33). The nights are collected once, so that all files tell the same record. The
/// confined filter makes the files of the nights, and the service signs.
struct PacketMaker {
    let context: Context
    let span: NightSpan
    let parts: Set<PacketPart>

    struct File {
        let name: String
        let bytes: [UInt8]
    }

    /// The nights that the service exported, in memory.
    struct Nights {
        let stream: UnixFD
        let report: ExportReport
        /// The number of dates with a night, as the summary counts them: a nap or another entry by day alone is none (R32.5).
        let count: Int
        /// True if a part of the record could not be read. The notes name places of the machine, so no packet has them.
        var isIncomplete: Bool { !report.notes.isEmpty }
    }

    /// The failure of a packet with nothing in it.
    static var isEmpty: Failure {
        Failure(.nothingToDo, tr("The record has nothing for a packet of these dates."), hint: "dosetap history")
    }

    private static let profile = ExportProfile.clinic

    func collected() throws -> Nights {
        let stream = try Self.memory()
        let answer = try ServiceLink.run(context, isLast: false) { client in try await client.regimen() }
        let regimens = JSONValue.object(["history": answer["history"] ?? .array([])]).serialized() + "\n"
        guard PipeEnd.write(regimens, to: stream.rawValue) else { throw Self.noMemory }
        let request = ExportRequest(.nights, span: span)
        let report = try Export(request, context).made(into: UnixFD(duplicating: stream.rawValue), isLast: false)
        guard report.isComplete, report.bytes > 0 else {
            for note in ExportText.notes(report) { context.notice(note) }
            throw Self.isEmpty
        }
        guard !report.isMoved else { throw Failure(.internal, PacketText.moved, hint: tr("try it again")) }
        return Nights(stream: stream, report: report, count: try Self.nights(in: stream))
    }

    /// Counts the dates with a night.
    private static func nights(in stream: UnixFD) throws -> Int {
        guard let bytes = MemoryFile.read(stream.rawValue, limit: .max) else { throw noMemory }
        var dates: Set<SessionDate> = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            // The filter refuses a line that cannot be read.
            guard let object = try? JSONValue.parse(line).objectValue else { continue }
            var records: [NightRecord]?
            // A line of the regimens has neither.
            if object["session_id"] != nil {
                records = try? [NightRecord(json: object)]
            } else if object["nights"] != nil {
                records = try? ShownNights(json: object).nights
            }
            for record in records ?? [] where record.isNight { dates.insert(record.summary.sessionDate) }
        }
        return dates.count
    }

    /// Returns the preview of what is taken out of the last nights.
    func preview(of nights: Nights) throws -> String {
        String(decoding: try filtered("fhir", nights, ["--preview"]), as: UTF8.self)
    }

    /// Makes and signs the files, in the order in which they are listed.
    func made(of nights: Nights) throws -> (files: [File], report: PacketReport) {
        let signer = try ServiceLink.run(context, isLast: false) { client in try await client.packetSigner() }
        var report = PacketReport(
            nights: nights.count, first: try firstKept(span.first), last: span.last, profile: Self.profile,
            parts: PacketPart.allCases.filter(parts.contains), signer: signer, sequence: nights.report.sequence,
            hash: nights.report.hash)
        report.notes += ExportText.notes(nights.report) + PacketText.notes(of: signer)
        let summary = File(
            name: PacketFile.summary.rawValue, bytes: try filtered("summary", nights, facts(report, nights)))
        let printed = try printed(summary, &report.notes)
        var tables =
            [summary] + printed + [
                File(name: PacketFile.nights.rawValue, bytes: try filtered("nights-csv", nights)),
                File(name: PacketFile.doses.rawValue, bytes: try filtered("doses-csv", nights)),
                File(name: PacketFile.bundle.rawValue, bytes: try filtered("fhir", nights)),
            ]
        if parts.contains(.lab) {
            tables.append(
                File(name: PacketFile.lab.rawValue, bytes: Array(PacketText.lab(try answers(of: nights)).utf8)))
        }
        let signerLine = "\(SignerReport.namespace) \(signer.publicKey) dosetap\n"
        let rest: [PacketFile] = [.readMe, .manifest, .signer, .sums, .signature]
        report.files = tables.map(\.name) + rest.map(\.rawValue)
        let manifest = JSONValue.object(manifest(report, tables)).serialized(pretty: true) + "\n"
        let readMe = PacketText.readMe(report, isIncomplete: nights.isIncomplete)
        var files = [File(name: PacketFile.readMe.rawValue, bytes: Array(readMe.utf8))] + tables
        files.append(File(name: PacketFile.manifest.rawValue, bytes: Array(manifest.utf8)))
        files.append(File(name: PacketFile.signer.rawValue, bytes: Array(signerLine.utf8)))
        let sums = String(decoding: try FileStreamFilter.made("sums", of: files), as: UTF8.self)
        let signature = try ServiceLink.run(context) { client in
            try await client.signPacket(sums, by: signer.fingerprint)
        }
        files.append(File(name: PacketFile.sums.rawValue, bytes: Array(sums.utf8)))
        files.append(File(name: PacketFile.signature.rawValue, bytes: Array(signature.utf8)))
        return (files, report)
    }

    /// Returns the answers of the lab, from the same record as the nights.
    private func answers(of nights: Nights) throws -> [LabAnswer] {
        let entries = try ServiceLink.run(context, isLast: false) { client in try await client.lab() }
        guard !entries.isEmpty else { return [] }
        let told = try LabRun(context: context).told(isLast: false) { $0.entries = entries }
        // The nights of the lab may be others than those of the packet, so they are read again.
        guard let report = told.report, report.hash == nights.report.hash, !report.isMoved else {
            throw Failure(.internal, PacketText.moved, hint: tr("try it again"))
        }
        return told.answers
    }

    /// Returns the summary as PDF. Without a program that makes it there is only a note.
    private func printed(_ page: File, _ notes: inout [String]) throws -> [File] {
        guard !PDFEngine.found.isEmpty else {
            notes.append(PacketText.unprinted)
            return []
        }
        let target = try Self.memory()
        let complaint = PDFEngine.print(page.bytes, to: target.rawValue) { $0.announce(context) }
        if let complaint {
            notes.append(PacketText.broken(complaint.engine, complaint.said))
            return []
        }
        guard let bytes = MemoryFile.read(target.rawValue, limit: PrintedReport.mostBytes) else { throw Self.noMemory }
        return [File(name: PacketFile.printed.rawValue, bytes: bytes)]
    }

    /// Returns the options for the facts of the summary besides the nights.
    private func facts(_ report: PacketReport, _ nights: Nights) -> [String] {
        var words = ["--made", context.zone().local(context.now).date.iso8601, "--signer", report.signer.fingerprint]
        if let first = report.first { words += ["--first", first.text] }
        if let last = report.last { words += ["--last", last.text] }
        if let lost = report.signer.replaces { words += ["--lost", lost] }
        if nights.isIncomplete { words.append("--incomplete") }
        return words
    }

    /// Returns the later of the date asked for and the first night on record: before that night nothing is missing.
    private func firstKept(_ asked: SessionDate?) throws -> SessionDate? {
        guard let asked else { return nil }
        return try ServiceLink.run(context, isLast: false) { client in
            let before = NightSpan(first: nil, last: SessionDate(asked.civil.adding(days: -1)))
            guard try await client.find(SessionQuery(limit: 1, dates: before)).nights.isEmpty else { return asked }
            var query = SessionQuery(limit: 1_000)
            var first = asked
            while true {
                let page = try await client.find(query)
                if let oldest = page.nights.last { first = oldest.sessionDate }
                guard !page.next.isEmpty, page.next != query.cursor else { return max(asked, first) }
                query.cursor = page.next
            }
        }
    }

    private func manifest(_ report: PacketReport, _ files: [File]) -> JSONObject {
        var object: JSONObject = [
            "packet": 1, "made_at": .instant(context.now), "profile": .string(report.profile.rawValue),
            "with": .array(report.parts.map { .string($0.rawValue) }), "nights": .integer(Int64(report.nights)),
            "from": report.first.map { .string($0.text) } ?? .null,
            "to": report.last.map { .string($0.text) } ?? .null,
            "record": [
                "events": .integer(report.sequence), "head": .string(String(report.hash.prefix(16))),
            ],
        ]
        object["signer"] = .object(report.signer.json.filtered { $0 != "place" && $0 != "new" })
        object["files"] = .array(
            files.map { file in
                ["name": .string(file.name), "bytes": .integer(Int64(file.bytes.count))]
            })
        return object
    }

    /// Returns the output of the filter. Identifiers follow from the record's last event, so that one record gives the
    /// same files. Without the record nobody finds the meaning of an identifier.
    private func filtered(_ format: String, _ nights: Nights, _ more: [String] = []) throws -> [UInt8] {
        let told = PacketPart.allCases.filter(parts.contains).map(\.rawValue).joined(separator: ",")
        let words = [
            format, "--profile", Self.profile.rawValue, "--packet", told, "--salt", "packet \(nights.report.hash)",
        ]
        guard lseek(nights.stream.rawValue, 0, SEEK_SET) == 0 else { throw Self.noMemory }
        var made: [UInt8] = []
        context.handDownLanguage()
        try ExchangeFilter(arguments: words + more).run(from: nights.stream.rawValue) { made += $0 }
        return made
    }

    static var noMemory: Failure {
        Failure(.internal, tr("There is no memory for the packet."), hint: tr("choose fewer nights"))
    }

    static func memory() throws -> UnixFD {
        do throws(SystemFault) { return UnixFD(owning: try MemoryFile.make()) } catch { throw noMemory }
    }
}

/// Runs the filter over whole files.
enum FileStreamFilter {
    /// The most bytes of the output.
    private static let most = 128 << 20

    /// - Parameter word: sums or zip.
    static func made(_ word: String, of files: [PacketMaker.File]) throws -> [UInt8] {
        let target = try PacketMaker.memory()
        try write(word, of: files, to: target.rawValue)
        guard let bytes = MemoryFile.read(target.rawValue, limit: most) else { throw PacketMaker.noMemory }
        return bytes
    }

    static func write(_ word: String, of files: [PacketMaker.File], to target: Int32) throws {
        try ExchangeFilter(arguments: [word]).run(to: target) { stream in
            for file in files {
                guard PipeEnd.write(Array("\(file.name) \(file.bytes.count)\n".utf8) + file.bytes, to: stream) else {
                    return
                }
            }
        }
    }
}

extension JSONObject {
    fileprivate func filtered(_ isWanted: (String) -> Bool) -> JSONObject {
        JSONObject(filter { isWanted($0.key) }.map { ($0.key, $0.value) })
    }
}
