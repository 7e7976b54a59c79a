internal import DoseTapDomain
internal import Glibc
package import SDBus

/// A stand-in for the machine's programs if none may run.
package protocol ProgramStage: Sendable {
    /// As ``ProgramRunner/find(_:)``.
    func find(_ name: String) -> String?
    /// Returns the end of the acted program at once.
    func act(_ program: Program) -> ProgramResult.End
}

/// Runs programs: as transient units of the person's service manager if one answers on the bus of the session, else as
/// children of this service.
package actor ProgramRunner {
    nonisolated let loop: EventLoop
    private let environment: [String: String]
    private let stage: (any ProgramStage)?
    private var connection: Connection?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The variables of this service's environment that children get; units get the service manager's environment instead.
    private static let inherited = [
        "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "PULSE_SERVER", "SHELL",
        "TZ", "USER", "WAYLAND_DISPLAY", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
        "XDG_STATE_HOME",
    ]

    /// - Parameter environment: the environment of this service.
    package init(on loop: EventLoop, desktop: Desktop, environment: [String: String]) {
        self.loop = loop
        self.environment = environment
        stage = nil
        desktop.follow { [weak self] session in self?.assumeIsolated { $0.connection = session?.connection } }
    }

    /// Makes a runner that runs nothing: the stage acts the programs.
    package init(on loop: EventLoop, stage: any ProgramStage) {
        self.loop = loop
        self.stage = stage
        environment = [:]
    }

    /// Starts a program; the run tells the result.
    func start(_ program: Program) -> ProgramRun {
        if let stage { return ProgramRun(program, ended: stage.act(program), on: loop) }
        let run = ProgramRun(program, on: loop)
        let (loop, connection) = (loop, connection)
        let variables = Self.inherited.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        Task(executorPreference: loop.preference) {
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

    /// Returns the path of a program: an absolute path as it is, a name by `PATH`; nil if there is none that can be run.
    nonisolated func find(_ name: String) -> String? {
        if let stage { return stage.find(name) }
        if name.hasPrefix("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }
            .first { $0.hasPrefix("/") && access($0, X_OK) == 0 }
    }
}

/// A program that runs as a child of this service, in a process group of its own. A process that leaves the group is not
/// reached.
struct SpawnedProgram: RunningProgram {
    let processID: Int32
    private let watch: ChildWatch

    /// Starts the program.
    ///
    /// - Parameter environment: `NAME=value` each.
    init(
        _ program: Program, environment: [String], input: UnixFD, output: UnixFD, on loop: EventLoop
    ) async throws(BusError) {
        processID = try ChildProcess.start(
            program.path, [program.path] + program.arguments, environment: environment, input: input, output: output)
        watch = try await ChildWatch(on: loop, processID: processID, endsGroup: true)
    }

    func end() async -> ProgramResult.End {
        switch await watch.status() {
        case .exited(let status): .exited(status)
        case .signaled(let number): .signalled(number)
        }
    }

    func terminate() async { try? await watch.signal(SIGTERM, processID: -processID) }

    /// Does nothing. The watch still waits for the end: a child without a wait stays a zombie.
    func abandon() async {}

    func kill() async { try? await watch.signal(SIGKILL, processID: -processID) }
}

/// The rule for files that may be run: nobody but the person and root can change them.
enum TrustedFile {
    /// Returns the reason why a program is not run; nil if it may be run, or if it cannot be looked at from here.
    static func fault(ofProgram path: String) -> String? {
        guard let real = resolved(path), let slash = real.lastIndex(of: "/") else { return nil }
        let folder = slash == real.startIndex ? "/" : String(real[..<slash])
        var (status, above) = (stat(), stat())
        guard stat(real, &status) == 0, stat(folder, &above) == 0 else { return nil }
        let owners = owners(below: folder)
        if let reason = fault(status, owners) { return reason }
        return fault(above, owners).map { sent("in its folder \(folder), \($0)") }
    }

    /// Returns the users whose files are run: the person and root. In the sandbox of the service (`PrivateUsers=`), root has
    /// the number of every user without one there: this number is trusted in root's own folders only.
    static func owners(below root: String) -> Set<uid_t> {
        var (top, folder) = (stat(), stat())
        guard stat("/", &top) == 0, stat(root, &folder) == 0, folder.st_uid == top.st_uid else {
            return [geteuid(), 0]
        }
        return [geteuid(), 0, top.st_uid]
    }

    /// Returns the reason if somebody else could change the file; nil if nobody else can.
    static func fault(_ status: stat, _ owners: Set<uid_t>) -> String? {
        guard owners.contains(status.st_uid) else { return sent("it belongs to user \(status.st_uid), not to you") }
        return status.st_mode & 0o022 == 0 ? nil : sent("others may write to it (chmod go-w)")
    }

    /// Returns the path without links; nil if nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}
