internal import DoseTapConfig
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import SDBus

/// Facts of the service for a person who helps. Nothing in the bundle is free text: only words of the contract, counts, and
/// values of settings that cannot be personal, so that nobody has to look for text to hide.
struct SupportBundle: Sendable {
    let engine: Engine
    let host: PluginHost
    let settings: SettingsKeeper
    let doctor: Doctor

    /// Writes the bundle into a file in memory that came with the call.
    ///
    /// - Returns: the receipt.
    func write(to file: UnixFD) async throws -> JSONObject {
        guard MemoryFile.isOne(file.rawValue) else {
            throw ServiceError(
                .invalidInput, "The bundle is written into a file in memory (memfd_create), not into another kind.",
                details: ["option": "file"])
        }
        let bytes = JSONValue.object(await made()).serializedBytes()
        do throws(SystemFault) { try MemoryFile.write(bytes, to: file.rawValue) } catch {
            throw ServiceError(
                .invalidInput, "The file that came with the call cannot be written.", details: ["option": "file"])
        }
        return ["bytes": .integer(Int64(bytes.count))]
    }

    private func made() async -> JSONObject {
        let status = await engine.status(at: nil)
        let log: JSONValue
        do { log = .object(try await engine.shape().json) } catch { log = ["fault": .string(Self.fault(error))] }
        let size = await engine.logSize
        return [
            "service": [
                "version": .string(Release.name), "contract": .integer(Int64(Contract.version)),
                "health": .string(await engine.health), "waiting_events": .integer(Int64(size.waiting)),
                "warnings": .array(status.warnings.map { .string($0.code.rawValue) }),
            ],
            "settings": .array(await settings.impersonal()),
            "doctor": .array(
                await doctor.examine().map { ["id": .string($0.id), "level": .string($0.level.rawValue)] }),
            "plugins": .array(await host.reports().map(Self.described)),
            "log": log,
        ]
    }

    private static func fault(_ error: EngineFailure) -> String {
        if case .store(let error, _) = error { return error.code.rawValue }
        return ErrorKind.internal.word
    }

    private static func described(_ report: PluginReport) -> JSONValue {
        [
            "id": .string(report.manifest.id), "state": .string(report.state.rawValue),
            "cursor": .integer(report.cursor), "lag": .integer(report.lag),
            "failures": .integer(Int64(report.failures)), "has_error": .bool(!report.lastError.isEmpty),
        ]
    }
}

extension SettingsKeeper {
    /// Returns every setting, with its value if that cannot be personal: a number, a truth value, one of a few words, the
    /// default. Times of day, names, texts and paths are left out.
    func impersonal() -> [JSONValue] {
        configuration.entries.map { entry in
            let isWord = entry.range.split(separator: ", ").contains { $0 == entry.value.description }
            let isShown =
                switch entry.value {
                case .integer, .delay, .flag: true
                case .text: isWord || entry.value == entry.defaultValue
                case .clockTime: false
                case .sleepEvents, .medications, .names: entry.value == entry.defaultValue
                }
            return [
                "key": .string(entry.key), "source": .string(entry.source.kind),
                "value": .string(isShown ? entry.value.description : "(not shown)"),
            ]
        }
    }
}

extension ConfigSource {
    /// The kind of source, without a path.
    fileprivate var kind: String {
        switch self {
        case .builtIn: "default"
        case .systemFile: "system file"
        case .userFile: "user file"
        case .environment: "environment"
        case .flag: "option"
        case .policy: "policy"
        }
    }
}
