internal import Glibc

/// Starts programs by posix_spawn(3), with the environment of this one.
public enum Spawn {
    /// The origin of a descriptor of the program.
    public enum Descriptor: Sendable, Hashable {
        /// A copy of a descriptor of this program.
        case copy(Int32)
        /// /dev/null, for reading and writing.
        case null
    }

    /// Starts a program that runs beside this one.
    ///
    /// - Parameters:
    ///   - program: a path, or a name that is looked up in `PATH`.
    ///   - arguments: the arguments without the program's name.
    ///   - descriptors: the descriptors of the program by number. All others without a close-on-exec mark are inherited.
    ///   - takesSignals: true if signals that this program blocks, and SIGPIPE where it is ignored here, reach the program.
    ///   - hasOwnGroup: true for a process group of its own: Ctrl-C is for this program.
    /// - Returns: the process id; the caller waits for the process.
    /// - Throws: ``SystemFault`` with the errno of posix_spawn(3) as its underlying fault.
    public static func start(
        _ program: String, _ arguments: [String], _ descriptors: [Int32: Descriptor], takesSignals: Bool = false,
        hasOwnGroup: Bool = false
    ) throws(SystemFault) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // An original may have the number of another copy, as where a standard stream was closed. So each original is first
        // copied to a number above all of them.
        let lowest = (descriptors.keys.max() ?? 2) + 1
        var originals: [Int32] = []
        defer { for original in originals { close(original) } }
        for (number, descriptor) in descriptors {
            switch descriptor {
            case .copy(let original):
                let moved = fcntl(original, F_DUPFD_CLOEXEC, lowest)
                guard moved >= 0 else { throw SystemFile.fault(program, errno) }
                originals.append(moved)
                posix_spawn_file_actions_adddup2(&actions, moved, number)
            case .null: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var flags: Int32 = 0
        if takesSignals {
            var (none, ignored) = (sigset_t(), sigset_t())
            sigemptyset(&none)
            sigemptyset(&ignored)
            sigaddset(&ignored, SIGPIPE)
            posix_spawnattr_setsigmask(&attributes, &none)
            posix_spawnattr_setsigdefault(&attributes, &ignored)
            flags |= POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        }
        if hasOwnGroup {
            posix_spawnattr_setpgroup(&attributes, 0)
            flags |= POSIX_SPAWN_SETPGROUP
        }
        posix_spawnattr_setflags(&attributes, Int16(flags))
        let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var process: pid_t = 0
        let result = posix_spawnp(&process, program, &actions, &attributes, words, environ)
        guard result == 0 else { throw SystemFile.fault(program, result) }
        return process
    }
}
