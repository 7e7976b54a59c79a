internal import SDBus

/// A service manager that knows the unit of the service, as far as its state goes.
public final class ScriptedUnit: Sendable {
    private static let name = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let unit: ObjectPath = "/org/freedesktop/systemd1/unit/dosetapd_2eservice"

    private let loop: EventLoop
    private let connection: Connection

    /// Serves on the bus at an address; returns when the name is its own.
    public static func start(
        on address: String, state: String, result: String, restarts: UInt32
    ) async throws -> ScriptedUnit {
        let loop = try EventLoop.spawn(name: "manager")
        let manager = ScriptedUnit(loop, try await Connection.open(.address(address), on: loop))
        try await manager.serve(state, result, restarts)
        return manager
    }

    private init(_ loop: EventLoop, _ connection: Connection) {
        self.loop = loop
        self.connection = connection
    }

    private func serve(_ state: String, _ result: String, _ restarts: UInt32) async throws {
        let members: [ExportedMember] = [
            .synchronousMethod("GetUnit", arguments: ["name"], results: ["unit"]) { (_, _: String) -> ObjectPath in
                Self.unit
            }
        ]
        try await connection.serve(
            ExportedObject(Self.path, interfaces: [ExportedInterface("\(Self.name).Manager", members: members)]))
        try await connection.serve(
            ExportedObject(
                Self.unit,
                interfaces: [
                    ExportedInterface(
                        "\(Self.name).Unit",
                        members: [.property(ExportedProperty("ActiveState", state, change: .constant))]),
                    ExportedInterface(
                        "\(Self.name).Service",
                        members: [
                            .property(ExportedProperty("Result", result, change: .constant)),
                            .property(ExportedProperty("NRestarts", restarts, change: .constant)),
                        ]),
                ]))
        try await connection.requestName(Self.name)
    }

    /// Leaves the bus.
    public func stop() async {
        await connection.close()
        loop.stop()
    }
}
