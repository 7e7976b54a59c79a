internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus

/// The `Service` interface: the service itself.
struct ServiceFace: Sendable {
    let engine: Engine
    let host: PluginHost
    let settings: SettingsKeeper
    let doctor: Doctor
    let storePath: String
    let queues: CallQueues

    private typealias Options = [String: Variant]

    /// - Parameter health: kept up to date by whoever serves the interface.
    func interface(_ health: ExportedProperty<String>) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.service, limits: .contract,
            members: [
                .method("Plugins", results: ["plugins"]) { _ -> [WireObject] in
                    await plugins()
                },
                .method("SetPlugin", arguments: ["id", "enabled", "options"], results: ["receipt"]) {
                    (context, id: String, enabled: Bool, options: Options) in
                    try await answer(context, options) { try await settings.setPlugin(id, enabled: enabled) }
                },
                .method("Config", results: ["settings"]) { _ -> [WireObject] in
                    await settings.rows().map(WireObject.init)
                },
                .method("SetConfig", arguments: ["key", "value", "options"], results: ["receipt"]) {
                    (context, key: String, value: Variant, options: Options) in
                    try await answer(context, options) { try await settings.set(key, to: value) }
                },
                .method("CheckConfig", results: ["complaints"]) { context -> [WireObject] in
                    try await queues.machine.perform(context, topic: "complaints", isQuestion: true) {
                        try await settings.complaints().map(WireObject.init)
                    }
                },
                .method("Reload", arguments: ["options"], results: ["receipt"]) { (context, options: Options) in
                    try await answer(context, options) { try await settings.reload() }
                },
                .method("Doctor", results: ["findings"]) { context -> [WireObject] in
                    try await queues.machine.perform(context, topic: "doctor", isWatched: true, isQuestion: true) {
                        await findings()
                    }
                },
                .method("Metrics", results: ["text"]) { _ -> String in
                    await metrics()
                },
                .property(ExportedProperty("Version", Contract.version, change: .constant)), .property(health),
                .property(ExportedProperty("StorePath", storePath, change: .constant)),
            ])
    }

    private func plugins() async -> [WireObject] {
        await host.reports().map { report in
            var object = JSONObject()
            object["id"] = .string(report.manifest.id)
            object["summary"] = .string(report.manifest.summary)
            object["capabilities"] = .array(
                report.manifest.capabilities.map(\.rawValue).sorted().map(JSONValue.string))
            object["channels"] = .array(report.manifest.channels.map(JSONValue.string))
            object["settings"] = .array(report.manifest.settings.map(JSONValue.string))
            object["state"] = .string(report.state.rawValue)
            object["cursor"] = .integer(report.cursor)
            object["lag"] = .integer(report.lag)
            object["failures"] = .integer(Int64(report.failures))
            object["last_error"] = .string(report.lastError)
            return WireObject(object)
        }
    }

    private func findings() async -> [WireObject] {
        await doctor.examine().map { finding in
            var object = finding.json
            if finding.id == "service" { object["version"] = .string(Daemon.version) }
            return WireObject(object)
        }
    }

    private func metrics() async -> String {
        await Metrics(
            engine.status(at: nil), health: engine.health, log: engine.logSize, plugins: host.reports(),
            version: Daemon.version
        ).text
    }

    private func answer(
        _ context: CallContext, _ options: Options, _ act: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            return WireObject(try await queues.machine.perform(context, act))
        } catch { throw ServiceError(error, nil, moments: Moments(zone: .utc)).busError }
    }
}
