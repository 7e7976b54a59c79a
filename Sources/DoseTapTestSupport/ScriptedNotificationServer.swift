public import SDBus
import Synchronization

/// A scripted notification server, for faults that no real one has on request.
public final class ScriptedNotificationServer: Sendable {
    /// The manner in which `Notify` is answered.
    public enum Manner: Sendable {
        /// With the next id, or the replaced one.
        case proper
        case refuses
        /// With an invalid id.
        case answersZero
        /// With a wrong type.
        case answersWords
        /// After the gate opens, if the summary begins with the words.
        case hangs(Gate, on: String = "")
        /// Properly, but no other question is answered before the gate opens.
        case says(nothingBefore: Gate)
        /// Properly, with this many capabilities.
        case boasts(Int)
        /// Properly, with numbers as capabilities.
        case counts
    }

    /// The calls, in order.
    public enum Heard: Sendable {
        case capabilities
        case information
        case shown(Shown)
        case closed(UInt32)
    }

    public struct Shown: Sendable {
        public let id: UInt32
        /// 0 is none.
        public let replaces: UInt32
        public let application: String
        public let summary: String
        public let body: String
        /// Keys and labels in turn.
        public let actions: [String]
        public let hints: [String: Variant]
        /// Milliseconds; 0: never, -1: the server's default.
        public let expiry: Int32
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path: ObjectPath = "/org/freedesktop/Notifications"

    /// All calls.
    public let heard = Recorder<Heard>()
    private let loop: EventLoop
    private let connection: Connection
    private let lastID = Atomic<UInt32>(0)
    private let isStopped = Atomic(false)

    /// Serves on the bus at an address. Returns when the server owns the name.
    public static func start(
        on address: String, _ manner: Manner = .proper,
        capabilities: [String] = ["actions", "body", "body-markup", "persistence"]
    ) async throws -> ScriptedNotificationServer {
        let loop = try EventLoop.spawn(name: "desktop")
        let server = ScriptedNotificationServer(
            loop, try await Connection.open(.address(address), on: loop))
        try await server.serve(manner, capabilities)
        return server
    }

    private init(_ loop: EventLoop, _ connection: Connection) {
        self.loop = loop
        self.connection = connection
    }

    private func serve(_ manner: Manner, _ capabilities: [String]) async throws {
        let heard = heard
        let members: [ExportedMember] = [
            capable(manner, capabilities),
            .synchronousMethod("GetServerInformation", results: ["name", "vendor", "version", "spec_version"]) {
                _ -> (String, String, String, String) in
                heard.append(.information)
                return ("Scripted", "DoseTap", "1", "1.2")
            },
            .synchronousMethod("CloseNotification", arguments: ["id"]) { (_, id: UInt32) in heard.append(.closed(id)) },
            notify(manner),
        ]
        try await connection.serve(
            ExportedObject(Self.path, interfaces: [ExportedInterface(Self.name, members: members)]))
        try await connection.requestName(Self.name)
    }

    private func capable(_ manner: Manner, _ words: [String]) -> ExportedMember {
        if case .counts = manner {
            return .method("GetCapabilities", results: ["capabilities"]) { _ async throws -> [UInt32] in
                self.heard.append(.capabilities)
                return [1, 2, 3]
            }
        }
        return .method("GetCapabilities", results: ["capabilities"]) { _ async throws -> [String] in
            self.heard.append(.capabilities)
            if case .says(let gate) = manner { await gate.pass() }
            guard case .boasts(let count) = manner else { return words }
            return (0..<count).map { "x-\($0)" } + words
        }
    }

    private static let arguments = [
        "app_name", "replaces_id", "app_icon", "summary", "body", "actions", "hints", "expire_timeout",
    ]

    private func notify(_ manner: Manner) -> ExportedMember {
        if case .answersWords = manner {
            return .method("Notify", arguments: Self.arguments, results: ["id"]) {
                (
                    _, app: String, replaces: UInt32, _: String, summary: String, body: String, actions: [String],
                    hints: [String: Variant], expiry: Int32
                ) async throws -> String in
                _ = self.show(app, replaces, summary, body, actions, hints, expiry)
                return "shown"
            }
        }
        if case .hangs(let gate, let words) = manner {
            return .method("Notify", arguments: Self.arguments, results: ["id"]) {
                (
                    _, app: String, replaces: UInt32, _: String, summary: String, body: String, actions: [String],
                    hints: [String: Variant], expiry: Int32
                ) async throws -> UInt32 in
                let id = self.show(app, replaces, summary, body, actions, hints, expiry)
                if summary.hasPrefix(words) { await gate.pass() }
                return id
            }
        }
        // The answer is sent before anything else, such as a press on the new notification.
        return .synchronousMethod("Notify", arguments: Self.arguments, results: ["id"]) {
            (
                _, app: String, replaces: UInt32, _: String, summary: String, body: String, actions: [String],
                hints: [String: Variant], expiry: Int32
            ) throws -> UInt32 in
            let id = self.show(app, replaces, summary, body, actions, hints, expiry)
            switch manner {
            case .proper, .answersWords, .says, .boasts, .counts, .hangs: return id
            case .refuses: throw BusError(name: BusError.Name.failed, message: "not\ntoday")
            case .answersZero: return 0
            }
        }
    }

    private func show(
        _ app: String, _ replaces: UInt32, _ summary: String, _ body: String, _ actions: [String],
        _ hints: [String: Variant], _ expiry: Int32
    ) -> UInt32 {
        let id = replaces != 0 ? replaces : lastID.add(1, ordering: .relaxed).newValue
        heard.append(
            .shown(
                Shown(
                    id: id, replaces: replaces, application: app, summary: summary, body: body, actions: actions,
                    hints: hints, expiry: expiry)))
        return id
    }

    /// The notifications so far.
    public var shown: [Shown] { heard.elements.compactMap(\.notification) }

    /// The ids that were closed so far.
    public var closed: [UInt32] { heard.elements.compactMap(\.closedID) }

    /// Waits for `count` notifications; returns the last.
    public func awaitShown(_ count: Int) async throws -> Shown {
        let heard = try await heard.wait { $0.compactMap(\.notification).count >= count }
        return heard.compactMap(\.notification)[count - 1]
    }

    /// Waits until notifications were closed `count` times.
    public func awaitClosed(_ count: Int) async throws -> [UInt32] {
        try await heard.wait { $0.compactMap(\.closedID).count >= count }.compactMap(\.closedID)
    }

    /// Emits the press of a button.
    public func press(_ id: UInt32, _ key: String) async throws {
        try await connection.emit(Self.path, Self.name, "ActionInvoked", id, key)
    }

    /// Emits the closing of a notification.
    public func dismiss(_ id: UInt32) async throws {
        try await connection.emit(Self.path, Self.name, "NotificationClosed", id, UInt32(2))
    }

    /// Emits a malformed signal.
    public func emitGarbage() async throws { try await connection.emit(Self.path, Self.name, "ActionInvoked", "x") }

    /// Leaves the bus; a second call does nothing.
    public func stop() async {
        // A job for a stopped loop would wait for ever.
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        await connection.close()
        loop.stop()
    }
}

extension ScriptedNotificationServer.Heard {
    /// The notification, if the call was one.
    public var notification: ScriptedNotificationServer.Shown? {
        if case .shown(let shown) = self { shown } else { nil }
    }

    /// The id that was closed, if the call closed one.
    public var closedID: UInt32? { if case .closed(let id) = self { id } else { nil } }
}
