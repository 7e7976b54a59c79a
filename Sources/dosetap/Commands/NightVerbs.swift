internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain

struct SnoozeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "snooze", abstract: "Postpone the alarm by one step.",
        discussion: """
            A snooze is possible only while the window is open and more than fifteen
            minutes are left.

            Example: dosetap snooze
            """)

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, recording.choices)
    }

    static func perform(_ context: Context, _ recording: RecordingChoices) throws {
        try Recorder(context: context).record(.snooze, try recording.request(context))
    }
}

struct SkipVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "skip", abstract: "Record that dose 2 is skipped, and end its reminders.",
        discussion: "Example: dosetap skip --reason \"window closed\"")

    @Option(help: ArgumentHelp("The reason, in your own words.", valueName: "text"))
    var reason: String?

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, reason: reason, recording.choices)
    }

    static func perform(_ context: Context, reason: String?, _ recording: RecordingChoices) throws {
        var request = try recording.request(context, isOfNight: true)
        request.reason = reason
        try Recorder(context: context).record(.skipDose2, request)
    }
}

struct WakeVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "wake", abstract: "Record the final wake of the night.",
        discussion: "Example: dosetap wake --at 06:50")

    @OptionGroup(title: "Recording") var recording: RecordingOptions
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, recording.choices)
    }

    static func perform(_ context: Context, _ recording: RecordingChoices) throws {
        try Recorder(context: context).record(.logFinalWake, try recording.request(context, isOfNight: true))
    }
}
