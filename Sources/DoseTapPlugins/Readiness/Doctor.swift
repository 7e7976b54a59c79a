public import DoseTapDomain
public import DoseTapEngine
internal import DoseTapText
internal import Glibc
package import SDBus

/// Asks every link of the chain between a reminder and the person, all at once and none for long, and remembers the
/// answers.
///
/// The doctor asks on demand, when a session begins, when a notification server comes or goes, when the charger is
/// plugged or pulled, and in the evening. In between it sleeps, and the remembered answers cost nothing to read.
public actor Doctor {
    /// The facts that the service itself knows.
    public struct Service: Sendable {
        /// True if the service is on a bus, and so stays.
        public let isOnBus: Bool
        public let version: String
        /// The folder of the store.
        public let folder: String
        /// The health of the store.
        public let health: @Sendable () async -> String
        /// The settings of the service that are not in force; nil for none.
        public let settings: @Sendable () async -> String?
        /// The reason why the key of the encrypted record could not be had again; nil if it could.
        public let key: @Sendable () async -> String?
        /// The state of the service's plugins.
        public let plugins: @Sendable () async -> [PluginReport]
        /// The ids of the plugins that are off.
        public let disabled: @Sendable () async -> [String]
        /// Both clocks now.
        public let clock: @Sendable () -> ClockReading
        /// The facts about the last backup.
        public let backups: @Sendable () async -> ChainFacts.Backups
        /// The doubt about tonight that the clocks leave, in words; nil for none.
        public let doubt: @Sendable () async -> String?
        /// The next evening, when all links are asked anew before the night.
        public let evening: @Sendable () async -> Instant

        public init(
            isOnBus: Bool, version: String, folder: String, health: @escaping @Sendable () async -> String,
            settings: @escaping @Sendable () async -> String?,
            key: @escaping @Sendable () async -> String? = { nil },
            plugins: @escaping @Sendable () async -> [PluginReport],
            disabled: @escaping @Sendable () async -> [String], clock: @escaping @Sendable () -> ClockReading,
            backups: @escaping @Sendable () async -> ChainFacts.Backups,
            doubt: @escaping @Sendable () async -> String?,
            evening: @escaping @Sendable () async -> Instant
        ) {
            self.plugins = plugins
            self.disabled = disabled
            self.clock = clock
            self.backups = backups
            self.doubt = doubt
            self.evening = evening
            self.isOnBus = isOnBus
            self.version = version
            self.folder = folder
            self.health = health
            self.settings = settings
            self.key = key
        }
    }

    /// The time that one link may take to answer.
    static let limit: Duration = .seconds(2)

    let loop: EventLoop
    let system: SystemBus
    let runner: ProgramRunner
    private let settings: PluginSettings
    private let awake: AwakePlugin?
    private let notifications: NotificationsPlugin?
    private let alarm: AlarmPlugin?
    private let service: Service
    var session: Connection?
    private var examination: Examination?
    private var watched: [ObjectIdentifier] = []

    private var evening: LoopTimer?
    /// The last answers and their time since boot; nil before the first examination.
    private var found: (facts: ChainFacts, boot: Int64)?
    /// The last answers of the links that can reach the person. These are known before the others.
    private var channels: (facts: ChainFacts, boot: Int64)?

    private typealias Locks = (sleep: ChainFacts.Answer<Bool>, lid: ChainFacts.Answer<Bool>)
    /// The results of the last try of both locks; nil before the first.
    private var locks: Locks?

    /// One round of questions to all links.
    private struct Examination {
        /// The links that can reach the person; the rest is not filled in.
        let channels: Task<ChainFacts, Never>
        let all: Task<ChainFacts, Never>
        /// True if a notification server that does not run is started to be asked.
        let starts: Bool
    }

    /// The time for which answers are fresh: a sound is muted and a lid closed within minutes.
    static let freshness: Duration = .minutes(5)

    /// The time for which the links that can reach the person are fresh, for every answer tells of them; and the times that
    /// an answer waits for new ones.
    private static let silenceFreshness: Duration = .seconds(60)
    private static let silenceTimeout: Duration = .milliseconds(400)
    private static let receiptTimeout: Duration = .milliseconds(150)

    /// The finding that most stands in the way of a night, from memory; nil if none does. A caller that gets `unknown` asks
    /// anew.
    public var readiness: Finding? {
        guard let facts = remembered(found, for: Self.freshness, isNight: true) else {
            return Finding(id: "chain", level: .unknown, sentence: sent("not asked lately"))
        }
        return facts.findings.worst
    }

    /// Returns the facts if they are younger than `freshness`. For a night it is not enough that the bus would start a
    /// notification server: only a server that has started is known to start.
    private func remembered(
        _ found: (facts: ChainFacts, boot: Int64)?, for freshness: Duration, isNight: Bool
    ) -> ChainFacts? {
        guard let found, service.clock().counterMicroseconds - found.boot < freshness.wholeMilliseconds * 1_000,
            !isNight || found.facts.notifications != .known(.startable)
        else { return nil }
        return found.facts
    }

    /// Returns the warning that no channel can reach the person; nil if one can, as far as is known within a moment.
    ///
    /// - Parameters:
    ///   - isNight: true if dose 2 is to come: a notification server that does not run is started to be asked.
    ///   - isReceipt: true for the answer to a recording: it waits less, and only if next to nothing is known.
    public func silence(isNight: Bool, isReceipt: Bool) async -> Warning? {
        guard service.isOnBus else { return nil }
        if remembered(channels, for: Self.silenceFreshness, isNight: isNight) == nil {
            if isReceipt, remembered(channels, for: Self.freshness, isNight: isNight) != nil {
                _ = examination(starts: isNight)
            } else {
                // Soon after the start nothing is known, and an answer without a warning would be taken for a good one. The
                // answer waits longer than each link may take.
                let timeout = channels == nil ? Self.limit * 2 : Self.silenceTimeout
                await examineChannels(starts: isNight, within: isReceipt ? Self.receiptTimeout : timeout)
            }
        }
        guard var facts = channels?.facts else { return nil }
        // The service's own facts cost nothing to ask; the question for programs reads folders.
        await complete(&facts)
        facts.callsPrograms = false
        guard facts.silence != nil else { return nil }
        facts.callsPrograms = await alarm?.callsPrograms ?? false
        return facts.silence
    }

    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - loop: the loop of both buses.
    ///   - plugins: the plugins, which know the locks and the failures of screen and sound.
    package init(
        on loop: EventLoop, desktop: Desktop, system: SystemBus, plugins: [any Plugin], runner: ProgramRunner,
        settings: PluginSettings, service: Service
    ) {
        awake = plugins.lazy.compactMap { $0 as? AwakePlugin }.first
        notifications = plugins.lazy.compactMap { $0 as? NotificationsPlugin }.first
        alarm = plugins.lazy.compactMap { $0 as? AlarmPlugin }.first
        self.loop = loop
        self.system = system
        self.runner = runner
        self.settings = settings
        self.service = service
        desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.connection) } }
    }

    /// The alarm's preferences by the settings in force.
    var alarmPreferences: AlarmPreferences { AlarmPreferences(settings.values) }

    /// Asks all links now; a caller that asks meanwhile gets the same answer.
    ///
    /// - Parameter starts: true if a notification server that does not run is started to be asked.
    public func examine(starts: Bool = true) async -> [Finding] {
        await examination(that: starts).all.value.findings
    }

    /// Returns an examination that starts a server if wanted, after a running one that does not.
    private func examination(that starts: Bool) async -> Examination {
        while let examination, starts, !examination.starts { _ = await examination.all.value }
        return examination(starts: starts)
    }

    private func examination(starts: Bool) -> Examination {
        if let examination { return examination }
        let channels = Task {
            let facts = await self.askChannels(starts: starts)
            self.channels = (facts, self.service.clock().counterMicroseconds)
            return facts
        }
        let all = Task {
            let facts = await self.askAll(beside: channels, triesLocks: starts)
            self.found = (facts, self.service.clock().counterMicroseconds)
            self.examination = nil
            return facts
        }
        let begun = Examination(channels: channels, all: all, starts: starts)
        examination = begun
        return begun
    }

    /// Asks the links that can reach the person, and waits no longer than `limit`; a late answer still comes into memory.
    private func examineChannels(starts: Bool, within limit: Duration) async {
        let (ends, end) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        let limiter = LoopTimer(on: loop, clock: .boottime) { _ in end.yield() }
        guard (try? await limiter.arm(after: limit)) != nil else { return }
        Task {
            _ = await self.examination(that: starts).channels.value
            end.yield()
        }
        for await _ in ends { break }
        await limiter.disarm()
    }

    /// Adds the facts that the service knows of its own plugins.
    private func complete(_ facts: inout ChainFacts) async {
        let disabled = await service.disabled()
        facts.shows = !disabled.contains(NotificationsPlugin.manifest.id)
        facts.sounds = !disabled.contains(AlarmPlugin.manifest.id)
        facts.screenFailure = await notifications?.failure
        facts.soundFailure = await alarm?.soundFailure
        facts.rings = AlarmPreferences.wants(.sound, settings)
    }

    /// Asks the links of screen and sound.
    private func askChannels(starts: Bool) async -> ChainFacts {
        var facts = ChainFacts(isOnBus: service.isOnBus, version: service.version, health: await service.health())
        let notifications = Task { await self.askNotifications(starts: starts) }
        let player = Task { await self.askPlayer() }
        let volume = Task { await self.askVolume() }
        await complete(&facts)
        facts.callsPrograms = await alarm?.callsPrograms ?? false
        facts.chosenPlayer = alarmPreferences.player
        facts.playerFault = AlarmVoices(runner).fault(ofPlayer: facts.chosenPlayer)
        (facts.notifications, facts.doNotDisturb) = await notifications.value
        // A server that the bus would start is no news if the last one that was to start did not answer.
        if facts.notifications == .known(.startable), let last = channels?.facts.notifications,
            case .known(.silent) = last
        {
            facts.notifications = last
        }
        let found = await player.value
        (facts.player, facts.lacksChosenPlayer) = (found?.name, found?.isChosen == false)
        let (loudness, lacksServer) = await volume.value
        facts.volume = loudness
        facts.lacksSoundServer = lacksServer && facts.player.map(Self.needsServer) ?? false
        if case .unknown = loudness { facts.lacksSoundCard = await lacksSoundCard(facts.player) }
        return facts
    }

    /// Asks all other links, at the same time as `channels`.
    ///
    /// - Parameter triesLocks: true if the locks are taken for a moment to know whether they are given.
    private func askAll(beside channels: Task<ChainFacts, Never>, triesLocks: Bool) async -> ChainFacts {
        let awake = awake
        let state = Task { await awake?.state }
        let wake = Task { await self.askWake() }
        let locks = Task { await self.askLocks(await state.value, tries: triesLocks) }
        let power = Task { await self.askPower() }
        let lid = Task { await self.askLid() }
        let clock = Task { await self.askClock() }
        let linger = Task { await self.askLinger() }
        let plugins = await service.plugins()
        var facts = await channels.value
        await complete(&facts)
        facts.plugins = .known(Self.plugins(plugins))
        facts.lostSettings = await service.settings()
        facts.lostKey = await service.key()
        facts.unwritable = unwritable
        facts.freeBytes = freeBytes
        facts.backups = .known(await service.backups())
        let (sleepLock, lidLock) = await locks.value
        facts.sleepLock = Self.sleepLock(await state.value, sleepLock)
        if plugins.contains(where: { $0.manifest.id == AwakePlugin.manifest.id && $0.state == .disabled }) {
            facts.sleepLock = .refused(sent("the plugin awake is off"))
        }
        facts.lidLock = Self.lidLock(await state.value, facts.sleepLock, lidLock)
        facts.wake = Self.wake(await state.value, await wake.value)
        (facts.power, facts.lid) = (await power.value, await lid.value)
        (facts.clock, facts.linger) = (await clock.value, await linger.value)
        facts.clockDoubt = await service.doubt()
        return facts
    }

    private static func plugins(_ reports: [PluginReport]) -> [ChainFacts.Plugin] {
        reports.map { report in
            ChainFacts.Plugin(
                id: report.manifest.id, isOn: report.state != .disabled,
                reminds: !report.manifest.channels.isEmpty && report.manifest.id != JournalPlugin.manifest.id,
                trouble: report.lastError.isEmpty
                    ? nil : PluginText.fault(report.lastError).prefix(200).journalText)
        }
    }

    /// The folder of the record; before the first recording, the nearest parent folder that exists.
    private var presentFolder: String {
        var folder = service.folder
        while access(folder, F_OK) != 0, errno == ENOENT, let slash = folder.lastIndex(of: "/"),
            slash != folder.startIndex
        {
            folder = String(folder[..<slash])
        }
        return folder
    }

    private var unwritable: String? {
        let folder = presentFolder
        guard access(folder, W_OK | X_OK) != 0 else { return nil }
        return "\(folder): \(String(cString: strerror(errno)))"
    }

    private var freeBytes: ChainFacts.Answer<Int64> {
        var status = statvfs()
        guard statvfs(presentFolder, &status) == 0 else { return .unknown(String(cString: strerror(errno))) }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return .known(isTooMany ? .max : Int64(clamping: bytes))
    }

    /// Returns the answers for both locks at their last try; before the first try, whether logind is there.
    private func askLocks(_ state: AwakeState?, tries: Bool) async -> Locks {
        let isDecided = state?.sleepMode == "block" || state?.sleepTrouble != nil
        if tries, !isDecided { locks = (await askLock(.sleep), await askLock(.lid)) }
        if let locks { return locks }
        let login = await askLogin()
        return (login, login)
    }

    /// Returns the state of the sleep lock. The plugin's own result counts more than logind's answer.
    private static func sleepLock(_ state: AwakeState?, _ asked: ChainFacts.Answer<Bool>) -> ChainFacts.SleepLock {
        if state?.sleepMode == "block" { return .held }
        if let trouble = state?.sleepTrouble { return .refused(trouble) }
        if case .unknown(let why) = asked { return .refused(why) }
        return .possible
    }

    /// Returns the state of the lid lock. Before dose 1 no lock is held, and none is refused.
    private static func lidLock(
        _ state: AwakeState?, _ sleep: ChainFacts.SleepLock, _ asked: ChainFacts.Answer<Bool>
    ) -> ChainFacts.SleepLock {
        if state?.holdsLid == true { return .held }
        if sleep == .held { return .refused(sent("logind does not allow it")) }
        if case .refused = sleep { return sleep }
        if case .unknown(let why) = asked { return .refused(why) }
        return .possible
    }

    private static func wake(
        _ state: AwakeState?, _ manager: ChainFacts.Answer<String?>
    ) -> ChainFacts.Answer<String?> {
        switch state?.wake {
        case .set: .known(nil)
        case .refused(let why): .known(why)
        case nil, .some(.none), .asked: manager
        }
    }

    // MARK: What makes it ask anew

    private func reached(_ connection: Connection?) {
        session = connection
        guard connection != nil else { return }
        refresh()
    }

    private func awaitEvening() async {
        let timer =
            evening
            ?? LoopTimer(on: loop, clock: .realtime) { [weak self] _ in
                self?.assumeIsolated { $0.refresh() }
            }
        evening = timer
        try? await timer.arm(at: UInt64(max(0, await service.evening().microseconds)))
    }

    private func refresh() {
        Task {
            await self.watch()
            // When a session begins, its own server may be on its way: none is started in its place.
            _ = await self.examine(starts: false)
            await self.awaitEvening()
        }
    }

    private func watch() async {
        if let session {
            await listen(
                on: session,
                SignalMatch(
                    sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                    firstArgument: SessionNotifications.name))
        }
        if let bus = try? await system.connected() {
            // The signal is that of the charger and not of the charge, which changes all night.
            await listen(
                on: bus,
                SignalMatch(
                    sender: "org.freedesktop.UPower", path: "/org/freedesktop/UPower",
                    interface: "org.freedesktop.DBus.Properties",
                    member: "PropertiesChanged", firstArgument: "org.freedesktop.UPower"))
        }
    }

    private func listen(on connection: Connection, _ match: SignalMatch) async {
        let id = ObjectIdentifier(connection)
        guard !watched.contains(id) else { return }
        watched.append(id)
        do {
            try await connection.subscribe(match) { [weak self] _ in self?.assumeIsolated { $0.refresh() } }
        } catch {
            // The next examination tries again.
            watched.removeAll { $0 == id }
            return
        }
        await connection.onClose { [weak self] _ in self?.assumeIsolated { $0.watched.removeAll { $0 == id } } }
    }

    /// Asks one link, no longer than ``limit``.
    func ask<Value: Hashable & Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> ChainFacts.Answer<Value> {
        do { return .known(try await bounded(Self.limit, on: loop, work)) } catch let error as BusError {
            let why = error.name == BusError.Name.cancelled ? ChainFacts.silence : error.message
            return .unknown(why.journalText)
        } catch { return .unknown("\(error)".journalText) }
    }
}
