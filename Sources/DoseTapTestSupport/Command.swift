public import Foundation

/// Runs a program to its end, for tests.
public enum Command {
    /// What a program left behind.
    public struct Outcome: Sendable {
        /// Exit status; 128 + signal when it was killed.
        public let status: Int32
        /// Standard output.
        public let output: Data
        /// Standard error as text.
        public let errors: String
        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
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
        // Files instead of pipes: nothing to read concurrently, so nothing can fill up and hang.
        let files = ["in", "out", "err"].map { scratch.appending(path: $0) }
        try input.write(to: files[0])
        try Data().write(to: files[1])
        try Data().write(to: files[2])
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        if let environment { process.environment = environment }
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
