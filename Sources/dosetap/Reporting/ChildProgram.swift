internal import Glibc

/// A program of the machine that runs beside this one.
struct ChildProgram {
    let process: pid_t

    /// Starts a program; what has no descriptor gets /dev/null.
    ///
    /// - Parameters:
    ///   - errors: its standard error.
    ///   - keeping: a descriptor that the program also gets, without a use for it.
    /// - Returns: nil where it cannot be started.
    static func start(
        _ program: String, _ arguments: [String], input: Int32?, output: Int32?, errors: Int32? = nil,
        keeping: Int32? = nil
    ) -> ChildProgram? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, own) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, own)
            } else {
                posix_spawn_file_actions_addopen(&actions, own, "/dev/null", O_RDWR, 0)
            }
        }
        if let keeping { posix_spawn_file_actions_adddup2(&actions, keeping, keeping) }
        var vector: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        vector.append(nil)
        defer { for word in vector { free(word) } }
        var process: pid_t = 0
        guard posix_spawn(&process, program, &actions, nil, vector, environ) == 0 else { return nil }
        return ChildProgram(process: process)
    }

    /// Waits for its end.
    ///
    /// - Returns: its exit code; 128 and the signal where one ended it.
    func ended() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return 127 } }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
