internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// A program to be run, and its bounds.
package struct Program: Hashable, Sendable {
    /// The purpose, a short word for the names of units: `hook`, `sound`, `speech`.
    package let purpose: String
    /// Absolute path.
    package let path: String
    /// The arguments without the program's own name.
    package var arguments: [String] = []
    var input = Input.bytes([])
    /// The time that the program may take.
    var limit: Duration = Self.usualLimit

    /// True for a question that is asked again and again: the service manager does not log its starts and ends.
    var isQuiet = false

    /// The standard input of a program, up to ``mostInput`` bytes.
    enum Input: Hashable, Sendable {
        case bytes([UInt8])
        /// A ring of the alarm, half a megabyte, made when it is played.
        case ring(volume: Double)

        var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .ring(let volume): AlarmTone.wav(volume: volume)
            }
        }
    }

    static let usualLimit: Duration = .seconds(30)
    /// The most bytes of input.
    static let mostInput = 1 << 20
    /// Bytes of output that are kept; further bytes are read and dropped.
    static let keptOutput = 4_096
    /// Bytes of output after which a program is ended.
    static let mostOutput = 1 << 20
    /// The time that a program has to end after it was told to.
    static let grace: Duration = .seconds(2)
}

/// A program's end and output.
package struct ProgramResult: Hashable, Sendable {
    let end: End
    /// The first ``Program/keptOutput`` bytes of output and errors, fit for one line of the journal.
    let output: String

    /// True if the program exited with status 0.
    var isSuccess: Bool { end == .exited(0) }

    /// The failure in words: the end, and the beginning of the output.
    var complaint: String { output.isEmpty ? "\(end)" : "\(end): \(output.prefix(200))" }

    /// The failure of a program in words: the program, and its ``complaint``.
    func complaint(of path: String) -> String {
        let said = output.prefix(200)
        switch (end, said.isEmpty) {
        case (.exited(let status), true): return sent("\(path) exited with \(status)")
        case (.exited(let status), false): return sent("\(path) exited with \(status): \(said)")
        case (.signalled(let number), true): return sent("\(path) ended by signal \(number)")
        case (.signalled(let number), false): return sent("\(path) ended by signal \(number): \(said)")
        case (.timedOut(let limit), true):
            return sent("\(path) took longer than \(limit.components.seconds) s and was ended")
        case (.timedOut(let limit), false):
            return sent("\(path) took longer than \(limit.components.seconds) s and was ended: \(said)")
        case (.flooded, true): return sent("\(path) said more than \(Program.mostOutput / 1024) KiB and was ended")
        case (.flooded, false):
            return sent("\(path) said more than \(Program.mostOutput / 1024) KiB and was ended: \(said)")
        case (.notStarted(let why), true): return sent("\(path) could not be started: \(why)")
        case (.notStarted, false), (.stopped, _), (.lost, _): return "\(path) \(complaint)"
        }
    }

    /// The end of a program.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        /// The program exited with this status.
        case exited(Int32)
        /// This signal ended the program.
        case signalled(Int32)
        /// The program took too long and was ended.
        case timedOut(Duration)
        /// The program wrote too much output and was ended.
        case flooded
        /// The program was stopped on purpose.
        case stopped
        /// The program could not be started.
        case notStarted(String)
        /// The end of the program is not known.
        case lost(String)

        /// The end in words, for people.
        package var description: String {
            switch self {
            case .exited(let status): "exited with \(status)"
            case .signalled(let number): "ended by signal \(number)"
            case .timedOut(let limit): "took longer than \(limit.components.seconds) s and was ended"
            case .flooded: "said more than \(Program.mostOutput / 1024) KiB and was ended"
            case .stopped: "was stopped"
            case .notStarted(let why): "could not be started: \(why)"
            case .lost(let why): "what became of it is not known: \(why)"
            }
        }
    }
}

/// A running program, as a child or as a unit.
protocol RunningProgram: Sendable {
    /// Waits for the end and returns it.
    func end() async -> ProgramResult.End
    /// Asks all processes of the program to end. Processes left after ``Program/grace`` may be killed by the runner.
    func terminate() async
    /// Kills all processes of the program.
    func kill() async
    /// Tells that nobody waits for the program's end any more.
    func abandon() async
}

