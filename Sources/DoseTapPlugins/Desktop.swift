public import SDBus
internal import Synchronization

/// The person's desktop, as far as plugins reach it: the bus of the session, once it is there.
///
/// Filled by the service; empty for ever in one that serves a single caller without a bus.
public final class Desktop: Sendable {
    /// What there is of a session.
    package struct Session: Sendable {
        /// Its bus; nil where there is only an imagined one.
        let connection: Connection?
        /// Its notifications.
        let notifications: any NotificationBus

        package init(connection: Connection?, notifications: any NotificationBus) {
            self.connection = connection
            self.notifications = notifications
        }
    }

    private struct State {
        var session: Session?
        var followers: [@Sendable (Session?) -> Void] = []
    }

    private let state = Mutex(State())

    /// No bus.
    public init() {}

    /// Calls the handler with the session whenever it comes, and with nil when it goes. Call and be called on the loop.
    func follow(_ handler: @escaping @Sendable (Session?) -> Void) {
        let session = state.withLock { state in
            state.followers.append(handler)
            return state.session
        }
        if let session { handler(session) }
    }

    /// The bus is there, or another one; nil: it has gone. Called on the loop.
    public func connect(_ connection: Connection?) {
        begin(connection.map { Session(connection: $0, notifications: SessionNotifications($0)) })
    }

    /// As ``connect(_:)``, for a session of any kind.
    package func begin(_ session: Session?) {
        let followers = state.withLock { state in
            state.session = session
            return state.followers
        }
        for follower in followers { follower(session) }
    }
}
