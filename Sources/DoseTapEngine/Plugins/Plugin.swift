public import DoseTapDomain

/// A listener that may be slow, fail or be restarted without harm to a night.
///
/// A plugin runs on a given executor, reads the log from its own stored cursor and can write only by proposing a
/// command, which meets the same rules as any other. A call that takes longer than its time budget is cancelled and
/// tried again later; a plugin must not block its thread.
public protocol Plugin: Actor {
    static nonisolated var manifest: PluginManifest { get }
    /// Takes an event of the log: at least once, in order, from the stored cursor.
    func receive(_ event: StoredEvent) async throws
    /// Takes a reminder that is due now; called only with the capability ``PluginManifest/Capability/reminders``.
    func reminderDue(_ due: DueReminder) async throws
    /// The phase of the night changed without an event: a reminder may be no longer true, or true again.
    func phaseChanged() async
    /// The time of ``PluginContext/wake(after:)`` has passed; a call that fails is repeated later.
    func woken() async throws
    /// Delivers a real test, marked as such, on a channel of its manifest.
    func test(_ channel: String) async throws
    /// The plugin was switched on or off. A plugin that is off gets no other calls.
    func switched(on: Bool) async
    /// The service is stopping; the call has one second.
    func stop() async
}

extension Plugin {
    public func reminderDue(_ due: DueReminder) async throws {}

    public func phaseChanged() async {}

    public func stop() async {}

    public func woken() async throws {}

    public func switched(on: Bool) async {}

    public func test(_ channel: String) async throws { throw PluginFailure.noChannel(channel) }
}

public struct PluginManifest: Hashable, Sendable {
    /// The id, as in `dosetap plugins` and the settings.
    public let id: String
    public let summary: String
    public let capabilities: Set<Capability>
    /// Channels to the person, see ``PluginContext/delivered(_:by:)``.
    public let channels: [String]
    /// The settings that the plugin reads: its own, which the manifest declares, and shared ones.
    public let settings: [SettingRow]

    public enum Capability: String, Hashable, Sendable, CaseIterable {
        case reads
        case proposes
        /// Notifies a person.
        case notifies
        /// Gets due reminders. The word on the bus is older.
        case reminders = "deadlines"
    }

    public init(
        id: String, summary: String, capabilities: Set<Capability>, channels: [String] = [], settings: [SettingRow] = []
    ) {
        self.id = id
        self.summary = summary
        self.capabilities = capabilities
        self.channels = channels
        self.settings = settings
    }
}

/// A reminder that is due now.
public struct DueReminder: Hashable, Sendable {
    /// The reminder with its nominal instant.
    public let item: ReminderPlan.Item
    /// The session that the reminder is about.
    public let session: SessionID
    public let date: SessionDate
    /// The close of the dose window by the present wall clock; the reminder's own instant in a night without dose 1.
    public let windowCloses: Instant
    /// Time of delivery.
    public let fired: Instant
    /// The lateness of the delivery, by the counter.
    public let lateness: Duration
    /// The avoidable part of the lateness: a reminder that was due before dose 1 was recorded is not late.
    public let overdue: Duration
    /// True if the time since dose 1 is certain; if not, no text may say what can be done about dose 2.
    public let isCertain: Bool

    public init(
        item: ReminderPlan.Item, session: SessionID, date: SessionDate, windowCloses: Instant, fired: Instant,
        lateness: Duration? = nil, overdue: Duration? = nil, isCertain: Bool = true
    ) {
        self.isCertain = isCertain
        self.lateness = lateness ?? fired - item.due
        self.overdue = overdue ?? self.lateness
        self.windowCloses = windowCloses
        self.item = item
        self.session = session
        self.date = date
        self.fired = fired
    }

    /// The due time by the wall clock of ``fired``.
    public var shownDue: Instant { fired - lateness }

    /// Whole minutes left of the window at delivery, rounded up.
    public var minutesLeft: Int64 { max(0, (windowCloses - fired + .seconds(60) - .milliseconds(1)).wholeMinutes) }
}

/// State of a plugin, for `dosetap plugins`.
public struct PluginReport: Hashable, Sendable {
    public let manifest: PluginManifest
    public let state: State
    public let cursor: Int64
    public let lag: Int64
    public let failures: Int
    /// Empty for none.
    public let lastError: String

    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Up to date or reading.
        case running
        /// Waiting to try again after a failure.
        case retrying
        /// A call exceeded its time budget and was given up.
        case hanging
        case disabled
    }
}

/// The way of one plugin to the engine, within the capabilities of its manifest.
public struct PluginContext: Sendable {
    let manifest: PluginManifest
    // Weak: engine and host hold the plugin, and the plugin holds its context. Calls after their end do nothing.
    weak let engine: Engine?
    weak let host: PluginHost?

    public init(_ manifest: PluginManifest, engine: Engine?, host: PluginHost?) {
        self.manifest = manifest
        self.engine = engine
        self.host = host
    }

    public func status() async -> NightStatus? { await engine?.status(at: nil) }

    /// The last phase sent to plugins; a reminder or an event follows the phase it led to.
    public func phase() async -> Phase? { await engine?.phase }

