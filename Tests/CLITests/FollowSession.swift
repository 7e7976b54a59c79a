import Foundation
import Testing

/// A `dosetap` that runs while the test reads its lines, as `status --follow` and `web` do.
final class FollowSession: Sendable {
    private let process = Process()
    private let output = Pipe()
    private let lines: AsyncStream<String>
    private let scratch: Scratch

    init(_ arguments: [String], _ environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        process.executableURL = Tool.program
        process.arguments = arguments
        process.environment = Tool.environment(home: scratch.path, environment)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        let (lines, feed) = AsyncStream.makeStream(of: String.self)
        self.lines = lines
        let handle = output.fileHandleForReading
        let reader = Thread {
            var rest = ""
            while true {
                let data = handle.availableData
                guard !data.isEmpty else { break }
                rest += String(decoding: data, as: UTF8.self)
                while let end = rest.firstIndex(of: "\n") {
                    feed.yield(String(rest[..<end]))
                    rest = String(rest[rest.index(after: end)...])
                }
            }
            feed.finish()
        }
        try process.run()
        reader.start()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The next line; the end of the output is a failure.
    func line() async throws -> String {
        for await line in lines { return line }
        throw CancellationError()
    }

    var processID: Int32 { process.processIdentifier }

    /// Sends a signal and waits for the end.
    func end(_ signal: Int32) async throws -> Int32 {
        kill(process.processIdentifier, signal)
        for await _ in lines {}
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}
