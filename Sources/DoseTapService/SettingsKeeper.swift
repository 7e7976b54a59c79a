internal import DoseTapContract
internal import DoseTapConfig
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// Keeps the active settings. A reload that finds a fault changes nothing: the last good settings stay.
actor SettingsKeeper {
    let files: ConfigFiles
    private let environment: [String: String]
    private let flags: [(key: String, value: String)]
    let rules: ConfigRules
    private let journal: any JournalSink
    private let executor: any SerialExecutor
    private(set) var configuration: Configuration
    private let live: PluginSettings
    private var engine: Engine?
    private(set) var host: PluginHost?
    private var systemEnvironment: LiveSystemEnvironment?
    private var thread: (any FileThread)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - flags: settings of the command line, which win over variables and files.
    ///   - live: the settings as plugins read them; kept equal to the active ones.
    init(
        on executor: any SerialExecutor, _ directories: XDGDirectories, _ environment: [String: String],
        flags: [(key: String, value: String)], live: PluginSettings, journal: any JournalSink
    ) {
        let zones = ZoneFiles()
        self.executor = executor
        self.environment = environment
        self.flags = flags
        self.journal = journal
        self.live = live
        files = ConfigFiles(userFile: directories.userConfig)
        rules = ConfigRules(
            rows: Roster.settings, knownPlugins: Set(Roster.manifests.map(\.id)),
            acceptsZone: { (try? zones.named($0)) != nil })
        configuration = files.start(environment: environment, flags: flags, rules: rules)
        live.replace(configuration.settings)
        Self.log(configuration.complaints, to: journal)
    }

    /// Hands the settings to the parts that need them, and keeps the file if it is in order.
    ///
    /// - Parameter thread: the thread on which files are read, locked, written and flushed from now on.
    func attach(
        _ engine: Engine, _ host: PluginHost, _ systemEnvironment: LiveSystemEnvironment, on thread: any FileThread
    ) async {
        self.thread = thread
        if configuration.complaints.isEmpty { try? await offLoop { [files] in files.keepGood() } }
        self.engine = engine
        self.host = host
        self.systemEnvironment = systemEnvironment
        chooseLanguage()
        await engine.warn(ofSettings: warning)
        await engine.update(backups: backupRule)
        await engine.update(sleepOrder: sleepOrder)
    }

    /// The warning for `status`, as of the last reading of the files.
    var warning: String? { configuration.loss }

    /// Runs work that may wait for a disk on the store's thread.
    private func offLoop<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        guard let thread else { return try work() }
        return try await thread.perform(work)
    }

    var nightRules: NightRules {
        let settings = configuration.settings
        return NightRules(
            targetMinutes: settings[ServiceSettings.targetMinutes],
            snoozeStepMinutes: settings[ServiceSettings.snoozeStepMinutes],
            maximumSnoozes: settings[ServiceSettings.snoozeMax], wake: settings[ServiceSettings.wake],
            prep: settings[ServiceSettings.prep], checkInCutoffHours: settings[ServiceSettings.checkinCutoffHours],
            rolloverHour: settings[ServiceSettings.rolloverHour],
            undoWindowSeconds: settings[ServiceSettings.undoWindowSeconds],
            onceNightly: settings[ServiceSettings.onceNightly])
    }

    var backupRule: BackupRule {
        let settings = configuration.settings
        return BackupRule(
            isOn: settings[ServiceSettings.backups], daily: settings[ServiceSettings.dailyBackups],
            weekly: settings[ServiceSettings.weeklyBackups])
    }

    var sleepEvents: SleepEventCatalogue { configuration.settings[ServiceSettings.sleepEvents] }

    var medications: MedicationCatalogue { configuration.settings[ServiceSettings.medications] }

    /// Sources of recorded sleep, the preferred one first.
    var sleepOrder: [String] { configuration.settings[ServiceSettings.sleepSources].names }

    /// The zone to use instead of the machine's.
    var timeZone: String? {
        let name = configuration.settings[ServiceSettings.timeZone]
        return name.isEmpty ? nil : name
    }

    /// The only place of the key of an encrypted record; nil for all.
    var keyPlace: KeyPlace? { KeyPlace(rawValue: configuration.settings[ServiceSettings.keyPlace]) }

    /// The clock style; nil for the locale's.
    var clockStyle: ClockStyle? { ClockStyle(rawValue: configuration.settings[ServiceSettings.clock]) }

    /// The language; nil for the locale's.
    var language: Language? { Language(rawValue: configuration.settings[ServiceSettings.language]) }

    /// Chooses the language for the person: that of the settings, else the locale's.
    private func chooseLanguage() {
        Speech.addressPerson(in: language ?? .ofLocale { environment[$0] })
    }

    /// Returns true unless a plugin is switched off.
    func isEnabled(_ plugin: String) -> Bool { configuration.settings.plugins[plugin] ?? true }

    /// Every setting: key, value, source, default, range.
    func rows() -> [JSONObject] {
        configuration.entries.map { entry in
            var row = JSONObject()
            row["key"] = .string(entry.key)
            row["value"] = .string(entry.value.description)
            row["source"] = .string(entry.source.description)
            row["default"] = entry.defaultValue.map { .string($0.description) }
            row["range"] = .string(entry.range)
            row["night_rule"] = .bool(entry.isNightRule)
            row["locked"] = .bool(entry.isLocked)
            row["summary"] = .string(entry.summary)
            return row
        }
    }

    /// Faults of the files as they are now.
    func complaints() async throws -> [JSONObject] {
        let found = try await offLoop { [files, environment, flags, rules] in
            files.load(environment: environment, flags: flags, rules: rules).complaints
                + ConfigLayer.unknownVariables(environment, rules: rules)
        }
        return found.map { complaint in
            var row = JSONObject()
            row["source"] = .string(complaint.source.description)
            row["line"] = complaint.line.map { .integer(Int64($0)) }
            row["column"] = complaint.column.map { .integer(Int64($0)) }
            row["key"] = complaint.key.map(JSONValue.string)
            row["message"] = .string(complaint.message)
            row["suggestion"] = complaint.suggestion.map(JSONValue.string)
            row["text"] = .string(complaint.description)
            return row
        }
    }

    /// Reads the files again.
    ///
    /// - Throws: ``ServiceError`` with the first complaint; the settings stay as they were.
    func reload() async throws -> JSONObject {
        let new = try await offLoop { [files, environment, flags, rules] in
            let new = files.load(environment: environment, flags: flags, rules: rules)
            if new.complaints.isEmpty { files.keepGood() }
            return new
        }
        configuration = configuration.reloaded(with: new)
        await engine?.warn(ofSettings: warning)
        if let first = configuration.complaints.first {
            Self.log(configuration.complaints, to: journal)
            throw ServiceError(
                .invalidInput, sent("The settings were not taken over: \(first.description)."),
                details: ["complaints": .integer(Int64(configuration.complaints.count))])
        }
        await engine?.update(rules: nightRules)
        await engine?.update(sleepEvents: sleepEvents)
        await engine?.update(medications: medications)
        await engine?.update(backups: backupRule)
        await engine?.update(sleepOrder: sleepOrder)
        systemEnvironment?.prefer(zone: timeZone, clock: clockStyle)
        chooseLanguage()
        live.replace(configuration.settings)
        for id in rules.knownPlugins ?? [] { _ = await host?.set(id, enabled: isEnabled(id)) }
        var receipt = JSONObject()
        receipt["settings"] = .integer(Int64(configuration.entries.count))
        return receipt
    }

    private static func log(_ complaints: [ConfigComplaint], to journal: any JournalSink) {
        for complaint in complaints {
            journal.send(
                .configRefused, complaint.description, [("DOSETAP_COMPLAINT", complaint.description)], .warning)
        }
    }
}

