public import Foundation
import Synchronization

/// Another program with pipes to and from it, with no signal blocked: the threads of a test run block all of them.
public final class Child: Sendable {
    /// Its process id.
    public let processID: pid_t
    private let input: FileHandle
    private let output: FileHandle
    private let isReaped = Atomic(false)

    /// Starts the program at a path.
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
        // Other tests spawn at the same time: none of them may keep this one's pipes open.
        for handle in [
            input.fileHandleForReading, input.fileHandleForWriting, output.fileHandleForReading,
            output.fileHandleForWriting,
        ] { _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC) }
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, path, &actions, &attributes, &words, environ)
        guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EIO) }
        processID = pid
        self.input = input.fileHandleForWriting
        self.output = output.fileHandleForReading
        try input.fileHandleForReading.close()
        try output.fileHandleForWriting.close()
    }

    /// Writes to its standard input.
    public func write(_ text: String) throws { try input.write(contentsOf: Data(text.utf8)) }

    /// Ends its standard input.
    public func closeInput() throws { try input.close() }

    /// Reads until the text appears or the program says no more.
    public func read(until text: String) -> String {
        var told = ""
        while !told.contains(text) {
            let data = output.availableData
            guard !data.isEmpty else { break }
            told += String(decoding: data, as: UTF8.self)
        }
        return told
    }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(processID, number) }

    /// Reads what is left and waits for the end; the exit status, negative for a signal.
    public func finish() throws -> (status: Int32, output: String) {
        let rest = try output.readToEnd() ?? Data()
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0 && errno == EINTR {}
        isReaped.store(true, ordering: .relaxed)
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
        return (code, String(decoding: rest, as: UTF8.self))
    }

    /// One that a failed test left: a dead child that nobody takes would keep the exit tests waiting for ever.
    deinit {
        guard !isReaped.load(ordering: .relaxed) else { return }
        kill(processID, SIGKILL)
        waitpid(processID, nil, 0)
    }
}
