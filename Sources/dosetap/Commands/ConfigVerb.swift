internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `config`: the settings.
struct ConfigVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The settings of the service.",
        discussion: "Example: dosetap config show",
        subcommands: [Show.self, Set.self, Check.self, Reload.self], defaultSubcommand: Show.self)

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List the settings in force and the source of each.",
            discussion: "Example: dosetap config show")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let settings = try ServiceLink.run(context) { client in try await client.config() }
            context.report(
                ["settings": .array(settings.map(JSONValue.object))],
                text: settings.isEmpty ? [tr("Every setting has its default.")] : settings.map(SettingText.line))
        }
    }

    struct Set: Verb {
        static let configuration = CommandConfiguration(
            commandName: "set", abstract: "Change a setting in your own settings file, at once.",
            discussion: """
                Comments and all other settings stay as they are. An environment variable of
                the service wins over the file.

                Example: dosetap config set ladder.partner_after off
                """)
        @Argument(help: ArgumentHelp("The setting, as 'config show' prints it.", valueName: "key")) var key: String
        @Argument(help: ArgumentHelp("Its new value.", valueName: "value")) var value: String
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let receipt = try ServiceLink.run(context) { client in try await client.set(key, to: value) }
            context.report(receipt, text: SettingText.written(receipt))
        }
    }

    struct Check: Verb {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read the settings files and list their errors.",
            discussion: "Example: dosetap config check")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let complaints = try ServiceLink.run(context) { client in try await client.checkConfig() }
            context.report(
                [
                    "ok": .bool(complaints.isEmpty),
                    "complaints": .array(complaints.map(JSONValue.object)),
                ],
                text: SettingText.complaints(complaints))
            if !complaints.isEmpty { throw ExitCode(Failure.Code.failed) }
        }
    }

    struct Reload: Verb {
        static let configuration = CommandConfiguration(
            commandName: "reload", abstract: "Make the service read its settings again.",
            discussion: "Example: dosetap config reload")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            try ServiceLink.run(context) { client in try await client.reload() }
            context.report(["reloaded": .bool(true)], text: [SettingText.read])
        }
    }
}
