import Foundation
public import SDBus
import Synchronization

/// A system service played by python-dbusmock on a private bus.
public final class MockedService: Sendable {
    public static let isInstalled =
        (try? Command.run(["/usr/bin/python3", "-c", "import dbusmock"]).status) == 0

    private static let interface = "org.freedesktop.DBus.Mock"

    private let child: Child
    private let name: String
    private let path: ObjectPath
    private let connection: Connection
    private let loop: EventLoop

    /// Starts the service and returns when it owns its name.
    ///
    /// - Parameters:
    ///   - template: the template of python-dbusmock, such as `logind`.
    ///   - name: the bus name of the service.
    ///   - path: the main object of the service.
    ///   - parameters: the parameters of the template, as JSON.
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

    public static func login(on address: String, parameters: String = "{}") async throws -> MockedService {
        try await start(
            "logind", name: "org.freedesktop.login1", path: "/org/freedesktop/login1", parameters: parameters,
            on: address)
    }

    public func emit(_ interface: String, _ member: String, _ argument: Variant) async throws {
        try await connection.call(
            name, path, Self.interface, "EmitSignal", interface, member, argument.contentSignature, [argument],
            returning: Void.self)
    }

    /// Calls a control member of the mock.
    public func ask<each Argument: DBusValue>(_ member: String, _ arguments: repeat each Argument) async throws {
        _ = try await connection.callAny(name, path, Self.interface, member, repeat each arguments)
    }

    /// The locks of logind: their what, who, why and mode.
    public func inhibitors() async throws -> [[String]] {
        let rows = try await connection.call(
            name, path, "org.freedesktop.login1.Manager", "ListInhibitors",
            returning: [DBusStruct<String, String, String, String, UInt32, UInt32>].self)
        return rows.map { [$0.fields.0, $0.fields.1, $0.fields.2, $0.fields.3] }.sorted { $0[0] > $1[0] }
    }

    /// Asks until no lock is left. The close of a descriptor reaches the mock through its loop, and only once a program
    /// that another test is starting at that moment has closed its copy.
    public func awaitNoInhibitors(within limit: Duration = .seconds(20)) async throws {
        let end = ContinuousClock.now + limit
        while try await !inhibitors().isEmpty {
            guard ContinuousClock.now < end else {
                throw BusError(name: BusError.Name.timeout, message: "sleep is still held off")
            }
        }
    }

    /// Ends the service by a signal, like a crash.
    public func stop() async throws {
        child.signal(SIGTERM)
        _ = try child.finish()
        await connection.close()
        loop.stop()
    }
}

/// A scripted logind, for faults that the mock does not have.
public final class ScriptedLogin: Sendable {
    /// The manner in which `Inhibit` is answered.
    public enum Manner: Sendable {
        /// `block` needs a missing right.
        case refusesBlock
        case refuses
        /// A machine that falls asleep has an operation in progress, until the fourth call.
        case isBusy
        /// With a wrong type.
        case answersWords
    }

    private let loop: EventLoop
    private let connection: Connection
    /// The what and the mode of each call.
    public let asked = Recorder<[String]>()

    /// Serves on the bus at an address. Returns when the service owns the name.
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
                    if case .isBusy = manner {
                        guard asked.elements.count > 3 else {
                            throw BusError(
                                name: "org.freedesktop.login1.OperationInProgress", message: "falling asleep")
                        }
                        return try UnixFD(duplicating: 0)
                    }
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

