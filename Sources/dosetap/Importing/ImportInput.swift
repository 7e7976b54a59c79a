internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// A file to import, open for reading, and the write-ahead log beside it, if the file is a database that has one.
///
/// The program that writes a database may be running. Both files are read as they are, neither is changed, and no copy
/// is made that a kill would leave. The reading counts if nothing was written meanwhile (``isUnchanged``).
struct ImportInput {
    let path: String
    let file: UnixFD
    let bytes: Int64
    let log: UnixFD?
    private let states: [State?]

    /// The identity, the length and the times of a file. A write changes them.
    private struct State: Equatable {
        let numbers: [Int]

        init(_ status: stat) {
            numbers = [
                Int(bitPattern: UInt(status.st_dev)), Int(bitPattern: UInt(status.st_ino)), Int(status.st_size),
                status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec,
            ]
        }

        /// Reads the state of the file that has the name now; nil if there is none.
        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    /// The first bytes of a database.
    private static let magic = Array("SQLite format 3\0".utf8)

    /// Opens a plain file, and nothing else. A pipe does not hold the command up.
    ///
    /// - Throws: ``Failure`` with the fault of the file.
    init(_ path: String) throws(Failure) {
        self.path = path
        let (file, state) = try Self.opened(path)
        (self.file, bytes) = (file, Int64(state.numbers[2]))
        var head = [UInt8](repeating: 0, count: Self.magic.count)
        guard pread(file.rawValue, &head, head.count, 0) == head.count, head == Self.magic else {
            log = nil
            states = [state]
            return
        }
        var beside: (file: UnixFD, state: State)?
        if State(Self.log(of: path)) != nil {
            do throws(Failure) { beside = try Self.opened(Self.log(of: path)) } catch {
                // The log may go at this moment: the program that wrote it has ended.
                guard error.kind == ErrorKind.notFound.word else { throw error }
            }
        }
        log = beside.flatMap { $0.state.numbers[2] > 0 ? $0.file : nil }
        try Self.refuseUnfinished(path)
        states = [state, beside?.state]
    }

    /// The last part of the path.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// True if both files are still those that were opened, and nobody wrote to them or began to.
    var isUnchanged: Bool {
        guard State(path) == states.first else { return false }
        guard states.count > 1 else { return true }
        do throws(Failure) { try Self.refuseUnfinished(path) } catch { return false }
        return State(Self.log(of: path)) == states[1]
    }

    private static func log(of path: String) -> String { path + "-wal" }

    /// Refuses a database with a rollback journal in use. The change is not finished: pages of both states are in the
    /// file, and only the program that writes it can take the change back. A journal whose first byte is zero is over
    /// (PERSIST).
    private static func refuseUnfinished(_ path: String) throws(Failure) {
        let journal = path + "-journal"
        guard State(journal) != nil else { return }
        let opened: UnixFD
        do throws(Failure) { opened = try Self.opened(journal).0 } catch {
            guard error.kind == ErrorKind.notFound.word else { throw error }
            return
        }
        var first: UInt8 = 0
        guard pread(opened.rawValue, &first, 1, 0) == 1, first != 0 else { return }
        throw Failure(
            .invalidInput,
            tr("\(path.prefix(200)) was copied in the middle of a change: \(journal.prefix(208)) is beside it."),
            hint: tr("open the app and close it, then copy its database again"))
    }

    private static func opened(_ path: String) throws(Failure) -> (UnixFD, State) {
        let shown = String(path.prefix(200))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw Failure(.notFound, tr("There is no file \(shown)."), hint: "dosetap import --help")
            case ELOOP: throw Failure(.invalidInput, tr("\(shown) is a link. Name the file itself."))
            case let number:
                throw Failure(.invalidInput, tr("\(shown) cannot be opened: \(String(cString: strerror(number)))."))
            }
        }
        let file = UnixFD(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.invalidInput, tr("\(shown) is no plain file."))
        }
        return (file, State(status))
    }

    /// Opens a log, which may come through a pipe.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``Failure`` with the fault of the file.
    static func log(_ path: String) throws(Failure) -> UnixFD {
        let shown = path == "-" ? "standard input" : String(path.prefix(200))
        let descriptor =
            path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            guard number != ENOENT else {
                throw Failure(.notFound, tr("There is no file \(shown)."), hint: "dosetap import --help")
            }
            throw Failure(.invalidInput, tr("\(shown) cannot be opened: \(String(cString: strerror(number)))."))
        }
        let file = UnixFD(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw Failure(.invalidInput, tr("A log comes from a file or a pipe, and \(shown) is neither."))
        }
        return file
    }
}
