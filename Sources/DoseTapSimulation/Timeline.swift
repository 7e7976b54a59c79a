public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// The entries of a simulated night, in order.
public final class Timeline: EngineObserver {
    public struct Entry: Sendable {
        /// The instant in true time.
        public let at: Instant
        /// The machine's clocks.
        public let clock: ClockReading
        public let zone: Zone
        public let what: Happening
    }

    public enum Happening: Sendable {
        /// An event is in the log.
        case recorded(Event)
        /// A reminder is on the screen.
        case shown(ReminderPlan.Item, SessionID)
        /// A reminder could not be shown.
        case unshown(ReminderPlan.Item)
        /// A reminder left the screen.
        case withdrawn(ReminderPlan.Item, SessionID)
        /// A text about the window: spoken, in the journal, or on the screen, where it stays.
        case said(String, stays: Bool)
        /// A program of the alarm, or a hook, would have run now: purpose, path, and success.
        case ran(purpose: String, path: String, worked: Bool)
        /// A plugin wrote this to the journal.
        case journaled(String)
        case phase(old: Phase, new: Phase)
        /// A command was refused or needs a confirmation.
        case declined(Command, CommandFailure)
        case failed(Command, EngineFailure)
        /// A command repeated an earlier one.
        case repeated(Command)
        /// An act of the script on machine or service.
        case befell(NightScript.Act)
        /// The service can act again.
        case resumed
    }

    private let clock: VirtualClock
    private let entries = Mutex<[Entry]>([])

    public init(clock: VirtualClock) { self.clock = clock }

    func append(_ what: Happening) {
        let entry = Entry(at: clock.unset, clock: clock.clock(), zone: clock.zone(), what: what)
        entries.withLock { $0.append(entry) }
    }

    /// Removes and returns the entries since the last call.
    func take() -> [Entry] {
        entries.withLock { entries in
            defer { entries = [] }
            return entries
        }
    }

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
    /// True for an act of the service, which reads its clocks for it.
    var isOfService: Bool {
        switch self {
        case .recorded, .shown, .declined, .repeated, .phase: true
        case .befell, .resumed, .unshown, .withdrawn, .said, .ran, .journaled, .failed: false
        }
    }
}

/// The machine of a simulated night: its clocks, its dead channels, and its timeline.
public final class SimulatedMachine: Sendable {
    /// Clocks and zone; the simulation moves them.
    public let clock: VirtualClock
    let timeline: Timeline
    private let channels = Mutex<Set<SimulatedChannel>>([])

    public init(_ clock: VirtualClock) {
        self.clock = clock
        timeline = Timeline(clock: clock)
    }

    /// Returns true if a channel reaches nobody now.
    public func isDead(_ channel: SimulatedChannel) -> Bool { dead.contains(channel) }

    public func note(_ what: Timeline.Happening) { timeline.append(what) }

    var dead: Set<SimulatedChannel> { channels.withLock(\.self) }

    func revive() { channels.withLock { $0 = [] } }

    func set(_ channel: SimulatedChannel, isDead: Bool) {
        channels.withLock { channels in
            if isDead { channels.insert(channel) } else { channels.remove(channel) }
        }
    }
}

/// The plugins of one run of the simulated service.
public struct SimulatedPlugins: Sendable {
    public var plugins: [any Plugin]
    /// Called when the desktop is there, after the start of the engine.
    public var begin: @Sendable () -> Void

    public init(_ plugins: [any Plugin], begin: @escaping @Sendable () -> Void) {
        self.plugins = plugins
        self.begin = begin
    }
}
