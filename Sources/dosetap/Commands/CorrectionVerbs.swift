internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// What the correcting verbs take beside their own options.
struct CorrectionOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Answer a question in advance; repeatable.", valueName: "kind"))
    var confirm: [String] = []

    @Option(help: ArgumentHelp("Your own key: the same key records only once.", valueName: "key"))
    var key: String?

    @Flag(name: .customLong("dry-run"), help: "Say what would be recorded, record nothing.")
    var dryRun = false

    func request(_ context: Context) throws(Failure) -> RequestOptions {
        try RecordingChoices.request(context, confirm: confirm, key: key, dryRun: dryRun)
    }
}

/// `undo`.
struct UndoVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back the newest entry, within a minute of recording it.",
        discussion: """
            Later use amend or delete. The original stays in the log. A second
            undo that would take back a dose asks first.

            Example: dosetap undo
            """)

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Recorder(context: context).record(.undo, try correction.request(context))
    }
}

/// `amend ID`.
struct AmendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "amend", abstract: "Correct the time, the amount or the note of an entry.",
        discussion: """
            ID is an entry's id as 'dosetap show' prints it. The original stays in the log.

            Example: dosetap amend 019a2f6e-4c1b-7d3a-9e55-6b1f0c2d3e4f --at 22:45
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: Completions.entries) var id: String

    @Option(help: ArgumentHelp("When it really happened.", valueName: "T")) var at: String?
    @Option(help: ArgumentHelp("How much it really was.", valueName: "amount")) var amount: String?
    @Option(help: ArgumentHelp("The note it should have.", valueName: "text")) var note: String?

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard at != nil || amount != nil || note != nil else {
            throw Failure.usage(
                "Nothing to amend: give --at, --amount or --note.",
                hint: "dosetap amend \(CommandLineWords.quoted(id)) --at TIME")
        }
        var request = try correction.request(context)
        request.at = try TimeReading(context).entry(at, "--at")
        try request.take(amount: amount)
        request.note = note
        try Recorder(context: context).record(.amend(EventID(id)), request)
    }
}

/// `delete ID`.
struct DeleteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an entry; the original stays in the log.",
        discussion: "Example: dosetap delete 019a2f6e-4c1b-7d3a-9e55-6b1f0c2d3e4f --reason \"wrong night\"")

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: Completions.entries) var id: String

    @Option(help: ArgumentHelp("Why, in your own words.", valueName: "text")) var reason: String?

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        var request = try correction.request(context)
        request.reason = reason
        try Recorder(context: context).record(.delete(EventID(id)), request)
    }
}
