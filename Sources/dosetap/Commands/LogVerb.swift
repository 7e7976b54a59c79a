internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `log dose1|dose2|extra`.
struct LogVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Record a dose.",
        discussion: """
            EVENT is dose1, dose2 or extra. What was really taken can always be
            recorded; where it needs a confirmation, the question says why.

            Example: dosetap log dose2 --ago 5m --amount 2.25g
            """)

    @Argument(help: ArgumentHelp("dose1, dose2 or extra.", valueName: "event"))
    var event: String

    @Option(help: ArgumentHelp("How much: 2.25g, 2250mg or 2250.", valueName: "amount"))
    var amount: String?

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, event: event, amount: amount, recording.choices)
    }

    static func perform(
        _ context: Context, event: String, amount: String?, _ recording: RecordingChoices
    ) throws {
        let kind = try kind(event)
        var request = try recording.request(context)
        request.amountMilligrams = try amount.map(Amount.milligrams)
        try Recorder(context: context).record(.logDose(kind), request)
    }

    /// The dose a word means; blanks, hyphens and case do not matter.
    static func kind(_ word: String) throws(Failure) -> DoseKind {
        let plain = String(word.lowercased().filter { !$0.isWhitespace && $0 != "-" && $0 != "_" })
        switch plain {
        case "dose1", "d1": return .dose1
        case "dose2", "d2": return .dose2
        case "extra", "extradose": return .extra
        default:
            throw .unknown(
                "event", word, known: ["dose1", "dose2", "extra"], command: "dosetap log", help: "dosetap log --help")
        }
    }
}
