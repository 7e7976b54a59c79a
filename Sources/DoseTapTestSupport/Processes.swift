public import DoseTapDomain
public import Foundation
import Synchronization

/// Runs a program to its end, for tests.
public enum Command {
    public struct Outcome: Sendable {
        /// Exit status; 128 + signal when it was killed.
        public let status: Int32
        public let output: Data
        /// Standard error as text.
        public let errors: String
        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The options of a sanitizer in a build with one (Contrib/sanitize), so that the reports of a program are found.
    static let sanitizerOptions = ProcessInfo.processInfo.environment.filter { name, _ in
        ["TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS"].contains(name)
    }

    /// Runs a program and collects what it prints.
    ///
    /// - Parameters:
    ///   - arguments: The program, looked up in `PATH`, and its arguments.
    ///   - environment: The whole environment, or nil for the test's own.
    ///   - input: Standard input; empty unless given.
    public static func run(
        _ arguments: [String], environment: [String: String]? = nil, input: Data = Data()
    ) throws -> Outcome {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "dosetap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        // Files, not pipes: nothing has to be read concurrently, so nothing fills up and hangs.
        let files = ["in", "out", "err"].map { scratch.appending(path: $0) }
        try input.write(to: files[0])
        try Data().write(to: files[1])
        try Data().write(to: files[2])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        if let environment { process.environment = environment.merging(sanitizerOptions) { given, _ in given } }
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        let status = process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
        return Outcome(
            status: status, output: try Data(contentsOf: files[1]),
            errors: String(decoding: try Data(contentsOf: files[2]), as: UTF8.self))
    }

    /// Runs a program that must succeed.
    @discardableResult
    public static func check(
        _ arguments: [String], environment: [String: String]? = nil, input: Data = Data()
    ) throws -> Outcome {
        let outcome = try run(arguments, environment: environment, input: input)
        guard outcome.status == 0 else {
            let command = arguments.joined(separator: " ")
            throw CommandError(description: "\(command): exit \(outcome.status): \(outcome.errors)")
        }
        return outcome
    }
}

public struct CommandError: Error, CustomStringConvertible {
    /// The program, its end and its output.
    public let description: String
}

/// The engine's command, for a file in which ``Command`` means a program.
public typealias NightCommand = DoseTapDomain.Command

/// A program, for a file that imports ``DoseTapDomain/Command``, too.
public typealias TestProgram = DoseTapTestSupport.Command

/// Calls `body` with the texts as a NULL-terminated array of C strings.
func withCStrings(
    _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
) -> Int32 {
    var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeMutableBufferPointer { $0.baseAddress.map(body) ?? EINVAL }
}

/// Another program with pipes to and from it, and with no signal blocked: the threads of a test run block all of them.
public final class Child: Sendable {
    public let processID: pid_t
    private let input: FileHandle
    private let output: FileHandle
    private let isReaped = Atomic(false)

    public init(_ path: String, _ arguments: [String]) throws {
        let (input, output) = (Pipe(), Pipe())
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.fileHandleForReading.fileDescriptor, 0)
        posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 1)
        posix_spawn_file_actions_adddup2(&actions, output.fileHandleForWriting.fileDescriptor, 2)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        // Other tests spawn at the same time: their programs must not hold these pipes open.
        for handle in [
            input.fileHandleForReading, input.fileHandleForWriting, output.fileHandleForReading,
            output.fileHandleForWriting,
        ] { _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC) }
        var pid: pid_t = 0
        let code = withCStrings([path] + arguments) { posix_spawn(&pid, path, &actions, &attributes, $0, environ) }
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        processID = pid
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    public func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    public func closeInput() throws { try input.close() }

    /// Reads until the text appears or the output ends.
    public func read(until text: String) -> String {
        var told = ""
        while !told.contains(text) {
            let data = output.availableData
            guard !data.isEmpty else { break }
            told += String(decoding: data, as: UTF8.self)
        }
        return told
    }

    public func signal(_ number: Int32) { kill(processID, number) }

    /// Reads the rest and waits for the end. The exit status is negative for a signal.
    public func finish() throws -> (status: Int32, output: String) {
        let rest = try output.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        isReaped.store(true, ordering: .relaxed)
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        return (code, String(decoding: rest, as: UTF8.self))
    }

    /// Reaps a child that a failed test left. Otherwise the exit tests would wait for ever.
    deinit {
        guard !isReaped.load(ordering: .relaxed) else { return }
        kill(processID, SIGKILL)
        waitpid(processID, nil, 0)
    }
}

/// strace attached to a thread, or with `-f` to a whole process, to make its system calls fail or to count them.
public final class Strace {
    private static let program = "/usr/bin/strace"
    private let child: Child
    private let log: String

    /// Attaches to the thread and returns when it is traced.
    public init(thread: Int32, _ arguments: [String], log: String) throws {
        self.log = log
        child = try Child(Self.program, ["-p", String(thread), "-o", log] + arguments)
        let told = child.read(until: "attached")
        guard told.contains("attached") else { throw CocoaError(.featureUnsupported, userInfo: ["told": told]) }
    }

    /// Ends the trace; returns the calls.
    @discardableResult
    public func detach() throws -> [Substring] {
        child.signal(SIGINT)
        _ = try child.finish()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    }

    /// True if this machine allows tracing.
    public static let isAllowed: Bool = {
        let result = try? Command.run([program, "-o", "/dev/null", "/bin/true"])
        return result?.status == 0
    }()
}
