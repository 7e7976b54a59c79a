internal import DoseTapDomain
import Glibc

/// The files that belong to a store, by their names beside it. What has another name is somebody else's.
struct StoreFiles {
    /// The database file.
    let path: String
    /// The names in its folder, where they are known already.
    private let names: [String]?

    init(path: String) {
        self.path = path
        names = nil
    }

    /// - Throws: ``DoseTapDomain/StoreError`` where nobody knows what lies in the folder.
    init(allOf path: String, doing: String) throws(StoreError) {
        self.path = path
        names = try FolderListing.knownNames(in: Self.folder(of: path), doing: doing)
    }

    struct File {
        /// What follows the store's own name.
        let suffix: String
        let path: String
        let status: stat

        /// The permissions in octal digits.
        var mode: String { String(status.st_mode & 0o7777, radix: 8) }
    }

    /// What SQLite and this program lay beside one database, after its name.
    static let companions = ["-wal", "-shm", "-journal", ".head", ".night", ".reserve", KeyIDFile.suffix, ".lease"]

    private var databases: [String] {
        [""] + (1...Store.mostBeside).map { Store.besidePath("", $0) }
    }

    /// All names that a store may have, after its own; the database itself comes last, so that what only helps to
    /// read it is handled first.
    var suffixes: [String] {
        var drafts: [String] = []
        for draft in [".new"] + StoreSwitch.preparations {
            for ending in [
                "-wal", "-shm", "-journal", ".head", KeyIDFile.suffix, StoreSwitch.rows, StoreSwitch.report, "",
            ] {
                drafts.append(draft + ending)
            }
        }
        let rest: [String] =
            [".switch-new", ".switch", StoreWipe.draft, StoreWipe.keyListDraft] + Self.companions + [""]
        var names: [String] = []
        for number in 0..<StoreSwitch.copies { names += ["-wal", ""].map { "\(StoreSwitch.copy)\(number)\($0)" } }
        names += Self.drafts + [StoreWipe.keyList]
        for database in databases.reversed() { names += (drafts + rest).map { database + $0 } }
        return names
    }

    /// What a replaced record is kept under begins with one of these.
    static let kept = [".replaced-", ".damaged-", ".before-"]

    /// Answers that are no entry yet, which the command keeps there.
    static let drafts = [".checkin", ".presleep"]

    /// Records that were replaced and kept, with what belongs to them, and unfinished drafts.
    private var replaced: [String] {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return (names ?? FolderListing.names(in: Self.folder(of: path))).compactMap { entry in
            guard entry.hasPrefix(name) else { return nil }
            let suffix = String(entry.dropFirst(name.count))
            // A date follows: the person's own files have other names.
            let isKept = Self.kept.contains { kept in
                suffix.hasPrefix(kept) && suffix.dropFirst(kept.count).first?.isNumber == true
            }
            // The number of a process that was killed while it wrote follows.
            let isDraft = Self.drafts.contains { draft in
                suffix.hasPrefix(draft + ".") && suffix.dropFirst(draft.count + 1).allSatisfy(\.isNumber)
            }
            return isKept || isDraft ? suffix : nil
        }
    }

    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    /// Each kept record: its path, and the bytes of all files that belong to it.
    var keptRecords: [(path: String, bytes: Int64)] {
        let names = replaced
        return names.compactMap { suffix in
            guard let kept = Self.kept.first(where: suffix.hasPrefix),
                suffix.dropFirst(kept.count).allSatisfy({ $0.isNumber || "TZ-".contains($0) })
            else { return nil }
            let bytes = names.filter { $0.hasPrefix(suffix) }.reduce(Int64(0)) { sum, name in
                var status = stat()
                return lstat(path + name, &status) == 0 ? sum + Int64(status.st_size) : sum
            }
            return (path + suffix, bytes)
        }
    }

    /// Those that are there, whatever they are.
    var present: [File] { (replaced + suffixes).compactMap { look($0).file } }

    /// The same.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` where nobody knows whether one is there.
    func allPresent(doing: String) throws(StoreError) -> [File] {
        var files: [File] = []
        for suffix in replaced + suffixes {
            let (file, code) = look(suffix)
            guard code == 0 || code == ENOENT || code == ENOTDIR else {
                throw SystemCall.failure("lstat", path + suffix, code, context: "\(doing): a file cannot be looked at")
            }
            if let file { files.append(file) }
        }
        return files
    }

    /// What lies under a name, and the error number why nothing is seen there.
    private func look(_ suffix: String) -> (file: File?, code: CInt) {
        var status = stat()
        guard lstat(path + suffix, &status) == 0 else { return (nil, errno) }
        return (File(suffix: suffix, path: path + suffix, status: status), 0)
    }
}

/// The names in a folder.
enum FolderListing {
    /// Most names that are looked at.
    private static let most = 4_096

    /// - Returns: in alphabetical order; none where it is no folder, or a link to one.
    static func names(in folder: String) -> [String] { read(folder).names }

    /// - Parameter all: whether a folder that may not be read, or has too many names, is a fault.
    /// - Returns: the same.
    /// - Throws: ``DoseTapDomain/StoreError`` where nobody knows them, as without a descriptor or with a failing disk.
    static func knownNames(in folder: String, doing: String, all: Bool = true) throws(StoreError) -> [String] {
        let (names, code) = read(folder)
        // Something else or a link in its place is the person's.
        let isFault = all ? ![0, ENOENT, ENOTDIR, ELOOP].contains(code) : SystemCall.leavesUnknown(code)
        guard !isFault else { throw unread(folder, code, doing) }
        return names
    }

    /// - Returns: the same where these are all names; none where there is nothing; nil where nobody knows: a folder that
    ///   cannot be read, something else or a link in its place, too many names.
    static func allNames(in folder: String) -> [String]? {
        let (names, code) = read(folder)
        return isWhole(code) ? names : nil
    }

    /// - Returns: the same; nil for something else or a link in its place, what may not be read, and too many names.
    /// - Throws: ``DoseTapDomain/StoreError`` where nobody knows, as without a descriptor or with a failing disk.
    static func allNames(in folder: String, doing: String) throws(StoreError) -> [String]? {
        let (names, code) = read(folder)
        guard !SystemCall.leavesUnknown(code) else { throw unread(folder, code, doing) }
        return isWhole(code) ? names : nil
    }

    private static func isWhole(_ code: CInt) -> Bool { code == 0 || code == ENOENT }

    private static func unread(_ folder: String, _ code: CInt, _ doing: String) -> StoreError {
        SystemCall.failure("readdir", folder, code, context: "\(doing): a folder cannot be read")
    }

    /// The names, and the error number why these are not all.
    private static func read(_ folder: String) -> (names: [String], code: CInt) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return ([], errno) }
        guard let listing = fdopendir(descriptor) else {
            let code = errno
            close(descriptor)
            return ([], code)
        }
        defer { closedir(listing) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(listing) else { return (names.sorted(), errno) }
            guard names.count < most else { return (names.sorted(), E2BIG) }
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
    }
}

extension Store {
    /// The paths of the files that belong to a store, as far as they are there.
    public static func files(of path: String) -> [String] { StoreFiles(path: path).present.map(\.path) }
}
