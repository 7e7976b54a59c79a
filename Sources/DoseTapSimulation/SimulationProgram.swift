package import DoseTapDomain
public import DoseTapEngine
public import DoseTapStore
internal import DoseTapSystem
internal import Glibc
internal import Logging
package import SDBus

/// The program `dosetap-simulate`, which `dosetap simulate` starts.
public enum SimulationProgram {
    private static let usage = """
        Usage: dosetap-simulate [--json]

        Runs the script on standard input on a virtual clock and prints what would happen. It is
        started by the dosetap command; you need not run it by hand. See dosetap simulate.

          --json   one JSON object
          --help   print this

        Exit codes: 0 done, 1 failed, 64 wrong usage, 65 wrong script.

        """

    /// Runs a script to its end.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        switch arguments {
        case [], ["--json"]: break
        case ["--help"]:
            ProgramEdge.say(usage)
            return 0
        default:
            ProgramEdge.complain("dosetap-simulate: wrong arguments\n\(usage)")
            return 64
        }
        return run { loop in
            let run = SimulationRun(json: !arguments.isEmpty, ProgramEdge.environment, on: loop)
            ProgramEdge.say(try await run.run())
            return 0
        }
    }

    /// Runs the work of such a program on the main thread.
    ///
    /// - Returns: the exit code, also for errors.
    package static func run(_ work: @escaping @Sendable (EventLoop) async throws -> Int32) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        umask(0o077)
        do {
            return try EventLoop.run(takesDefaultJobs: true) { loop in
                do { return try await work(loop) } catch {
                    ProgramEdge.complain(sentence(error) + "\n")
                    return error is NightScriptFault ? 65 : 1
                }
            }
        } catch {
            ProgramEdge.complain("\(error)\n")
            return 1
        }
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let fault as NightScriptFault: fault.description
        case let fault as SystemFault: fault.message
        case let error as StoreError: "The store of the simulation failed: \(error.context)."
        case let spinning as NightSimulation.Spinning:
            "The service asked to be called without an end at \(spinning.now.iso8601)."
        default: "The simulation failed: \(error)."
        }
    }
}

/// The work of `dosetap-simulate`: a script from standard input through the real engine, store, plugin host and
/// plugins, on a virtual clock. No bus, no journal, no program, and never the person's store.
private actor SimulationRun {
    private let json: Bool
    private let environment: [String: String]
    private let loop: EventLoop
    private let zones = ZoneFiles()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(json: Bool, _ environment: [String: String], on loop: EventLoop) {
        self.json = json
        self.environment = environment
        self.loop = loop
    }

    /// - Returns: the text to print.
    func run() async throws -> String {
        let bytes = try Self.input()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw NightScriptFault(line: 0, message: "The script is not valid UTF-8.")
        }
        let zone = zones.current(variable: environment["TZ"]).zone
        let script = try NightScript(text, zone: zone) { [zones] name in try? zones.named(name) }
        let scratch = try ScratchStore(now: script.start, environment: environment)
        let hooks = try XDGDirectories(environment: environment).hooks
        let simulation = scratch.simulation(
            on: loop, from: script.start, in: script.zone, ladder: script.ladder, hooks: hooks)
        let outcome: NightSimulation.Outcome
        do { outcome = try await simulation.run(script) } catch {
            await simulation.stop()
            throw error
        }
        await simulation.stop()
        var verdict = outcome.verdict
        if script.disturbsClocks, verdict.doubtful == 0, let plain = script.undisturbed {
            let other = try ScratchStore(now: plain.start, environment: environment)
            let twin = other.simulation(
                on: loop, from: plain.start, in: plain.zone, ladder: plain.ladder, hooks: hooks)
            verdict.compare(outcome, with: try await twin.run(plain))
            await twin.stop()
        }
        let report = SimulationReport(script, outcome, verdict)
        return json ? JSONValue.object(report.json).serialized() + "\n" : report.text
    }

    /// Standard input, up to the limit of a script.
    private static func input() throws(NightScriptFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= NightScript.bytes {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw NightScriptFault(
                    line: 0, message: "The script cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw NightScriptFault(line: 0, message: "A script has at most \(NightScript.bytes / 1_024) KiB.")
    }
}

/// The store is the engine's port. The service has the same line; no program has both modules.
extension Store: EventStore {}

/// A store in a temporary folder: a simulation does not touch the person's store.
package struct ScratchStore: ~Copyable {
    let folder: String
    let store: Store

    /// Places for the folder, best first: in memory a flush costs nothing.
    private static let places = ["/dev/shm", "/tmp"]

    /// - Throws: ``DoseTapDomain/StoreError``.
    package init(now: Instant, environment: [String: String]) throws {
        let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"]].compactMap(\.self) + Self.places
        var made: String?
        for place in places where made == nil { made = Self.folder(in: place) }
        guard let folder = made else {
            throw StoreError(
                code: .unavailable, context: "no folder for a simulation can be made: set TMPDIR to one of your own")
        }
        let opened: Store
        do {
            opened = try Store.open(StoreConfiguration(path: folder + "/dosetap.db", surface: "simulation", now: now))
        } catch {
            Self.remove(folder)
            throw error
        }
        self.folder = folder
        store = opened
    }

    deinit { Self.remove(folder) }

    /// Makes hook programs for the steps of the alarm; they are named, not run.
    ///
    /// - Returns: the folder with the hooks.
    package func makeHooks() throws -> String {
        for event in ["alarm", "partner"] {
            let path = folder + "/hooks.d/" + event
            mkdir(folder + "/hooks.d", 0o700)
            mkdir(path, 0o700)
            let descriptor = open(path + "/10-call", O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
            guard descriptor >= 0 else {
                throw StoreError(code: .unavailable, context: "\(path): \(String(cString: strerror(errno)))")
            }
            close(descriptor)
        }
        return folder + "/hooks.d"
    }

    /// Returns a simulation on this store.
    ///
    /// - Parameter hooks: folder of the person's programs, which are named and not run.
    package borrowing func simulation(
        on loop: EventLoop, from start: Instant, in zone: Zone, ladder: AlarmLadder, hooks: [String]
    ) -> NightSimulation {
        let machine = SimulatedMachine(VirtualClock(start, zone: zone))
        let desktop = SimulatedDesktop(on: loop, machine, ladder: ladder, hookFolders: hooks, folder: folder)
        return NightSimulation(
            NightSimulation.Parts(
                executor: loop, machine: machine, store: store, plugins: { desktop.plugins($0, $1) },
                logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }))
    }

    private static func folder(in place: String) -> String? {
        guard place.hasPrefix("/"), place.utf8.count < 3_000 else { return nil }
        var name = Array((place + "/dosetap-simulation-XXXXXX").utf8CString)
        return name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    private static func remove(_ folder: String) {
        guard let names = try? Folder.names(in: folder, most: .max, followsLink: false) else { return }
        for name in names {
            // A folder is emptied first.
            if unlink(folder + "/" + name) != 0 { remove(folder + "/" + name) }
        }
        rmdir(folder)
    }
}
