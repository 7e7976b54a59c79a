public import SDBus
internal import Synchronization

/// The person's desktop, as far as plugins reach it: the bus of the session, once it is there, and what may be shown.
///
/// Filled by the service; empty for ever in one that serves a single caller without a bus.
public final class Desktop: Sendable {
    /// What a person wants of reminders.
    public struct Preferences: Hashable, Sendable {
        /// Whether names and amounts may be shown.
        public var showsDetails: Bool
        /// Sound of the desktop's theme for what is urgent; empty for none.
        public var soundName: String
        /// What is wanted of the alarm's ladder.
        public var alarm: AlarmPreferences

        /// Memberwise.
        public init(showsDetails: Bool, soundName: String, alarm: AlarmPreferences = AlarmPreferences()) {
            self.showsDetails = showsDetails
            self.soundName = soundName
            self.alarm = alarm
        }
    }

    private struct State {
        var connection: Connection?
        var preferences = Preferences(showsDetails: false, soundName: "")
        var followers: [@Sendable (Connection?) -> Void] = []
    }

    private let state = Mutex(State())

    /// No bus, nothing private shown.
    public init() {}

    /// What may be shown and heard.
    public var preferences: Preferences { state.withLock(\.preferences) }

    /// Takes over what may be shown and heard; in force from the next notification on.
    public func prefer(_ preferences: Preferences) { state.withLock { $0.preferences = preferences } }

    /// Calls the handler with the bus whenever it comes, and with nil when it goes. Call and be called on the loop.
    public func follow(_ handler: @escaping @Sendable (Connection?) -> Void) {
        let connection = state.withLock { state in
            state.followers.append(handler)
            return state.connection
        }
        if let connection { handler(connection) }
    }

    /// The bus is there, or another one; nil: it has gone. Called on the loop.
    public func connect(_ connection: Connection?) {
        let followers = state.withLock { state in
            state.connection = connection
            return state.followers
        }
        for follower in followers { follower(connection) }
    }
}