    /// Signals that the machine falls asleep, or has woken.
    public func emit(asleep: Bool) async throws {
        try await connection.emit(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", asleep)
    }

    /// Emits a malformed signal.
    public func emitGarbage() async throws {
        try await connection.emit(
            "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "PrepareForSleep", "yes")
    }

    public func stop() async {
        await connection.close()
        loop.stop()
    }
}

/// A scripted service manager for transient timers, of a version that the test chooses.
public final class ScriptedManager: Sendable {
    public enum Heard: Sendable, Equatable {
        /// A timer: its unit, its calendar, and true if it wakes the machine.
        case started(String, calendar: String, wakes: Bool)
        case stopped(String)
    }

    private static let name = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"
    private static let timer: ObjectPath = "/org/freedesktop/systemd1/unit/timer"

    /// The calls, in order.
    public let heard = Recorder<Heard>()
    private let loop: EventLoop
    private let connection: Connection
    private let jobs = Atomic<UInt32>(0)

    /// Serves on the bus at an address. Returns when the manager owns the name.
    ///
    /// - Parameters:
    ///   - elapses: the next instant of every timer, microseconds since 1970 UTC.
    ///   - result: the result of every job.
    ///   - left: timers that run already.
    public static func start(
        on address: String, version: String, elapses: UInt64, result: String = "done", left: [String] = []
    ) async throws -> ScriptedManager {
        let loop = try EventLoop.spawn(name: "manager")
        let manager = ScriptedManager(loop, try await Connection.open(.address(address), on: loop))
        try await manager.serve(version, elapses, result, left)
        return manager
    }

    private init(_ loop: EventLoop, _ connection: Connection) {
        self.loop = loop
        self.connection = connection
    }

    private typealias Property = DBusStruct<String, Variant>
    private typealias Row = DBusStruct<
        String, String, String, String, String, String, ObjectPath, UInt32, String, ObjectPath
    >

    private func serve(_ version: String, _ elapses: UInt64, _ result: String, _ left: [String]) async throws {
        let members: [ExportedMember] = [
            .property(ExportedProperty("Version", version, change: .constant)),
            .synchronousMethod("Subscribe") { _ in },
            .synchronousMethod("GetUnit", arguments: ["name"], results: ["unit"]) { (_, _: String) -> ObjectPath in
                Self.timer
            },
            .synchronousMethod("ListUnitsByPatterns", arguments: ["states", "patterns"], results: ["units"]) {
                (_, _: [String], _: [String]) -> [Row] in
                left.map { Row($0, "", "loaded", "active", "waiting", "", Self.timer, 0, "", Self.timer) }
            },
            .method("StopUnit", arguments: ["name", "mode"], results: ["job"]) {
                (_, name: String, _: String) async throws -> ObjectPath in
                self.heard.append(.stopped(name))
                return Self.timer
            },
            .method("StartTransientUnit", arguments: ["name", "mode", "properties", "aux"], results: ["job"]) {
                (_, name: String, _: String, properties: [Property], _: [DBusStruct<String, [Property]>])
                    async throws -> ObjectPath in
                try await self.startTimer(name, properties, result)
            },
        ]
        try await connection.serve(
            ExportedObject(Self.path, interfaces: [ExportedInterface(Self.interface, members: members)]))
        let next = ExportedProperty("NextElapseUSecRealtime", elapses)
        try await connection.serve(
            ExportedObject(
                Self.timer,
                interfaces: [ExportedInterface("org.freedesktop.systemd1.Timer", members: [.property(next)])]))
        try await connection.requestName(Self.name)
    }

    private func startTimer(_ name: String, _ properties: [Property], _ result: String) async throws -> ObjectPath {
        let values = Dictionary(properties.map { ($0.fields.0, $0.fields.1) }) { $1 }
        let calendar = values["TimersCalendar"]?.as([DBusStruct<String, String>].self)?.first?.fields
        let wakes = values["WakeSystem"]?.boolValue == true && calendar?.0 == "OnCalendar"
        heard.append(.started(name, calendar: calendar?.1 ?? "", wakes: wakes))
        let job = ObjectPath("/org/freedesktop/systemd1/job/1")
        try await connection.emit(
            Self.path, Self.interface, "JobRemoved", jobs.add(1, ordering: .relaxed).newValue, job, name, result)
        return job
    }

    public func stop() async {
        await connection.close()
        loop.stop()
    }
}

/// A scripted service manager with the state of the service's unit.
public final class ScriptedUnit: Sendable {
    private static let name = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let unit: ObjectPath = "/org/freedesktop/systemd1/unit/dosetapd_2eservice"

    private let loop: EventLoop
    private let connection: Connection

    /// Serves on the bus at an address. Returns when the manager owns the name.
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

    public func stop() async {
        await connection.close()
        loop.stop()
    }
}
