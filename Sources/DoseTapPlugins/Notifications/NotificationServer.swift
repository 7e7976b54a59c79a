internal import DoseTapDomain
internal import SDBus

/// The desktop's notification server (`org.freedesktop.Notifications`, specification 1.2) and what it can do.
struct NotificationServer: Sendable {
    /// What a server says it can do, as far as it matters here; the raw value is the word on the bus.
    enum Capability: String, Hashable, Sendable, CaseIterable {
        case actions
        case body
        case bodyMarkup = "body-markup"
        case persistence
        case sound
    }

    /// What became of a notification.
    enum Answer: Sendable {
        /// It is shown, under this id, never 0.
        case shown(UInt32)
        /// The server or the bus refused it, or answered nonsense.
        case failed(String)
        /// There is no answer yet; another one may follow.
        case overdue
    }

    /// The name on the bus, also that of the interface.
    static let name = "org.freedesktop.Notifications"
    static let path: ObjectPath = "/org/freedesktop/Notifications"
    /// Our name as the person sees it.
    static let application = "DoseTap"
    /// Without `.desktop`; by it a desktop finds its settings for us.
    static let desktopEntry = "org.dosetap.DoseTap"
    /// A name every icon theme has.
    static let icon = "appointment-soon"
    static let category = "x-dosetap.reminder"
    /// How long a server may take before it counts as hanging.
    static let limit: Duration = .seconds(5)
    /// How much it may say of itself.
    private static let bounds = InputLimits(
        stringBytes: 4_096, arrayElements: 1_000, errorName: BusError.Name.invalidSignature)
    /// How long its answer is worth something.
    static let patience: Duration = .minutes(10)

    let connection: Connection
    /// Its unique name.
    let owner: String
    /// The bus and the unique name on it, which no other server ever has.
    let identity: String
    /// Name and version, for people.
    let title: String
    let capabilities: Set<Capability>
    /// Whether it forgets what it is told to close, but leaves it on the screen, as GNOME's notification-daemon does.
    let keepsClosed: Bool

    /// Asks the server what it can do.
    ///
    /// - Parameter starts: whether the bus may start it.
    init(asking connection: Connection, starts: Bool) async throws(BusError) {
        capabilities = try await Self.capabilities(connection, starts: starts)
        (title, keepsClosed) = try await Self.information(connection)
        owner = try await connection.owner(of: Self.name)
        let bus = try await connection.call(
            Connection.driver, "/org/freedesktop/DBus", Connection.driver, "GetId", returning: (String).self,
            timeout: Self.limit)
        identity = "\(bus) \(owner)"
        self.connection = connection
    }

    /// Nothing where the answer is nonsense: then a reminder is a line of text, and shown all the same.
    private static func capabilities(
        _ connection: Connection, starts: Bool
    ) async throws(BusError) -> Set<Capability> {
        do {
            let words = try await connection.call(
                Self.name, path, Self.name, "GetCapabilities", returning: ([String]).self, timeout: limit,
                autoStart: starts, limits: bounds)
            return Set(words.compactMap(Capability.init))
        } catch {
            guard isNonsense(error) else { throw error }
            return []
        }
    }

    /// Who does not say what it is can still show notifications; who does not answer cannot.
    private static func isNonsense(_ error: BusError) -> Bool {
        [BusError.Name.invalidSignature, BusError.Name.unknownMethod].contains(error.name)
    }

    private static func information(
        _ connection: Connection
    ) async throws(BusError) -> (title: String, keepsClosed: Bool) {
        do {
            let (name, vendor, version, _) = try await connection.call(
                Self.name, path, Self.name, "GetServerInformation",
                returning: (String, String, String, String).self, timeout: limit, autoStart: false, limits: bounds)
            return (
                "\(name.prefix(60)) \(version.prefix(20))".journalText,
                (name, vendor) == ("Notification Daemon", "GNOME")
            )
        } catch {
            guard isNonsense(error) else { throw error }
            return ("a server without a name", false)
        }
    }

    /// Shows a notification, in place of another one unless `id` is 0. `answered` is called on the loop, more than once
    /// when the answer comes late.
    func show(
        _ content: NotificationContent, replacing id: UInt32, sound: String,
        answered: @escaping @Sendable (Answer) -> Void
    ) {
        let wire = NotificationWire(content, for: capabilities)
        var hints: [String: Variant] = [
            "urgency": .byte(content.urgency == .critical ? 2 : 1), "resident": .bool(true),
            "category": .string(Self.category), "desktop-entry": .string(Self.desktopEntry),
        ]
        if content.urgency == .critical, !sound.isEmpty { hints["sound-name"] = .string(sound) }
        let (loop, call) = (connection.loop, hints)
        // At once, if this is the loop: what is due goes out before anything else is recorded.
        Task.immediate(executorPreference: loop) { [connection] in
            let limiter = LoopTimer(on: loop, clock: .boottime) { _ in answered(.overdue) }
            try? await limiter.arm(after: Self.limit)
            var answer: Answer
            do throws(BusError) {
                let id = try await connection.call(
                    Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon, wire.summary,
                    wire.body, wire.actions, call, wire.expiry, returning: (UInt32).self, timeout: Self.patience)
                answer = id == 0 ? .failed("it answered with the id 0") : .shown(id)
            } catch { answer = .failed(error.description) }
            await limiter.disarm()
            answered(answer)
        }
    }

    /// Takes a notification away; one that is gone already is nobody's fault.
    func close(_ id: UInt32) async {
        guard keepsClosed else { return await Self.close(id, on: connection) }
        // What has expired it does take away.
        let hints: [String: Variant] = ["urgency": .byte(0)]
        try? await connection.send(
            Self.name, Self.path, Self.name, "Notify", Self.application, id, Self.icon, "No reminder is due", "",
            [String](), hints, Int32(1))
    }

    /// As ``close(_:)``, where the server is not known well.
    static func close(_ id: UInt32, on connection: Connection) async {
        try? await connection.send(Self.name, Self.path, Self.name, "CloseNotification", id)
    }
}
