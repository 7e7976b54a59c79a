internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// `simulate`: a night that is only imagined, or one that was, on a virtual clock.
struct SimulateVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Simulate a whole night on a virtual clock. Needs no service.",
        discussion: """
            The script runs in the real engine and plugins, with a temporary store. The
            output says which reminders would be sent, and when. A line of a script has a
            time and an event. A time is HH:MM, +150m after dose 1, or an instant. Events
            are log dose1, log dose2, snooze, skip, wake, checkin, undo (--confirm, --ago),
            suspend, crash, reboot, pause, clock, rtc, slew, travel, set, no-notifications
            and no-audio. See dosetap(1).

            Example: dosetap simulate night.txt
            Example: dosetap simulate --night last
            """)

    @Argument(
        help: ArgumentHelp("The script; - is standard input.", valueName: "file"), completion: .file())
    var file: String?

    @Option(
        help: ArgumentHelp("Replay this recorded night instead of a script.", valueName: "date"),
        completion: Completions.nights)
    var night: String?

    @Flag(help: "Print the script of the recorded night instead of running it.") var script = false

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        switch (file, night) {
        case (let file?, nil):
            if script { throw Failure.usage("--script needs --night.", hint: "dosetap simulate --help") }
            try Simulator.run(file: file, context)
        case (nil, let night?):
            let text = try Self.script(of: night, context)
            guard script else { return try Simulator.run(script: text, context) }
            context.report(
                ["script": .string(text)], text: text.split(separator: "\n").map { SafeText.line(String($0)) })
        default:
            throw Failure.usage("Give a script, or --night.", hint: "dosetap simulate --help")
        }
    }

    /// A recorded night as a script.
    private static func script(of night: String, _ context: Context) throws -> String {
        guard !night.isEmpty, night.utf8.count <= 64 else {
            throw Failure.usage("A night is a date or an id.", hint: "dosetap history")
        }
        let (shown, settings) = try ServiceLink.run(context) { client in
            (try await NightName.shown(night, client, context), try await client.config())
        }
        let ladder = AlarmLadder(settings: settings)
        guard let text = shown.nights.first.flatMap({ NightScript.text(replaying: $0, ladder: ladder) }) else {
            throw Failure.usage("There is nothing in that night to replay.", hint: "dosetap history")
        }
        return text
    }
}
