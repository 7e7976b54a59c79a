import Foundation
public import SDBus

/// A service of the machine as python-dbusmock plays it, on a bus of the test's own.
public final class MockedService: Sendable {
    /// Whether the program is here.
    public static let isInstalled =
        (try? Command.run(["/usr/bin/python3", "-c", "import dbusmock"]).status) == 0

    private static let interface = "org.freedesktop.DBus.Mock"

    private let child: Child
    private let name: String
    private let path: ObjectPath
    private let connection: Connection
    private let loop: EventLoop

    /// Starts it; returns when its name is there.
    ///
    /// - Parameters:
    ///   - template: of python-dbusmock, such as `logind`.
    ///   - name: the name it takes.
    ///   - path: its main object.
    ///   - parameters: of the template, as JSON.
    public static func start(
        _ template: String, name: String, path: ObjectPath, parameters: String = "{}", on address: String
    ) async throws -> MockedService {
        let loop = try EventLoop.spawn(name: "mock")
        let connection = try await Connection.open(.address(address), on: loop)
        let owners = try await connection.signals(
            SignalMatch(sender: Connection.driver, member: "NameOwnerChanged", firstArgument: name))
        let child = try Child(
            "/usr/bin/env",
            [
                "DBUS_SYSTEM_BUS_ADDRESS=\(address)", "timeout", "120", "/usr/bin/python3", "-m", "dbusmock",
                "--system",
                "--template", template, "--parameters", parameters,
            ])
        for await signal in owners where signal.arguments.last?.stringValue?.isEmpty == false { break }
        return MockedService(child, name, path, connection, loop)
    }

    private init(_ child: Child, _ name: String, _ path: ObjectPath, _ connection: Connection, _ loop: EventLoop) {
        self.child = child
        self.name = name
        self.path = path
        self.connection = connection
        self.loop = loop
    }

    /// systemd-logind.
    public static func login(on address: String, parameters: String = "{}") async throws -> MockedService {
        try await start(
            "logind", name: "org.freedesktop.login1", path: "/org/freedesktop/login1", parameters: parameters,
            on: address)
    }

    /// Emits a signal.
    public func emit(_ interface: String, _ member: String, _ argument: Variant) async throws {
        try await connection.call(
            name, path, Self.interface, "EmitSignal", interface, member, argument.contentSignature, [argument],
            returning: Void.self)
    }

    /// Calls a member by which the mock is told what to play.
    public func ask<each Argument: DBusValue>(_ member: String, _ arguments: repeat each Argument) async throws {
        _ = try await connection.callAny(name, path, Self.interface, member, repeat each arguments)
    }

    /// What is inhibited at logind: what, who, why, mode.
    public func inhibitors() async throws -> [[String]] {
        let rows = try await connection.call(
            name, path, "org.freedesktop.login1.Manager", "ListInhibitors",
            returning: [DBusStruct<String, String, String, String, UInt32, UInt32>].self)
        return rows.map { [$0.fields.0, $0.fields.1, $0.fields.2, $0.fields.3] }.sorted { $0[0] > $1[0] }
    }

    /// Ends it, as a crash would.
    public func stop() async throws {
        child.signal(SIGTERM)
        _ = try child.finish()
        await connection.close()
        loop.stop()
    }
}
