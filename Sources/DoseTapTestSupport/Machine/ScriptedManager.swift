internal import SDBus
import Synchronization

/// A service manager of a version of the test's choice, as far as transient timers go.
public final class ScriptedManager: Sendable {
    /// What it was asked to do.
    public enum Heard: Sendable, Equatable {
        /// A timer: its unit and its calendar, and whether it wakes the machine.
        case started(String, calendar: String, wakes: Bool)
        /// A unit to stop.
        case stopped(String)
    }

    private static let name = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let interface = "org.freedesktop.systemd1.Manager"
    private static let timer: ObjectPath = "/org/freedesktop/systemd1/unit/timer"

    /// What it was asked to do, in order.
    public let heard = Recorder<Heard>()
    private let loop: EventLoop
    private let connection: Connection
    private let jobs = Atomic<UInt32>(0)

    /// Serves on the bus at an address; returns when the name is its own.
    ///
    /// - Parameters:
    ///   - elapses: what every timer says of its next instant, microseconds since 1970 UTC.
    ///   - result: how every job ends.
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

    /// Leaves the bus.
    public func stop() async {
        await connection.close()
        loop.stop()
    }
}
