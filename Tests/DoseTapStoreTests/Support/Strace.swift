import Foundation

/// strace attached to one thread, to make its system calls fail or to count them.
final class Strace {
    private let child: Child
    private let log: String

    /// Returns when the thread is traced.
    init(thread: Int32, _ arguments: [String], log: String) throws {
        self.log = log
        child = try Child(Command.path(of: "strace") ?? "", ["-p", String(thread), "-o", log] + arguments)
        let told = child.read(until: "attached")
        guard told.contains("attached") else { throw CocoaError(.featureUnsupported, userInfo: ["told": told]) }
    }

    /// Lets the thread go; the calls seen.
    func detach() throws -> [Substring] {
        child.signal(SIGINT)
        _ = try child.finish()
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
    }

    /// Whether this machine lets a process trace another.
    static let isAllowed: Bool = {
        guard Command.exists("strace") else { return false }
        let result = try? Command.run(Command.path(of: "strace") ?? "", ["-o", "/dev/null", "/bin/true"])
        return result?.status == 0
    }()
}
