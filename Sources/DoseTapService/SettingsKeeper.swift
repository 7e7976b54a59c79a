internal import DoseTapBusAPI
internal import DoseTapConfig
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import SystemdJournal

/// Keeps the settings in force. A reload that finds anything wrong changes nothing: the last good settings stay.
actor SettingsKeeper {
    let files: ConfigFiles
    private let environment: [String: String]
    let rules: ConfigRules
    private let journal: any JournalSink
    private let executor: any SerialExecutor
    private(set) var configuration: Configuration
    private let live: PluginSettings
    private var engine: Engine?
    private(set) var host: PluginHost?
    private var surroundings: SystemSurroundings?
    private var thread: (any FileThread)?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter live: the settings as plugins read them; kept as those in force.
    init(
        on executor: any SerialExecutor, _ directories: XDGDirectories, _ environment: [String: String],
        live: PluginSettings, journal: any JournalSink
    ) {
        let zones = ZoneFiles()
        self.executor = executor
        self.environment = environment
        self.journal = journal
        self.live = live
        files = ConfigFiles(userFile: directories.userConfig)
        rules = ConfigRules(
            rows: Roster.settings, knownPlugins: Set(Roster.manifests.map(\.id)),
            acceptsZone: { (try? zones.named($0)) != nil })
        configuration = files.start(environment: environment, rules: rules)
        live.replace(configuration.settings)
        Self.tell(configuration.complaints, to: journal)
    }

    /// Where changes go.
    ///
    /// - Parameter thread: where files are read, locked, written and flushed from now on.
    func attach(
        _ engine: Engine, _ host: PluginHost, _ surroundings: SystemSurroundings, on thread: any FileThread
    ) async {
        self.thread = thread
        if configuration.complaints.isEmpty { try? await offLoop { [files] in files.keepGood() } }
        self.engine = engine
        self.host = host
        self.surroundings = surroundings
        await engine.warn(ofSettings: warning)
    }

    /// For `status`: known since the files were last read, so that asking costs nothing.
    var warning: String? { configuration.loss.map { "\($0) See: dosetap config check" } }

    /// Does what may have to wait for a disk where nobody waits for it.
    func offLoop<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer {
        guard let thread else { return try work() }
        return try await thread.perform(work)
    }

    /// The rules for a night.
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

    /// The types of sleep events that can be logged.
    var sleepEvents: SleepEventCatalogue { configuration.settings[ServiceSettings.sleepEvents] }

    /// The medicines that can be recorded.
    var medications: MedicationCatalogue { configuration.settings[ServiceSettings.medications] }

    /// The zone to use instead of the machine's.
    var timeZone: String? {
        let name = configuration.settings[ServiceSettings.timeZone]
        return name.isEmpty ? nil : name
    }

    /// How clock times are shown; nil is as the locale has it.
    var clockStyle: ClockStyle? { ClockStyle(rawValue: configuration.settings[ServiceSettings.clock]) }

    /// Whether a plugin runs; unless it is switched off, it does.
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
            row["summary"] = .string(entry.summary)
            return row
        }
    }

    /// What is wrong with the files as they are now.
    func complaints() async throws -> [JSONObject] {
        let found = try await offLoop { [files, environment, rules] in
            files.load(environment: environment, rules: rules).complaints
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

    /// Reads the files anew.
    ///
    /// - Throws: ``ServiceError`` with the first complaint; the settings stay as they were.
    func reload() async throws -> JSONObject {
        let new = try await offLoop { [files, environment, rules] in
            let new = files.load(environment: environment, rules: rules)
            if new.complaints.isEmpty { files.keepGood() }
            return new
        }
        configuration = configuration.reloaded(with: new)
        await engine?.warn(ofSettings: warning)
        if let first = configuration.complaints.first {
            Self.tell(configuration.complaints, to: journal)
            throw ServiceError(
                .invalidInput, "The settings were not taken over: \(first.description).",
                details: ["complaints": .integer(Int64(configuration.complaints.count))])
        }
        await engine?.update(rules: nightRules)
        await engine?.update(sleepEvents: sleepEvents)
        await engine?.update(medications: medications)
        surroundings?.prefer(zone: timeZone, clock: clockStyle)
        live.replace(configuration.settings)
        for id in rules.knownPlugins ?? [] { _ = await host?.set(id, enabled: isEnabled(id)) }
        var receipt = JSONObject()
        receipt["settings"] = .integer(Int64(configuration.entries.count))
        return receipt
    }

    private static func tell(_ complaints: [ConfigComplaint], to journal: any JournalSink) {
        for complaint in complaints {
            journal.send(
                JournalEntry(
                    messageID: JournalMessage.configRefused.rawValue, message: complaint.description,
                    priority: .warning, fields: [("DOSETAP_COMPLAINT", complaint.description)]))
        }
    }
}

/// A thread on which files may be waited for: that of the store, so that the loop never is kept waiting by a lock or a disk.
protocol FileThread: Sendable {
    /// Does it there, in its turn.
    func perform<Answer: Sendable>(_ work: @escaping @Sendable () throws -> Answer) async throws -> Answer
}