/// A thread that may wait for files (the store's), so that a lock or a disk never blocks the loop.
protocol FileThread: Sendable {
    /// Runs work on the thread, in its turn.
    func perform<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer
}

/// Changes of settings at run time: written into the person's file, which is then read anew.
extension SettingsKeeper {
    /// Switches a plugin on or off in the person's file.
    ///
    /// - Throws: ``ServiceError``: `notFound`; `readOnly` if a policy decides, without any change; `readOnly` also if the file
    ///   cannot be changed. In that case the plugin is switched all the same until the settings are read anew.
    func setPlugin(_ id: String, enabled: Bool) async throws -> JSONObject {
        if configuration.pluginSources[id]?.isLock == true { throw locked("plugins.\(id).enabled") }
        guard await host?.set(id, enabled: enabled) == true else {
            throw ServiceError(
                .notFound, sent("There is no plugin '\(id.prefix(40))'."),
                details: ["plugin": .string(String(id.prefix(40)))]
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
                enabled
                    ? sent(
                        "The plugin '\(id)' is on until the settings are read again. The file was not written: \(error)."
                    )
                    : sent(
                        "The plugin '\(id)' is off until the settings are read again. The file was not written: \(error)."
                    ),
                details: details)
        }
        // A stronger source than the file, such as a variable, stays in force.
        let isRead = (try? await reload()) != nil
        var receipt = JSONObject()
        receipt["id"] = .string(id)
        // A fault in another file keeps the settings from being read; the plugin is switched all the same.
        receipt["enabled"] = .bool(isRead ? isEnabled(id) : enabled)
        receipt["written"] = .bool(true)
        receipt["file"] = .string(files.userFile)
        receipt["source"] = .string(configuration.pluginSources[id]?.description ?? ConfigSource.builtIn.description)
        return receipt
    }

