public import DoseTapDomain

/// One listener. It may be slow, fail or be restarted without harm to a night.
///
/// A plugin runs on the executor it is given, reads the log from its own stored cursor and can write only by
/// proposing a command, which meets the same rules as everyone's. What takes longer than the time budget of a call is
/// cancelled and given up, and tried again later; a plugin must not block the thread it runs on.
public protocol Plugin: Actor {
    /// What the plugin is and may do.
    static nonisolated var manifest: PluginManifest { get }
    /// Takes an event of the log: at least once, in order, from the stored cursor; known by its sequence number.
    func receive(_ event: StoredEvent) async throws
    /// A reminder is due now; called only with the capability ``PluginManifest/Capability/deadlines``.
    func deadline(_ due: Deadline) async throws
    /// The phase of the night changed, and no event tells it: what was told may hold no more, or hold again.
    func phaseChanged() async
    /// The while is over that it asked for with ``PluginContext/wake(after:)``; one that fails is called again later.
    func woken() async throws
    /// Tries one of its channels for real, marked as a test; called only for channels its manifest names.
    func test(_ channel: String) async throws
    /// It was switched on or off; off, it is called for nothing else.
    func switched(on: Bool) async
    /// The service is stopping; a second is left.
    func stop() async
}

extension Plugin {
    /// Never asked for.
    public func deadline(_ due: Deadline) async throws {}

    /// Nothing to do.
    public func phaseChanged() async {}

    /// Nothing to finish.
    public func stop() async {}

    /// Never asked for.
    public func woken() async throws {}

    /// Nothing to do.
    public func switched(on: Bool) async {}

    /// Never asked for.
    public func test(_ channel: String) async throws { throw PluginFailure.noChannel(channel) }
}

/// What a plugin is and may do.
public struct PluginManifest: Hashable, Sendable {
    /// Short name, as in `dosetap plugins` and the settings.
    public let id: String
    /// One line for people.
    public let summary: String
    /// What it does.
    public let capabilities: Set<Capability>
    /// Channels by which it reaches a person, see ``PluginContext/delivered(_:by:)``.
    public let channels: [String]
    /// The settings it reads: its own, which are declared here, and those it shares.
    public let settings: [SettingRow]

    /// What a plugin may do.
    public enum Capability: String, Hashable, Sendable, CaseIterable {
        /// Reads the log.
        case reads
        /// Proposes commands.
        case proposes
        /// Tells a person.
        case notifies
        /// Is told when a reminder is due.
        case deadlines
    }

    /// Memberwise.
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
public struct Deadline: Hashable, Sendable {
    /// Which one, and its nominal instant.
    public let item: ReminderPlan.Item
    /// The session it is about.
    public let session: SessionID
    /// The session's date.
    public let date: SessionDate
    /// When the dose window closes by the wall clock as it goes now; the reminder's own instant in a night without dose 1.
    public let windowCloses: Instant
    /// When it is told.
    public let fired: Instant
    /// How late it is told, by the counter.
    public let lateness: Duration
    /// How much later it is told than it could have been: what is due already as dose 1 is recorded is not late.
    public let overdue: Duration
    /// Whether it is certain how long dose 1 is ago; if not, nothing may say what can be done about dose 2.
    public let isCertain: Bool

    /// Memberwise.
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

    /// When it is due by the wall clock that showed ``fired``.
    public var shownDue: Instant { fired - lateness }

    /// Whole minutes left of the window as it is told, rounded up as people count.
    public var minutesLeft: Int64 { max(0, (windowCloses - fired + .seconds(60) - .milliseconds(1)).wholeMinutes) }
}

/// How a plugin is doing, for people.
public struct PluginReport: Hashable, Sendable {
    /// What it is.
    public let manifest: PluginManifest
    /// What it does now.
    public let state: State
    /// Last event read.
    public let cursor: Int64
    /// Events it has not read yet.
    public let lag: Int64
    /// Failures in a row.
    public let failures: Int
    /// What went wrong last; empty when nothing.
    public let lastError: String

    /// What a plugin does now.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Up to date or reading.
        case running
        /// Waiting to try again after a failure.
        case retrying
        /// Longer at a call than its time budget allows; the call was given up.
        case hanging
        /// Switched off.
        case disabled
    }
}
