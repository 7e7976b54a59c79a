internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// A file that a person named for an answer: for its owner alone, complete under its name or not there.
struct OutputFile: Sendable {
    let path: String
    private let file: NewFile

    /// - Parameter force: true to replace a plain file of this name, when the new one is complete; nil for a verb that replaces
    ///   none.
    /// - Throws: ``Failure`` if the name is taken, or cannot be used.
    init(_ path: String, force: Bool?) throws(Failure) {
        self.path = path
        guard !path.isEmpty, path != "-", !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw .usage(tr("'\(path.prefix(60))' names no file."))
        }
        // A lease lies beside a record, never beside an export of one.
        guard !Self.belongsToRecord(path) else {
            throw Failure(
                .invalidInput, tr("\(path) is a record: it is not replaced."), hint: tr("choose another name"))
        }
        do throws(SystemFault) { file = try NewFile(path, replaces: force ?? false) } catch {
            let isTaken = error.underlying == EEXIST
            throw Self.failure(
                path, isTaken && !Self.isReplaceable(path) ? EINVAL : error.underlying, canReplace: force != nil)
        }
    }

    /// Returns true for a plain file: `--force` replaces nothing else.
    private static func isReplaceable(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// Returns true for a record and for a file beside it, such as its write-ahead log, whose name begins with the
    /// record's.
    private static func belongsToRecord(_ path: String) -> Bool {
        let name = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
        let ends = path[name...].indices.filter { $0 > name && (path[$0] == "-" || path[$0] == ".") }
        return (ends + [path.endIndex]).contains { access(path[..<$0] + ".lease", F_OK) == 0 }
    }

    /// Returns a descriptor of the file that can be given away.
    func descriptor() throws(Failure) -> UnixFD {
        do throws(BusError) { return try UnixFD(duplicating: file.descriptor) } catch {
            throw Self.failure(path, error.errno)
        }
    }

    /// Flushes the file and gives it its name.
    func finish() throws(Failure) {
        do throws(SystemFault) { try file.finish() } catch { throw Self.failure(path, error.underlying) }
    }

    /// The failure of a name that is taken or cannot be used.
    ///
    /// - Parameter canReplace: true if the verb has `--force`.
    static func failure(_ path: String, _ number: Int32, canReplace: Bool = true) -> Failure {
        switch number {
        case EEXIST:
            Failure(
                .invalidInput, tr("\(path) exists already. Nothing was changed."),
                hint: canReplace ? tr("choose another name, or add --force") : tr("choose another name"))
        case EINVAL:
            Failure(.invalidInput, tr("\(path) is no plain file: it is not replaced."), hint: tr("choose another name"))
        default:
            Failure(
                [ENOSPC, EDQUOT].contains(number) ? .noSpace : number == EROFS ? .readOnly : .invalidInput,
                tr("\(path) cannot be made: \(String(cString: strerror(number)))."), hint: tr("choose another place"))
        }
    }
}