    /// Changes one setting in the person's file.
    ///
    /// - Parameters:
    ///   - key: a key of ``rows()``.
    ///   - value: text, a truth value or a whole number.
    /// - Throws: ``ServiceError``: `invalidInput` for an unknown key or a wrong value, without any change; `readOnly` if a
    ///   policy decides or the file was not changed; the error of ``reload()`` with `written` if the change was written but not
    ///   taken over.
    func set(_ key: String, to value: Variant) async throws -> JSONObject {
        let plugin = key.split(separator: ".")
        let isPluginLocked =
            plugin.count == 3 && plugin[0] == "plugins" && plugin[2] == "enabled"
            && configuration.pluginSources[String(plugin[1])]?.isLock == true
        if configuration.sources[key]?.isLock == true || isPluginLocked { throw locked(key) }
        let value = value.unwrapped
        let text = value.stringValue ?? value.boolValue.map { "\($0)" } ?? value.integerValue.map { "\($0)" }
        guard let text else {
            throw ServiceError(
                .invalidInput, sent("The value of '\(key.prefix(60))' is text, true or false, or a whole number."),
                details: ["key": .string(String(key.prefix(60)))])
        }
        do { try await offLoop { [files, rules] in try files.set(key, to: text, rules: rules) } } catch let error
            as ConfigComplaint
        {
            guard error.key == key, error.line == nil else {
                throw ServiceError(
                    .readOnly, sent("Nothing was changed: \(error)."),
                    details: ["key": .string(key), "written": .bool(false)])
            }
            var facts: JSONObject = ["key": .string(String(key.prefix(60)))]
            facts["nearest"] = error.suggestion.map { .array([.string($0)]) }
            let name = key.prefix(60)
            throw ServiceError(
                .invalidInput,
                error.suggestion.map { sent("'\(name)': \(error.message); did you mean \($0)?") }
                    ?? "'\(name)': \(error.message).",
                details: facts)
        }
        do { _ = try await reload() } catch let error as ServiceError {
            var error = error
            error.message = sent("It was written to \(files.userFile). \(error.message)")
            error.details["key"] = .string(key)
            error.details["written"] = .bool(true)
            throw error
        }
        return receipt(of: key)
    }

    /// Returns the error for a setting that the machine's policy decides (R37.3).
    private func locked(_ key: String) -> ServiceError {
        ServiceError(
            .readOnly, sent("Nothing was changed: the policy of this machine, \(files.policyFile), sets \(key)."),
            details: ["key": .string(key), "locked": .bool(true), "written": .bool(false)])
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