/// One run of a program, bounded in time and in output, and ended at once when told to.
actor ProgramRun {
    private let loop: EventLoop
    private let program: Program
    private var running: (any RunningProgram)?
    /// The reason why the program is being ended; nil if it is not.
    private var verdict: ProgramResult.End?
    private var result: ProgramResult?
    private var waiting: [CheckedContinuation<ProgramResult, Never>] = []
    private var output: UnixFD?
    private var reader: IOWatch?
    private var limiter: LoopTimer?
    private var kept: [UInt8] = []
    private var said = 0
    /// The stage of ending the program: 1 asked, 2 killed, 3 given up. A kill without asking begins at 1.
    private var killStage = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Makes a run that is not started yet.
    init(_ program: Program, on loop: EventLoop) {
        self.program = program
        self.loop = loop
    }

    /// Makes a run that is already over, without output.
    init(_ program: Program, ended end: ProgramResult.End, on loop: EventLoop) {
        self.program = program
        self.loop = loop
        result = ProgramResult(end: end, output: "")
    }

    /// Starts the program; `start` gets the standard input and the output.
    func begin(
        _ start: @escaping @Sendable (Program, UnixFD, UnixFD) async throws(BusError) -> any RunningProgram
    ) async {
        do throws(BusError) {
            let bytes = program.input.bytes
            guard bytes.count <= Program.mostInput else {
                throw BusError(errno: EFBIG, doing: "give it its input")
            }
            // The input is a file and not a pipe: a file takes all bytes at once, even without a reader.
            let input = try UnixFD.memory(bytes)
            let (reading, writing) = try UnixFD.pipe()
            output = reading
            reader = try await IOWatch(on: loop, descriptor: reading.rawValue, events: .readable) { [weak self] _ in
                self?.assumeIsolated { $0.read() }
            }
            let timer = LoopTimer(on: loop, clock: .boottime) { [weak self] _ in
                guard let self else { return }
                Task(executorPreference: self.loop.preference) { await self.timeIsUp() }
            }
            limiter = timer
            // The timer is armed before the start: a program without a limit does not run.
            try await timer.arm(after: program.limit)
            let running = try await start(program, input, writing)
            self.running = running
            Task { await self.finish(running.end()) }
        } catch { await finish(.notStarted(error.message)) }
        // The program was told to end during its start.
        if verdict != nil, result == nil { await escalateKill() }
    }

    /// Waits for the end and returns it.
    func finished() async -> ProgramResult {
        await withCheckedContinuation { continuation in
            if let result { continuation.resume(returning: result) } else { waiting.append(continuation) }
        }
    }

    /// Ends the program, and everything it started.
    func stop() async { await end(.stopped) }

    /// As ``stop()``, without asking first.
    func kill() async {
        killStage = max(killStage, 1)
        guard verdict != nil else { return await end(.stopped) }
        // The program was asked to end before.
        if running != nil, killStage == 1 { await escalateKill() }
    }

    private func end(_ why: ProgramResult.End) async {
        guard result == nil, verdict == nil else { return }
        verdict = why
        if running != nil { await escalateKill() }
    }

    private func timeIsUp() async {
        if verdict == nil { return await end(.timedOut(program.limit)) }
        await escalateKill()
    }

    /// Asks the program to end, then kills it, then gives up.
    private func escalateKill() async {
        guard result == nil else { return }
        killStage += 1
        switch killStage {
        case 1: await running?.terminate()
        case 2: await running?.kill()
        default:
            await running?.abandon()
            return await finish(.lost("it does not end"))
        }
        do { try await limiter?.arm(after: Program.grace) } catch {
            // Without the timer nobody would take the next step.
            await escalateKill()
        }
    }

    private func finish(_ end: ProgramResult.End) async {
        guard result == nil else { return }
        read()
        let result = ProgramResult(
            end: verdict ?? end, output: String(decoding: kept, as: UTF8.self).journalText(Program.keptOutput))
        self.result = result
        for continuation in waiting { continuation.resume(returning: result) }
        waiting = []
        await limiter?.disarm()
        await reader?.cancel()
        (reader, output, running) = (nil, nil, nil)
    }

    // MARK: What it says

    /// Reads the output at hand. One turn takes a bounded part of it, so that a flood keeps nobody waiting.
    private func read() {
        guard let output else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(output.rawValue, &chunk, chunk.count)
        guard count > 0 else {
            // A pipe at its end would stay readable for ever.
            if count == 0, let reader { reader.assumeIsolated { $0.cancel() } }
            return
        }
        kept += chunk[..<min(count, Program.keptOutput - kept.count)]
        said += count
        guard said > Program.mostOutput else { return }
        if let reader { reader.assumeIsolated { $0.cancel() } }
        Task { await self.end(.flooded) }
    }
}
