internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain

/// The options that the correcting verbs take beside their own.
struct CorrectionOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("Confirm a question in advance; repeatable.", valueName: "kind"))
    var confirm: [String] = []

    @Option(
        help: ArgumentHelp(
            "A key of your own: repeated with the same key, a command records only once.", valueName: "key"))
    var key: String?

    @Flag(name: .customLong("dry-run"), help: "Print what would be recorded, and record nothing.")
    var dryRun = false

    func request(_ context: Context) throws(Failure) -> RequestOptions {
        try RecordingChoices.request(context, confirm: confirm, key: key, dryRun: dryRun)
    }
}

struct UndoVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the newest entry, within a minute after it was recorded.",
        discussion: """
            After the minute use amend or delete. The original stays in the log. An
            undo right after another, or after an entry that was declined, needs a
            confirmation where it would undo a dose.

            Example: dosetap undo
            """)

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Recorder(context: context).record(.undo, try correction.request(context))
    }
}

struct AmendVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "amend", abstract: "Correct the time, the amount or the note of an entry.",
        discussion: """
            ID is dose1 or dose2 of the newest night, "last" for the entry recorded last,
            "last bathroom" for the last entry of a kind, the last four or more characters
            of an id of the newest nights, or the whole id that 'dosetap show' prints.
            A clock time without a date is read in the night of the entry. The original
            stays in the log.

            Example: dosetap amend dose1 --at 22:45
            Example: dosetap amend last bathroom --ago 20m
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: Completions.entries) var id: [String]

    @Option(help: ArgumentHelp("The correct time.", valueName: "T")) var at: String?
    @Option(help: ArgumentHelp("How long ago it really happened, e.g. 20m or 1h30m.", valueName: "duration"))
    var ago: String?
    @Option(help: ArgumentHelp("The correct amount.", valueName: "amount")) var amount: String?
    @Option(help: ArgumentHelp("The new note.", valueName: "text")) var note: String?

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        // The name of the entry takes all words, so also those of a time without quotes.
        if id.count > 1, let failure = Failure.partedTime(context.line) { throw failure }
        let name = try EntryName.text(id, "amend")
        guard at != nil || ago != nil || amount != nil || note != nil else {
            throw Failure.usage(
                tr("Nothing to amend: give --at, --ago, --amount or --note."), hint: "dosetap amend \(name) --at TIME")
        }
        guard at == nil || ago == nil else { throw Failure.usage(tr("--at and --ago exclude each other.")) }
        var request = try correction.request(context)
        if let at {
            let entry = try ServiceLink.run(context, isLast: false) { client in try await client.why(name) }
            request.at = try TimeReading(context).correction(at, "--at", of: entry)
        }
        if let ago { request.at = try RecordingChoices.instant(ago: ago, context) }
        request.isAgo = ago != nil || RecordingChoices.isAgo(at)
        try request.take(amount: amount)
        request.note = note
        try Recorder(context: context).record(.amend(EventID(name)), request)
    }
}

struct DeleteVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete an entry; the original stays in the log.",
        discussion: """
            ID names the entry in the same way as for amend.

            Example: dosetap delete last bathroom --reason "wrong night"
            """)

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: Completions.entries) var id: [String]

    @Option(help: ArgumentHelp("The reason, in your own words.", valueName: "text")) var reason: String?

    @OptionGroup(title: "Recording") var correction: CorrectionOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        var request = try correction.request(context)
        request.reason = reason
        try Recorder(context: context).record(.delete(EventID(try EntryName.text(id, "delete"))), request)
    }
}

/// The name of an entry as the command line has it, in one word or more.
enum EntryName {
    /// - Throws: ``Failure`` for an empty name, and for more than 64 bytes.
    static func text(_ words: [String], _ verb: String) throws(Failure) -> String {
        let text = words.joined(separator: " ")
        guard !text.isEmpty, text.utf8.count <= 64 else {
            throw .usage(tr("An entry is named by 1 to 64 characters."), hint: "dosetap \(verb) --help")
        }
        return text
    }
}
