internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `reminders`: the planned and the sent reminders of tonight, with their results.
struct RemindersVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "Tonight's reminders and what became of them.",
        discussion: """
            --test really uses a channel, such as notification, sound, speech or partner;
            the message says that it is a test. --test without a channel lists the
            channels.

            Example: dosetap reminders
            """)

    @Option(help: ArgumentHelp("Test this channel, such as sound; without a channel: list them.", valueName: "channel"))
    var test: String?

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if let test { return try Self.test(test, context) }
        let (reminders, zone) = try ServiceLink.ask(context) { client in try await client.reminders() }
        context.report(
            ["reminders": .array(reminders.map { .object($0.json) })],
            text: RemindersText.lines(
                reminders, context.askedStatus.known.map(context.moments(of:)) ?? context.moments(in: zone),
                context.terminal.columns))
    }

    /// Lists the channels of all plugins.
    static func listChannels(_ context: Context) throws {
        let plugins = try ServiceLink.run(context) { client in try await client.plugins() }
        let rows = plugins.flatMap { plugin in
            (plugin["channels"]?.arrayValue?.compactMap(\.stringValue) ?? []).map { ($0, plugin) }
        }
        context.report(
            ["channels": .array(rows.map { ["channel": .string($0.0), "plugin": $0.1["id"] ?? .null] })],
            text: PluginText.channels(rows, context.terminal.page))
    }

    private static func test(_ channel: String, _ context: Context) throws {
        guard (1...32).contains(channel.utf8.count) else {
            throw Failure.usage(tr("A channel is a short word."), hint: "dosetap plugins")
        }
        try ServiceLink.run(context) { client in try await client.test(channel: channel) }
        context.report(
            ["channel": .string(channel), "tested": .bool(true)],
            text: [PluginText.tested(channel)])
    }
}
