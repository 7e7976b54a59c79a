internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `plugins`: the listeners of the service.
struct PluginsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "The plugins and how they are doing.",
        discussion: "Example: dosetap plugins",
        subcommands: [Enable.self, Disable.self])

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let plugins = try ServiceLink.run(context) { client in try await client.plugins() }
        context.report(
            ["plugins": .array(plugins.map(JSONValue.object))],
            text: Self.lines(plugins, context.terminal.columns))
    }

    struct Enable: Verb {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Switch a plugin on.",
            discussion: "Example: dosetap plugins enable journal")
        @Argument(help: ArgumentHelp("The plugin.", valueName: "id")) var id: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try PluginsVerb.set(id, enabled: true, context) }
    }

    struct Disable: Verb {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Switch a plugin off.",
            discussion: "Example: dosetap plugins disable journal")
        @Argument(help: ArgumentHelp("The plugin.", valueName: "id")) var id: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try PluginsVerb.set(id, enabled: false, context) }
    }

    private static func set(_ id: String, enabled: Bool, _ context: Context) throws {
        let receipt = try ServiceLink.run(context) { client in try await client.setPlugin(id, enabled: enabled) }
        func text(_ key: String) -> String { SafeText.line(receipt[key]?.stringValue ?? "?") }
        let isEnabled = receipt["enabled"]?.boolValue ?? enabled
        let state = "\(SafeText.line(id)) is \(isEnabled ? "on" : "off")"
        context.report(
            receipt,
            text: ["\(state)\(isEnabled == enabled ? "" : ", as \(text("source")) says")."]
                + ["Written to \(text("file"))."])
    }

    private static func lines(_ plugins: [JSONObject], _ columns: Int) -> [String] {
        guard !plugins.isEmpty else { return ["The service has no plugins."] }
        func cells(_ key: String) -> [String] {
            plugins.map { row in SafeText.line(row[key].map { $0.stringValue ?? $0.serialized() } ?? "-") }
        }
        return Table(columns: [
            .init(heading: "Plugin", cells: cells("id")), .init(heading: "State", cells: cells("state")),
            .init(heading: "Behind", cells: cells("lag"), alignsRight: true),
            .init(heading: "Failures", cells: cells("failures"), alignsRight: true),
            .init(heading: "Does", cells: cells("summary")),
            .init(heading: "Last error", cells: cells("last_error")),
        ]).lines(width: columns)
    }
}
