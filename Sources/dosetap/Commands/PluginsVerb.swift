internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `plugins`: the listeners of the service.
struct PluginsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "plugins", abstract: "List the plugins and the state of each.",
        discussion: "Example: dosetap plugins",
        subcommands: [Show.self, Enable.self, Disable.self])

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let plugins = try ServiceLink.run(context) { client in try await client.plugins() }
        context.report(
            ["plugins": .array(plugins.map(JSONValue.object))],
            text: Self.lines(plugins, context.terminal.columns))
    }

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print the state, the channels and the settings of one plugin.",
            discussion: "Example: dosetap plugins show alarm")
        @Argument(help: ArgumentHelp("The plugin.", valueName: "id")) var id: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let (plugins, settings) = try ServiceLink.run(context) { client in
                (try await client.plugins(), try await client.config())
            }
            guard var plugin = plugins.first(where: { $0["id"]?.stringValue == id }) else {
                throw Failure(.notFound, "There is no plugin '\(id.prefix(40))'.", hint: "dosetap plugins")
            }
            let keys = plugin["settings"]?.arrayValue?.compactMap(\.stringValue) ?? []
            let own = settings.filter { keys.contains($0["key"]?.stringValue ?? "") }
            plugin["settings"] = .array(own.map(JSONValue.object))
            context.report(plugin, text: PluginsVerb.lines(plugin, own, context.terminal.columns))
        }
    }

    struct Enable: Verb {
        static let configuration = CommandConfiguration(
            commandName: "enable", abstract: "Turn a plugin on.",
            discussion: "Example: dosetap plugins enable journal")
        @Argument(help: ArgumentHelp("The plugin.", valueName: "id")) var id: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try PluginsVerb.set(id, enabled: true, context) }
    }

    struct Disable: Verb {
        static let configuration = CommandConfiguration(
            commandName: "disable", abstract: "Turn a plugin off.",
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

    private static func lines(_ plugin: JSONObject, _ settings: [JSONObject], _ columns: Int) -> [String] {
        func text(_ key: String) -> String {
            SafeText.line(plugin[key].map { $0.stringValue ?? $0.serialized() } ?? "")
        }
        var lines = SafeText.wrap("\(text("id")): \(text("summary"))", columns: columns, indent: 2)
        lines.append("State: \(text("state")), \(text("lag")) behind, \(text("failures")) failures")
        if !text("last_error").isEmpty {
            lines += SafeText.wrap("Last error: \(text("last_error"))", columns: columns, indent: 2)
        }
        let channels = plugin["channels"]?.arrayValue?.compactMap(\.stringValue).map(SafeText.line) ?? []
        if let first = channels.first {
            lines.append("Channels: \(channels.joined(separator: ", "))")
            lines.append(CommandLineWords.addressed("  Try one: dosetap reminders --test \(first)"))
        }
        guard !settings.isEmpty else { return lines }
        return lines + ["Settings:"] + settings.map { "  " + ConfigVerb.line($0) }
            + [CommandLineWords.addressed("  Change one: dosetap config set KEY VALUE")]
    }
}
