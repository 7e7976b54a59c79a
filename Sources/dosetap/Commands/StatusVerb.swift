internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `status`: the state of the night now, at an instant, or at each change.
struct StatusVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print the state of the night, now or at a given time.",
        discussion: """
            The placeholders of --format are {phase} {elapsed} {remaining} {dose1}
            {dose2} {next_reminder} {session_date} {snoozes} {warning}; {{ and }}
            print braces. --follow prints a line for each change until it is
            stopped.

            Example: dosetap status --follow --format '{phase} {remaining}'
            """)

    @Option(
        help: ArgumentHelp("Print the state at this time; in the future: if nothing more is recorded.", valueName: "T"))
    var at: String?

    @Flag(help: "Print a line for each change; on a terminal a bar also counts down.")
    var follow = false

    @Option(help: ArgumentHelp("Print this text, with its placeholders replaced.", valueName: "format"))
    var format: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        try Self.perform(context, at: at, follow: follow, format: format)
    }

    static func perform(_ context: Context, at: String?, follow: Bool, format: String?) throws {
        let format = try format.map(StatusFormat.init)
        if context.json, format != nil { throw Failure.usage(tr("--json and --format exclude each other.")) }
        if follow {
            guard at == nil else { throw Failure.usage(tr("--at and --follow exclude each other.")) }
            return try Follower(context: context, format: format, isBig: false).run()
        }
        let instant = try TimeReading(context).asked(at, "--at")
        let status = try ServiceLink.run(context) { client in try await client.status(at: instant) }
        let moments = context.moments(of: status)
        if let format {
            Output.print(format.text(status, moments))
            return
        }
        context.report(status, text: StatusText(status, moments, context.terminal.page).lines)
    }
}

/// `tonight`: follows the night, with a big countdown.
struct TonightVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "tonight", abstract: "Follow the night: a big countdown, a line per change.",
        discussion: """
            Like status --follow, with a big countdown on a terminal. Stop it with
            Ctrl-C.

            Example: dosetap tonight
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws { try Follower(context: context, format: nil, isBig: true).run() }
}
