internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `export`: writes out the record, or a part of it.
struct ExportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the log, a table or the nights into a file or a pipe.",
        discussion: """
            \(ExportFormat.all.map(\.help).joined(separator: "\n"))

            Tables: \(ExportContent.tables.joined(separator: ", ")).

            With -o the file is only for you, and has its name once it is complete.
            Without -o it goes to standard output, which must not be a terminal.

            Example: dosetap export csv nights -o nights.csv
            Example: dosetap export csv dose_events --from 2026-01-01 -o doses.csv
            Example: dosetap export log | xz > log.jsonl.xz
            Example: dosetap export fhir --profile clinic -o nights.fhir.json
            """)

    @Argument(
        help: ArgumentHelp("\(ExportFormat.names).", valueName: "format"),
        completion: .list(ExportFormat.all.map(\.name)))
    var format: String
    @Argument(
        help: ArgumentHelp("The table, with csv.", valueName: "table"), completion: .list(ExportContent.tables))
    var name: String?
    @Option(help: ArgumentHelp("The first night: YYYY-MM-DD, yesterday, Mon, 12 Nov.", valueName: "date")) var from:
        String?
    @Option(help: ArgumentHelp("The last night, in the same form.", valueName: "date")) var to: String?
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write it to this file, which only you can read.", valueName: "file"),
        completion: .file())
    var output: String?
    @Flag(help: "With -o: replace an existing file.") var force = false
    @Flag(help: "With csv: leave cells that a spreadsheet would calculate as they are.") var exact = false
    @Option(
        help: ArgumentHelp(
            "With \(ExportFormat.filtered), how much is told: \(Self.profiles.joined(separator: ", ")) "
                + "(default: export.profile, full).",
            valueName: "profile"), completion: .list(Self.profiles))
    var profile: String?
    @Flag(help: "With fhir: a resource a line.") var ndjson = false
    @Flag(name: .customLong("yes"), help: "With --profile: write it without showing first what is taken out.") var yes =
        false
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let format = try ExportFormat.named(format)
        let content = try format.content(name)
        guard !exact || content.isTable else { throw Failure.usage(tr("--exact is for csv.")) }
        guard content.hasDates || from == nil && to == nil else {
            throw Failure.usage(tr("\(name ?? format.name) has no session dates: --from and --to do not go with it."))
        }
        guard output != nil || isatty(STDOUT_FILENO) != 1 else {
            throw Failure.usage(
                tr("An export is not shown on a terminal."),
                hint: "dosetap export \(([format.name] + [name].compactMap(\.self)).joined(separator: " ")) -o FILE")
        }
        guard output != nil || !force && !context.json else {
            throw Failure.usage(tr("\(force ? "--force" : "--json") needs -o FILE."))
        }
        let request = ExportRequest(
            content, span: try NightSpan(from: from, to: to, context), isExact: exact)
        let filtered = try filtered(format, request, context)
        if let filtered {
            let hint = context.line.again(adding: ["--yes"])
            guard try filtered.isWanted(yes, hint: hint) else { throw ExitCode(Failure.Code.failed) }
        }
        guard let output else { return try stream(request, filtered, context) }
        let file = try OutputFile(output, force: force)
        let target = try file.descriptor()
        var report = try filtered?.made(into: target) ?? Export(request, context).made(into: target)
        guard report.isComplete else {
            throw Failure(
                .internal, tr("The export ended before it was complete. No file was made."), hint: tr("try it again"))
        }
        try file.finish()
        report.path = file.path
        context.report(report.json, text: ExportText.made(report))
    }

    private static let profiles = ExportProfile.allCases.map(\.rawValue)

    /// Returns the export by a filter; nil for a format that the service writes itself.
    private func filtered(
        _ format: ExportFormat, _ request: ExportRequest, _ context: Context
    ) throws -> FilteredExport? {
        guard format.isFiltered else {
            guard profile == nil, !ndjson else {
                throw Failure.usage(tr("--profile and --ndjson are for formats that are made of the nights."))
            }
            return nil
        }
        guard !ndjson || format.name == "fhir" else { throw Failure.usage(tr("--ndjson is for fhir.")) }
        let word = try profile ?? context.setting(ServiceSettings.exportProfile)
        guard let profile = ExportProfile(rawValue: word) else {
            throw Failure.unknown(
                tr("profile"), word, known: Self.profiles, command: "dosetap export \(format.name) --profile",
                help: "dosetap export --help")
        }
        return FilteredExport(
            format: format.name, profile: profile, isLines: ndjson, request: request, context: context)
    }

    /// Exports to standard output. Notes go to stderr.
    private func stream(_ request: ExportRequest, _ filtered: FilteredExport?, _ context: Context) throws {
        let target: UnixFD
        do throws(BusError) { target = try UnixFD(duplicating: STDOUT_FILENO) } catch {
            throw Failure.usage(tr("Standard output is closed."))
        }
        let report = try filtered?.made(into: target) ?? Export(request, context).made(into: target)
        for note in ExportText.notes(report) { context.notice(note) }
        // The end of the reader is no success, and no news to it.
        guard report.isComplete else { throw ExitCode(Failure.Code.failed) }
    }
}

/// A format: its name, and the part of the record it is made of.
struct ExportFormat: Sendable {
    let name: String
    /// The description for the help, in a line.
    private let summary: String
    /// The parts that can be chosen; empty if there is no choice.
    private let parts: [String]
    /// True if a filter makes the format of the nights.
    var isFiltered = false
    private let make: @Sendable (_ part: String) -> ExportContent

