public import DoseTapDomain
internal import Synchronization

/// Which channel a ``ChannelPlugin`` stands for.
public protocol ChannelKind: Sendable {
    /// The channel.
    static var channel: SimulatedChannel { get }
}

/// Stands for the notifications of a desktop.
public enum NotificationsKind: ChannelKind {
    /// Notifications.
    public static let channel = SimulatedChannel.notifications
}

/// Stands for an alarm that is heard.
public enum AudioKind: ChannelKind {
    /// Audio.
    public static let channel = SimulatedChannel.audio
}

/// Stands for a channel in a simulation: it notes what would have reached a person, and fails while it is dead.
public actor ChannelPlugin<Kind: ChannelKind>: Plugin {
    /// Named after the channel.
    public static nonisolated var manifest: PluginManifest {
        PluginManifest(
            id: Kind.channel.rawValue, summary: "stands for a channel in a simulation",
            capabilities: [.notifies, .deadlines], channels: [Kind.channel.rawValue])
    }

    /// The channel reaches nobody.
    struct Dead: Error {}

    private let executor: any SerialExecutor
    private let timeline: Timeline
    private let context: PluginContext
    private let dead: DeadChannels

    /// Runs where the host runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(
        on executor: any SerialExecutor, timeline: Timeline, context: PluginContext, dead: DeadChannels
    ) {
        self.executor = executor
        self.timeline = timeline
        self.context = context
        self.dead = dead
    }

    /// Does not read.
    public func receive(_ event: StoredEvent) async throws {}

    /// Notes the reminder.
    public func deadline(_ due: Deadline) async throws {
        guard !dead.all.contains(Kind.channel) else {
            timeline.append(.unreached(Kind.channel, due.item))
            throw Dead()
        }
        timeline.append(.reached(Kind.channel, due.item, due.session))
        try await context.delivered(due, by: Kind.channel.rawValue)
    }

    /// Nothing to finish.
    public func stop() async {}
}

/// The channels that reach nobody now.
final class DeadChannels: Sendable {
    private let channels = Mutex<Set<SimulatedChannel>>([])

    var all: Set<SimulatedChannel> { channels.withLock(\.self) }

    func clear() { channels.withLock { $0 = [] } }

    func set(_ channel: SimulatedChannel, isDead: Bool) {
        channels.withLock { channels in
            if isDead { channels.insert(channel) } else { channels.remove(channel) }
        }
    }
}
