import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus

/// A real daemon on its own bus, and a client that records all its signals.
final class ServiceBench: Sendable {
    let bus: PrivateBus
    let folder: ScratchFolder
    let daemon: DaemonProcess
    let loop: EventLoop
    let connection: Connection
    let client: Client
    let signals = Recorder<Signal>()

    /// Starts a bus, a daemon and a client, and returns when the daemon is ready.
    ///
    /// - Parameters:
    ///   - bus: nil makes a new one.
    ///   - folder: the folder of the store; nil makes a new one.
    static func start(
        on bus: PrivateBus? = nil, in folder: ScratchFolder? = nil, environment: [String: String] = [:]
    ) async throws -> ServiceBench {
        let bench = try await ServiceBench(
            bus: bus ?? PrivateBus(), folder: folder ?? ScratchFolder(), environment: environment)
        try bench.daemon.awaitReady()
        return bench
    }

    /// Starts a daemon whose store cannot be opened, and returns when it answers with that error.
    static func startUnable(
        in folder: ScratchFolder, on bus: PrivateBus? = nil, environment: [String: String] = [:]
    ) async throws -> ServiceBench {
        let bench = try await ServiceBench(bus: bus ?? PrivateBus(), folder: folder, environment: environment)
        let owners = Recorder<Signal>()
        try await bench.connection.subscribe(
            SignalMatch(interface: "org.freedesktop.DBus", member: "NameOwnerChanged", firstArgument: Contract.name)
        ) { owners.append($0) }
        if (try? await bench.connection.owner(of: Contract.name)) == nil { try await owners.wait(count: 1) }
        return bench
    }

    private init(bus: PrivateBus, folder: ScratchFolder, environment: [String: String]) async throws {
        self.bus = bus
        self.folder = folder
        loop = try EventLoop.spawn(name: "client")
        connection = try await Connection.open(.address(bus.address), on: loop)
        client = Client(connection)
        let signals = signals
        try await connection.subscribe(SignalMatch(path: Contract.path)) { signals.append($0) }
        daemon = try DaemonProcess(
            arguments: ["--store", folder.path("dosetap.db"), "--address", bus.address], environment: environment)
    }

    var store: String { folder.path("dosetap.db") }

    /// Ends the daemon as the service manager does.
    @discardableResult
    func stop() async throws -> Int32 {
        daemon.signal(SIGTERM)
        let code = try daemon.awaitExit()
        await leave()
        return code
    }

    /// Kills the daemon.
    func kill() async throws {
        daemon.signal(SIGKILL)
        _ = try daemon.awaitExit()
        await leave()
    }

    /// Closes the connection and ends the loop.
    func leave() async {
        await connection.close()
        loop.stop()
    }

    /// Another daemon with the same store and bus.
    func again(environment: [String: String] = [:]) async throws -> ServiceBench {
        try await ServiceBench.start(on: bus, in: folder, environment: environment)
    }

    @discardableResult
    func submit(
        _ command: NightCommand, _ change: (inout RequestOptions) -> Void = { _ in }
    ) async throws -> Receipt {
        var options = RequestOptions()
        options.surface = .cli
        change(&options)
        return try await client.submit(command, options)
    }

    /// The error of a command; nil when the command is recorded.
    func refusal(
        _ command: NightCommand, _ change: (inout RequestOptions) -> Void = { _ in }
    ) async -> ServiceError? {
        do {
            try await submit(command, change)
            return nil
        } catch { return error as? ServiceError }
    }

    /// Runs busctl on the bus.
    func busctl(_ arguments: String...) throws -> TestProgram.Outcome {
        try TestProgram.run(["timeout", "20", "busctl", "--address=\(bus.address)", "--timeout=15"] + arguments)
    }

    /// Calls a member of the `Session` interface with busctl.
    func call(_ member: String, _ arguments: String...) throws -> TestProgram.Outcome {
        try TestProgram.run(
            [
                "timeout", "20", "busctl", "--address=\(bus.address)", "--timeout=15", "--json=short", "call",
                Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.session, member,
            ] + arguments)
    }

    /// Waits for `count` signals `EventRecorded` of a type.
    func awaitRecorded(_ type: EventType, count: Int = 1, within limit: Duration = .seconds(20)) async throws {
        try await signals.wait(within: limit) { signals in
            signals.count { $0.member == "EventRecorded" && $0.arguments.first?.stringValue == type.rawValue } >= count
        }
    }

    /// Waits for a signal `PhaseChanged` to a phase.
    func awaitPhase(_ phase: Phase, within limit: Duration = .seconds(20)) async throws {
        try await signals.wait(within: limit) { signals in
            signals.contains { $0.member == "PhaseChanged" && $0.arguments.last?.stringValue == phase.rawValue }
        }
    }

    /// The time of the wall clock.
    static var now: Instant {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }
}

extension NightStatus {
    /// The warnings, without that of a silent night: a test's bus has no channel to the person.
    var faults: [String] { warnings.filter { !$0.isSilence }.map(\.message) }
}
