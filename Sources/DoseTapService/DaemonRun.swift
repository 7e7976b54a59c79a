internal import DoseTapContract
internal import DoseTapDomain
public import DoseTapEngine
internal import DoseTapPlugins
public import DoseTapStore
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import SystemdJournal

/// One run of the daemon: open, serve, wait, stop.
actor DaemonRun {
    private let options: DaemonOptions
    private let environment: [String: String]
    private let journal: any JournalSink
    private let loop: EventLoop
    private let desktop = Desktop()
    private let logger: Logger
    private let (stops, stopping) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(
        _ options: DaemonOptions, _ environment: [String: String], journal: any JournalSink, on loop: EventLoop
    ) {
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

    private var address: BusAddress {
        if let peer = options.peer { return .peer(fd: peer, server: true) }
        if let address = options.address { return .address(address) }
        return .session
    }

    // MARK: Assembling

    private struct Parts {
        let engine: Engine
        let host: PluginHost
        let settings: SettingsKeeper
        let doctor: Doctor
        let systemEnvironment: LiveSystemEnvironment
        let findings: [OpenFinding]
        let remembered: [Event]
        let missing: String?
        let storePath: String
        let watches: [any Sendable]
    }

    private func assemble(_ server: BusServer) async throws -> Parts {
        let directories = try XDGDirectories(environment: environment)
        let loop = loop
        // A service for a single caller does not keep the machine awake.
        let system = SystemBus(on: loop, options.peer == nil ? .system : nil)
        let live = PluginSettings()
        let settings = SettingsKeeper(
            on: loop, directories, environment, live: live, journal: journal)
        let path = options.store ?? directories.store
        let folder = Self.folder(of: path)
        // A path named for one command may be mistyped: no folder is made there.
        let isNamed = options.peer != nil && options.store != nil
        if !isNamed, access(folder, F_OK) == 0 { try SecureDirectory.prepare(folder) }
        let clock = SystemClock().read()
        var configuration = StoreConfiguration(
            path: path, surface: options.peer == nil ? "service" : "cli",
            now: Instant(microseconds: clock.wallMicroseconds), spareFolder: directories.config + "/dosetap")
        configuration.scratchFolders = [environment["XDG_RUNTIME_DIR"], "/tmp"].compactMap { $0 }
        // A question may start the service, but does not make a record.
        configuration.isMadeWithFirstEntry = true
        if !isNamed {
            configuration.makeFolder = { () throws(StoreError) in
                do throws(SystemFault) { try SecureDirectory.prepare(folder) } catch {
                    throw StoreError(code: .unavailable, context: error.message, underlying: folder)
                }
            }
        }
        let store = try Store.openForTheNight(configuration)
        let isMissing = await store.isImagined
        let systemEnvironment = LiveSystemEnvironment(
            deviceID: store.deviceID, fixed: await settings.timeZone, variable: environment["TZ"],
            clockStyle: await settings.clockStyle)
        let hostTimer = LoopDeadlineTimer(on: loop)
        let host = PluginHost(
            on: loop, timer: hostTimer, systemEnvironment: systemEnvironment, logger: logger,
            failureID: JournalMessage.pluginFailed.rawValue)
        hostTimer.call { Task(executorPreference: loop) { await host.timeCame() } }
        let timer = LoopDeadlineTimer(on: loop)
        let engine = Engine(
            on: loop,
            Engine.Parts(
                store: store, systemEnvironment: systemEnvironment, timer: timer, observer: server, host: host,
                rules: await settings.nightRules, sleepEvents: await settings.sleepEvents,
                medications: await settings.medications, tellsReminders: options.peer == nil,
                newRecord: isMissing ? path : nil, logger: logger))
        timer.call {
            let clock = systemEnvironment.clock()
            Task.immediate(executorPreference: loop) { await engine.deadlineReached(at: clock) }
        }
        let programs = ProgramRunner(on: loop, desktop: desktop, environment: environment)
        let folders = PluginEnvironment.Folders(
            hooks: directories.hooks, runtime: options.peer == nil ? directories.runtimeFolder : nil)
        let plugins = Roster.plugins { [journal, desktop] manifest in
            PluginEnvironment(
                loop: loop, clock: systemEnvironment, journal: journal, desktop: desktop, system: system,
                programs: programs,
                folders: folders, settings: live, engine: PluginContext(manifest, engine: engine, host: host))
        }
        var roster: [(plugin: any Plugin, enabled: Bool)] = []
        for plugin in plugins { roster.append((plugin, await settings.isEnabled(type(of: plugin).manifest.id))) }
        await host.take(roster)
        await settings.attach(engine, host, systemEnvironment, on: store)
        let doctor = Doctor(
            on: loop, desktop: desktop, system: system, plugins: plugins, runner: programs, settings: live,
            service: Doctor.Service(
                isOnBus: options.peer == nil, version: Daemon.version, folder: Self.folder(of: path),
                health: { await engine.health }, settings: { await settings.warning },
                plugins: { await host.reports() }, clock: { systemEnvironment.clock() },
                doubt: { await engine.status(at: nil).window.time?.doubtFigures },
                evening: {
                    await systemEnvironment.zone().next(
                        settings.nightRules.prep, strictlyAfter: systemEnvironment.clock().wall)
                }))
        let clockWatch = try await ClockChangeWatch(on: loop) {
            Task(executorPreference: loop) {
                await engine.deadlineReached()
                await host.timeCame()
            }
        }
        return Parts(
            engine: engine, host: host, settings: settings, doctor: doctor, systemEnvironment: systemEnvironment,
            findings: await store.openFindings,
            remembered: store.endedBadly ? JournalMemory.events(of: store.deviceID) : [],
            missing: isNamed && isMissing ? path : nil, storePath: path,
            watches: [clockWatch])
    }

    private static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    // MARK: Living

    private func live(_ parts: Parts, _ server: BusServer) async throws -> Int32 {
        let engine = parts.engine
        let signals = try await SignalWatch(on: loop, signals: [SIGTERM, SIGINT, SIGHUP]) { [stopping, loop] number in
            if number == SIGHUP {
                Task(executorPreference: loop) { _ = try? await parts.settings.reload() }
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
            HistoryAdapter(engine: engine, systemEnvironment: parts.systemEnvironment, queues: queues).interface,
            DataAdapter(engine: engine, systemEnvironment: parts.systemEnvironment, queues: queues).interface,
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
        tell(.serviceStarted, "DoseTap is ready", [("DOSETAP_VERSION", Daemon.version)])
        SystemdNotify.ready(status: "Watching the night")
        let watchdog = await Watchdog(on: loop) {
            try await engine.ping()
        } isNeeded: {
            await engine.storeIsSilent()
        }
        let comparison = options.peer == nil ? compareTables(of: engine) : nil
        for await _ in stops { break }
        SystemdNotify.stopping()
        comparison?.cancel()
        await watchdog?.stop()
        // The engine first, so that an entry being recorded is finished and answered.
        let isRecorded = await engine.stop()
        await server.stop()
        tell(.serviceStopped, "DoseTap has stopped", [("DOSETAP_REASON", "told to")])
        return isRecorded ? 0 : 1
    }

    /// Compares the tables with the log now and once a day, at the lowest priority.
    private func compareTables(of engine: Engine) -> Task<Void, Never> {
        Task(executorPreference: loop, priority: .utility) { [loop] in
            let (ticks, ticking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            let timer = LoopTimer(on: loop, clock: .boottime) { _ in ticking.yield() }
            await engine.keepComparing(ticks: ticks) { try await timer.arm(after: $0) }
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
            tell(.zoneUnknown, "UTC, zone unknown: \(why)", [("DOSETAP_REASON", why)], .warning)
            findings.append("the time zone is unknown, times are UTC")
        }
        for finding in parts.findings {
            tell(
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

    private func tell(
        _ message: JournalMessage, _ text: String, _ fields: [(String, String)], _ priority: JournalPriority = .info
    ) {
        journal.send(JournalEntry(messageID: message.rawValue, message: text, priority: priority, fields: fields))
    }

    // MARK: Failing

    /// How long a service without a store answers with the reason before it is started again, microseconds.
    private static let retryAfter: UInt64 = 60_000_000

    /// Answers every call with the reason: to a peer for as long as it stays, on a bus for a minute if the store cannot
    /// be opened; then the service manager starts the service again.
    private func fail(_ error: any Error, _ server: BusServer) async -> Int32 {
        let store = options.store ?? (try? XDGDirectories(environment: environment))?.store
        let reason = StartFailure(error, store: store)
        tell(
            .serviceUnhealthy, "DoseTap cannot start: \(reason.error.message)",
            [("DOSETAP_REASON", reason.error.kind.word), ("DOSETAP_HINT", reason.next ?? "")], .error)
        if options.peer == nil {
            let hint = reason.next.map { "\nNext: \($0)" } ?? ""
            ProgramEdge.complain("dosetapd: \(reason.error.message)\(hint)\n")
            guard reason.concernsStore else { return reason.exitCode }
        }
        do {
            let signals = try await SignalWatch(on: loop, signals: [SIGTERM, SIGINT, SIGHUP]) { [stopping] _ in
                stopping.yield()
            }
            defer { withExtendedLifetime(signals) {} }
            try await server.serve(reason.interfaces)
            let retry = LoopTimer(on: loop, clock: .boottime) { [stopping] _ in stopping.yield() }
            if options.peer == nil {
                SystemdNotify.status(reason.error.message)
                try await retry.arm(at: UInt64(max(0, SystemClock().read().bootMicroseconds)) + Self.retryAfter)
            }
            for await _ in stops { break }
            await retry.disarm()
            await server.stop()
        } catch { ProgramEdge.complain("dosetapd: \(error)\n") }
        return reason.exitCode
    }
}

/// Finds events in the journal that the service acknowledged while the log did not take them. It is asked only after a
/// run that did not end well, before the service is ready, and for no longer than ``limit``.
private enum JournalMemory {
    /// How long the answer may take, in milliseconds.
    private static let limit: Int32 = 2_000
    /// Most bytes read.
    private static let most = 4 << 20

    /// The events of the last week, without details, in the order in which they were recorded.
    static func events(of deviceID: String) -> [Event] {
        let text = output([
            "/usr/bin/journalctl", "--no-pager", "--quiet", "-o", "cat", "--output-fields=\(JournalEntry.entryField)",
            "--since=-7d", "-n", "1000", "_UID=\(geteuid())", "MESSAGE_ID=\(JournalMessage.storeFault.rawValue)",
        ])
        var seen: Set<EventID> = []
        return text.split(separator: "\n").compactMap { line in
            guard let json = try? JSONValue.parse(String(line)), let event = Event(json: json),
                event.deviceID == deviceID, seen.insert(event.id).inserted
            else { return nil }
            return event
        }
    }

    private static func output(_ words: [String]) -> String {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return "" }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let result = posix_spawn(&child, words[0], &actions, &attributes, arguments, environ)
        close(ends[1])
        guard result == 0 else { return "" }
        let text = read(ends[0])
        kill(child, SIGKILL)
        var status: CInt = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return text
    }

    private static func read(_ descriptor: CInt) -> String {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        let clock = SystemClock()
        let begin = clock.counterMicroseconds
        while bytes.count < most {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let left = limit - Int32(clamping: (clock.counterMicroseconds - begin) / 1_000)
            guard left > 0, poll(&wait, 1, left) > 0 else { break }
            let count = Glibc.read(descriptor, &room, room.count)
            guard count > 0 else { break }
            bytes += room.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The store is the engine's port: engine and store meet here.
extension Store: EventStore {}

/// The store's thread may wait for a disk.
extension Store: FileThread {}
