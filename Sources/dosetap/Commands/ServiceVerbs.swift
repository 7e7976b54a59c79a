internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText

/// `doctor`: checks if reminders will get through.
struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check whether reminders can reach you, and what to do.",
        discussion: """
            These parts are checked, each for two seconds at most: bus, service, store,
            plugins, disk, backup, notifications, do-not-disturb, sound, sleep, wake
            timer, battery, lid, clock and session. A second dosetap on this machine is
            named. The exit code is 1 if any part is red, and 6 if no service answers.

            Example: dosetap doctor
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws { try Self.examine(context) }

    /// Checks everything and prints it. A red part makes the exit code 1.
    static func examine(_ context: Context) throws {
        let rows: [JSONObject]
        let others = HelperProgram.others("dosetap").map { path in
            Finding(id: "command", level: .amber, sentence: DoctorText.second(path))
        }
        do { rows = try ServiceLink.run(context) { client in try await client.doctor() } } catch {
            if error.exitCode == Failure.Code.unreachable {
                Self.report(ServiceLink.reach(context).findings + others, context)
                throw ExitCode(error.exitCode)
            }
            // The service of a second version may be the one that cannot open the record.
            guard !others.isEmpty else { throw error }
            Self.report([Finding(id: "service", level: .red, sentence: error.message)] + others, context)
            if context.json { throw ExitCode(error.exitCode) }
            throw error
        }
        let findings = try rows.map { row in
            try Self.compared(Finding(json: row), version: row["version"]?.stringValue)
        }
        if !Self.report(findings + others, context) { throw ExitCode(Failure.Code.failed) }
    }

    /// - Returns: true if nothing is red.
    @discardableResult
    private static func report(_ findings: [Finding], _ context: Context) -> Bool {
        let isReady = !findings.contains { $0.level == .red }
        context.report(
            ["ok": .bool(isReady), "findings": .array(findings.map { .object(AdviceText.complete($0).json) })],
            text: DoctorText.lines(findings, context.terminal.page))
        return isReady
    }

    /// Replaces the finding of a service left over from before an upgrade by one with its version.
    private static func compared(_ finding: Finding, version: String?) -> Finding {
        guard let version, version != Release.name else { return finding }
        return Finding(
            id: finding.id, level: .amber, sentence: tr("dosetapd \(version) answers, this is dosetap \(Release.name)"),
            remedy: .restartService)
    }
}

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
                throw Failure(.notFound, tr("There is no plugin '\(id.prefix(40))'."), hint: "dosetap plugins")
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

/// `metrics`: figures for the monitoring of machines.
struct MetricsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the metrics of the service in OpenMetrics format.",
        discussion: """
            The metrics are times of the night, counts and the state of the plugins. They
            hold no names, amounts or notes. For a collector that reads text files, write
            to a temporary file and rename it.

            Example: dosetap metrics > dosetap.prom.new && mv dosetap.prom.new dosetap.prom
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let text = try ServiceLink.run(context) { client in try await client.call(Contract.Service.metrics, ()) }
        if context.json {
            Output.print(JSONValue.object(["text": .string(text)]).serialized())
        } else {
            Output.put(text)
        }
    }
}
