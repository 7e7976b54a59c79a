internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `reminders`: what is planned tonight, what was told and what became of it.
struct RemindersVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "Tonight's reminders and what became of them.",
        discussion: """
            With --test a channel is tried for real, marked as a test. The channels:
            journal, notification, sound, speech, hook, partner; 'dosetap plugins show ID'
            names those of a plugin.

            Example: dosetap reminders
            """)

    @Option(help: ArgumentHelp("Try this channel, such as sound.", valueName: "channel"))
    var test: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if let test { return try Self.test(test, context) }
        let (reminders, zone) = try ServiceLink.run(context) { client in
            (try await client.reminders(), await context.serviceZone(client))
        }
        context.report(
            ["reminders": .array(reminders.map { .object($0.json) })],
            text: RemindersText.lines(
                reminders, context.moments(in: zone), context.terminal.columns))
    }

    private static func test(_ channel: String, _ context: Context) throws {
        guard (1...32).contains(channel.utf8.count) else {
            throw Failure.usage("A channel is a short word.", hint: "dosetap plugins")
        }
        try ServiceLink.run(context) { client in try await client.test(channel: channel) }
        context.report(
            ["channel": .string(channel), "tested": .bool(true)],
            text: ["A test went out by \(SafeText.line(channel)). Did it reach you?"])
    }
}
