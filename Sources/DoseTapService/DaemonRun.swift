internal import DoseTapContract
internal import DoseTapDomain
public import DoseTapEngine
internal import DoseTapPlugins
public import DoseTapStore
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import Synchronization
internal import SystemdJournal

/// One run of the daemon: open, serve, wait, stop.
actor DaemonRun {
    let options: DaemonOptions
    let environment: [String: String]
    let journal: any JournalSink
    let loop: EventLoop
    private let desktop = Desktop()
    private let logger: Logger
    /// True if no earlier run of this process found the record locked.
    let isFirst: Bool
    private(set) var keys: KeyKeeper?
    /// True once a locked record was deleted or the service was told to stop. Later events do not reset the flag.
    let isEnding = Atomic(false)
    private let (stops, stopping) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ options: DaemonOptions, _ environment: [String: String], journal: any JournalSink, on loop: EventLoop,
        isFirst: Bool
    ) {
        self.isFirst = isFirst
        self.options = options
        self.environment = environment
        self.journal = journal
        self.loop = loop
        logger = Logger(label: "dosetapd") { label in JournalLogHandler(label: label, sink: journal) }
    }

    func run() async -> Int32 {
        let server = BusServer(on: loop, address, journal: journal, desktop: desktop, logger: logger) { [stopping] in
            stopping.yield()
        }
        do {
            let parts = try await assemble(server)
            return try await live(parts, server)
        } catch {
            return await fail(error, server)
        }
    }

    var address: BusAddress {
        if let peer = options.peer { return .peer(fd: peer, server: true) }
        if let address = options.address { return .address(address) }
        return .session
    }

    // MARK: Assembling

    private struct Parts {
        let engine: Engine
        let encryption: EncryptionService
        let signer: PacketSigner
        let host: PluginHost
        let settings: SettingsKeeper
        let doctor: Doctor
        let systemEnvironment: LiveSystemEnvironment
        let findings: [OpenFinding]
        let remembered: [Event]
        let missing: String?
        let storePath: String
        /// True if keys of a removed record still have to go.
        let hasObsoleteKeys: Bool
        let watches: [any Sendable]
    }

    private func assemble(_ server: BusServer) async throws -> Parts {
        let directories = try XDGDirectories(environment: environment)
        let loop = loop
        // A service for a single caller does not keep the machine awake.
        let system = SystemBus(on: loop, options.peer == nil ? .system : nil)
        let live = PluginSettings()
        let settings = SettingsKeeper(
            on: loop, directories, environment, flags: options.settings, live: live, journal: journal)
        let path = options.store ?? directories.store
        let folder = FilePath.folder(of: path)
        // A path named for one command may be mistyped: no folder is made for it.
        if !isNamed, access(folder, F_OK) == 0 { try SecureDirectory.prepare(folder) }
        var configuration = storeConfiguration(path, directories)
        closeModes(directories, store: path)
        let keys = keyKeeper(.store, directories, settings)
        self.keys = keys
        configuration.key = try await key(of: configuration, keys)
        let store = try Store.openForTheNight(configuration)
        await keys.attach(on: store)
        // The keys are looked for after the opening: only then it is known which keys the record in place needs.
        let obsoleteKeys = await store.obsoleteKeys()
        // A service for a single caller may be the last service ever to run, so it removes the keys now.
        if options.peer != nil { await store.forget(keys.remove(obsolete: obsoleteKeys).gone) }
        let dueFile = isNamed ? nil : DueFile(runtime: directories.runtimeFolder)
        let due = options.peer == nil ? dueFile.map { DueFileKeeper(on: loop, $0, then: server) } : nil
        let isMissing = await store.isImagined
        let systemEnvironment = LiveSystemEnvironment(
            deviceID: store.deviceID, fixed: await settings.timeZone, variable: environment["TZ"],
            clockStyle: await settings.clockStyle)
        let hostTimer = LoopDeadlineTimer(on: loop)
        let host = PluginHost(
            on: loop, timer: hostTimer, systemEnvironment: systemEnvironment, logger: logger,
            failureID: JournalMessage.pluginFailed.rawValue)
        hostTimer.call { Task(executorPreference: loop.preference) { await host.timeCame() } }
        let timer = LoopDeadlineTimer(on: loop)
        let engine = Engine(
            on: loop,
            Engine.Parts(
                store: store, systemEnvironment: systemEnvironment, timer: timer, observer: due ?? server, host: host,
                rules: await settings.nightRules, sleepEvents: await settings.sleepEvents,
                medications: await settings.medications, deliversReminders: options.peer == nil,
                newRecord: isMissing ? path : nil, logger: logger))
        let encryption = EncryptionService(
            engine: engine, store: store, keys: keys, due: due, dueFile: dueFile, path: path)
        let signingKeys = keyKeeper(.signing, directories, settings)
        await signingKeys.attach(on: store)
        let signer = PacketSigner(
            keys: signingKeys, record: directories.config + "/dosetap/packet-signers", thread: store,
            now: { systemEnvironment.clock() })
        await due?.attach(engine, isEncrypted: configuration.key != nil)
        timer.call {
            let clock = systemEnvironment.clock()
            Task.immediate(executorPreference: loop.preference) { await engine.deadlineReached(at: clock) }
        }
        let programs = ProgramRunner(on: loop, desktop: desktop, environment: environment)
        let plugins = await addPlugins(
            to: host, of: engine, settings, live, programs, system, systemEnvironment, directories)
        await settings.attach(engine, host, systemEnvironment, on: store)
        let doctor = Doctor(
            on: loop, desktop: desktop, system: system, plugins: plugins, runner: programs, settings: live,
            service: doctorService(engine, host, settings, encryption, systemEnvironment, folder: folder))
        let clockWatch = try await ClockChangeWatch(on: loop) {
            Task(executorPreference: loop.preference) {
                await engine.deadlineReached()
                await host.timeCame()
            }
        }
        return Parts(
            engine: engine, encryption: encryption, signer: signer, host: host, settings: settings, doctor: doctor,
            systemEnvironment: systemEnvironment,
            findings: await store.openFindings,
            remembered: store.endedBadly ? JournalMemory.events(of: store.deviceID) : [],
            missing: isNamed && isMissing ? path : nil, storePath: path,
            hasObsoleteKeys: options.peer == nil && !obsoleteKeys.isEmpty,
            watches: [clockWatch])
    }

    /// Returns a keeper of keys of this use; its key files lie beside the settings.
    private func keyKeeper(_ use: KeyUse, _ directories: XDGDirectories, _ settings: SettingsKeeper) -> KeyKeeper {
        KeyKeeper(
            on: loop, options.peer == nil ? address : .session, environment, folder: directories.config + "/dosetap",
            chosen: { await settings.keyPlace }, use: use)
    }

    /// Makes the plugins, and gives them to the host with their switches.
    private func addPlugins(
        to host: PluginHost, of engine: Engine, _ settings: SettingsKeeper, _ live: PluginSettings,
        _ programs: ProgramRunner, _ system: SystemBus, _ systemEnvironment: LiveSystemEnvironment,
        _ directories: XDGDirectories
    ) async -> [any Plugin] {
        let folders = PluginEnvironment.Folders(
            hooks: directories.hooks, runtime: options.peer == nil ? directories.runtimeFolder : nil)
        let plugins = Roster.plugins { [loop, journal, desktop] manifest in
            PluginEnvironment(
                loop: loop, clock: systemEnvironment, journal: journal, desktop: desktop, system: system,
                programs: programs, folders: folders, settings: live,
                engine: PluginContext(manifest, engine: engine, host: host))
        }
        var roster: [(plugin: any Plugin, enabled: Bool)] = []
        for plugin in plugins { roster.append((plugin, await settings.isEnabled(type(of: plugin).manifest.id))) }
        await host.take(roster)
        return plugins
    }

    private func storeConfiguration(_ path: String, _ directories: XDGDirectories) -> StoreConfiguration {
        let clock = SystemClock().read()
        var configuration = StoreConfiguration(
            path: path, surface: options.peer == nil ? "service" : Store.commandSurface,
            now: Instant(microseconds: clock.wallMicroseconds), spareFolder: directories.config + "/dosetap")
        configuration.scratchFolders = [environment["XDG_RUNTIME_DIR"], "/tmp"].compactMap { $0 }
        // A question may start the service, but does not make a record.
        configuration.isMadeWithFirstEntry = true
        guard !isNamed else { return configuration }
        let folder = FilePath.folder(of: path)
        configuration.makeFolder = { () throws(StoreError) in
            do throws(SystemFault) { try SecureDirectory.prepare(folder) } catch {
                throw StoreError(folder: folder, error.message, errorNumber: error.underlying)
            }
        }
        return configuration
    }

    /// Returns the questions that the doctor asks this service.
    private func doctorService(
        _ engine: Engine, _ host: PluginHost, _ settings: SettingsKeeper, _ encryption: EncryptionService,
        _ systemEnvironment: LiveSystemEnvironment, folder: String
    ) -> Doctor.Service {
        Doctor.Service(
            isOnBus: options.peer == nil, version: Release.name, folder: folder,
            health: { await engine.health }, settings: { await settings.warning },
            key: { await encryption.lostKey },
            plugins: { await host.reports() }, disabled: { await host.disabled }, clock: { systemEnvironment.clock() },
            backups: { await engine.backupFacts },
            doubt: { await engine.status(at: nil).window.time?.doubtFigures },
            evening: {
                await systemEnvironment.zone().next(
                    settings.nightRules.prep, strictlyAfter: systemEnvironment.clock().wall)
            })
    }

    /// Takes the rights of others to the files away before the files are used, and tells so. Such rights come from a backup
    /// that was unpacked with other permissions, or from a person's change.
    private func closeModes(_ directories: XDGDirectories, store path: String) {
        // A named folder may be the person's home.
        var folders = [directories.config + "/dosetap"]
        var files = Store.files(of: path)
        let backups = FilePath.folder(of: path) + "/backups"
        if path == directories.store { folders += [FilePath.folder(of: path), backups] }
        files += PrivateModes.files(in: backups) { Backup(name: $0) != nil }
        files += PrivateModes.files(in: directories.config + "/dosetap")
        if let runtime = directories.runtimeFolder {
            folders.append(runtime)
            files += PrivateModes.files(in: runtime)
        }
        let found = PrivateModes.repair(files: files, folders: folders)
        guard !found.isEmpty else { return }
        let names = found.map { String($0.path.split(separator: "/").last ?? "") }.joined(separator: ", ")
        let left = found.contains { !$0.isRepaired }
        journal.send(
            .modesClosed,
            left
                ? "Others can read files of the record, and that cannot be changed: \(names)"
                : "Others could read files of the record; they no longer can: \(names)",
            [("DOSETAP_FILES", names), ("DOSETAP_REPAIRED", left ? "0" : "1")], left ? .error : .warning)
    }

    /// Returns the key of an encrypted store, from any place that keeps it; nil for a store without encryption.
    private func key(of configuration: StoreConfiguration, _ keys: KeyKeeper) async throws -> StoreKey? {
        // An unreadable list of a replacement is damage: the night goes on beside the record.
        do { try Store.prepare(configuration) } catch {
            guard error.code == .damaged else { throw error }
        }
        guard let id = EncryptedFile.keyID(of: configuration.path) else { return nil }
        try Cipher.require()
        let key = try await keys.key(id)
        KeyKeeper.hold(key)
        return key
    }

    // MARK: Living

    private func live(_ parts: Parts, _ server: BusServer) async throws -> Int32 {
        let engine = parts.engine
        let signals = try await SignalWatch(on: loop, signals: [SIGTERM, SIGINT, SIGHUP]) { [stopping, loop] number in
            if number == SIGHUP {
                Task(executorPreference: loop.preference) { _ = try? await parts.settings.reload() }
            } else {
                stopping.yield()
            }
        }
        defer { withExtendedLifetime((signals, parts.watches)) {} }
        try await start(parts)
        let queues = CallQueues(on: loop)
        let endpoint = CommandEndpoint(
            engine: engine, systemEnvironment: parts.systemEnvironment, queues: queues,
            doctor: options.peer == nil ? parts.doctor : nil)
        let interfaces = [
            SessionAdapter(endpoint: endpoint).interface(server.properties),
            DiaryAdapter(endpoint: endpoint).interface(server.diary),
            MedicationsAdapter(endpoint: endpoint).interface(server.medications),
            RemindersAdapter(
                engine: engine, host: parts.host, systemEnvironment: parts.systemEnvironment, queues: queues
            ).interface(server.reminders),
            InventoryAdapter(endpoint: endpoint).interface,
            SleepAdapter(endpoint: endpoint).interface,
            LabAdapter(endpoint: endpoint).interface,
            HistoryAdapter(engine: engine, systemEnvironment: parts.systemEnvironment, queues: queues).interface,
            DataAdapter(
                engine: engine, encryption: parts.encryption, signer: parts.signer,
                systemEnvironment: parts.systemEnvironment, queues: queues,
                bundle: SupportBundle(
                    engine: engine, host: parts.host, settings: parts.settings, doctor: parts.doctor),
                journal: journal,
                end: { [stopping, connection = server] in
                    await connection.flush()
                    stopping.yield()
                }
            ).interface,
            ServiceAdapter(
                engine: engine, host: parts.host, settings: parts.settings, doctor: parts.doctor,
                storePath: parts.storePath, queues: queues
            ).interface(server.health),
        ]
        await server.show(await engine.status(at: nil))
        do { try await server.serve(interfaces) } catch {
            await engine.stop()
            throw error
        }
        journal.send(.serviceStarted, "DoseTap is ready", [("DOSETAP_VERSION", Release.name)])
        SystemdNotify.ready(status: "Watching the night")
        let encryption = parts.encryption
        let leaving =
            !parts.hasObsoleteKeys
            ? nil
            : Task(executorPreference: loop.preference) {
                await encryption.removeObsoleteKeys()
            }
        defer { leaving?.cancel() }
        let watchdog = await Watchdog(on: loop) {
            try await engine.ping()
        } isNeeded: {
            await engine.storeIsSilent()
        }
        let comparison =
            options.peer == nil
            ? compareTables(of: engine, isBroken: parts.findings.contains { $0.kind == .brokenChain }) : nil
        let backups = options.peer == nil ? keepBackups(of: engine) : nil
        for await _ in stops { break }
        SystemdNotify.stopping()
        comparison?.cancel()
        backups?.cancel()
        await watchdog?.stop()
        // The engine stops first, so that an entry being recorded is finished and answered.
        let isRecorded = await engine.stop()
        await server.stop()
        journal.send(.serviceStopped, "DoseTap has stopped", [("DOSETAP_REASON", "told to")])
        return isRecorded ? 0 : 1
    }

    /// Compares the tables with the log now and once a day, at the lowest priority. If the chain of the log is broken, the
    /// repair is prepared first.
    private func compareTables(of engine: Engine, isBroken: Bool) -> Task<Void, Never> {
        Task(executorPreference: loop.preference, priority: .utility) { [loop] in
            let (ticks, ticking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let timer = LoopTimer(on: loop, clock: .boottime) { _ in ticking.yield() }
            if isBroken { await engine.makeRepairReady() }
            await engine.keepComparing(ticks: ticks) { try await timer.arm(after: $0) }
            await timer.disarm()
        }
    }

    /// Time after the start before the first look at the backups.
    private static let backupsAfter: Duration = .minutes(5)

    /// Makes a backup whenever one is due, at the lowest priority.
    private func keepBackups(of engine: Engine) -> Task<Void, Never> {
        Task(executorPreference: loop.preference, priority: .utility) { [loop] in
            let (ticks, ticking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let timer = LoopTimer(on: loop, clock: .boottime) { _ in ticking.yield() }
            await engine.keepBackups(first: Self.backupsAfter, ticks: ticks, tick: ticking) {
                try await timer.arm(after: $0)
            }
            await timer.disarm()
        }
    }

    private func start(_ parts: Parts) async throws {
        let zone = parts.systemEnvironment.systemZone()
        // A missing head file is reported, but puts no entry in doubt.
        var findings = parts.findings.map(\.sentence)
        if let missing = parts.missing { findings.append(Engine.noRecord(at: missing)) }
        if zone.isUnknown {
            let why = zone.fault?.message ?? ""
            journal.send(.zoneUnknown, "UTC, zone unknown: \(why)", [("DOSETAP_REASON", why)], .warning)
            findings.append(sent("the time zone is unknown, times are UTC"))
        }
        for finding in parts.findings {
            journal.send(
                .storeRolledBack, finding.sentence,
                [
                    ("DOSETAP_EXPECTED_SEQ", "\(finding.expectedSequence)"),
                    ("DOSETAP_FOUND_SEQ", "\(finding.foundSequence)"), ("DOSETAP_REASON", finding.kind.rawValue),
                ], .error)
        }
        let worst = parts.findings.first { $0.kind != .unknownHead && !$0.isOnRecord }
        let restored = worst.map {
            StoreRestored(
                expectedSequence: $0.expectedSequence, foundSequence: $0.foundSequence, finding: $0.sentence)
        }
        try await parts.engine.start(
            findings: findings, restored: restored, remembered: parts.remembered)
    }

    // MARK: Failing

    /// Returns the removal of a record that cannot be opened; nil if the failure is not one of the store.
    func removal(_ store: String?, _ reason: StartFailure) -> Removal? {
        guard reason.concernsStore, let store, let directories = try? XDGDirectories(environment: environment) else {
            return nil
        }
        return Removal(
            wipe: StoreWipe(path: store, spareFolder: directories.config + "/dosetap"), store: store,
            surface: options.peer == nil ? "service" : "cli",
            due: isNamed ? nil : DueFile(runtime: directories.runtimeFolder))
    }

    /// True for a service of one command on a record that the command names. The reminders on file are then another record's.
    private var isNamed: Bool { options.peer != nil && options.store != nil }

    /// Time for which a service without a store answers with the reason before it is started again.
    private static let retryAfter: Duration = .seconds(60)

    /// Answers every call with the reason. A peer is answered as long as it stays. On a bus the service answers for a minute if
    /// the store cannot be opened; then the service manager starts it again.
    private func fail(_ error: any Error, _ server: BusServer) async -> Int32 {
        // A store that was opened before the failure would keep its lease, and no deletion could take it.
        await keys?.attach(on: nil)
        if options.peer == nil, let error = error as? StoreError,
            [.keyLocked, .keyWrong, .noCipher].contains(error.code)
        {
            return await wait(error, server)
        }
        let store = options.store ?? (try? XDGDirectories(environment: environment))?.store
        let reason = StartFailure(error, store: store)
        journal.send(
            .serviceUnhealthy, "DoseTap cannot start: \(reason.error.message)",
            [("DOSETAP_REASON", reason.error.kind.word), ("DOSETAP_HINT", reason.next ?? "")], .error)
        if options.peer == nil {
            let hint = reason.next.map { "\nNext: \($0)" } ?? ""
            ProgramEdge.complain("dosetapd: \(reason.error.message)\(hint)\n")
            guard reason.concernsStore else { return reason.exitCode }
        }
        do {
            // Settings are read at the next start. SIGHUP changes nothing here, and must not end the service that gives the
            // reason.
            let signals = try await SignalWatch(on: loop, signals: [SIGTERM, SIGINT, SIGHUP]) { [stopping] number in
                if number != SIGHUP { stopping.yield() }
            }
            defer { withExtendedLifetime(signals) {} }
            let due = isNamed ? nil : DueFile(runtime: (try? XDGDirectories(environment: environment))?.runtimeFolder)
            try await server.serve(
                reason.interfaces(removal: removal(store, reason)) { [keys, due] in
                    KeyKeeper.forgetHeldKey()
                    due?.remove()
                    guard let store, let keys else { return true }
                    return await keys.removeForgotten(besides: store) != .left
                } end: { [stopping, server] in
                    await server.flush()
                    stopping.yield()
                })
            let retry = LoopTimer(on: loop, clock: .boottime) { [stopping] _ in stopping.yield() }
            if options.peer == nil {
                SystemdNotify.status(reason.error.message)
                try await retry.arm(after: Self.retryAfter)
            }
            for await _ in stops { break }
            await retry.disarm()
            await server.stop()
        } catch { ProgramEdge.complain("dosetapd: \(StartFailure(error, store: store).error.message)\n") }
        return reason.exitCode
    }
}

/// The store is the engine's port: engine and store meet here.
extension Store: EventStore {}

/// The store's thread may wait for a disk.
extension Store: FileThread {}
