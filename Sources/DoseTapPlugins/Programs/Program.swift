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

        /// All of it.
        var bytes: [UInt8] {
            switch self {
            case .bytes(let bytes): bytes
            case .ring(let volume): AlarmTone.wav(volume: volume)
            }
        }
    }

    /// 30 seconds.
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
    /// How.
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
