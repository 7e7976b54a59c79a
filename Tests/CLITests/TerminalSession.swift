import Foundation
import Testing

/// Runs `dosetap` at a terminal of its own and types answers.
final class TerminalSession: @unchecked Sendable {
    /// A silence of this many milliseconds kills the program, since the awaited question does not come.
    private static let longestSilence: Int32 = 120_000

    // The lock guards everything that changes.
    private let lock = NSLock()
    private var seen = ""
    private let process = Process()
    private let master: FileHandle
    private let terminal: FileHandle
    private let scratch: Scratch

    /// - Parameter arguments: The words after the program's name.
    init(_ arguments: [String], _ environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        // The calls do the work of posix_openpt(3), unlockpt(3) and ptsname(3), which Swift's Glibc does not show.
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(descriptor >= 0)
        var unlock: Int32 = 0
        var number: UInt32 = 0
        let setLock: UInt = 0x4004_5431
        let getNumber: UInt = 0x8004_5430
        try #require(ioctl(descriptor, setLock, &unlock) == 0 && ioctl(descriptor, getNumber, &number) == 0)
        master = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        let name = "/dev/pts/\(number)"
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(slave >= 0)
        terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
        process.executableURL = Tool.program
        process.arguments = arguments
        process.environment = Tool.environment(
            home: scratch.path, environment.merging(["TERM": "xterm"]) { first, _ in first })
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
    }

    /// The bits of `c_lflag` that a program changes to read key by key.
    var modes: tcflag_t {
        var modes = termios()
        tcgetattr(master.fileDescriptor, &modes)
        return modes.c_lflag & tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
    }

    func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until the program is stopped, or has ended.
    func waitUntilStopped() {
        var info = siginfo_t()
        waitid(P_PID, id_t(process.processIdentifier), &info, WSTOPPED | WEXITED | WNOWAIT)
    }

    /// Runs the program to its end. A question that does not appear leads to an end by force.
    ///
    /// - Parameters:
    ///   - answers: The answers, each typed once its question has appeared.
    ///   - end: The text typed after each answer; empty where keys answer.
    ///   - typed: A closure called after each answer.
    func run(
        _ answers: [(question: String, answer: String)] = [], end: String = "\n",
        typed: @escaping @Sendable () -> Void = {}
    ) async throws -> (code: Int32, screen: String) {
        let pending = answers
        let (silence, ended) = AsyncStream.makeStream(of: Void.self)
        let reader = Thread { [self] in
            read(pending, end, typed)
            ended.finish()
        }
        reader.start()
        let code = try await process.outcome()
        // After the last holder has closed the terminal the reader comes to the end of the output.
        try terminal.close()
        for await _ in silence {}
        return (code, lock.withLock { seen })
    }

    private func read(
        _ answers: [(question: String, answer: String)], _ end: String, _ then: @Sendable () -> Void
    ) {
        var answers = answers[...]
        var position = 0
        while true {
            var terminal = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
            if poll(&terminal, 1, Self.longestSilence) == 0 { send(SIGKILL) }
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = Glibc.read(master.fileDescriptor, &buffer, buffer.count)
            // EIO: no process has the terminal open any more.
            guard count > 0 else { return }
            let text = lock.withLock {
                seen += String(decoding: buffer[..<count], as: UTF8.self)
                return seen
            }
            while let next = answers.first,
                let range = text.range(
                    of: next.question, range: text.index(text.startIndex, offsetBy: position)..<text.endIndex)
            {
                position = text.distance(from: text.startIndex, to: range.upperBound)
                let typed = Array((next.answer + end).utf8)
                _ = Glibc.write(master.fileDescriptor, typed, typed.count)
                answers = answers.dropFirst()
                then()
            }
        }
    }
}