    /// Returns the date of a session that is in memory: tonight's and those of the last two days.
    public func date(of session: SessionID) async -> SessionDate? { await engine?.date(of: session) }

    /// Returns true if a reminder still holds: it was the last one, nobody answered it, and the night goes on.
    public func isActive(_ due: DueReminder) async -> Bool { await engine?.isActive(due) ?? false }

    /// Proposes an action, under the same rules as any other command.
    ///
    /// The proposal waits until no other call does. Its surface is `plugin`, unless it is a button of a notification or a
    /// hook.
    ///
    /// - Throws: ``PluginFailure`` without the capability `proposes`, or for one proposal too many; ``EngineFailure``.
    public func propose(_ command: Command, _ options: CommandOptions) async throws -> Receipt {
        try check(.proposes)
        guard let engine else { throw EngineFailure.stopping }
        // A plugin that is refused and asks again at once must not occupy the loop.
        await Task.yield()
        return try await engine.propose(command, options, by: manifest.id)
    }

    /// Records that a reminder reached a channel now, once for each channel, with the next commit or one of its own. The
    /// record does not mean that a person noticed, and stops nothing.
    ///
    /// - Parameter channel: a short word, see ``DoseTapDomain/ReminderChannel``.
    /// - Throws: ``PluginFailure`` for a malformed word, or without the capability `notifies`.
    public func delivered(_ due: DueReminder, by channel: String) async throws {
        try check(.notifies)
        guard let word = ReminderChannel(channel) else { throw PluginFailure.invalidChannel }
        await engine?.delivered(due, by: word)
    }

    /// Names an unfinished event: after a crash the plugin gets it and all later ones again. Nil: all are finished.
    public func hold(from sequence: Int64?) async { await host?.hold(manifest.id, from: sequence) }

    /// Returns true if no event at hand comes after this one, so that one look at the present night serves all of them.
    public func isLastAtHand(_ event: StoredEvent) async -> Bool {
        await host?.isLastAtHand(manifest.id, event.sequence) ?? true
    }

    /// Returns true if an event was in the log when the service started: it may have been delivered before a crash.
    public func isOld(_ event: StoredEvent) async -> Bool { await engine?.isOld(event.sequence) ?? false }

    /// Returns the time since an event was recorded, by the counter within a boot; nil before there is an engine.
    public func age(of event: Event) async -> Duration? { await engine?.age(of: event) }

    /// Reports a fault although no call failed: the last error in `dosetap plugins` until nil withdraws it.
    public func complain(_ what: String?) async { await host?.note(manifest.id, what) }

    /// Asks for ``Plugin/woken()`` after a duration, by the time since boot: setting the clock does not change it. Nil
    /// withdraws it. Only the last request counts; it is not kept over a restart of the service.
    public func wake(after wait: Duration?) async { await host?.wake(manifest.id, after: wait) }

    /// Handles the deadlines of the meantime at once, after the machine has woken.
    public func resumed() async {
        await engine?.deadlineReached()
        await host?.timeCame()
    }

    private func check(_ capability: PluginManifest.Capability) throws {
        guard manifest.capabilities.contains(capability) else {
            throw PluginFailure.notDeclared(plugin: manifest.id, capability)
        }
    }
}

public enum PluginFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The plugin's manifest does not name the capability.
    case notDeclared(plugin: String, PluginManifest.Capability)
    /// The name of a channel is no short word.
    case invalidChannel
    /// Too many proposals in a short time.
    case tooManyProposals
    /// A call exceeded its time budget and was cancelled.
    case hanging
    /// A test of one of the plugin's channels is running.
    case beingTested
    case noChannel(String)
    /// A test of a channel failed, for this reason.
    case notWorking(String)

    public var description: String {
        switch self {
        case .notDeclared(let plugin, let capability):
            "the plugin '\(plugin)' does not declare the capability '\(capability.rawValue)'"
        case .invalidChannel: sent("a channel is named by 1 to 32 lowercase letters, digits and underscores")
        case .tooManyProposals: "too many proposals in too short a time"
        case .hanging: sent("it took longer than its time budget and was given up")
        case .beingTested: sent("a channel of the same plugin is being tried")
        case .noChannel(let channel): sent("it has no channel '\(channel)'")
        case .notWorking(let why): why
        }
    }
}

/// Rate limit of a plugin's proposals: some at once, then one every few seconds. It bounds what a faulty plugin can
/// write into the log.
struct ProposalBudget {
    static let burst: Int64 = 20
    /// Microseconds until one more is allowed.
    static let refill: Int64 = 3_000_000

    private var left = burst
    /// Time of the last refill, in microseconds since boot.
    private var counted: Int64

    init(_ boot: Int64) { counted = boot }

    /// Takes one proposal from the budget.
    ///
    /// - Returns: false when none is left.
    mutating func spend(_ boot: Int64) -> Bool {
        let more = max(0, boot - counted) / Self.refill
        counted += more * Self.refill
        left = min(Self.burst, left + more)
        guard left > 0 else { return false }
        left -= 1
        return true
    }
}
