internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// A program of the machine that runs beside this one.
struct ChildProgram {
    let process: pid_t
    /// A descriptor that is readable, and at its end, when the program and all that it started have ended.
    let end: UnixFD

    /// Starts a program. A stream without a descriptor gets /dev/null.
    ///
    /// - Parameters:
    ///   - errors: the standard error of the program.
    ///   - takesSignals: true if the program outlives this one, whose blocked signals would keep it from ending at a
    ///     logout.
    /// - Returns: nil if the program cannot be started.
    static func start(
        _ program: String, _ arguments: [String], input: Int32?, output: Int32?, errors: Int32? = nil,
        takesSignals: Bool = false
    ) -> ChildProgram? {
        // The program gets one end and has no use for it. The close of that end tells that the program has ended.
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        let (end, kept) = (UnixFD(owning: ends[0]), UnixFD(owning: ends[1]))
        _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
        let descriptors: [Int32: Spawn.Descriptor] = [
            STDIN_FILENO: input.map(Spawn.Descriptor.copy) ?? .null,
            STDOUT_FILENO: output.map(Spawn.Descriptor.copy) ?? .null,
            STDERR_FILENO: errors.map(Spawn.Descriptor.copy) ?? .null,
        ]
        let process = withExtendedLifetime(kept) {
            try? Spawn.start(program, arguments, descriptors, takesSignals: takesSignals)
        }
        return process.map { ChildProgram(process: $0, end: end) }
    }

    func hasEnded(within milliseconds: Int32) -> Bool {
        withExtendedLifetime(end) {
            var asked = pollfd(fd: end.rawValue, events: Int16(POLLIN), revents: 0)
            var ready = poll(&asked, 1, milliseconds)
            while ready < 0, errno == EINTR { ready = poll(&asked, 1, milliseconds) }
            return ready > 0
        }
    }

    /// Waits for the end of the program, and kills it after some seconds.
    func ended(within seconds: Int32) -> Int32 {
        if !hasEnded(within: seconds * 1_000) { kill() }
        return ended()
    }

    func kill() { Glibc.kill(process, SIGKILL) }

    /// Waits for the end of the program.
    ///
    /// - Returns: the exit code; 128 and the signal if one ended the program.
    func ended() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
        return Self.exitCode(of: status)
    }

    /// Returns the exit code in a status of waitpid(2); 128 and the signal if one ended the program.
    static func exitCode(of status: Int32) -> Int32 {
        status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }

    /// The most bytes of a program's messages that are read.
    private static let mostSaid = 1 << 16

    /// Returns the last line that a program wrote into a file in memory, cut if it is long; empty if there is none.
    static func lastLine(of file: UnixFD) -> String {
        let said = MemoryFile.read(file.rawValue, limit: mostSaid) ?? []
        return String(decoding: said, as: UTF8.self).split(separator: "\n").last.map { String($0.prefix(300)) } ?? ""
    }
}
