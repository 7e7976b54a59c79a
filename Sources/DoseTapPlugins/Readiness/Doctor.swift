public import DoseTapDomain
public import DoseTapEngine
internal import Glibc
public import SDBus

/// Asks every link of the chain between a reminder and the person, all at once and none for long, and remembers what was
/// found.
///
/// It asks when somebody wants to know, as the service starts, when a notification server comes or goes, when the charger
/// is plugged or pulled, and in the evening; in between it sleeps, and what is remembered costs nothing to read.
public actor Doctor {
    /// What the service itself knows.
    public struct Service: Sendable {
        /// Whether it is on a bus, and so stays.
        public let isOnBus: Bool
        /// Its version.
        public let version: String
        /// The folder of the store.
        public let folder: String
        /// How the store is.
        public let health: @Sendable () async -> String
        /// How its plugins are doing.
        public let plugins: @Sendable () async -> [PluginReport]
        /// Both clocks now.
        public let clock: @Sendable () -> ClockReading
        /// When it is evening next: everything is asked anew before the night.
        public let evening: @Sendable () async -> Instant

        /// Memberwise.
        public init(
            isOnBus: Bool, version: String, folder: String, health: @escaping @Sendable () async -> String,
            plugins: @escaping @Sendable () async -> [PluginReport], clock: @escaping @Sendable () -> ClockReading,
            evening: @escaping @Sendable () async -> Instant
        ) {
            self.plugins = plugins
            self.clock = clock
            self.evening = evening
            self.isOnBus = isOnBus
            self.version = version
            self.folder = folder
            self.health = health
        }
    }

    /// How long one link may take to answer.
    static let limit: Duration = .seconds(2)

    let loop: EventLoop
    let system: SystemBus
    let runner: ProgramRunner
    let desktop: Desktop
    private let awake: AwakePlugin?
    private let service: Service
    var session: Connection?
    private var examination: Task<[Finding], Never>?
    private var watched: [ObjectIdentifier] = []

    private var evening: LoopTimer?
    /// What was found last, and when, by the time since boot; nil before the first time.
    private var found: (findings: [Finding], boot: Int64)?

    /// How long what was found is news: a sound is muted and a lid closed within minutes.
    static let freshness: Duration = .minutes(5)

    /// What most stands in the way, from memory; nil when nothing does. Who gets `unknown` asks anew.
    public var readiness: Finding? {
        guard let found, service.clock().counterMicroseconds - found.boot < Self.freshness.wholeMilliseconds * 1_000
        else {
            return Finding(id: "chain", level: .unknown, sentence: "not asked lately")
        }
        return found.findings.worst
    }

    /// The loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameters:
    ///   - loop: on which both buses live.
    ///   - awake: knows what keeps the machine awake.
    ///   - environment: this service's, of which programs get a part.
    public init(
        on loop: EventLoop, desktop: Desktop, system: SystemBus, awake: AwakePlugin?, environment: [String: String],
        service: Service
    ) {
        self.loop = loop
        self.system = system
        self.desktop = desktop
        runner = ProgramRunner(on: loop, desktop: desktop, environment: environment)
        self.awake = awake
        self.service = service
        desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.connection) } }
    }

    /// Asks all of them now; who asks meanwhile gets the same answer.
    public func examine() async -> [Finding] {
        let task =
            examination
            ?? Task {
                let findings = await self.facts().findings
                self.found = (findings, self.service.clock().counterMicroseconds)
                self.examination = nil
                return findings
            }
        examination = task
        return await task.value
    }

    private func facts() async -> ChainFacts {
        var facts = ChainFacts(isOnBus: service.isOnBus, version: service.version, health: await service.health())
        let awake = awake
        let state = Task { await awake?.state }
        let notifications = Task { await self.askNotifications() }
        let player = Task { await self.askPlayer() }
        let volume = Task { await self.askVolume() }
        let wake = Task { await self.askWake() }
        let login = Task { await self.askLogin() }
        let power = Task { await self.askPower() }
        let lid = Task { await self.askLid() }
        let clock = Task { await self.askClock() }
        let linger = Task { await self.askLinger() }
        let plugins = await service.plugins()
        facts.plugins = .known(Self.plugins(plugins))
        facts.freeBytes = freeBytes
        (facts.notifications, facts.doNotDisturb) = await notifications.value
        facts.chosenPlayer = desktop.preferences.alarm.player
        (facts.player, facts.volume) = (await player.value, await volume.value)
        facts.sleepLock = Self.sleepLock(await state.value, await login.value)
        if plugins.contains(where: { $0.manifest.id == AwakePlugin.manifest.id && $0.state == .disabled }) {
            facts.sleepLock = .refused("the plugin awake is off")
        }
        facts.lidLock = Self.lidLock(await state.value, facts.sleepLock)
        facts.wake = Self.wake(await state.value, await wake.value)
        (facts.power, facts.lid) = (await power.value, await lid.value)
        (facts.clock, facts.linger) = (await clock.value, await linger.value)
        return facts
    }

    private static func plugins(_ reports: [PluginReport]) -> [ChainFacts.Plugin] {
        reports.map { report in
            ChainFacts.Plugin(
                id: report.manifest.id, isOn: report.state != .disabled,
                reminds: !report.manifest.channels.isEmpty && report.manifest.id != JournalPlugin.manifest.id,
                trouble: report.lastError.isEmpty ? nil : report.lastError.prefix(200).journalText)
        }
    }

    private var freeBytes: ChainFacts.Answer<Int64> {
        var status = statvfs()
        guard statvfs(service.folder, &status) == 0 else { return .unknown("errno \(errno)") }
        let (bytes, isTooMany) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return .known(isTooMany ? .max : Int64(clamping: bytes))
    }

    /// What the plugin met counts more than what logind promises.
    private static func sleepLock(_ state: AwakeState?, _ login: ChainFacts.Answer<Bool>) -> ChainFacts.SleepLock {
        if state?.sleepMode == "block" { return .held }
        if let trouble = state?.sleepTrouble { return .refused(trouble) }
        if case .unknown(let why) = login { return .refused(why) }
        return .possible
    }

    /// Before dose 1 nothing is held, and nothing refused.
    private static func lidLock(_ state: AwakeState?, _ sleep: ChainFacts.SleepLock) -> ChainFacts.SleepLock {
        if state?.holdsLid == true { return .held }
        return sleep == .held ? .refused("logind does not allow it") : sleep
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
            _ = await self.examine()
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
            // The charger, not the charge: that one changes all night.
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
        _ = try? await connection.subscribe(match) { [weak self] _ in
            self?.assumeIsolated { $0.refresh() }
        }
        await connection.onClose { [weak self] _ in self?.assumeIsolated { $0.watched.removeAll { $0 == id } } }
    }

    /// Asks one link, no longer than ``limit``.
    func ask<Value: Hashable & Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) async -> ChainFacts.Answer<Value> {
        do { return .known(try await bounded(Self.limit, on: loop, work)) } catch let error as BusError {
            let why = error.name == BusError.Name.cancelled ? "it does not answer" : error.message
            return .unknown(why.journalText)
        } catch { return .unknown("\(error)".journalText) }
    }
}
