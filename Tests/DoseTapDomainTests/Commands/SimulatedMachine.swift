import DoseTapDomain

/// A machine with a log. Only the test moves its clocks, zone and rules.
struct SimulatedMachine {
    private(set) var logState = LogState()
    private(set) var log: [Event] = []
    private(set) var wall: Instant
    private(set) var counterMicroseconds: Int64 = 5_000_000_000
    private(set) var boots = 1
    /// True if a time source keeps the wall clock right.
    var isSynchronised = true
    /// True after the wall clock was set.
    private(set) var wasSet = false
    var zone: Zone
    var knownZones: [Zone] = []
    var rules: NightRules
    var sleepEvents = SleepEventCatalogue.standard
    var medications = MedicationCatalogue.standard
    private var ids: IdentifierGenerator

    init(at wall: Instant, zone: Zone = .utc, rules: NightRules = .standard, seed: UInt64 = 1) {
        self.wall = wall
        self.zone = zone
        self.rules = rules
        ids = IdentifierGenerator(random: SplitMix64(seed: seed))
    }

    /// A machine at 22:00 of an ordinary evening.
    static func evening(rules: NightRules = .standard) -> SimulatedMachine {
        SimulatedMachine(at: utc("2026-01-14T22:00:00Z"), rules: rules)
    }

    /// A machine at this time after a dose 1 at 22:00, with the passage of time recorded.
    static func after(_ elapsed: Duration, rules: NightRules = .standard) throws -> SimulatedMachine {
        var machine = evening(rules: rules)
        try machine.perform(.logDose(.dose1))
        machine.pass(elapsed)
        machine.settle()
        return machine
    }

    var clock: ClockReading {
        ClockReading(
            wall: wall, counterMicroseconds: counterMicroseconds, bootID: "boot-\(boots)",
            isSynchronised: isSynchronised)
    }

    var context: DecisionContext {
        let zones = knownZones + [zone]
        return DecisionContext(
            clock: clock, zone: zone, zoneNamed: { name in zones.first { $0.identifier == name } }, rules: rules,
            sleepEvents: sleepEvents, medications: medications, deviceID: "test")
    }

    /// The session begun last.
    var night: Session? { logState.latest }

    // MARK: Time

    /// Both clocks advance.
    mutating func pass(_ duration: Duration) {
        wall += duration
        counterMicroseconds += duration.wholeMilliseconds * 1_000
    }

    /// Both clocks advance to an instant of the wall clock.
    mutating func pass(until instant: Instant) { pass(instant - wall) }

    mutating func setClock(by duration: Duration) {
        wall += duration
        wasSet = true
    }

    /// The machine is put back to an earlier state of itself; its wall clock goes on.
    mutating func turnCounterBack(by duration: Duration) {
        counterMicroseconds -= duration.wholeMilliseconds * 1_000
    }

    /// The time since boot begins anew.
    mutating func reboot() {
        boots += 1
        counterMicroseconds = 1_000_000
    }

    // MARK: The log

    mutating func append(_ events: [Event]) {
        log += events
        logState.append(events)
    }

    @discardableResult
    mutating func settle() -> [Event] {
        let events = CommandHandler.settle(logState, context, ids: &ids)
        append(events)
        return events
    }

    /// Acts as the service at a deadline: settles, tells due reminders and records their fate.
    @discardableResult
    mutating func meetDeadline() -> DueReminders? {
        let before = logState.open
        settle()
        if let before {
            let missed = DueReminders(missedBy: before, after: logState.session(before.id), context)
            append(before.recording(missed, context, newest: logState.newest, ids: &ids))
        }
        guard let open = logState.open else { return nil }
        let due = DueReminders(session: open, in: logState, context)
        append(open.recording(due, context, newest: logState.newest, ids: &ids))
        return due
    }

    mutating func setRules(_ rules: NightRules) {
        self.rules = rules
        let payload = EventPayload.settingChanged(SettingChanged(rules: rules))
        append([
            CommandHandler.fact(
                payload, .setting, session: logState.open?.id, newest: logState.newest, context, ids: &ids)
        ])
    }

    /// The log states of the same events, read one by one and as a store hands them over.
    var replayed: [LogState] {
        var single = LogState()
        for event in log { single.append([event]) }
        let entries = Dictionary(grouping: log.filter { $0.entityType.isStandalone }, by: \.entityID)
        let nights = Dictionary(grouping: log.filter { $0.sessionID != nil }, by: \.sessionID)
        let loaded = LogState(
            sessions: Array(nights.values), recent: log, newest: log.last?.occurredAt,
            standalone: Array(entries.values))
        return [single, loaded]
    }

    // MARK: Commands

    @discardableResult
    mutating func perform(
        _ command: Command, keyed: Event? = nil, _ change: (inout CommandOptions) -> Void = { _ in }
    ) throws(CommandFailure) -> CommandHandler.Recording {
        settle()
        var options = CommandOptions(surface: .cli)
        change(&options)
        let recording = try CommandHandler.decide(
            command, options, logState: logState, keyed: keyed, context, ids: &ids)
        append(recording.events)
        return recording
    }

    /// The reason why a command records nothing; nil when it recorded something.
    mutating func failure(
        _ command: Command, keyed: Event? = nil, _ change: (inout CommandOptions) -> Void = { _ in }
    ) -> CommandFailure? {
        do {
            try perform(command, keyed: keyed, change)
            return nil
        } catch { return error }
    }

    /// The questions a command asks; empty when it is recorded or refused.
    mutating func questions(
        _ command: Command, _ change: (inout CommandOptions) -> Void = { _ in }
    ) -> [Confirmation] {
        guard case .needsConfirmation(let question)? = failure(command, change) else { return [] }
        return question.confirmations
    }

    /// The reason why a command is refused; nil when it is not.
    mutating func refusal(
        _ command: Command, _ change: (inout CommandOptions) -> Void = { _ in }
    ) -> BlockReason? {
        guard case .refused(let reason, _)? = failure(command, change) else { return nil }
        return reason
    }

    /// Records a command with every question answered.
    @discardableResult
    mutating func performConfirmed(
        _ command: Command, _ change: (inout CommandOptions) -> Void = { _ in }
    ) throws(CommandFailure) -> CommandHandler.Recording {
        try perform(command) { options in
            options.confirmations = Set(Confirmation.allCases)
            change(&options)
        }
    }

    func status(at instant: Instant? = nil) -> NightStatus { NightStatus(logState, at: instant, context) }
}

/// An instant written with its offset.
func utc(_ text: String) -> Instant {
    guard let instant = try? Instant(iso8601: text) else { preconditionFailure("\(text) is no instant") }
    return instant
}

extension Duration {
    static func minutes(_ minutes: Int, milliseconds: Int) -> Duration {
        .minutes(minutes) + .milliseconds(milliseconds)
    }
}

extension NightRules {
    static func standard(_ change: (inout NightRules) -> Void) -> NightRules {
        var rules = standard
        change(&rules)
        return rules
    }

    static var oneDose: NightRules { standard { $0.onceNightly = true } }
}

/// Testing has a type of the same name.
typealias Confirmation = DoseTapDomain.Confirmation

extension CommandHandler {
    /// The next time to settle or tell something, as an instant of the present wall clock.
    static func nextDeadline(_ logState: LogState, _ context: DecisionContext, deliversReminders: Bool = true)
        -> Instant?
    {
        nextDue(logState, context, deliversReminders: deliversReminders).at(context.now)
    }
}
