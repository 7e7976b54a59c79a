public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// The machine of a simulated night: its clocks, the channels that reach nobody now, and what happened on it.
public final class SimulatedMachine: Sendable {
    /// Its clocks and its zone; whoever runs the simulation moves them.
    public let clock: VirtualClock
    let timeline: Timeline
    private let channels = Mutex<Set<SimulatedChannel>>([])

    /// Everything reaches somebody, and nothing has happened yet.
    public init(_ clock: VirtualClock) {
        self.clock = clock
        timeline = Timeline(clock: clock)
    }

    /// Whether what goes by a channel reaches nobody now.
    public func isDead(_ channel: SimulatedChannel) -> Bool { dead.contains(channel) }

    /// Notes what happens now.
    public func note(_ what: Timeline.Happening) { timeline.append(what) }

    var dead: Set<SimulatedChannel> { channels.withLock(\.self) }

    func revive() { channels.withLock { $0 = [] } }

    func set(_ channel: SimulatedChannel, isDead: Bool) {
        channels.withLock { channels in
            if isDead { channels.insert(channel) } else { channels.remove(channel) }
        }
    }
}

/// The plugins of one life of the simulated service.
public struct SimulatedPlugins: Sendable {
    /// All of them, switched on.
    public var plugins: [any Plugin]
    /// The person's desktop is there; called once the engine has started.
    public var begin: @Sendable () -> Void

    /// Memberwise.
    public init(_ plugins: [any Plugin], begin: @escaping @Sendable () -> Void) {
        self.plugins = plugins
        self.begin = begin
    }
}
