import Foundation

/// Another program, run to its end.
enum Command {
    struct Result {
        var status: Int32
        var output: String
    }

    static func run(_ path: String, _ arguments: [String], input: String = "") throws -> Result {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let output = Pipe()
        let entry = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = entry
        try process.run()
        try entry.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try entry.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return Result(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
    }

    static func path(of name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/", "/usr/sbin/", "/sbin/"].map { $0 + name }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    static func exists(_ name: String) -> Bool { path(of: name) != nil }

    /// Runs SQL on a closed store by the sqlite3 program.
    static func sqlite(_ database: String, _ sql: String) throws -> Result {
        try run(path(of: "sqlite3") ?? "sqlite3", ["-batch", database], input: sql)
    }
}
