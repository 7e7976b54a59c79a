internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `import`: takes in what other programs recorded.
struct ImportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take in what another program, a device or DoseTap itself recorded.",
        discussion: """
            Sources, and the file each of them has:
              log               what `dosetap export log` wrote
              ios               the iOS app: its database, CSV or bundle
              apple-health      export.xml, or the archive with it
              gadgetbridge      its database, or the archive with it
              sleep-as-android  sleep-export.csv, or the archive with it
              plees             the CSV of Plees Tracker
              fitbit            JSON of the archive or of the Web API, with --zone
              oura              JSON of the API 2, sleep periods

            A file is taken as a whole or not at all. The same file twice changes nothing.
            The open night, and what is younger than 12 hours, is never touched. A dose
            that is on record already stays as it is. --dry-run shows what would change.

            `import list` lists the imports; --take-back takes one back.

            `import log` takes in a log that `dosetap export log` wrote. Where nothing is
            recorded yet it becomes the record, event by event. The log of the same record
            adds what goes on from it. --merge brings in the entries of another record.
            FILE can be - for standard input.

            Example: dosetap import plees plees-tracker.csv --dry-run
            Example: dosetap import fitbit sleep-2026-11-01.json --zone Europe/Berlin
            Example: dosetap import ios dosetap_v2.sqlite --report rows.csv
            Example: dosetap import log dosetap-log.jsonl
            Example: xz -dc dosetap-log.jsonl.xz | dosetap import log -
            Example: dosetap import --take-back 0197dc21-54bd-7469-ac0c-edd499bbd377
            """)

    private static let listing = "list"
    static let sources = ImportSource.allCases.map(\.rawValue)

    @Argument(
        help: ArgumentHelp("Where the file is from, or list.", valueName: "source"),
        completion: .list(Self.sources + [Self.listing]))
    var source: String?
    @Argument(help: ArgumentHelp("The file.", valueName: "file"), completion: .file()) var file: String?
    @Flag(help: "Show what would change, and change nothing.") var dryRun = false
    @Option(
        help: ArgumentHelp("Write each row and what becomes of it into this new file, as CSV.", valueName: "file"),
        completion: .file())
    var report: String?
    @Option(help: ArgumentHelp("The zone of times that say none.", valueName: "zone")) var zone: String?
    @Flag(help: "Bring in the log of another record as entries.") var merge = false
    @Option(name: .customLong("take-back"), help: ArgumentHelp("Take this import back.", valueName: "id")) var unwanted:
        String?
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if let unwanted {
            guard source == nil, report == nil, zone == nil, !merge else {
                throw Failure.usage(tr("--take-back stands alone, or with --dry-run."))
            }
            return try takeBack(unwanted, context)
        }
        guard let source else {
            throw Failure.usage(tr("An import needs a source and a file."), hint: "dosetap import --help")
        }
        if source == Self.listing {
            guard file == nil, !dryRun, report == nil, zone == nil, !merge else {
                throw Failure.usage(tr("'import list' takes nothing else."))
            }
            return try list(context)
        }
        guard Self.sources.contains(source) else {
            throw Failure.unknown(
                tr("source"), source, known: Self.sources, command: "dosetap import", help: "dosetap import --help")
        }
        guard let file else {
            throw Failure.usage(tr("'\(source)' needs a file."), hint: "dosetap import \(source) FILE")
        }
        guard source == ImportSource.log.rawValue else {
            guard !merge else { throw Failure.usage(tr("--merge is for the log of another record.")) }
            return try take(source, file, context)
        }
        guard zone == nil else { throw Failure.usage(tr("A log says its zones: --zone is for other sources.")) }
        try takeLog(file, context)
    }

    private func take(_ source: String, _ path: String, _ context: Context) throws {
        let named = try zoneName(context)
        let words = ["import", source] + (named.map { ["--zone", $0] } ?? [])
        let isDry = dryRun
        try perform(context, lines: { try ImportFilter(arguments: words, context: context).run(on: path) }) {
            try await $0.import($1, zone: named, dryRun: isDry, list: $2)
        }
    }

    private func takeLog(_ path: String, _ context: Context) throws {
        let log = try ImportInput.log(path)
        let (isDry, merges) = (dryRun, merge)
        try perform(context, lines: { log }) { try await $0.importLog($1, merges: merges, dryRun: isDry, list: $2) }
    }

    /// Sends the lines to import and prints the result.
    private func perform(
        _ context: Context, lines: () throws -> UnixFD,
        _ call: @escaping @Sendable (Client, UnixFD, UnixFD?) async throws -> ImportReport
    ) throws {
        let list = try report.map { path throws(Failure) in try OutputFile(path, force: nil) }
        let target = try list?.descriptor()
        let lines = try lines()
        let isDry = dryRun
        let made: ImportReport
        do {
            made = try ServiceLink.run(context) { client in
                try await SlowReplyNotice.wait(for: client, context) { try await call(client, lines, target) }
            }
        } catch {
            var failure = error
            // A file that is none of the source's is no backup, so the hint to choose another backup does not fit.
            if failure.details["option"] == "file", failure.details["fault"] == nil {
                failure.hint = "dosetap import --help"
            }
            throw failure
        }
        try list?.finish()
        let moments = context.moments(in: context.chosenZone ?? context.shownZone())
        let page = context.terminal.page
        context.report(
            made.json,
            text: (isDry ? ImportText.nights(made, page) : []) + ImportText.made(made, moments, page))
        if made.new == 0 { throw ExitCode(ErrorKind.nothingToDo.exitCode) }
    }

    /// Returns the zone for rows without one: the zone of `--zone`, else the one named for all verbs.
    private func zoneName(_ context: Context) throws(Failure) -> String? {
        guard let zone else { return context.chosenZone?.identifier }
        do throws(SystemFault) { return try ZoneFiles().named(zone).identifier } catch {
            throw .zone(zone, error)
        }
    }

    private func takeBack(_ id: String, _ context: Context) throws {
        let isDry = dryRun
        let made: ImportReport
        do {
            made = try ServiceLink.run(context) { client in
                try await SlowReplyNotice.wait(for: client, context) {
                    try await client.takeBackImport(id, dryRun: isDry)
                }
            }
        } catch {
            var failure = error
            if failure.kind == ErrorKind.notFound.word {
                failure.message = tr("There is no import '\(id.prefix(40))' that could be taken back.")
                failure.hint = "dosetap import list"
            }
            throw failure
        }
        context.report(made.json, text: ImportText.takenBack(made))
        if made.new == 0 { throw ExitCode(ErrorKind.nothingToDo.exitCode) }
    }

    private func list(_ context: Context) throws {
        let (imports, zone) = try ServiceLink.ask(context) { client in try await client.imports() }
        context.report(
            ["imports": .array(imports.map { .object($0.json) })],
            text: ImportText.list(imports, context.moments(in: zone), context.terminal.page))
    }
}
