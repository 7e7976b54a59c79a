internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `Service` interface: the service itself.
struct ServiceFace: Sendable {
    let host: PluginHost
    let settings: SettingsKeeper
    let storePath: String

    private typealias Row = [String: Variant]

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.service,
            methods: [
                .init("Plugins", out: ["plugins"]) { (_, _: DBusVoid) in await plugins() },
                .init("SetPlugin", in: ["id", "enabled"]) { (_, arguments: DBusTuple<String, Bool>) in
                    try await setPlugin(arguments)
                },
                .init("Config", out: ["settings"]) { (_, _: DBusVoid) in
                    await settings.rows().map(AnswerCoding.variants)
                },
                .init("CheckConfig", out: ["complaints"]) { (_, _: DBusVoid) in await settings.complaints() },
                .init("Reload") { (_, _: DBusVoid) in try await reload() },
            ],
            properties: [
                .init("Version", Contract.version, changes: .constant), .init("Health", "ok"),
                .init("StorePath", storePath, changes: .constant),
            ], limits: .contract)
    }

    private func plugins() async -> [Row] {
        await host.reports().map { report in
            var object = JSONObject()
            object["id"] = .string(report.manifest.id)
            object["summary"] = .string(report.manifest.summary)
            object["capabilities"] = .array(
                report.manifest.capabilities.map(\.rawValue).sorted().map(JSONValue.string))
            object["state"] = .string(report.state.rawValue)
            object["cursor"] = .integer(report.cursor)
            object["lag"] = .integer(report.lag)
            object["failures"] = .integer(Int64(report.failures))
            object["last_error"] = .string(report.lastError)
            return AnswerCoding.variants(object)
        }
    }

    private func setPlugin(_ arguments: DBusTuple<String, Bool>) async throws -> DBusVoid {
        let (id, enabled) = arguments.elements
        guard await host.set(id, enabled: enabled) else {
            throw ServiceError(.notFound, "There is no plugin '\(id.prefix(40))'.", hint: "dosetap plugins").busError
        }
        return DBusVoid()
    }

    private func reload() async throws -> DBusVoid {
        do { try await settings.reload() } catch let error as ServiceError { throw error.busError }
        return DBusVoid()
    }
}
