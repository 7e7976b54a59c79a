internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import Logging
internal import SDBus
internal import SystemdJournal

/// Serves the contract on a connection, tells changes as signals and properties, and comes back when the bus does.
actor BusServer: EngineObserver {
    private let loop: EventLoop
    private let address: BusAddress
    private let journal: any JournalSink
    private let logger: Logger
    private var interfaces: [ExportedInterface] = []
    private var connection: Connection?
    private var retry: LoopTimer?
    private var waitSeconds = 1
    private var current: NightStatus?
    private var health = "ok"
    private var isStopping = false
    private let onEnd: @Sendable () -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Longest wait before the bus is tried again.
    private static let longestWait = 5

    /// - Parameter onEnd: called when a peer has gone, for whom alone the service ran.
    init(
        on loop: EventLoop, _ address: BusAddress, journal: any JournalSink, logger: Logger,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.address = address
        self.journal = journal
        self.logger = logger
        self.onEnd = onEnd
    }

    // MARK: Serving

    /// Serves the interfaces first and asks for the name last, so that nobody ever meets half an object.
    func serve(_ interfaces: [ExportedInterface]) async throws {
        self.interfaces = interfaces
        try await connect()
    }

    private func connect() async throws {
        let connection = try await Connection.open(address, on: loop)
        for interface in interfaces { try await connection.serve(interface, at: Contract.path) }
        self.connection = connection
        if let current { await show(current) }
        await connection.onClosed { [loop] _ in Task(executorPreference: loop) { await self.lost() } }
        if !connection.isPeer { try await connection.requestName(Contract.name) }
    }

    /// The bus is gone. The night goes on: reminders still reach the journal; the bus is tried again every few seconds.
    private func lost() async {
        connection = nil
        guard !isStopping else { return }
        if address.isPeer { return onEnd() }
        logger.error("the bus has gone; reminders still reach the journal")
        await retryLater()
    }

    private func retryLater() async {
        let timer =
            retry
            ?? LoopTimer(.boottime, on: loop) { [loop] _ in
                Task(executorPreference: loop) { await self.reconnect() }
            }
        retry = timer
        await timer.arm(at: LoopTimer.now(.boottime) + UInt64(waitSeconds) * 1_000_000)
        waitSeconds = min(waitSeconds * 2, Self.longestWait)
    }

    private func reconnect() async {
        guard connection == nil, !isStopping else { return }
        do {
            try await connect()
            waitSeconds = 1
            logger.notice("the bus is back")
        } catch {
            await connection?.close()
            connection = nil
            await retryLater()
        }
    }

    func stop() async {
        isStopping = true
        await retry?.disarm()
        await connection?.close()
        connection = nil
    }

    // MARK: Telling

    func changed(_ change: EngineChange) async {
        switch change {
        case .recorded(let events, let status):
            await show(status)
            for event in events { await told(event, status) }
        case .phase(let old, let new, let status):
            journal.send(JournalEntry(phase: old, new, status))
            await show(status)
            try? await connection?.emit(
                Contract.path, Contract.InterfaceName.session, "PhaseChanged", old.rawValue, new.rawValue)
        case .declined(let command, let failure, let surface, let date):
            journal.send(JournalEntry(declined: command, failure, surface, date))
        case .unsafe(let events, let error):
            for entry in JournalEntry.unsafe(events, error) { journal.send(entry) }
            await show(health: error.code.rawValue)
        case .recovered(let count):
            journal.send(
                JournalEntry(
                    messageID: JournalMessage.storeRecovered.id,
                    message: "\(count) events that were kept in memory are safe on disk now", priority: .notice))
            await show(health: "ok")
        case .finding(let sentence):
            journal.send(
                JournalEntry(messageID: JournalMessage.storeRolledBack.id, message: sentence, priority: .error))
            await show(health: "warning")
        }
    }

    private func told(_ event: Event, _ status: NightStatus) async {
        var details = JSONObject()
        details["timestamp"] = .string(event.effectiveAt.iso8601)
        details["surface"] = .string(event.surface.rawValue)
        details["session_id"] = event.sessionID.map { .string($0.text) }
        details["session_date"] =
            status.sessionID == event.sessionID ? status.sessionDate.map { .string($0.text) } : nil
        try? await connection?.emit(
            Contract.path, Contract.InterfaceName.session, "EventRecorded", event.type.rawValue, event.id.text,
            AnswerCoding.variants(details))
    }

    func show(_ status: NightStatus) async {
        current = status
        try? await connection?.set(
            SessionFace.properties(status), of: Contract.InterfaceName.session, at: Contract.path)
    }

    private func show(health: String) async {
        self.health = health
        try? await connection?.set(
            ["Health": Variant(health)], of: Contract.InterfaceName.service, at: Contract.path)
    }
}
