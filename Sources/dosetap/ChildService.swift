internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// A private `dosetapd` that lives as long as this program. It serves one socket and ends when that socket closes.
struct ChildService: Sendable {
    /// The socket to the child. The connection takes it over.
    let descriptor: Int32
    private let process: pid_t

    /// The descriptor under which the child finds its end of the socket.
    private static let childDescriptor: Int32 = 3
    /// The longest wait for the child's end after its socket has closed, in seconds. The child only finishes a commit.
    private static let timeout = 30

    /// Starts the child.
    ///
    /// - Parameter store: the store to use; nil is the person's own.
    /// - Throws: ``Failure`` if there is no such program or the system refuses.
    init(store: String?) throws(Failure) {
        // SIGCHLD is blocked, so that ``wait()`` can wait for the child with a time limit.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGCHLD)
        sigprocmask(SIG_BLOCK, &signals, nil)
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Self.failure("socketpair", errno)
        }
        defer { close(ends[1]) }
        let program = Self.program()
        var arguments = ["--peer-fd", "\(Self.childDescriptor)"]
        if let store { arguments += ["--store", Self.absolute(store)] }
        var descriptors: [Int32: Spawn.Descriptor] = [0: .null, 1: .null, Self.childDescriptor: .copy(ends[1])]
        if Settings.value("DOSETAP_DEBUG") == nil { descriptors[2] = .null }
        // After Ctrl-C the child sees its socket close and finishes its commit.
        do throws(SystemFault) {
            process = try Spawn.start(program, arguments, descriptors, takesSignals: true, hasOwnGroup: true)
        } catch {
            close(ends[0])
            throw error.underlying == ENOENT
                ? Self.missing(program) : Self.failure("starting \(program)", error.underlying)
        }
        descriptor = ends[0]
    }

    /// Returns the path from the root, by the current folder of this program.
    static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = getcwd(nil, 0) else { return path }
        defer { free(here) }
        return String(cString: here) + "/" + path
    }

    /// The program named by `DOSETAP_DAEMON`, else the one beside this one, else the one in `PATH`.
    static func program() -> String {
        if let named = Settings.value("DOSETAP_DAEMON") { return named }
        let beside = folder + "dosetapd"
        return access(beside, X_OK) == 0 ? beside : "dosetapd"
    }

    /// The folder of this program, with a slash at its end; empty if it is not known.
    static var folder: String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink("/proc/self/exe", $0, room.count) } ?? -1
        }
        let own = String(decoding: buffer[..<max(0, length)], as: UTF8.self)
        return own.lastIndex(of: "/").map { String(own[...$0]) } ?? ""
    }

    /// Waits until the child has ended; its socket must be closed.
    ///
    /// - Returns: the exit code, 128 + the number of the signal that ended the child, nil if it did not end in time.
    @discardableResult
    func wait() -> Int32? {
        var status: Int32 = 0
        var end = timespec()
        clock_gettime(CLOCK_MONOTONIC, &end)
        end.tv_sec += Self.timeout
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGCHLD)
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { return ChildProgram.exitCode(of: status) }
            guard ended == 0 || errno == EINTR else { return nil }
            var now = timespec()
            clock_gettime(CLOCK_MONOTONIC, &now)
            var left = timespec(tv_sec: end.tv_sec - now.tv_sec, tv_nsec: 0)
            guard left.tv_sec > 0 else { return nil }
            sigtimedwait(&signals, nil, &left)
        }
    }

    /// Returns the failure of a lost connection, by the way the child ended; nil for other errors, and if the end is
    /// unknown.
    func failure(_ error: BusError, _ status: Int32?) -> Failure? {
        guard error.name == BusError.Name.disconnected else { return nil }
        switch status {
        case nil: return nil
        case 75:
            return Failure(.locked, ErrorText.held.sentence, hint: ErrorText.held.next)
        case let code?:
            let told = ErrorText.ended(code: code)
            return Failure(.storeUnavailable, told.sentence, hint: told.next)
        }
    }

    static func missing(_ program: String) -> Failure { .unreachable(ErrorText.missing(program: program)) }

    private static func failure(_ what: String, _ number: Int32) -> Failure {
        .unreachable(ErrorText.notStarted(what, String(cString: strerror(number))))
    }
}
