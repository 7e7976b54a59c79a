internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `packet`: the last nights for a clinician, in one signed folder or archive.
struct PacketVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "packet", abstract: "Make a signed packet of the last nights for a clinician.",
        discussion: """
            The packet has one page that sums up, tables for a spreadsheet, FHIR for the
            clinic's programs, and a READ-ME with the commands that check it. It is told
            as by the profile clinic of export: without notes and free text, identifiers
            replaced. Other medicines are left out, too. --with notes,medicines puts
            them in; --with lab adds what the lab answered.

            What is taken out of the last three nights is shown first and asked about. A
            signature shows that nothing was changed since: read its fingerprint out at
            the visit. ssh-keygen, which most machines have, checks it.

            Example: dosetap packet -o for-dr-weiss.zip
            Example: dosetap packet --nights 30 --with medicines -o packet
            """)

    @Option(
        help: ArgumentHelp(
            "The nights of N days, to the newest on record (default: packet.nights, 90).", valueName: "N"))
    var nights: Int?
    @Option(help: ArgumentHelp("The first night: YYYY-MM-DD, yesterday, Mon, 12 Nov.", valueName: "date")) var from:
        String?
    @Option(help: ArgumentHelp("The last night, in the same form.", valueName: "date")) var to: String?
    @Option(
        name: .customLong("with"),
        help: ArgumentHelp(
            "Put in, too, separated by commas: \(Self.parts.joined(separator: ", ")).", valueName: "parts"),
        completion: .list(Self.parts))
    var with: String?
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("The folder to make, or an archive: NAME.zip. Only you can read it.", valueName: "path"),
        completion: .file())
    var output: String?
    @Flag(help: "Replace an existing packet of this name.") var force = false
    @Flag(name: .customLong("yes"), help: "Make it without showing first what it tells.") var yes = false
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    private static let parts = PacketPart.allCases.map(\.rawValue)

    func perform(_ context: Context) throws {
        guard let output, !output.isEmpty else {
            throw Failure.usage(tr("A packet needs a place."), hint: "dosetap packet -o FOLDER")
        }
        let parts = try chosenParts()
        let target = try PacketTarget(output, force: force, line: context.line)
        guard yes || context.canAsk else {
            throw Failure(
                .requiresConfirmation, tr("Nothing was written: what a packet tells is shown before it is written."),
                hint: context.line.again(adding: ["--yes"]))
        }
        let maker = PacketMaker(context: context, span: try span(context), parts: parts)
        let nights = try maker.collected()
        if !yes {
            Output.ask(try maker.preview(of: nights))
            for note in ExportText.notes(nights.report) { Output.ask(tr("note: \(note)") + "\n") }
            Output.ask(PacketText.contents(nights.count, parts, isArchive: target.isArchive))
            Output.ask(ExportText.question)
            guard let answer = readLine(), YesOrNo.isYes(answer) == true else {
                Output.complain(SupportText.notWritten)
                throw ExitCode(Failure.Code.failed)
            }
        }
        let made = try maker.made(of: nights)
        try target.write(made.files)
        var report = made.report
        report.path = target.path
        report.bytes = made.files.reduce(0) { $0 + Int64($1.bytes.count) }
        context.report(report.json, text: PacketText.made(report))
    }

    private func chosenParts() throws(Failure) -> Set<PacketPart> {
        var chosen: Set<PacketPart> = []
        for word in (with ?? "").split(separator: ",", omittingEmptySubsequences: false) where with != nil {
            guard let part = PacketPart(rawValue: String(word)) else {
                throw .unknown(
                    tr("part"), String(word), known: Self.parts, command: "dosetap packet --with",
                    help: "dosetap packet --help")
            }
            chosen.insert(part)
        }
        return chosen
    }

    /// Returns the dates that were named, else a number of days to the newest night, so that one record gives one
    /// packet.
    private func span(_ context: Context) throws -> NightSpan {
        if let nights, !ReportNights.range.contains(nights) {
            throw Failure.usage(tr("--nights goes from 1 to \(ReportNights.range.upperBound)."))
        }
        let span = try NightSpan(from: from, to: to, context)
        guard span == NightSpan() else {
            guard nights == nil else { throw Failure.usage(tr("--nights does not go with --from or --to.")) }
            return span
        }
        let newest = try ServiceLink.run(context, isLast: false) { client in try await NightName.newest(client) }
        // Without a night there may still be recorded sleep.
        guard let newest else { return NightSpan() }
        let count = try nights ?? context.setting(ServiceSettings.packetNights)
        return NightSpan(first: SessionDate(newest.civil.adding(days: 1 - count)), last: newest)
    }
}
