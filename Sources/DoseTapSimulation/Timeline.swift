public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// What happened in a simulated night, in order.
public final class Timeline: EngineObserver {
    /// One thing that happened.
    public struct Entry: Sendable {
        /// When, by a clock that nobody sets.
        public let at: Instant
        /// What the machine's clocks showed.
        public let clock: ClockReading
        /// The zone in force.
        public let zone: Zone
        /// What.
        public let what: Happening
    }

    /// What can happen.
    public enum Happening: Sendable {
        /// An event stands in the log.
        case recorded(Event)
        /// A reminder stands on the screen.
        case shown(ReminderPlan.Item, SessionID)
        /// A reminder could not be shown.
        case unshown(ReminderPlan.Item)
        /// A reminder stands on the screen no more.
        case withdrawn(ReminderPlan.Item, SessionID)
        /// Words about the window: spoken, in the journal, or on the screen, where they stay.
        case said(String, stays: Bool)
        /// A program of the alarm, or a hook, would have run now: what for, its path, and whether it did what it should.
        case ran(purpose: String, path: String, worked: Bool)
        /// A plugin wrote this to the journal.
        case journaled(String)
        /// The phase of the night changed.
        case phase(old: Phase, new: Phase)
        /// A command was refused or asks something.
        case declined(Command, CommandFailure)
        /// A command failed.
        case failed(Command, EngineFailure)
        /// A command was the same as one before: nothing new.
        case repeated(Command)
        /// Something befell the machine or the service.
        case befell(NightScript.Act)
        /// The service can act again.
        case resumed
    }

    private let clock: VirtualClock
    private let entries = Mutex<[Entry]>([])

    /// Nothing has happened yet.
    public init(clock: VirtualClock) { self.clock = clock }

    /// Notes what happens now.
    func append(_ what: Happening) {
        let entry = Entry(at: clock.unset, clock: clock.clock(), zone: clock.zone(), what: what)
        entries.withLock { $0.append(entry) }
    }

    /// What was noted since it was last taken.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

    /// Notes what the engine did.
    public func changed(_ change: EngineChange) async {
        switch change {
        case .recorded(let events, _): for event in events { append(.recorded(event)) }
        case .phase(let old, let new, _): append(.phase(old: old, new: new))
        case .declined(let command, let failure, _, _): append(.declined(command, failure))
        case .unsafe, .left, .recovered, .finding, .timer: break
        }
    }
}

extension Timeline.Happening {
    /// Whether the service did it, and so looked at its clocks.
    var isOfService: Bool {
        switch self {
        case .recorded, .shown, .declined, .repeated, .phase: true
        case .befell, .resumed, .unshown, .withdrawn, .said, .ran, .journaled, .failed: false
        }
    }
}
