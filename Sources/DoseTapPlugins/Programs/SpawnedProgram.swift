internal import Glibc
internal import SDBus

/// A program that runs as a child of this service, in a process group of its own. What leaves that group is not reached.
struct SpawnedProgram: RunningProgram {
    let processID: Int32
    private let watch: ChildWatch

    /// Starts it.
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

    /// Its end is waited for all the same: a child that nobody waits for stays for ever.
    func abandon() async {}

    func kill() async { try? await watch.signal(SIGKILL, processID: -processID) }
}
