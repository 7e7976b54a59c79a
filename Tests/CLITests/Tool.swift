import DoseTapDomain
import Foundation
import Testing

/// Runs the built `dosetap` as a person or a script would.
enum Tool {
    /// The exit code and the output of a run.
    struct Outcome: Sendable {
        let code: Int32
        let out: String
        let err: String

        /// The one line on stdout as JSON.
        var json: JSONValue {
            get throws {
                let text = out.hasSuffix("\n") ? String(out.dropLast()) : out
                try #require(!text.contains("\n"), "more than one line: \(out)")
                return try JSONValue.parse(text)
            }
        }
    }

    /// The folder this test program was built into.
    static let folder: URL = {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: own).deletingLastPathComponent()
    }()

    static var program: URL { folder.appendingPathComponent("dosetap") }

    /// A machine without a bus, in UTC, with a home of its own.
    static func environment(home: String, _ more: [String: String] = [:]) -> [String: String] {
        var environment = ["HOME": home, "PATH": "/usr/bin:/bin", "TZ": "UTC", "LC_ALL": "C.UTF-8"]
        if let daemon = ProcessInfo.processInfo.environment["DOSETAP_DAEMON"] { environment["DOSETAP_DAEMON"] = daemon }
        return environment.merging(more) { $1 }
    }

    /// Runs the program to its end without a terminal.
    static func run(
        _ arguments: [String], _ environment: [String: String] = [:], input: String? = nil
    ) async throws -> Outcome {
        let scratch = try Scratch()
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = Self.environment(home: scratch.path, environment)
        process.standardInput = FileHandle.nullDevice
        if let input {
            try Data(input.utf8).write(to: URL(fileURLWithPath: scratch.path + "/in"))
            process.standardInput = FileHandle(forReadingAtPath: scratch.path + "/in")
        }
        let out = try scratch.file("out")
        let err = try scratch.file("err")
        process.standardOutput = out
        process.standardError = err
        let code = try await process.outcome()
        try out.close()
        try err.close()
        return Outcome(code: code, out: try scratch.text("out"), err: try scratch.text("err"))
    }
}

extension Process {
    /// Starts the process and waits for its end without holding a thread. A process of more than a minute is ended.
    func outcome() async throws -> Int32 {
        // Weak: a cancelled item lives to its deadline, and with it this process would keep its files open.
        let watchdog = DispatchWorkItem { [weak self] in if self?.isRunning == true { self?.terminate() } }
        DispatchQueue.global().asyncAfter(deadline: .now() + 60, execute: watchdog)
        defer { watchdog.cancel() }
        return try await withCheckedThrowingContinuation { continuation in
            terminationHandler = { process in
                let isExit = process.terminationReason == .exit
                continuation.resume(returning: isExit ? process.terminationStatus : 128 + process.terminationStatus)
            }
            do { try run() } catch {
                terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
    }
}

/// A folder that is removed with this value.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "dosetap-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) throws -> FileHandle {
        let full = path + "/" + name
        try Data().write(to: URL(fileURLWithPath: full))
        return try #require(FileHandle(forWritingAtPath: full))
    }

    func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)), as: UTF8.self)
    }

    /// Writes an executable shell script and returns its path.
    func script(_ name: String, _ body: String) throws -> String {
        let full = path + "/" + name
        try Data("#!/bin/sh\n\(body)\n".utf8).write(to: URL(fileURLWithPath: full))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: full)
        return full
    }
}
