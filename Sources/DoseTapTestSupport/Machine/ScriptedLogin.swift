internal import SDBus

/// A logind that does what a test says: for the faults that a mock has not to order.
public final class ScriptedLogin: Sendable {
    /// How it answers `Inhibit`.
    public enum Manner: Sendable {
        /// `block` needs a right that is not there.
        case refusesBlock
        /// With an error.
        case refuses
        /// With a type that is none.
        case answersWords
    }

    private let loop: EventLoop
    private let connection: Connection
    /// What was asked for: what and mode.
    public let asked = Recorder<[String]>()

    /// Serves on the bus at an address; returns when the name is its own.
    public static func start(on address: String, _ manner: Manner) async throws -> ScriptedLogin {
        let loop = try EventLoop.spawn(name: "login")
        let login = ScriptedLogin(loop, try await Connection.open(.address(address), on: loop))
        try await login.serve(manner)
        return login
    }

    private init(_ loop: EventLoop, _ connection: Connection) {
        self.loop = loop
        self.connection = connection
    }

    private func serve(_ manner: Manner) async throws {
        let asked = asked
        let arguments = ["what", "who", "why", "mode"]
        let member: ExportedMember =
            if case .answersWords = manner {
                .synchronousMethod("Inhibit", arguments: arguments, results: ["fd"]) {
                    (_, what: String, _: String, _: String, mode: String) -> String in
                    asked.append([what, mode])
                    return "held"
                }
            } else {
                .synchronousMethod("Inhibit", arguments: arguments, results: ["fd"]) {
                    (_, what: String, _: String, _: String, mode: String) throws -> UnixFD in
                    asked.append([what, mode])
                    guard case .refusesBlock = manner, mode == "delay" else {
                        throw BusError(name: BusError.Name.accessDenied, message: "not\nyou")
                    }
                    return try UnixFD(duplicating: 0)
                }
            }
        let interface = ExportedInterface("org.freedesktop.login1.Manager", members: [member])
        try await connection.serve(ExportedObject("/org/freedesktop/login1", interfaces: [interface]))
        try await connection.requestName("org.freedesktop.login1")
    }

    /// A signal no logind should send.
    public func emitGarbage() async throws {
        try await connection.emit(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "yes")
    }

    /// Leaves the bus.
    public func stop() async {
        await connection.close()
        loop.stop()
    }
}
