internal import Glibc
package import SDBus

/// What stands for the machine's programs where none may run.
package protocol ProgramStage: Sendable {
    /// As ``ProgramRunner/find(_:)``.
    func find(_ name: String) -> String?
    /// What a program comes to, at once.
    func act(_ program: Program) -> ProgramResult.End
}

/// Runs programs: as transient units of the person's service manager where one answers on the bus of the session, else as
/// children of this service.
package actor ProgramRunner {
    nonisolated let loop: EventLoop
    private let environment: [String: String]
    private let stage: (any ProgramStage)?
    private var connection: Connection?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// What programs get of this service's environment; under a service manager they get that one's instead.
    private static let inherited = [
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "PULSE_SERVER", "SHELL",
        "TZ", "USER", "WAYLAND_DISPLAY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        "XDG_STATE_HOME",
    ]

    /// - Parameter environment: this service's.
    package init(on loop: EventLoop, desktop: Desktop, environment: [String: String]) {
        self.loop = loop
        self.environment = environment
        stage = nil
        desktop.follow { [weak self] session in self?.assumeIsolated { $0.connection = session?.connection } }
    }

    /// Runs nothing: programs are acted.
    package init(on loop: EventLoop, stage: any ProgramStage) {
        self.loop = loop
        self.stage = stage
        environment = [:]
    }

    /// Starts a program; what it comes to is told by the run.
    func start(_ program: Program) -> ProgramRun {
        if let stage { return ProgramRun(program, ended: stage.act(program), on: loop) }
        let run = ProgramRun(program, on: loop)
        let (loop, connection) = (loop, connection)
        let variables = Self.inherited.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        Task(executorPreference: loop) {
            await run.begin { (program, input, output) async throws(BusError) -> any RunningProgram in
                if let connection,
                    let unit = try? await TransientUnit.start(program, input: input, output: output, on: connection)
                {
                    return unit
                }
                return try await SpawnedProgram(
                    program, environment: variables, input: input, output: output, on: loop)
            }
        }
        return run
    }

    /// Runs a program to its end.
    func run(_ program: Program) async -> ProgramResult { await start(program).finished() }

    /// Where a program lies: an absolute path as it is, a name in `PATH`; nil when there is none that can be run.
    nonisolated func find(_ name: String) -> String? {
        if let stage { return stage.find(name) }
        if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}
