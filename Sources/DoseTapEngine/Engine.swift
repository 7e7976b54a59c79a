public import DoseTapDomain
public import Logging

/// Takes commands in order, asks the rules, commits, and only then answers. The engine holds tonight and the last two
/// days in memory, and reads everything else from the store.
///
/// Commands, deadlines and settings pass one queue and are handled in the order received; queries overtake.
public actor Engine {
    public struct Parts: Sendable {
        public var store: any EventStore
        public var systemEnvironment: any SystemEnvironment
        public var timer: any DeadlineTimer
        public var observer: any EngineObserver
        public var host: PluginHost
        /// The rules for a session opened now.
        public var rules: NightRules
        /// The types of sleep events that can be logged.
        public var sleepEvents: SleepEventCatalogue
        /// The medicines that can be recorded.
        public var medications: MedicationCatalogue
        /// True if reminders are delivered. A service that runs for one command delivers none, so that it takes none
        /// away from the lasting service.
        public var deliversReminders: Bool
        /// Path where the first entry makes a new record; nil if there is a record.
        public var newRecord: String?
        /// For details only.
        public var logger: Logger

        public init(
            store: any EventStore, systemEnvironment: any SystemEnvironment, timer: any DeadlineTimer,
            observer: any EngineObserver, host: PluginHost, rules: NightRules,
            sleepEvents: SleepEventCatalogue = .standard, medications: MedicationCatalogue = .standard,
            deliversReminders: Bool = true, newRecord: String? = nil, logger: Logger
        ) {
            self.store = store
            self.systemEnvironment = systemEnvironment
            self.timer = timer
            self.observer = observer
            self.host = host
            self.rules = rules
            self.sleepEvents = sleepEvents
            self.medications = medications
            self.deliversReminders = deliversReminders
            self.newRecord = newRecord
            self.logger = logger
        }
    }

    /// Most commands that may wait.
    public static let mailboxBound = 64
    /// The time that unsafe events wait before the store is tried again without a call.
    static let retryAfter: Duration = .seconds(60)

    private let executor: any SerialExecutor
    let parts: Parts
    var rules: NightRules { didSet { revision += 1 } }
    var sleepEvents: SleepEventCatalogue
    /// Sources of recorded sleep, the preferred one first.
    var sleepOrder: [String] = []
    /// The stage of sleep that was reported last; in memory only.
    var liveStage: LiveStage?
    /// The medicines that can be recorded.
    public internal(set) var medicationCatalogue: MedicationCatalogue { didSet { revision += 1 } }
    /// Folded from durable events.
    var durable = LogState()
    /// Folded from durable events and from those that could not be written yet.
    var logState = LogState() { didSet { revision += 1 } }
    /// Counts changes of the inputs of the status.
    private(set) var revision = 0
    var lastPresent: Present?
    /// Events reported as not yet safe, in order.
    var unsafeEvents: [Event] = []
    /// Time of the newest event handed to the store and not answered yet.
    var newestInFlight: Instant?
    /// The place where the unsafe events are kept meanwhile; nil for none.
    var keptPlace: KeptPlace?
    /// Events of an earlier run that conflict with the log.
    var keptAside: [Event] = []
    /// Events restored from the journal alone, without amount and note.
    var fromJournal: Set<EventID> = []
    /// Events that only the copy of the last nights has.
    var fromCopy: Set<EventID> = []
    /// Set if the log is a fresh one beside a damaged one.
    var beside: BesideLog?
    /// The reason why the store does not take events; nil while it does.
    var fault: StoreError?
    /// A flush failed and the file could not be opened since: the content of the log is unknown.
    var mustReopen = false
    /// True if the log to be opened has taken the place of the known one: its events are no news.
    var isAnotherLog = false
    /// True while a log is being taken in.
    var isTakingInLog = false
    /// Stock of each medicine, as long as nothing has changed it, and the date from which its nights are listed.
    var ledger: (recent: SessionDate, ledger: StockLedger)?
    /// Sequence number of the last event known to be in the log.
    var lastSequence: Int64 = 0
    /// Sequence number of the last event in the log at the start of the service.
    var firstSequence: Int64 = 0
    /// Sentences for `status`, found at start.
    var findings: [String] = []
    /// The warning of `status` about the settings; nil when the files are in force.
    private(set) var settingsWarning: String?
    var ids = IdentifierGenerator()
    /// The counter at which a deadline is tried again that is still due after it was handled.
    var overdue: Int64?
    /// The begin of a due reminder's wait for the store, in microseconds since boot.
    var waitsSince: Int64?
    /// The reason why the timer for the next deadline could not be armed.
    var timerFault: String?
    var phase: Phase = .noDose1
    /// The newest action when an entry was declined last; in memory only.
    private var declinedAfter: EventID?
    /// True if the last notice said that the window is over by both figures.
    var isOver = false
    private var proposals: [String: ProposalBudget] = [:]
    var commandQueue = CommandQueue(bound: Engine.mailboxBound)
    var outbox: [Notice] = []
    /// Commands whose callers wait for the answer and tell when it has left.
    var answering = 0
    var isPublishing = false
    /// Reminders that reached a channel since the last commit.
    var deliveries: [Delivery] = []
    var isRecordingDeliveries = false
    /// Wakes the daily comparison after its timer could not be armed.
    var comparisonRetry: AsyncStream<Void>.Continuation?
    /// True if the repair of a log in use was not made ready, since a window is unresolved.
    var isRepairDue = false
    /// Counts the records that were taken over in the place of the one before.
    var takeovers = 0
    var backups = BackupState()
    var waitingForSilence: [CheckedContinuation<Void, Never>] = []
    var isStopping = false

    /// The executor everything of the engine runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter executor: the event loop.
    public init(on executor: any SerialExecutor, _ parts: Parts) {
        self.executor = executor
        self.parts = parts
        rules = parts.rules
        sleepEvents = parts.sleepEvents
        medicationCatalogue = parts.medications
    }

    // MARK: Life

    /// Loads tonight from the log, applies what became due while the service was off, arms the timer, starts plugins.
    ///
    /// - Parameters:
    ///   - findings: of opening the store, a sentence each.
    ///   - remembered: events acknowledged according to the journal that may be missing in the log, without details.
    public func start(
        findings: [String] = [], restored: StoreRestored? = nil, remembered: [Event] = []
    ) async throws {
        self.findings = findings
        let cursors = try await load(remembered)
        for finding in findings { notify(.change(.finding(finding))) }
        await parts.host.start(cursors: cursors, from: beside?.takenOver ?? 0, store: parts.store) { [weak self] due in
            await self?.isActive(due) ?? false
        } active: { [weak self] in
            await self?.active() ?? []
        }
        phase = status(at: nil).window.phase
        await waitForTurn()
        let fact = restored.map {
            CommandHandler.fact(
                .storeRestored($0), .store, session: nil, newest: logState.newest, context(), ids: &ids)
        }
        await recordKept(with: fact)
        if let beside {
            notify(.change(.finding(beside.sentence)))
            if beside.isNew { await record([besideFact()]) }
        }
        leave()
        await deadlineReached()
        await published()
    }

    /// The finding for a path without a record.
    public static func noRecord(at path: String) -> String { sent("there is no record at \(path) yet") }

    private func load(_ remembered: [Event]) async throws -> [String: Int64] {
        let snapshot = try await self.snapshot()
        durable = LogState(snapshot)
        logState = durable.appending(unsafeEvents)
        lastSequence = snapshot.lastSequence
        firstSequence = lastSequence
        try await takeUpKept(newest: snapshot.newest, remembered: remembered)
        return snapshot.cursors
    }

    /// Finishes running work, writes the plugins' cursors and closes the store.
    ///
    /// - Returns: true if all acknowledged events are in the log.
    @discardableResult
    public func stop() async -> Bool {
        isStopping = true
        await waitForTurn()
        defer { leave() }
        await parts.timer.disarm()
        if mustReopen { await reload() }
        try? await commit([])
        notifyLeft()
        await published()
        let cursors = await parts.host.stop()
        do { try await parts.store.close(cursors: cursors) } catch {
            parts.logger.error("the store did not close cleanly", metadata: ["error": "\(error)"])
        }
        return unsafeEvents.isEmpty
    }

    /// Sets the warning of `status` about the settings.
    public func warn(ofSettings warning: String?) { settingsWarning = warning }

    // MARK: Commands

    /// Handles a command in its turn; returns when its events are durable.
    ///
    /// - Parameters:
    ///   - zone: the zone named by the caller; nil is the zone in force.
    ///   - awaitsAnswer: true if the caller calls ``answered()`` once the receipt has left; the others are told after that.
    /// - Throws: ``EngineFailure``; the caller does not call ``answered()`` then.
    public func submit(
        _ command: Command, _ options: CommandOptions, zone: Zone? = nil, awaitsAnswer: Bool = false
    ) async throws -> Receipt {
        try await enter()
        if awaitsAnswer { answering += 1 }
        do { return try await handleInTurn(command, options, zone: zone) } catch {
            if awaitsAnswer { answered() }
            throw error
        }
    }

    /// Takes note that the reply with the receipt was sent.
    public func answered() { answering -= 1 }

    /// Handles a plugin's proposal by the same rules, at low priority.
    ///
    /// - Throws: ``EngineFailure``; ``PluginFailure/tooManyProposals``.
    func propose(_ command: Command, _ options: CommandOptions, by plugin: String) async throws -> Receipt {
        var options = options
        if ![.plugin, .notification, .hook].contains(options.surface) { options.surface = .plugin }
        let boot = parts.systemEnvironment.clock().counterMicroseconds
        guard proposals[plugin, default: ProposalBudget(boot)].spend(boot) else {
            throw PluginFailure.tooManyProposals
        }
        try await enter(lowPriority: true)
        return try await handleInTurn(command, options, zone: nil)
    }

    private func handleInTurn(_ command: Command, _ options: CommandOptions, zone: Zone?) async throws -> Receipt {
        defer { leave() }
        do {
            do { return try await handle(command, options, zone: zone) } catch EngineFailure.store(
                let error, let isKept)
                where error.code == .damaged
            {
                guard await goBeside(error) else { throw EngineFailure.store(error, kept: isKept) }
                return try await handle(command, options, zone: zone)
            }
        } catch let failure as CommandFailure {
            notify(.change(.declined(command, failure, options.surface, logState.open?.date)))
            if command != .undo, !options.dryRun { declinedAfter = logState.newestAction?.id }
            throw EngineFailure.command(named(failure))
        }
    }

    private func handle(_ command: Command, _ options: CommandOptions, zone: Zone?) async throws -> Receipt {
        if mustReopen { await reload() }
        if !unsafeEvents.isEmpty { _ = try? await commit([]) }
        // The clocks are read after the slow steps: no event gets a counter that lies behind the one before it.
        var context = context()
        if let zone { context.zone = zone }
        let held = unsafeEvents.count
        let settled = CommandHandler.settle(logState, context, ids: &ids)
        let settledState = logState.appending(settled)
        let recording: CommandHandler.Recording
        var extended = settledState
        do {
            let keyed = try await keyed(options.key)
            let resolved = try await resolved(command, options, first: keyed?.event)
            let repeated = keyed.flatMap { isUnsafe($0.event.id) ? nil : $0 }
            if repeated == nil { extended = try await self.extended(settledState, for: resolved, options) }
            // A reminder was told while the store was asked: the reminder goes first, and the command is of a later moment.
            if unsafeEvents.count > held { return try await handle(command, options, zone: zone) }
            if let repeated {
                let found = try CommandHandler.decide(
                    resolved, options, logState: settledState, keyed: repeated.event, context, ids: &ids)
                if !settled.isEmpty { try await commit(settled) }
                return receipt(of: found.primary, among: repeated.session, context.zone)
            }
            recording = try CommandHandler.decide(
                resolved, options, logState: extended, keyed: keyed?.event, context, ids: &ids)
        } catch {
            if !settled.isEmpty, unsafeEvents.count == held { try? await commit(settled) }
            throw error
        }
        if recording.isDuplicate {
            // A duplicate records nothing new: a following undo may mean the duplicate, and not the first entry.
            if options.key == nil, !options.dryRun { declinedAfter = logState.newestAction?.id }
            if !settled.isEmpty { try await commit(settled) }
            if let fault, isUnsafe(recording.primary.id) { throw EngineFailure.store(fault, kept: true) }
            let session = extended.session(of: recording.primary)
            return receipt(of: recording.primary, among: session?.events ?? [recording.primary], context.zone)
        }
        let after = extended.appending(recording.events, folded: recording.night.map { [$0] } ?? [])
        let receipt = Receipt(
            recording.primary, session: after.session(of: recording.primary),
            gone: extended.session(of: recording.primary), open: after.open,
            corrected: CorrectedEntry(by: recording.primary, before: extended, after: after), duplicate: false,
            dryRun: options.dryRun, clock: context.clock)
        var warned = await warned(receipt, of: recording.primary)
        if let night = extended.nightOver(beside: recording.events) { warned.metadata["night_over"] = .object(night) }
        if options.dryRun {
            if !settled.isEmpty { try await commit(settled) }
            return warned
        }
        merge(extended)
        let isFirst = lastSequence == 0
        try await commit(settled + recording.events, folded: after.sessions)
        warned.handle = handle(of: recording.primary.entry, in: logState)
        if isFirst, let path = parts.newRecord {
            warned.metadata["record_begun"] = .string(path)
            findings.removeAll { $0 == Self.noRecord(at: path) }
        }
        return warned
    }

    /// Returns the first receipt again: as of the commit of the first event, except for future times and the zone in force.
    private func receipt(of event: Event, among events: [Event], _ zone: Zone) -> Receipt {
        let last = events.lastIndex { $0.id == event.id || $0.payload.cause == event.id }
        let session = last.flatMap { Session(events: Array(events[...$0])) }
        let clock = event.clock
        let open = session == nil ? openNight(asOf: event) : nil
        var receipt = Receipt(event, session: session, open: open, duplicate: true, clock: clock)
        receipt.handle = handle(of: event.entry, in: logState)
        receipt.timeZone = zone.identifier
        receipt.nightZone = session.flatMap { $0.timeZone == zone.identifier ? nil : $0.timeZone }
        // An alarm that was snoozed or ended since is not promised again.
        if receipt.dueTimes != nil {
            let night = event.sessionID.flatMap { logState.session($0) }
            receipt.dueTimes = DueTimes(of: night, now: parts.systemEnvironment.clock())
        }
        return receipt
    }

    /// Returns the night that was open when an event was recorded, as far as memory holds it.
    private func openNight(asOf event: Event) -> Session? {
        let nights = logState.sessions.compactMap { night in
            Session(events: night.events.filter { $0.occurredAt <= event.occurredAt })
        }
        return nights.last(where: \.isOpen)
    }

    private func isUnsafe(_ id: EventID) -> Bool { unsafeEvents.contains { $0.id == id } }

    private func keyed(_ key: String?) async throws -> KeyedEvent? {
        guard let key else { return nil }
        if let event = unsafeEvents.first(where: { $0.idempotencyKey == key }) {
            return KeyedEvent(event: event, session: [event])
        }
        return try await asking { try await self.parts.store.event(key: key) }
    }

    // MARK: The command queue

    // A call to `withCheckedContinuation` may let other jobs run before its body (it does in a task that does not
    // prefer the loop), so the body decides whether to wait; before it a turn can only be taken.

    func enter(lowPriority: Bool = false) async throws(EngineFailure) {
        if isStopping { throw .stopping }
        let isIn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let isFull = lowPriority ? commandQueue.isFullForLowPriority : commandQueue.isFull
            if isFull {
                continuation.resume(returning: false)
            } else {
                commandQueue.pass(continuation, lowPriority: lowPriority)
            }
        }
        guard isIn else { throw .busy }
        if isStopping {
            leave()
            throw .stopping
        }
    }

    /// Waits for the turn of a call that cannot be refused: a deadline, a delivery, a setting, the stop.
    func waitForTurn() async {
        if commandQueue.enter() { return }
        _ = await withCheckedContinuation { commandQueue.pass($0) }
    }

    func leave() { commandQueue.leave() }

    /// Returns the outside facts of a decision, read now.
    ///
    /// - Parameter clock: the clocks, if they were read a moment ago.
    func context(_ clock: ClockReading? = nil) -> DecisionContext {
        let systemEnvironment = parts.systemEnvironment
        var context = DecisionContext(
            clock: clock ?? systemEnvironment.clock(), zone: systemEnvironment.zone(),
            zoneNamed: { systemEnvironment.zone(named: $0) },
            rules: rules, sleepEvents: sleepEvents, medications: medicationCatalogue,
            deviceID: systemEnvironment.deviceID)
        context.declinedAfter = declinedAfter
        return context
    }
}

/// The reason why the engine refused.
public enum EngineFailure: Error, Hashable, Sendable {
    case command(CommandFailure)
    /// `kept`: the entry is held in memory and in the journal until it can be written.
    case store(StoreError, kept: Bool)
    /// The queue is full: try again in a moment.
    case busy
    case stopping
}
