internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `log`: doses and sleep events.
struct LogVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Record a dose or a sleep event.",
        discussion: """
            Doses: dose1, dose2, extra. A dose that was really taken can always
            be recorded. If a confirmation is needed, the question says why.

            Sleep events:
            \(listed(SleepEventCatalogue.standard.types.map(\.word)))
            and up to \(SleepEventCatalogue.maximumCustom) of your own (setting sleep_events.custom).
            Upper and lower case, blanks and hyphens do not matter: "Lights Out"
            is the same as lights_out.

            Example: dosetap log dose2 --ago 5m --amount 2.25g
            Example: dosetap log bathroom
            """)

    @Argument(help: ArgumentHelp("A dose or a sleep event.", valueName: "event"), completion: Completions.events)
    var event: String

    @Option(help: ArgumentHelp("The amount of a dose: 2.25g, 2250mg or 2250.", valueName: "amount"))
    var amount: String?

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, event: event, amount: amount, recording.choices)
    }

    static func perform(
        _ context: Context, event: String, amount: String?, _ recording: RecordingChoices
    ) throws {
        let command = try command(event)
        var request = try recording.request(context, isOfNight: command.isOfNight)
        if let amount {
            guard case .logDose = command else {
                throw Failure.usage(tr("Only a dose has an amount."), hint: "dosetap log --help")
            }
            try request.take(amount: amount)
        }
        try Recorder(context: context).record(command, request)
    }

    /// Returns the command that a word means. Blanks, hyphens and case do not matter. Only the service knows the sleep
    /// events: a person may have some of their own.
    static func command(_ word: String) throws(Failure) -> Command {
        let plain = String(word.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" })
        switch plain {
        case "dose1", "d1": return .logDose(.dose1)
        case "dose2", "d2": return .logDose(.dose2)
        case "extra", "extradose": return .logDose(.extra)
        case "skip", "skipped", "skipdose", "skipdose2": throw other("skip")
        case "snooze": throw other("snooze")
        default: return .logSleepEvent(word)
        }
    }

    private static func other(_ verb: String) -> Failure {
        .usage(tr("'\(verb)' is a verb of its own."), hint: "dosetap \(verb)")
    }

    /// Returns words in lines that fit a terminal.
    private static func listed(_ words: [String]) -> String {
        SafeText.wrap(words.joined(separator: ", "), columns: 68, indent: 0).joined(separator: "\n")
    }
}
