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

    /// - Parameter health: kept up to date by whoever serves the interface.
    func interface(_ health: ExportedProperty<String>) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.service, limits: .contract,
            members: [
                .method("Plugins", results: ["plugins"]) { _ in await plugins() },
                .method("SetPlugin", arguments: ["id", "enabled"]) { (_, id: String, enabled: Bool) in
                    try await setPlugin(id, enabled)
                },
                .method("Config", results: ["settings"]) { _ in await settings.rows().map(AnswerCoding.variants) },
                .method("CheckConfig", results: ["complaints"]) { _ in await settings.complaints() },
                .method("Reload") { _ in try await reload() },
                .property(ExportedProperty("Version", Contract.version, change: .constant)), .property(health),
                .property(ExportedProperty("StorePath", storePath, change: .constant)),
            ])
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

    private func setPlugin(_ id: String, _ enabled: Bool) async throws {
        guard await host.set(id, enabled: enabled) else {
            throw ServiceError(.notFound, "There is no plugin '\(id.prefix(40))'.", hint: "dosetap plugins").busError
        }
    }

    private func reload() async throws {
        do { try await settings.reload() } catch let error as ServiceError { throw error.busError }
    }
}
