internal import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
package import SDBus

/// The known data of a desktop's notification server (`org.freedesktop.Notifications`, specification 1.2).
package struct NotificationServer: Hashable, Sendable {
    /// The capabilities of a server that matter here; the raw value is the word on the bus.
    package enum Capability: String, Hashable, Sendable, CaseIterable {
        case actions
        case body
        case bodyMarkup = "body-markup"
        case persistence
        case sound
    }

    /// The result of a call to show a notification.
    package enum Answer: Sendable {
        /// The notification is shown under this id, never 0.
        case shown(UInt32)
        /// The server or the bus refused the notification, or answered nonsense.
        case failed(String)
        /// No answer came in time; one may still follow.
        case overdue
    }

    /// The server's unique name on the bus.
    package let owner: String
    /// The id of the bus and the unique name on it; no other server ever has both.
    package let identity: String
    /// Name and version, for people.
    package let title: String
    package let capabilities: Set<Capability>
    /// True if the server forgets a closed notification but leaves it on the screen, as GNOME's notification-daemon does.
    package let keepsClosed: Bool

    package init(owner: String, identity: String, title: String, capabilities: Set<Capability>, keepsClosed: Bool) {
        self.owner = owner
        self.identity = identity
        self.title = title
        self.capabilities = capabilities
        self.keepsClosed = keepsClosed
    }
}

/// The way to the notification server of a desktop. Calls and answers both run on the loop.
package protocol NotificationBus: AnyObject, Sendable {
    /// Listens to the server. A caller listens before it asks, so that no change is missed.
    ///
    /// - Parameters:
    ///   - changed: gets the server's new unique name; empty: the server has gone.
    ///   - heard: gets news of notifications, and the sender, who may not be the server.
    func listen(
        _ changed: @escaping @Sendable (_ owner: String) -> Void,
        _ heard: @escaping @Sendable (_ sender: String, NotificationNews) -> Void
    ) async throws(BusError)

    /// Asks the server for its name and capabilities.
    ///
    /// - Parameter starts: true if the bus may start a server for the question.
    func ask(starts: Bool) async throws(BusError) -> NotificationServer

    /// Returns true if a question would start a server that does not run.
    func canBeStarted() async -> Bool

    /// Shows a notification. `answered` is called on the loop, more than once when the answer comes late.
    ///
    /// - Parameters:
    ///   - due: the reminder shown, if the notification shows one.
    ///   - id: the notification to be replaced; 0: none.
    func show(
        _ content: NotificationContent, of due: DueReminder?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void)

    /// Closes a notification; a notification that is already gone is no error.
    ///
    /// - Parameter server: nil if the server has not told its name and capabilities.
    func close(_ id: UInt32, on server: NotificationServer?) async
}

/// A server's news of a notification.
package enum NotificationNews: Hashable, Sendable {
    /// The button with this key was pressed.
    case pressed(UInt32, key: String)
    /// The notification is gone from the screen, closed by anybody.
    case closed(UInt32)
    /// A press that cannot be read.
    case garbage
}

/// The notification server on the bus of the session.
final class SessionNotifications: NotificationBus {
    /// The server's name on the bus, also the name of its interface.
    static let name = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    /// This service's name as the person sees it.
    private static let application = "DoseTap"
    /// The name of the desktop entry, without `.desktop`. A desktop finds its settings for this service by it.
    private static let desktopEntry = "org.dosetap.DoseTap"
    /// The name of an icon that every theme has.
    private static let icon = "appointment-soon"
    private static let category = "x-dosetap.reminder"
    /// The time after which a silent server counts as hanging.
    private static let overdueAfter: Duration = .seconds(5)
    /// The bounds of a server's answers about itself.
    private static let bounds = InputLimits(
        stringBytes: 4_096, arrayElements: 1_000, errorName: BusError.Name.invalidSignature)
    /// The time for which a late answer to `Notify` is still taken.
    private static let timeout: Duration = .minutes(10)

    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    // MARK: Listening

    func listen(
        _ changed: @escaping @Sendable (_ owner: String) -> Void,
        _ heard: @escaping @Sendable (_ sender: String, NotificationNews) -> Void
    ) async throws(BusError) {
        try await connection.subscribe(
            SignalMatch(
                sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
                firstArgument: Self.name)
        ) { signal in
            if let (_, _, new) = signal.decode((String, String, String).self) { changed(new) }
        }
        try await connection.subscribe(
            SignalMatch(sender: Self.name, path: Self.path, interface: Self.name)
        ) { signal in
            if let sender = signal.sender, let news = NotificationNews(signal) { heard(sender, news) }
        }
    }

    // MARK: Asking

