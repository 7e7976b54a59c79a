internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import SystemdJournal

/// Serves the contract on a connection, publishes changes as signals and properties, and reconnects after a loss of the bus.
actor BusServer: EngineObserver {
    private let loop: EventLoop
    private let address: BusAddress
    private let journal: any JournalSink
    private let desktop: Desktop
    private let logger: Logger
    private var interfaces: [ExportedInterface] = []
    nonisolated let properties = SessionProperties()
    nonisolated let diary = DiaryProperties()
    nonisolated let medications = MedicationsProperties()
    nonisolated let reminders = RemindersProperties()
    nonisolated let health = Contract.Service.health.make()
    private let clock = SystemClock()
    private var connection: Connection?
    private var retry: LoopTimer?
    private var waitSeconds = 1
    private var isStopping = false
    /// True after a finding: the health is then `warning` at best, even when the store works.
    private var hasFinding = false
    /// The status that the properties show.
    private var shown: NightStatus?
    /// Word of the store's fault; nil while the store takes events.
    private var storeFault: String?
    /// The fault that keeps the timer from being armed.
    private var timerFault: String?
    /// The error for a second use of a peer's socket, which is handed over only once.
    private var spent: BusError?
    private let onEnd: @Sendable () -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Longest wait before the bus is tried again.
    private static let longestWait = 5

    /// - Parameters:
    ///   - desktop: gets the connection when the bus comes, and nil when the bus goes.
    ///   - onEnd: called when a peer has gone, the only caller of its service.
    init(
        on loop: EventLoop, _ address: BusAddress, journal: any JournalSink, desktop: Desktop, logger: Logger,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.address = address
        self.journal = journal
        self.desktop = desktop
        self.logger = logger
        self.onEnd = onEnd
    }

    // MARK: Serving

    /// Serves the interfaces first and requests the name last, so that no caller sees half an object.
    func serve(_ interfaces: [ExportedInterface]) async throws {
        self.interfaces = interfaces
        try await connect()
    }

    private func connect() async throws {
        if let spent { throw spent }
        if case .peer = address {
            spent = BusError(name: BusError.Name.disconnected, message: "the caller's socket was used already")
        }
        let connection: Connection
        do { connection = try await Connection.open(address, on: loop) } catch {
            if spent != nil { spent = error }
            throw error
        }
        try await refuseAfterStop(connection)
        try await connection.admit(by: Caller.policy)
        try await connection.serve(ExportedObject(Contract.path, interfaces: interfaces))
        self.connection = connection
        await connection.onClose { [loop] _ in
            Task(executorPreference: loop.preference) { await self.lost(connection) }
        }
        if !connection.isPeer {
            do { _ = try await connection.requestName(Contract.name) } catch {
                throw await NameTaken(error, on: connection) ?? error
            }
            try await refuseAfterStop(connection)
            desktop.connect(connection)
        }
    }

    /// Refuses a connection after a stop: a service that was stopped during a reconnect must not take the name from its
    /// successor.
    private func refuseAfterStop(_ connection: Connection) async throws {
        guard isStopping else { return }
        await connection.abort()
        throw BusError(name: BusError.Name.disconnected, message: "the service has stopped")
    }

    /// Handles the loss of the bus. Reminders still reach the journal; a connection is tried again every few seconds.
    private func lost(_ ended: Connection) async {
        guard !isStopping, ended === connection else { return }
        connection = nil
        if ended.isPeer { return onEnd() }
        desktop.connect(nil)
        logger.error("the bus has gone; reminders still reach the journal")
        await retryLater()
    }

    private func retryLater() async {
        let timer =
            retry
            ?? LoopTimer(on: loop, clock: .boottime) { [loop] _ in
                Task(executorPreference: loop.preference) { await self.reconnect() }
            }
        retry = timer
        let now = UInt64(max(0, clock.read().bootMicroseconds))
        try? await timer.arm(at: now + UInt64(waitSeconds) * 1_000_000)
        waitSeconds = min(waitSeconds * 2, Self.longestWait)
    }

    private func reconnect() async {
        guard connection == nil, !isStopping else { return }
        logger.debug("the bus is tried again")
        do {
            try await connect()
            waitSeconds = 1
            logger.notice("the bus is back")
        } catch {
            let failed = connection
            connection = nil
            await failed?.abort()
            await retryLater()
        }
    }

    /// Returns when the answers so far are with the bus, after a second at most.
    func flush() async { await connection?.flush(within: .seconds(1)) }

    func stop() async {
        isStopping = true
        await retry?.disarm()
        await connection?.close(releasing: Contract.name, within: .milliseconds(600))
        connection = nil
    }

    // MARK: Telling

    func changed(_ change: EngineChange) async {
        switch change {
        case .recorded(let events, let status):
            await show(status)
            for event in events { await emit(event) }
        case .phase(let old, let new, let status):
            journal.send(JournalEntry(phase: old, new, status))
            await show(status)
            try? await connection?.emit(
                Contract.Session.phaseChanged.exported, from: Contract.path, old.rawValue, new.rawValue)
        case .declined(let command, let failure, let surface, let date):
            journal.send(JournalEntry(declined: command, failure, surface, date))
        case .unsafe(let events, let error):
            for entry in JournalEntry.unsafe(events, error) { journal.send(entry) }
            storeFault = error.code.rawValue
            await showHealth()
        case .left(let events, let place):
            for entry in JournalEntry.left(events, in: place) { journal.send(entry) }
        case .recovered(let count):
            let message =
                count == 0
                ? "The store takes events again"
                : Plural.of(count, "event that was kept in memory is", "events that were kept in memory are")
                    + " safe on disk now"
            journal.send(.storeRecovered, message, [], .notice)
            storeFault = nil
            await showHealth()
        case .finding:
            hasFinding = true
            await showHealth()
        case .timer(let fault):
            timerFault = fault
            if let fault {
                journal.send(JournalEntry(timerFault: fault))
            } else {
                logger.notice("the timer for reminders works again")
            }
            await showHealth()
        }
    }

    private func emit(_ event: Event) async {
        // Every program on the bus can read this signal: the content of an entry is answered only to a call with its
        // id.
        let details: JSONObject = ["at": .instant(event.effectiveAt)]
        try? await connection?.emit(
            Contract.Session.eventRecorded.exported, from: Contract.path, event.type.rawValue, event.id.text,
            WireObject(details, .unknown))
        switch event.payload {
        case .reminderFired(let fired):
            try? await connection?.emit(
                Contract.Reminders.fired.exported, from: Contract.path, fired.reminder.rawValue,
                Self.microseconds(fired.due),
                Self.microseconds(event.effectiveAt))
        case .reminderDropped(let dropped):
            try? await connection?.emit(
                Contract.Reminders.dropped.exported, from: Contract.path, dropped.reminder.rawValue,
                dropped.reason.rawValue)
        default: break
        }
    }

    private static func microseconds(_ instant: Instant) -> UInt64 { UInt64(max(0, instant.microseconds)) }

    /// Sets the properties; without a connection the values are kept for the next one.
    func show(_ status: NightStatus) async {
        guard status != shown else { return }
        shown = status
        var batch = PropertyBatch()
        properties.set(status, in: &batch)
        diary.set(status, in: &batch)
        medications.set(status, in: &batch)
        reminders.set(status, in: &batch)
        try? await connection?.announce(batch, at: Contract.path)
    }

    private func showHealth() async {
        var batch = PropertyBatch()
        let word = timerFault == nil ? storeFault : "timer"
        batch.set(health, word ?? (hasFinding ? "warning" : "ok"))
        try? await connection?.announce(batch, at: Contract.path)
    }
}

/// The bus name has another owner: another DoseTap service or an unknown program.
struct NameTaken: Error, Sendable {
    let command: String?
    let processID: Int32?

    /// - Returns: nil when the request failed for another reason.
    init?(_ error: BusError, on connection: Connection) async {
        guard error.name == BusError.Name.nameExists else { return nil }
        let owner = try? await connection.owner(of: Contract.name)
        var process: Int32?
        if let owner { process = try? await connection.credentials(of: owner).processID }
        processID = process
        command = process.flatMap(ProcessName.of)
    }

    /// True for a second DoseTap service, which must not be started again and again; an unknown program may leave.
    var isOurs: Bool { command == "dosetapd" && processID != getpid() }
}

/// The command name of a process (proc(5), `/proc/PID/comm`); a few microseconds, no disk.
enum ProcessName {
    static func of(_ process: Int32) -> String? {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let name = bytes[..<count].prefix { $0 != 0x0A }
        return String(decoding: name, as: UTF8.self)
    }
}
