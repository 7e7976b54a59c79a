package import DoseTapEngine
package import SDBus

/// What is known of a desktop's notification server (`org.freedesktop.Notifications`, specification 1.2).
package struct NotificationServer: Hashable, Sendable {
    /// What a server says it can do, as far as it matters here; the raw value is the word on the bus.
    package enum Capability: String, Hashable, Sendable, CaseIterable {
        case actions
        case body
        case bodyMarkup = "body-markup"
        case persistence
        case sound
    }

    /// What became of a notification.
    package enum Answer: Sendable {
        /// It is shown, under this id, never 0.
        case shown(UInt32)
        /// The server or the bus refused it, or answered nonsense.
        case failed(String)
        /// There is no answer yet; another one may follow.
        case overdue
    }

    /// Its unique name.
    package let owner: String
    /// The bus and the unique name on it, which no other server ever has.
    package let identity: String
    /// Name and version, for people.
    package let title: String
    package let capabilities: Set<Capability>
    /// Whether it forgets what it is told to close, but leaves it on the screen, as GNOME's notification-daemon does.
    package let keepsClosed: Bool

    package init(owner: String, identity: String, title: String, capabilities: Set<Capability>, keepsClosed: Bool) {
        self.owner = owner
        self.identity = identity
        self.title = title
        self.capabilities = capabilities
        self.keepsClosed = keepsClosed
    }
}

/// Where the notification server of a desktop is reached. Used on the loop, on which its answers come, too.
package protocol NotificationBus: AnyObject, Sendable {
    /// Listens first, so that nothing falls between this and a question.
    ///
    /// - Parameters:
    ///   - changed: the server has another unique name; empty: it has gone.
    ///   - heard: what somebody who calls themselves a server says of the notifications.
    func listen(
        _ changed: @escaping @Sendable (_ owner: String) -> Void,
        _ heard: @escaping @Sendable (_ sender: String, NotificationNews) -> Void
    ) async throws(BusError)

    /// Asks the server what it can do.
    ///
    /// - Parameter starts: whether it may be started for that.
    func ask(starts: Bool) async throws(BusError) -> NotificationServer

    /// Whether a server that does not run would be started by being asked.
    func canBeStarted() async -> Bool

    /// Shows a notification. `answered` is called on the loop, more than once when the answer comes late.
    ///
    /// - Parameters:
    ///   - due: the reminder it shows, if it is one.
    ///   - id: what it takes the place of; 0: nothing.
    func show(
        _ content: NotificationContent, of due: Deadline?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void)

    /// Takes a notification away; one that is gone already is nobody's fault.
    ///
    /// - Parameter server: nil where it is not known well.
    func close(_ id: UInt32, on server: NotificationServer?) async
}

/// What a server says of a notification.
package enum NotificationNews: Hashable, Sendable {
    /// The button with this key was pressed.
    case pressed(UInt32, key: String)
    /// It is gone from the screen, by whomever.
    case closed(UInt32)
    /// A press that cannot be read.
    case garbage
}
