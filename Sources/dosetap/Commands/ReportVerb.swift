internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `report`: the nights as a page of charts and tables.
struct ReportVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Make a page of the nights, with charts and tables.",
        discussion: """
            The report is one file that any browser shows, without a network: intervals,
            nights and naps, weeks, one night in full, and the table of all nights behind
            them. It records and gives no advice.

            --open writes it into your download folder, where any browser may read it, and
            opens it there. --pdf needs weasyprint or chromium. All files are only for you.
            Without any of -o, --open and --pdf it goes to standard output, which must not
            be a terminal.

            Example: dosetap report --open
            Example: dosetap report --nights 365 -o year.html
            Example: dosetap report --profile clinic --pdf nights.pdf
            """)

    @Option(
        help: ArgumentHelp("The nights of the last N days, 1 to 3700 (default: report.nights, 90).", valueName: "N"))
    var nights: Int?
    @Option(help: ArgumentHelp("The first night: YYYY-MM-DD, yesterday, Mon, 12 Nov.", valueName: "date"))
    var from: String?
    @Option(help: ArgumentHelp("The last night, in the same form.", valueName: "date")) var to: String?
    @Option(
        help: ArgumentHelp("How much is told: \(Self.profiles.joined(separator: ", ")).", valueName: "profile"),
        completion: .list(Self.profiles))
    var profile: String?
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write the page to this file.", valueName: "file"), completion: .file())
    var output: String?
    @Flag(help: "Write the page into the download folder and open it in a browser.") var open = false
    @Option(help: ArgumentHelp("Write the report to this file as PDF.", valueName: "file"), completion: .file())
    var pdf: String?
    @Flag(help: "With -o or --pdf: replace an existing file.") var force = false
    @Flag(name: .customLong("yes"), help: "With --profile: write it without showing first what is taken out.") var yes =
        false
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    private static let profiles = ExportProfile.allCases.map(\.rawValue)

    func perform(_ context: Context) throws {
        guard [output != nil, open, pdf != nil].count(where: \.self) <= 1 else {
            throw Failure.usage(tr("-o, --open and --pdf exclude each other."))
        }
        let isStream = output == nil && !open && pdf == nil
        guard !isStream || isatty(STDOUT_FILENO) != 1 else {
            throw Failure.usage(
                tr("A report is not shown on a terminal: add --open, -o FILE or --pdf FILE."),
                hint: "dosetap report --open"
            )
        }
        guard !isStream || !context.json else { throw Failure.usage(tr("--json needs -o FILE, --open or --pdf FILE.")) }
        guard !force || output != nil || pdf != nil else {
            throw Failure.usage(tr("--force needs -o FILE or --pdf FILE."))
        }
        let report = FilteredExport(
            format: "report", profile: try chosenProfile, isLines: false,
            request: ExportRequest(.nights, span: try span(context)), context: context, isWithoutRecord: true)
        guard try report.isWanted(yes, hint: context.line.again(adding: ["--yes"])) else {
            throw ExitCode(Failure.Code.failed)
        }
        if let output {
            let made = try Self.write(report, to: output, force: force)
            context.report(made.json, text: ReportVerbText.made(made))
        } else if open {
            try show(report, context)
        } else if let pdf {
            try PrintedReport(path: pdf, force: force, context: context).make(report)
        } else {
            try stream(report, context)
        }
    }

    private var chosenProfile: ExportProfile {
        get throws(Failure) {
            let word = profile ?? ExportProfile.full.rawValue
            guard let profile = ExportProfile(rawValue: word) else {
                throw .unknown(
                    tr("profile"), word, known: Self.profiles, command: "dosetap report --profile",
                    help: "dosetap report --help")
            }
            return profile
        }
    }

    /// Returns the nights that are asked for: those between two dates, else those of the last days.
    private func span(_ context: Context) throws -> NightSpan {
        guard from == nil && to == nil else {
            guard nights == nil else { throw Failure.usage(tr("--nights and --from or --to exclude each other.")) }
            return try NightSpan(from: from, to: to, context)
        }
        if let nights, !ReportNights.range.contains(nights) {
            throw Failure.usage(tr("--nights goes from 1 to \(ReportNights.range.upperBound)."))
        }
        let count = try nights ?? context.setting(ServiceSettings.reportNights)
        let today = try NightName.date("today", "--to", context)
        return NightSpan(first: SessionDate(today.civil.adding(days: 1 - count)))
    }

    /// Writes the page into a file.
    static func write(_ report: FilteredExport, to path: String, force: Bool) throws -> ExportReport {
        let file = try OutputFile(path, force: force)
        var made = try report.made(into: file.descriptor())
        guard made.isComplete else {
            throw Failure(
                .internal, tr("The report ended before it was complete. No file was made."), hint: tr("try it again"))
        }
        try file.finish()
        made.path = file.path
        return made
    }

    private func show(_ report: FilteredExport, _ context: Context) throws {
        let path = try ViewingPlace.path(report.profile)
        // Only this verb ever writes the file, so an earlier page makes room.
        let made = try Self.write(report, to: path, force: true)
        let isOpened = Launcher.open(path)
        context.report(
            made.json,
            text: ReportVerbText.shown(made, isOpened: isOpened, command: "rm \(CommandLineWords.quoted(path))"))
    }

    private func stream(_ report: FilteredExport, _ context: Context) throws {
        let target: UnixFD
        do throws(BusError) { target = try UnixFD(duplicating: STDOUT_FILENO) } catch {
            throw Failure.usage(tr("Standard output is closed."))
        }
        let made = try report.made(into: target)
        for note in ExportText.notes(made) { context.notice(note) }
        guard made.isComplete else { throw ExitCode(Failure.Code.failed) }
    }
}
