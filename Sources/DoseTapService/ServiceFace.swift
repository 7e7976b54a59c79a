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

    /// - Parameter health: kept up to date by whoever serves the interface.
    func interface(_ health: ExportedProperty<String>) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.service, limits: .contract,
            members: [
                Contract.Service.plugins.serve { _, _ in await plugins() },
                Contract.Service.setPlugin.serve { context, said in
                    try await answer(context, said.2) { try await settings.setPlugin(said.0, enabled: said.1) }
                },
                Contract.Service.config.serve { _, _ in await settings.rows().map { WireObject($0, .unknown) } },
                Contract.Service.setConfig.serve { context, said in
                    try await answer(context, said.2) { try await settings.set(said.0, to: said.1) }
                },
                Contract.Service.checkConfig.serve { context, _ in
                    try await queues.machine.perform(context, topic: "complaints", isQuestion: true) {
                        try await settings.complaints().map { WireObject($0, .unknown) }
                    }
                },
                Contract.Service.reload.serve { context, options in
                    try await answer(context, options) { try await settings.reload() }
                },
                Contract.Service.doctor.serve { context, _ in
                    try await queues.machine.perform(context, topic: "doctor", isWatched: true, isQuestion: true) {
                        await findings()
                    }
                },
                Contract.Service.metrics.serve { _, _ in await metrics() },
                .property(Contract.Service.version.make(Contract.version)), .property(health),
                .property(Contract.Service.storePath.make(storePath)),
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
            object["settings"] = .array(report.manifest.settings.map { .string($0.key) })
            object["state"] = .string(report.state.rawValue)
            object["cursor"] = .integer(report.cursor)
            object["lag"] = .integer(report.lag)
            object["failures"] = .integer(Int64(report.failures))
            object["last_error"] = .string(report.lastError)
            return WireObject(object, Schemas.pluginReport)
        }
    }

    private func findings() async -> [WireObject] {
        await doctor.examine().map { finding in
            var object = finding.json
            if finding.id == "service" { object["version"] = .string(Daemon.version) }
            return WireObject(object, Finding.description.shape)
        }
    }

    private func metrics() async -> String {
        await Metrics(
            engine.status(at: nil), health: engine.health, log: engine.logSize, plugins: host.reports(),
            version: Daemon.version
        ).text
    }

    private func answer(
        _ context: CallContext, _ options: VariantEntries, _ act: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            return WireObject(try await queues.machine.perform(context, act), .unknown)
        } catch { throw ServiceError(error, nil, moments: Moments(zone: .utc)).busError }
    }
}
