public import DoseTapDomain
public import Logging

/// The session keeper: takes commands in order, asks the rules, commits, and only then answers. It holds tonight in
/// memory; everything else it asks of the store.
///
/// Commands, deadlines and settings pass one turnstile and are handled in the order received; queries overtake.
public actor Engine {
    /// What the engine is made of.
    public struct Parts: Sendable {
        /// The log.
        public var store: any EventStore
        /// Clocks and zones.
        public var surroundings: any Surroundings
        /// The one timer.
        public var timer: any DeadlineTimer
        /// Who is told of changes.
        public var observer: any EngineObserver
        /// The plugins.
        public var host: PluginHost
        /// The rules for a session opened now.
        public var rules: NightRules
        /// The types of sleep events that can be logged.
        public var sleepEvents: SleepEventCatalogue
        /// The medicines that can be recorded.
        public var medications: MedicationCatalogue
        /// Whether reminders are told. A service that lives for one command tells none, so that it takes none away from
        /// the one that will.
        public var tellsReminders: Bool
        /// Where the first entry begins a new record; nil where there is one.
        public var newRecord: String?
        /// Where the engine says what a person should read; details only.
        public var logger: Logger

        /// Memberwise.
        public init(
            store: any EventStore, surroundings: any Surroundings, timer: any DeadlineTimer,
            observer: any EngineObserver, host: PluginHost, rules: NightRules,
            sleepEvents: SleepEventCatalogue = .standard, medications: MedicationCatalogue = .standard,
            tellsReminders: Bool = true, newRecord: String? = nil, logger: Logger
        ) {
            self.store = store
            self.surroundings = surroundings
            self.timer = timer
            self.observer = observer
            self.host = host
            self.rules = rules
            self.sleepEvents = sleepEvents
            self.medications = medications
            self.tellsReminders = tellsReminders
            self.newRecord = newRecord
            self.logger = logger
        }
    }

    /// How many commands may wait.
    public static let mailboxBound = 64
    /// How long unsafe events wait before the store is tried again, when nobody asks.
    static let retryAfter: Duration = .seconds(60)

    private let executor: any SerialExecutor
    let parts: Parts
    var rules: NightRules { didSet { revision += 1 } }
    var sleepEvents: SleepEventCatalogue
    /// The medicines that can be recorded.
    public internal(set) var medicationCatalogue: MedicationCatalogue { didSet { revision += 1 } }
    /// What is durable.
    var durable = Diary()
    /// What is durable, and what could not be made so yet.
    var diary = Diary() { didSet { revision += 1 } }
    /// Counts what the status of the night follows from.
    private(set) var revision = 0
    /// The status that was asked last, and of when it is.
    var presentStatus: (revision: Int, clock: ClockReading, zone: String, status: NightStatus)?
    /// Events told as not yet safe, in order.
    var unsafeEvents: [Event] = []
    /// When the newest event was recorded that the store has and did not answer for yet.
    var newestInFlight: Instant?
    /// Where they lie meanwhile; nil for none.
    var keptPlace: KeptPlace?
    /// What an earlier run could not record, and the log has something in its way.
    var keptAside: [Event] = []
    /// What came back from the journal alone, without amount and note.
    var fromJournal: Set<EventID> = []
    /// Where the log is a fresh one beside a damaged one.
    var beside: BesideLog?
    /// Why the store does not take them.
    var fault: StoreError?
    /// A flush failed and the file could not be opened since: what the log holds is not known.
    var mustReopen = false
    /// What there is of each medicine, as long as nothing has changed it, and from which date on its nights are told.
    var ledger: (recent: SessionDate, ledger: StockLedger)?
    /// Place of the last event known to stand in the log.
    var lastSequence: Int64 = 0
    /// Place of the last event that stood in the log as this life of the service began.
    var firstSequence: Int64 = 0
    /// Sentences for `status`, found at start.
    var findings: [String] = []
    /// What `status` says of the settings; nil when all that is written down is in force.
    private(set) var settingsWarning: String?
    var ids = IdentifierGenerator()
    /// A deadline was handled and is due all the same: when it is tried again, by the counter.
    var overdue: Int64?
    /// Since when what is due waits for the store, in microseconds since boot.
    var waitsSince: Int64?
    /// Why the timer for the next deadline could not be armed.
    var timerFault: String?
    var phase: Phase = .noDose1
    /// The window is over by both figures, as it was told last.
    var isOver = false
    /// What each plugin may still propose.
    private var proposals: [String: ProposalBudget] = [:]
    var turnstile = Turnstile(bound: Engine.mailboxBound)
    var outbox: [Notice] = []
    /// Commands whose callers wait for the answer and tell when it has left.
    var answering = 0
    var isTelling = false
    /// Reminders that reached a channel since the last commit.
    var deliveries: [Delivery] = []
    var isRecordingDeliveries = false
    /// Wakes the daily comparison, whose timer could not be armed.
    var comparisonRetry: AsyncStream<Void>.Continuation?
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

    /// Reads tonight from the log, applies what time did while the service was off, arms the timer, starts plugins.
    ///
    /// - Parameters:
    ///   - findings: what opening the store noticed, a sentence each.
    ///   - remembered: what the journal says was acknowledged and may be missing in the log, without details.
    public func start(
        findings: [String] = [], restored: StoreRestored? = nil, remembered: [Event] = []
    ) async throws {
        self.findings = findings
        let cursors = try await load(remembered)
        for finding in findings { tell(.change(.finding(finding))) }
        await parts.host.start(cursors: cursors, from: beside?.takenOver ?? 0, store: parts.store) { [weak self] due in
            await self?.isStanding(due) ?? false
        } standing: { [weak self] in
            await self?.standing() ?? []
        }
        phase = status(at: nil).window.phase
        await waitForTurn()
        await recordKept()
        if let beside {
            tell(.change(.finding(beside.sentence)))
            if beside.isNew { await record([besideFact()]) }
        }
        leave()
        if let restored {
            await waitForTurn()
            defer { leave() }
            let event = Rulebook.fact(
                .storeRestored(restored), .store, session: nil, newest: diary.newest, circumstances(), ids: &ids)
            await record([event])
        }
        await deadlineReached()
        await told()
    }

    /// What is found where a question was asked of a path at which nothing is recorded.
    public static func noRecord(at path: String) -> String { "there is no record at \(path) yet" }

    private func load(_ remembered: [Event]) async throws -> [String: Int64] {
        let snapshot = try await self.snapshot()
        durable = Diary(snapshot)
        diary = durable.appending(unsafeEvents)
        lastSequence = snapshot.lastSequence
        firstSequence = lastSequence
        try await takeUpKept(newest: snapshot.newest, remembered: remembered)
        return snapshot.cursors
    }

    /// Finishes what is running, writes the plugins' cursors and closes the store.
    ///
    /// - Returns: whether all that was acknowledged is in the log.
    @discardableResult
    public func stop() async -> Bool {
        isStopping = true
        await waitForTurn()
        defer { leave() }
        await parts.timer.disarm()
        if mustReopen { await reload() }
        try? await commit([])
        tellLeft()
        await told()
        let cursors = await parts.host.stop()
        do { try await parts.store.close(cursors: cursors) } catch {
            parts.logger.error("the store did not close cleanly", metadata: ["error": "\(error)"])
        }
        return unsafeEvents.isEmpty
    }

    /// Whether an event stood in the log as this life of the service began.
    func isOld(_ sequence: Int64) -> Bool { sequence <= firstSequence }

    /// How long ago an event was recorded, whatever was done to the wall clock since.
    func age(of event: Event) -> Duration { parts.surroundings.clock().elapsed(since: event) }

    /// Takes over what `status` says of the settings.
    public func warn(ofSettings warning: String?) { settingsWarning = warning }

    // MARK: Commands

    /// Handles a command in its turn; returns only when its events are durable.
    ///
    /// - Parameters:
    ///   - zone: the zone named by the caller; nil is the zone in force.
    ///   - tellsOfAnswer: the caller calls ``answered()`` once the receipt has left, and the others are told after that.
    /// - Throws: ``EngineFailure``: then there is nothing to tell of.
    public func submit(
        _ command: Command, _ options: CommandOptions, zone: Zone? = nil, tellsOfAnswer: Bool = false
    ) async throws -> Receipt {
        try await enter()
        if tellsOfAnswer { answering += 1 }
        do { return try await handleInTurn(command, options, zone: zone) } catch {
            if tellsOfAnswer { answered() }
            throw error
        }
    }

    /// A receipt has left.
    public func answered() { answering -= 1 }

    /// A plugin's proposal: the same rules, in a turn that nobody else waits for.
    ///
    /// - Throws: ``EngineFailure``; ``PluginFailure/tooManyProposals``.
    func propose(_ command: Command, _ options: CommandOptions, by plugin: String) async throws -> Receipt {
        var options = options
        if ![.plugin, .notification, .hook].contains(options.surface) { options.surface = .plugin }
        let boot = parts.surroundings.clock().counterMicroseconds
        guard proposals[plugin, default: ProposalBudget(boot)].spend(boot) else {
            throw PluginFailure.tooManyProposals
        }
        try await enter(givingWay: true)
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
            tell(.change(.declined(command, failure, options.surface, diary.open?.date)))
            throw EngineFailure.command(named(failure))
        }
    }

    private func handle(_ command: Command, _ options: CommandOptions, zone: Zone?) async throws -> Receipt {
        var circumstances = circumstances()
        if let zone { circumstances.zone = zone }
        if mustReopen { await reload() }
        if !unsafeEvents.isEmpty { _ = try? await commit([]) }
        let settled = Rulebook.settle(diary, circumstances, ids: &ids)
        let settledDiary = diary.appending(settled)
        let recording: Rulebook.Recording
        var context = settledDiary
        do {
            let keyed = try await keyed(options.key)
            let command = try await resolved(command, options, first: keyed?.event)
            if let keyed, !isUnsafe(keyed.event.id) {
                let found = try Rulebook.decide(
                    command, options, diary: settledDiary, keyed: keyed.event, circumstances, ids: &ids)
                if !settled.isEmpty { try await commit(settled) }
                return receipt(of: found.primary, among: keyed.session)
            }
            context = try await extended(settledDiary, for: command, options)
            recording = try Rulebook.decide(
                command, options, diary: context, keyed: keyed?.event, circumstances, ids: &ids)
        } catch {
            if !settled.isEmpty { try? await commit(settled) }
            throw error
        }
        if recording.isDuplicate {
            if !settled.isEmpty { try await commit(settled) }
            if let fault, isUnsafe(recording.primary.id) { throw EngineFailure.store(fault, kept: true) }
            let session = context.session(of: recording.primary)
            return receipt(of: recording.primary, among: session?.events ?? [recording.primary])
        }
        let after = context.appending(recording.events, folded: recording.night.map { [$0] } ?? [])
        let receipt = Receipt(
            recording.primary, session: after.session(of: recording.primary), open: after.open,
            corrected: CorrectedEntry(by: recording.primary, before: context, after: after), duplicate: false,
            dryRun: options.dryRun, clock: circumstances.clock)
        var warned = await warned(receipt, of: recording.primary)
        if let night = context.nightOver(beside: recording.events) { warned.metadata["night_over"] = .object(night) }
        if options.dryRun {
            if !settled.isEmpty { try await commit(settled) }
            return warned
        }
        merge(context)
        let isFirst = lastSequence == 0
        try await commit(settled + recording.events, folded: after.sessions)
        warned.handle = handle(of: recording.primary.entry, in: diary)
        if isFirst, let path = parts.newRecord {
            warned.metadata["record_begun"] = .string(path)
            findings.removeAll { $0 == Self.noRecord(at: path) }
        }
        return warned
    }

    /// The first receipt again: as of the commit of the first event, but for what lies ahead.
    private func receipt(of event: Event, among events: [Event]) -> Receipt {
        let last = events.lastIndex { $0.id == event.id || $0.payload.cause == event.id }
        let session = last.flatMap { Session(events: Array(events[...$0])) }
        let clock = event.clock
        let open = session == nil ? openNight(asOf: event) : nil
        var receipt = Receipt(event, session: session, open: open, duplicate: true, clock: clock)
        receipt.handle = handle(of: event.entry, in: diary)
        // An alarm that was put off, or is no more since, is not promised again.
        if receipt.dueTimes != nil {
            let night = event.sessionID.flatMap { diary.session($0) }
            receipt.dueTimes = DueTimes(of: night, now: parts.surroundings.clock())
        }
        return receipt
    }

    /// The night that was open when an event was recorded, as far as memory holds it.
    private func openNight(asOf event: Event) -> Session? {
        let nights = diary.sessions.compactMap { night in
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

    // MARK: The turnstile

    // A call to `withCheckedContinuation` may itself let others in before its body runs (it does so in a task that does
    // not prefer the loop), so whether to wait is decided inside the body; before it a turn can only be taken.

    func enter(givingWay: Bool = false) async throws(EngineFailure) {
        if isStopping { throw .stopping }
        let isIn = await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            let isFull = givingWay ? turnstile.isFullForThoseWhoGiveWay : turnstile.isFull
            if isFull {
                continuation.resume(returning: false)
            } else {
                turnstile.pass(continuation, givingWay: givingWay)
            }
        }
        guard isIn else { throw .busy }
        if isStopping {
            leave()
            throw .stopping
        }
    }

    /// For what may not be turned away: deadlines, what became of them, settings, the stop.
    func waitForTurn() async {
        if turnstile.enter() { return }
        _ = await withCheckedContinuation { turnstile.pass($0) }
    }

    func leave() { turnstile.leave() }

    /// Everything a decision needs from outside, read now.
    ///
    /// - Parameter clock: the clocks, if they were read a moment ago.
    func circumstances(_ clock: ClockReading? = nil) -> Circumstances {
        let surroundings = parts.surroundings
        return Circumstances(
            clock: clock ?? surroundings.clock(), zone: surroundings.zone(),
            zoneNamed: { surroundings.zone(named: $0) },
            rules: rules, sleepEvents: sleepEvents, medications: medicationCatalogue, deviceID: surroundings.deviceID)
    }
}
