import DoseTapTestSupport
import Foundation

/// Another program, run to its end.
enum Command {
    struct Result {
        var status: Int32
        var output: String
    }

    static func run(_ path: String, _ arguments: [String], input: String = "") throws -> Result {
        let child = try Child(path, arguments)
        try child.write(input)
        try child.closeInput()
        let end = try child.finish()
        return Result(status: end.status, output: end.output)
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