    func ask(starts: Bool) async throws(BusError) -> NotificationServer {
        let capabilities = try await capabilities(starts: starts)
        let (title, keepsClosed) = try await information()
        let owner = try await connection.owner(of: Self.name)
        let bus = try await connection.call(
            Connection.driver, "/org/freedesktop/DBus", Connection.driver, "GetId", returning: (String).self,
            timeout: Self.overdueAfter)
        return NotificationServer(
            owner: owner, identity: "\(bus) \(owner)", title: title, capabilities: capabilities,
            keepsClosed: keepsClosed)
    }

    /// Returns no capabilities if the answer is nonsense: a reminder is then shown as a line of text.
    private func capabilities(starts: Bool) async throws(BusError) -> Set<NotificationServer.Capability> {
        do {
            let words = try await connection.call(
                Self.name, Self.path, Self.name, "GetCapabilities", returning: ([String]).self,
                timeout: Self.overdueAfter, autoStart: starts, limits: Self.bounds)
            return Set(words.compactMap(NotificationServer.Capability.init))
        } catch {
            guard Self.isNonsense(error) else { throw error }
            return []
        }
    }

    /// Returns true for an unusable answer. Such a server can still show notifications; a server without an answer cannot.
    private static func isNonsense(_ error: BusError) -> Bool {
        [BusError.Name.invalidSignature, BusError.Name.unknownMethod].contains(error.name)
    }

    private func information() async throws(BusError) -> (title: String, keepsClosed: Bool) {
        do {
            let (name, vendor, version, _) = try await connection.call(
                Self.name, Self.path, Self.name, "GetServerInformation",
                returning: (String, String, String, String).self, timeout: Self.overdueAfter, autoStart: false,
                limits: Self.bounds)
            return (
                "\(name.prefix(60)) \(version.prefix(20))".journalText,
                (name, vendor) == ("Notification Daemon", "GNOME")
            )
        } catch {
            guard Self.isNonsense(error) else { throw error }
            return ("a server without a name", false)
        }
    }

    func canBeStarted() async -> Bool {
        let names = try? await connection.call(
            Connection.driver, "/org/freedesktop/DBus", Connection.driver, "ListActivatableNames",
            returning: ([String]).self, timeout: Self.overdueAfter)
        return names?.contains(Self.name) ?? false
    }

    // MARK: Showing

    func show(
        _ content: NotificationContent, of due: DueReminder?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void
    ) {
        let wire = NotificationWire(content, for: server.capabilities)
        let (loop, hints) = (connection.loop, Self.hints(content, sound))
        // On the loop the call goes out at once: a due reminder goes out before anything else is recorded.
        Task.immediate(executorPreference: loop.preference) { [connection] in
            let limiter = LoopTimer(on: loop, clock: .boottime) { _ in answered(.overdue) }
            try? await limiter.arm(after: Self.overdueAfter)
            var answer: NotificationServer.Answer
            do throws(BusError) {
                let id = try await connection.call(
                    Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon, wire.summary,
                    wire.body, wire.actions, hints, wire.expiry, returning: (UInt32).self, timeout: Self.timeout)
                answer = id == 0 ? .failed("it answered with the id 0") : .shown(id)
            } catch { answer = .failed(error.description) }
            await limiter.disarm()
            answered(answer)
        }
    }

    /// - Parameter sound: empty for none.
    private static func hints(_ content: NotificationContent, _ sound: String) -> [String: Variant] {
        var hints: [String: Variant] = [
            "urgency": .byte(content.urgency == .critical ? 2 : 1), "resident": .bool(true),
            "category": .string(category), "desktop-entry": .string(desktopEntry),
        ]
        if content.urgency == .critical, !sound.isEmpty { hints["sound-name"] = .string(sound) }
        return hints
    }

    func close(_ id: UInt32, on server: NotificationServer?) async {
        guard server?.keepsClosed == true else {
            try? await connection.send(Self.name, Self.path, Self.name, "CloseNotification", id)
            return
        }
        // Such a server does take away a notification that has expired.
        let hints: [String: Variant] = ["urgency": .byte(0)]
        try? await connection.send(
            Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon,
            DisplayLanguage.addressingPerson { NotificationText.probe }, "",
            [String](), hints, Int32(1))
    }
}

extension NotificationNews {
    /// - Returns: nil for a signal that is no news.
    fileprivate init?(_ signal: Signal) {
        switch signal.member {
        case "ActionInvoked":
            guard let (id, key) = signal.decode((UInt32, String).self) else {
                self = .garbage
                return
            }
            self = .pressed(id, key: key)
        case "NotificationClosed":
            guard let (id, _) = signal.decode((UInt32, UInt32).self) else { return nil }
            self = .closed(id)
        default: return nil
        }
    }
}
