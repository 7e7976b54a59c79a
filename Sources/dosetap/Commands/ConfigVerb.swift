internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `config`: the settings.
struct ConfigVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "The settings of the service.",
        discussion: "Example: dosetap config show",
        subcommands: [Show.self, Check.self, Reload.self])

    struct Show: Verb {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "The settings in force and where each comes from.",
            discussion: "Example: dosetap config show")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let settings = try ServiceLink.run(context) { client in try await client.config() }
            context.report(
                ["settings": .array(settings.map(JSONValue.object))],
                text: settings.isEmpty ? ["Every setting has its default."] : settings.map(ConfigVerb.line))
        }
    }

    struct Check: Verb {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Read the settings files and say what is wrong in them.",
            discussion: "Example: dosetap config check")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let complaints = try ServiceLink.run(context) { client in try await client.checkConfig() }
            context.report(
                [
                    "ok": .bool(complaints.isEmpty),
                    "complaints": .array(complaints.map(JSONValue.object)),
                ],
                text: complaints.isEmpty
                    ? ["The settings are well formed."]
                    : complaints.map { SafeText.line($0["text"]?.stringValue ?? "") })
            if !complaints.isEmpty { throw ExitCode(Failure.Code.failed) }
        }
    }

    struct Reload: Verb {
        static let configuration = CommandConfiguration(
            commandName: "reload", abstract: "Let the service read its settings anew.",
            discussion: "Example: dosetap config reload")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            try ServiceLink.run(context) { client in try await client.reload() }
            context.report(["reloaded": .bool(true)], text: ["The settings were read anew."])
        }
    }

    private static func line(_ row: JSONObject) -> String {
        func text(_ value: JSONValue?) -> String {
            SafeText.line(value.map { $0.stringValue ?? $0.serialized() } ?? "")
        }
        let source = row["source"] ?? row["origin"]
        return "\(text(row["key"])): \(text(row["value"]))" + (source.map { "  (\(text($0)))" } ?? "")
    }
}
