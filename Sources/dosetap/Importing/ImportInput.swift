internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// A file that is to be imported, open for reading.
struct ImportInput {
    let path: String
    let file: UnixFD
    let bytes: Int64

    /// Nothing but a plain file is opened; a pipe does not hold the command up.
    ///
    /// - Throws: ``Failure`` naming what is wrong with it.
    init(_ path: String) throws(Failure) {
        self.path = path
        let shown = String(path.prefix(200))
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT: throw Failure(.notFound, "There is no file \(shown).")
            case ELOOP: throw Failure(.invalidInput, "\(shown) is a link. Name the file itself.")
            case let number:
                throw Failure(.invalidInput, "\(shown) cannot be opened: \(String(cString: strerror(number))).")
            }
        }
        file = UnixFD(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.invalidInput, "\(shown) is no plain file.")
        }
        bytes = Int64(status.st_size)
        var log = stat()
        guard lstat(path + "-wal", &log) != 0 || log.st_size == 0 else {
            throw Failure(
                .invalidInput,
                "A part of \(shown) lies in the write-ahead log beside it. Close the program that writes it, or copy both."
            )
        }
    }

    /// A log, which may come through a pipe.
    ///
    /// - Parameter path: `-` is standard input.
    /// - Throws: ``Failure`` naming what is wrong with it.
    static func log(_ path: String) throws(Failure) -> UnixFD {
        let shown = path == "-" ? "standard input" : String(path.prefix(200))
        let descriptor =
            path == "-" ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            guard number != ENOENT else { throw Failure(.notFound, "There is no file \(shown).") }
            throw Failure(.invalidInput, "\(shown) cannot be opened: \(String(cString: strerror(number))).")
        }
        let file = UnixFD(owning: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw Failure(.invalidInput, "A log comes from a file or a pipe, and \(shown) is neither.")
        }
        return file
    }
}
