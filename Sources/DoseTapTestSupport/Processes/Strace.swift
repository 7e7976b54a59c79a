import Foundation

/// strace attached to a thread, or with `-f` to a whole process, to make its system calls fail or to count them.
public final class Strace {
    private static let program = "/usr/bin/strace"
    private let child: Child
    private let log: String

    /// Returns when the thread is traced.
    public init(thread: Int32, _ arguments: [String], log: String) throws {
        self.log = log
        child = try Child(Self.program, ["-p", String(thread), "-o", log] + arguments)
        let told = child.read(until: "attached")
        guard told.contains("attached") else { throw CocoaError(.featureUnsupported, userInfo: ["told": told]) }
    }

    /// Lets the thread go; the calls seen.
    @discardableResult
    public func detach() throws -> [Substring] {
        child.signal(SIGINT)
        _ = try child.finish()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    }

    /// Whether this machine lets a process trace another.
    public static let isAllowed: Bool = {
        let result = try? Command.run([program, "-o", "/dev/null", "/bin/true"])
        return result?.status == 0
    }()
}