    static let all = [
        ExportFormat(
            name: "log", summary: tr("every event as recorded, with what is needed to verify it (JSON Lines)"),
            parts: []
        ) { _ in .log },
        ExportFormat(
            name: "csv", summary: tr("a table of the record, or a row a night (csv nights)"),
            parts: ExportContent.tables
        ) { .table($0) },
        ExportFormat(
            name: "fhir", summary: tr("FHIR R4 for a clinic, one bundle"), parts: [], isFiltered: true
        ) { _ in .nights },
        ExportFormat(
            name: "ical", summary: tr("a calendar with a private event for each dose"), parts: [], isFiltered: true
        ) { _ in .nights },
        ExportFormat(
            name: "ios", summary: tr("the bundle that the iOS app's Studio reads (ZIP)"), parts: [], isFiltered: true
        ) { _ in .nights },
    ]

    static var names: String { all.map(\.name).joined(separator: " or ") }

    /// The names of the formats that a filter makes of the nights: `fhir, ical and ios`.
    static var filtered: String {
        let names = all.filter(\.isFiltered).map(\.name)
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    var help: String { "\(name): \(summary)" }

    static func named(_ name: String) throws(Failure) -> ExportFormat {
        guard let format = all.first(where: { $0.name == name }) else {
            throw .unknown(
                tr("format"), name, known: all.map(\.name), command: "dosetap export", help: "dosetap export --help")
        }
        return format
    }

    /// - Parameter part: the table as it was typed.
    func content(_ part: String?) throws(Failure) -> ExportContent {
        guard !parts.isEmpty else {
            guard let part else { return make("") }
            throw .usage(tr("'\(name)' is exported as a whole: '\(part.prefix(40))' does not go with it."))
        }
        guard let part else {
            throw .usage(tr("'\(name)' needs a table."), hint: "known: \(parts.joined(separator: ", "))")
        }
        guard parts.contains(part) else {
            var failure = Failure.unknown(
                tr("table"), part, known: parts, command: "dosetap export \(name)", help: "dosetap export --help")
            failure.details["known"] = .array(parts.map(JSONValue.string))
            if Suggestions.to(part, in: parts).isEmpty { failure.hint = "known: \(parts.joined(separator: ", "))" }
            throw failure
        }
        return make(part)
    }
}

/// The place in a file where an export begins. The export will be the end of that file.
struct FileStart {
    /// The most attempts at an export while the record changes.
    static let attempts = 3

    private let descriptor: Int32
    /// Nil if written bytes cannot be taken back.
    private var place: off_t?

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var status = stat()
        let place = lseek(descriptor, 0, SEEK_CUR)
        guard place >= 0, fcntl(descriptor, F_GETFL) & O_APPEND == 0, fstat(descriptor, &status) == 0,
            status.st_mode & S_IFMT == S_IFREG, status.st_size == place
        else { return }
        self.place = place
    }

    /// Takes back what was written since; returns false if that cannot be done.
    func isTakenBack() -> Bool {
        guard let place else { return false }
        return lseek(descriptor, place, SEEK_SET) == place && ftruncate(descriptor, place) == 0
    }
}

/// One export into a descriptor.
struct Export: Sendable {
    let request: ExportRequest
    let context: Context
    /// The file whose growth shows the progress; nil for the file that the service writes into.
    let growing: Int32?

    init(_ request: ExportRequest, _ context: Context, growing: Int32? = nil) {
        (self.request, self.context, self.growing) = (request, context, growing)
    }

    /// Exports into a descriptor. Nights and tables are exported again if the record moved meanwhile and the written
    /// bytes can be taken back.
    ///
    /// - Parameter isLast: false if another call follows.
    func made(into target: UnixFD, isLast: Bool = true) throws -> ExportReport {
        do {
            return try ServiceLink.run(context, isLast: isLast) { client in
                let start = FileStart(target.rawValue)
                var report = try await once(target, client)
                for _ in 1..<FileStart.attempts where report.isMoved && report.isComplete {
                    guard start.isTakenBack() else { break }
                    report = try await once(target, client)
                }
                return report
            }
        } catch {
            var failure = error
            if failure.kind == ErrorKind.nothingToDo.word { failure.hint = "dosetap" }
            if failure.kind == ErrorKind.noSpace.word { failure.message = ExportText.noSpace }
            throw failure
        }
    }

    private func once(_ target: UnixFD, _ client: Client) async throws -> ExportReport {
        guard isatty(STDERR_FILENO) == 1, !context.quiet else { return try await client.export(request, into: target) }
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let timer = LoopTimer(on: client.connection.loop, clock: .boottime) { _ in tick.yield() }
        try? await timer.arm(after: .seconds(2))
        let telling = Task(executorPreference: client.connection.loop.preference) {
            var isTold = false
            for await _ in ticks {
                var status = stat()
                let isFile = fstat(growing ?? target.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
                // A filter that writes at its end shows no growth before.
                let isShown = isFile && status.st_size > 0
                Output.ask("\r\(ExportText.progress(isShown ? Int64(status.st_size) : nil))")
                isTold = true
                try? await timer.arm(after: .seconds(1))
            }
            if isTold { Output.ask("\n") }
        }
        do {
            let report = try await client.export(request, into: target)
            tick.finish()
            await telling.value
            return report
        } catch {
            tick.finish()
            await telling.value
            throw error
        }
    }
}
