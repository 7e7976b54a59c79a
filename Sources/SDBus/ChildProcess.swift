internal import CSystemd
internal import Glibc

/// Starts programs as children of this process.
public enum ChildProcess {
    /// Starts a program in a process group of its own, with default signals, none blocked, and no descriptor but the given.
    ///
    /// - Parameters:
    ///   - path: Absolute path.
    ///   - arguments: The program's name first.
    ///   - environment: `NAME=value` each.
    ///   - input: Its standard input.
    ///   - output: Its standard output and standard error.
    /// - Returns: Its process id, which is its group's too; watch it with ``ChildWatch``.
    /// - Throws: ``BusError`` with the errno.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String], input: UnixFD, output: UnixFD
    ) throws(BusError) -> Int32 {
        // A text with a NUL would be cut there, and mean something else.
        guard !([path] + arguments + environment).contains(where: { $0.utf8.contains(0) }) else {
            throw BusError(errno: EINVAL, doing: "start \(path)")
        }
        var processID: Int32 = 0
        let result = withCStrings(arguments) { arguments in
            withCStrings(environment) { environment in
                csd_spawn(path, arguments, environment, input.rawValue, output.rawValue, &processID)
            }
        }
        guard result == 0 else { throw BusError(errno: -result, doing: "start \(path)") }
        return processID
    }

    private static func withCStrings(
        _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Int32
    ) -> Int32 {
        var copies: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { $0.baseAddress.map { body($0) } ?? -EINVAL }
    }
}

extension UnixFD {
    /// A file in memory that holds these bytes, to be read from the start.
    ///
    /// - Throws: ``BusError`` with the errno.
    public static func memory(_ bytes: [UInt8]) throws(BusError) -> UnixFD {
        let file = UnixFD(owning: try check(csd_memory_fd("dosetap"), "memfd_create"))
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file.rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw BusError(errno: errno, doing: "write to memory") }
            written += count
        }
        guard lseek(file.rawValue, 0, SEEK_SET) == 0 else { throw BusError(errno: errno, doing: "lseek") }
        return file
    }

    /// A pipe; reading from it does not block.
    ///
    /// - Throws: ``BusError`` with the errno.
    public static func pipe() throws(BusError) -> (reading: UnixFD, writing: UnixFD) {
        var (reading, writing): (Int32, Int32) = (-1, -1)
        try check(csd_pipe(&reading, &writing), "pipe")
        return (UnixFD(owning: reading), UnixFD(owning: writing))
    }
}
