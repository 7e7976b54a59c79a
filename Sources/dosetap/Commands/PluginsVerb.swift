internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

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
            text: PluginText.list(plugins, context.terminal.columns))
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
            context.report(plugin, text: PluginText.one(plugin, own, context.terminal.page))
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
        context.report(receipt, text: PluginText.switched(id, receipt, asked: enabled))
    }
}
