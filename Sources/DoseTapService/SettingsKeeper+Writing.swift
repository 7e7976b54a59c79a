internal import DoseTapBusAPI
internal import DoseTapConfig
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// Settings that are changed at run time: written into the person's file, which is then read anew.
extension SettingsKeeper {
    /// Switches a plugin on or off, and writes that into the person's file so that it holds from then on.
    ///
    /// - Throws: ``ServiceError``: `notFound`; `readOnly` when the file was not changed, the plugin is switched all the
    ///   same until the settings are read anew.
    func setPlugin(_ id: String, enabled: Bool) async throws -> JSONObject {
        guard await host?.set(id, enabled: enabled) == true else {
            throw ServiceError(
                .notFound, "There is no plugin '\(id.prefix(40))'.", details: ["plugin": .string(String(id.prefix(40)))]
            )
        }
        let key = "plugins.\(id).enabled"
        do {
            try await offLoop { [files, rules] in try files.set(key, to: enabled ? "true" : "false", rules: rules) }
        } catch {
            let details: JSONObject = [
                "id": .string(id), "enabled": .bool(enabled), "written": .bool(false),
                "file": .string(files.userFile),
            ]
            throw ServiceError(
                .readOnly,
                "The plugin '\(id)' is \(enabled ? "on" : "off") for now, but that was not written down: \(error).",
                details: details)
        }
        // What is stronger than the file, a variable say, goes on deciding.
        _ = try? await reload()
        var receipt = JSONObject()
        receipt["id"] = .string(id)
        receipt["enabled"] = .bool(isEnabled(id))
        receipt["written"] = .bool(true)
        receipt["file"] = .string(files.userFile)
        receipt["source"] = .string(configuration.pluginSources[id]?.description ?? ConfigSource.builtIn.description)
        return receipt
    }

    /// Changes a setting in the person's file.
    ///
    /// - Parameters:
    ///   - key: as ``rows()`` tells.
    ///   - value: text, a truth value or a whole number.
    /// - Throws: ``ServiceError``: `invalidInput` for an unknown key or a value it does not take, nothing is written then;
    ///   `readOnly` when the file was not changed.
    func set(_ key: String, to value: Variant) async throws -> JSONObject {
        let value = value.unwrapped
        let text = value.stringValue ?? value.boolValue.map { "\($0)" } ?? value.integerValue.map { "\($0)" }
        guard let text else {
            throw ServiceError(
                .invalidInput, "The value of '\(key.prefix(60))' is text, true or false, or a whole number.",
                details: ["key": .string(String(key.prefix(60)))])
        }
        do { try await offLoop { [files, rules] in try files.set(key, to: text, rules: rules) } } catch let error
            as ConfigComplaint
        {
            guard error.key == key, error.line == nil else {
                throw ServiceError(
                    .readOnly, "Nothing was changed: \(error).",
                    details: ["key": .string(key), "written": .bool(false)])
            }
            let meant = error.suggestion.map { "; did you mean \($0)?" } ?? "."
            var facts: JSONObject = ["key": .string(String(key.prefix(60)))]
            facts["nearest"] = error.suggestion.map { .array([.string($0)]) }
            throw ServiceError(.invalidInput, "'\(key.prefix(60))': \(error.message)\(meant)", details: facts)
        }
        do { _ = try await reload() } catch let error as ServiceError {
            var error = error
            error.message = "It was written to \(files.userFile). \(error.message)"
            error.details["key"] = .string(key)
            error.details["written"] = .bool(true)
            throw error
        }
        return receipt(of: key)
    }

    private func receipt(of key: String) -> JSONObject {
        var receipt = JSONObject()
        receipt["key"] = .string(key)
        guard let entry = configuration.entries.first(where: { $0.key == key }) else { return receipt }
        receipt["value"] = .string(entry.value.description)
        receipt["night_rule"] = .bool(entry.isNightRule)
        receipt["written"] = .bool(true)
        receipt["file"] = .string(files.userFile)
        receipt["source"] = .string(entry.source.description)
        return receipt
    }
}
