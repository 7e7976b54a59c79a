internal import Glibc
internal import SDBus

/// A program that runs as a transient unit of the person's service manager: in a control group of its own, which its
/// processes cannot leave, and outside the sandbox of this service. The unit goes when the program has ended.
actor TransientUnit: RunningProgram {
    private static let manager = "org.freedesktop.systemd1"
    private static let path: ObjectPath = "/org/freedesktop/systemd1"
    private static let interface = manager + ".Manager"
    private static let timeout: Duration = .seconds(5)

    private let connection: Connection
    private let name: String
    private let object: ObjectPath
    private var subscription: UInt64?
    /// The number of signals that the unit is not active, and whether their cause is being read.
    private var inactiveCount = 0
    private var isLooking = false
    private var ended: ProgramResult.End?
    private var waiting: [CheckedContinuation<ProgramResult.End, Never>] = []

    nonisolated var unownedExecutor: UnownedSerialExecutor { connection.loop.asUnownedSerialExecutor() }

    private init(_ program: Program, _ connection: Connection) {
        self.connection = connection
        name = "dosetap-\(program.purpose)-\(String(UInt64.random(in: .min ... .max), radix: 16)).service"
        object = ObjectPath("\(Self.path.rawValue)/unit/\(Self.escaped(name))")
    }

    /// Starts the program as a unit.
    ///
    /// - Throws: ``BusError`` if no manager answers, or if the manager refuses.
    static func start(
        _ program: Program, input: UnixFD, output: UnixFD, on connection: Connection
    ) async throws(BusError) -> TransientUnit {
        let unit = TransientUnit(program, connection)
        try await unit.start(program, input, output)
        return unit
    }

    private func start(_ program: Program, _ input: UnixFD, _ output: UnixFD) async throws(BusError) {
        // Listening comes first, so that even the shortest life is noticed.
        subscription = try await connection.subscribe(
            SignalMatch(
                sender: Self.manager, path: object, interface: "org.freedesktop.DBus.Properties",
                member: "PropertiesChanged")
        ) { [weak self] signal in
            self?.assumeIsolated { $0.changed(signal) }
        } onEnd: { [weak self] in
            self?.assumeIsolated { $0.finish(.lost("the bus has gone")) }
        }
        do throws(BusError) {
            _ = try await connection.call(
                Self.manager, Self.path, Self.interface, "StartTransientUnit", name, "fail",
                Self.properties(program, input, output), [DBusStruct<String, [DBusStruct<String, Variant>]>](),
                returning: (ObjectPath).self, timeout: Self.timeout, autoStart: false)
        } catch {
            await unsubscribe()
            // The manager may still start the unit later, beside the child that takes its place now.
            if error.name == BusError.Name.timeout { await terminate() }
            throw error
        }
    }

    private static func properties(
        _ program: Program, _ input: UnixFD, _ output: UnixFD
    ) -> [DBusStruct<String, Variant>] {
        let arguments = ([program.path] + program.arguments).map(Variant.string)
        let command = Variant.structure([
            .string(program.path), .array(element: "s", arguments),
            // The words of a text are never variables.
            .array(element: "s", [.string("no-env-expand")]),
        ])
        // The manager ends the program if this service is gone by then.
        let limit = program.limit + Program.grace + .seconds(3)
        return [
            DBusStruct("Description", .string("DoseTap: \(program.purpose)")),
            DBusStruct("ExecStartEx", .array(element: "(sasas)", [command])),
            // The reference keeps the unit until its result was read, however short the run was.
            DBusStruct("AddRef", .bool(true)),
            DBusStruct("CollectMode", .string("inactive-or-failed")),
            DBusStruct("StandardInputFileDescriptor", .unixFD(input)),
            DBusStruct("StandardOutputFileDescriptor", .unixFD(output)),
            DBusStruct("StandardErrorFileDescriptor", .unixFD(output)),
            DBusStruct("RuntimeMaxUSec", .uint64(microseconds(limit))),
            DBusStruct("TimeoutStopUSec", .uint64(microseconds(Program.grace))),
            DBusStruct("TasksMax", .uint64(256)),
            DBusStruct("MemoryMax", .uint64(512 << 20)),
            // A quiet unit logs notices and worse, without every start and end; another unit logs everything.
            DBusStruct("LogLevelMax", .int32(program.isQuiet ? LOG_NOTICE : LOG_DEBUG)),
        ]
    }

    private static func microseconds(_ duration: Duration) -> UInt64 {
        UInt64(max(1, duration / .microseconds(1)))
    }

    // MARK: Its end

    func end() async -> ProgramResult.End {
        await withCheckedContinuation { continuation in
            if let ended { continuation.resume(returning: ended) } else { waiting.append(continuation) }
        }
    }

    private func changed(_ signal: Signal) {
        guard let (_, values, _) = signal.decode((String, [String: Variant], [String]).self),
            case .string(let state)? = values["ActiveState"], state == "inactive" || state == "failed"
        else { return }
        inactiveCount += 1
        if !isLooking { Task { await self.look() } }
    }

    /// Reads the unit's result. A unit is also inactive before its start: it has ended once the result says so.
    private func look() async {
        isLooking = true
        defer { isLooking = false }
        var seen = 0
        while ended == nil, seen < inactiveCount {
            seen = inactiveCount
            do throws(BusError) {
                let result = try await property("Result", as: String.self)
                let code = try await property("ExecMainCode", as: Int32.self)
                let status = try await property("ExecMainStatus", as: Int32.self)
                if code != 0 || result != "success" { finish(Self.end(result, code, status)) }
            } catch { finish(.lost(error.message)) }
        }
        guard ended != nil else { return }
        try? await connection.send(Self.manager, Self.path, Self.interface, "UnrefUnit", name)
    }

    private static func end(_ result: String, _ code: Int32, _ status: Int32) -> ProgramResult.End {
        // Statuses from 200 on are the manager's own numbers for a program that never ran.
        let neverRan: ClosedRange<Int32> = 200...245
        switch code {
        case 0: return .notStarted("the service manager says: \(result)")
        case 1 where neverRan.contains(status) && result == "exit-code":
            return .notStarted("the service manager says: status \(status)")
        case 1: return .exited(status)
        default: return .signalled(status)
        }
    }

    private func property<Value: DBusValue>(_ name: String, as type: Value.Type) async throws(BusError) -> Value {
        try await connection.property(
            Self.manager, object, Self.manager + ".Service", name, as: type, timeout: Self.timeout)
    }

    private func finish(_ end: ProgramResult.End) {
        guard ended == nil else { return }
        ended = end
        for continuation in waiting { continuation.resume(returning: end) }
        waiting = []
        Task { await self.unsubscribe() }
    }

    private func unsubscribe() async {
        guard let subscription else { return }
        self.subscription = nil
        await connection.unsubscribe(subscription)
    }

    // MARK: Ending it

    func terminate() async {
        try? await connection.send(Self.manager, Self.path, Self.interface, "StopUnit", name, "replace")
    }

    func kill() async {
        try? await connection.send(Self.manager, Self.path, Self.interface, "KillUnit", name, "all", Int32(SIGKILL))
        await terminate()
    }

    func abandon() async { finish(.lost("it does not end")) }

    /// Returns a unit's name as part of an object path.
    private static func escaped(_ name: String) -> String {
        name.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { return String(Character(scalar)) }
            return "_" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
