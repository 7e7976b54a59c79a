internal import Glibc
internal import SDBus

/// A program to be run, and its bounds.
package struct Program: Hashable, Sendable {
    /// What it is for, a short word for the names of units: `hook`, `sound`, `speech`.
    package let purpose: String
    /// Absolute path.
    package let path: String
    /// Without the program's own name.
    package var arguments: [String] = []
    /// What it reads as standard input.
    var input = Input.bytes([])
    /// How long it may take.
    var limit: Duration = Self.usualLimit

    /// A question asked again and again: the service manager's own words about it stay out of the journal.
    var isQuiet = false

    /// What a program reads as standard input, up to ``mostInput`` bytes.
    enum Input: Hashable, Sendable {
        case bytes([UInt8])
        /// A ring of the alarm, made when it is played: half a megabyte.
        case ring(volume: Double)

        var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .ring(let volume): AlarmTone.wav(volume: volume)
            }
        }
    }

    static let usualLimit: Duration = .seconds(30)
    /// Bytes of input.
    static let mostInput = 1 << 20
    /// Bytes of output that are kept; more is read and dropped.
    static let keptOutput = 4_096
    /// Bytes of output after which a program is ended.
    static let mostOutput = 1 << 20
    /// How long a program that was told to end has for it.
    static let grace: Duration = .seconds(2)
}

/// How a program ended, and what it said.
package struct ProgramResult: Hashable, Sendable {
    let end: End
    /// The first ``Program/keptOutput`` bytes of what it said, output and errors, fit for one line of the journal.
    let output: String

    /// Whether it did what it should.
    var isSuccess: Bool { end == .exited(0) }

    /// What went wrong, in words: how it ended, and the beginning of what it said.
    var complaint: String { output.isEmpty ? "\(end)" : "\(end): \(output.prefix(200))" }

    /// How a program ended.
    package enum End: Hashable, Sendable, CustomStringConvertible {
        /// By itself, with this status.
        case exited(Int32)
        /// This signal ended it.
        case signalled(Int32)
        /// It took too long and was ended.
        case timedOut(Duration)
        /// It said too much and was ended.
        case flooded
        /// It was stopped on purpose.
        case stopped
        /// It could not be started.
        case notStarted(String)
        /// What became of it is not known.
        case lost(String)

        /// In words, for people.
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

/// A program that runs somewhere.
protocol RunningProgram: Sendable {
    /// How it ended; waits until it has.
    func end() async -> ProgramResult.End
    /// Asks all of it to end; what does not within ``Program/grace`` may be killed by whoever runs it.
    func terminate() async
    /// Ends all of it.
    func kill() async
    /// Nobody waits for its end any more.
    func abandon() async
}

/// One run of a program, with its bounds: on time, on what it says, and ended at once when told to.
actor ProgramRun {
    private let loop: EventLoop
    private let program: Program
    private var running: (any RunningProgram)?
    /// Why it is being ended, if it is.
    private var verdict: ProgramResult.End?
    private var result: ProgramResult?
    private var waiting: [CheckedContinuation<ProgramResult, Never>] = []
    private var output: UnixFD?
    private var reader: IOWatch?
    private var limiter: LoopTimer?
    private var kept: [UInt8] = []
    private var said = 0
    /// How often it was told to end: asked, killed, given up.
    private var killStage = 0

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Not started yet.
    init(_ program: Program, on loop: EventLoop) {
        self.program = program
        self.loop = loop
    }

    /// Over already, without a word.
    init(_ program: Program, ended end: ProgramResult.End, on loop: EventLoop) {
        self.program = program
        self.loop = loop
        result = ProgramResult(end: end, output: "")
    }

    /// Starts it; `start` is given its standard input and its output.
    func begin(
        _ start: @escaping @Sendable (Program, UnixFD, UnixFD) async throws(BusError) -> any RunningProgram
    ) async {
        do throws(BusError) {
            let bytes = program.input.bytes
            guard bytes.count <= Program.mostInput else {
                throw BusError(errno: EFBIG, doing: "give it its input")
            }
            // A file and not a pipe: it takes everything at once, whether or not anybody reads it.
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
            // Before it starts: what has no limit does not run.
            try await timer.arm(after: program.limit)
            let running = try await start(program, input, writing)
            self.running = running
            Task { await self.finish(running.end()) }
        } catch { await finish(.notStarted(error.message)) }
        // Told to end while it was being started.
        if verdict != nil, result == nil { await escalateKill() }
    }

    /// How it ended; waits until it has.
    func finished() async -> ProgramResult {
        await withCheckedContinuation { continuation in
            if let result { continuation.resume(returning: result) } else { waiting.append(continuation) }
        }
    }

    /// Ends it, and everything it started.
    func stop() async { await end(.stopped) }

    /// As ``stop()``, without asking first.
    func kill() async {
        killStage = max(killStage, 1)
        guard verdict != nil else { return await end(.stopped) }
        // It was asked before.
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

    /// Asks, then kills, then gives up.
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
            // Nobody would come back to it.
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

    /// Reads what there is. One turn takes a bounded part of it, so that a flood keeps nobody waiting.
    private func read() {
        guard let output else { return }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(output.rawValue, &chunk, chunk.count)
        guard count > 0 else {
            // At its end the pipe would stay readable for ever.
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
