internal import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
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
        _ content: NotificationContent, of due: DueReminder?, replacing id: UInt32, sound: String,
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

/// The notification server on the bus of the session.
final class SessionNotifications: NotificationBus {
    /// The name on the bus, also that of the interface.
    static let name = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    /// Our name as the person sees it.
    private static let application = "DoseTap"
    /// Without `.desktop`; by it a desktop finds its settings for us.
    private static let desktopEntry = "org.dosetap.DoseTap"
    /// A name every icon theme has.
    private static let icon = "appointment-soon"
    private static let category = "x-dosetap.reminder"
    /// How long a server may take before it counts as hanging.
    private static let limit: Duration = .seconds(5)
    /// How much it may say of itself.
    private static let bounds = InputLimits(
        stringBytes: 4_096, arrayElements: 1_000, errorName: BusError.Name.invalidSignature)
    /// How long its answer is worth something.
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
            timeout: Self.limit)
        return NotificationServer(
            owner: owner, identity: "\(bus) \(owner)", title: title, capabilities: capabilities,
            keepsClosed: keepsClosed)
    }

    /// Nothing where the answer is nonsense: then a reminder is a line of text, and shown all the same.
    private func capabilities(starts: Bool) async throws(BusError) -> Set<NotificationServer.Capability> {
        do {
            let words = try await connection.call(
                Self.name, Self.path, Self.name, "GetCapabilities", returning: ([String]).self, timeout: Self.limit,
                autoStart: starts, limits: Self.bounds)
            return Set(words.compactMap(NotificationServer.Capability.init))
        } catch {
            guard Self.isNonsense(error) else { throw error }
            return []
        }
    }

    /// Who does not say what it is can still show notifications; who does not answer cannot.
    private static func isNonsense(_ error: BusError) -> Bool {
        [BusError.Name.invalidSignature, BusError.Name.unknownMethod].contains(error.name)
    }

    private func information() async throws(BusError) -> (title: String, keepsClosed: Bool) {
        do {
            let (name, vendor, version, _) = try await connection.call(
                Self.name, Self.path, Self.name, "GetServerInformation",
                returning: (String, String, String, String).self, timeout: Self.limit, autoStart: false,
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
            returning: ([String]).self, timeout: Self.limit)
        return names?.contains(Self.name) ?? false
    }

    // MARK: Showing

    func show(
        _ content: NotificationContent, of due: DueReminder?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void
    ) {
        let wire = NotificationWire(content, for: server.capabilities)
        var hints: [String: Variant] = [
            "urgency": .byte(content.urgency == .critical ? 2 : 1), "resident": .bool(true),
            "category": .string(Self.category), "desktop-entry": .string(Self.desktopEntry),
        ]
        if content.urgency == .critical, !sound.isEmpty { hints["sound-name"] = .string(sound) }
        let (loop, call) = (connection.loop, hints)
        // At once, if this is the loop: what is due goes out before anything else is recorded.
        Task.immediate(executorPreference: loop.preference) { [connection] in
            let limiter = LoopTimer(on: loop, clock: .boottime) { _ in answered(.overdue) }
            try? await limiter.arm(after: Self.limit)
            var answer: NotificationServer.Answer
            do throws(BusError) {
                let id = try await connection.call(
                    Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon, wire.summary,
                    wire.body, wire.actions, call, wire.expiry, returning: (UInt32).self, timeout: Self.timeout)
                answer = id == 0 ? .failed("it answered with the id 0") : .shown(id)
            } catch { answer = .failed(error.description) }
            await limiter.disarm()
            answered(answer)
        }
    }

    func close(_ id: UInt32, on server: NotificationServer?) async {
        guard server?.keepsClosed == true else {
            try? await connection.send(Self.name, Self.path, Self.name, "CloseNotification", id)
            return
        }
        // What has expired it does take away.
        let hints: [String: Variant] = ["urgency": .byte(0)]
        try? await connection.send(
            Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon,
            DisplayLanguage.addressingPerson { NotificationText.probe }, "",
            [String](), hints, Int32(1))
    }
}

extension NotificationNews {
    /// - Returns: nil for what is no news.
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
