internal import DoseTapDomain
import Glibc

/// The files that belong to a store, by their names beside it. A file with another name belongs to somebody else.
struct StoreFiles {
    /// The database file.
    let path: String
    /// The names in the store's folder, if they are known already.
    private let names: [String]?

    init(path: String) {
        self.path = path
        names = nil
    }

    /// - Throws: ``DoseTapDomain/StoreError`` if the content of the folder cannot be known.
    init(allOf path: String, doing: String) throws(StoreError) {
        self.path = path
        names = try FolderListing(of: FilePath.folder(of: path)).known(doing)
    }

    struct File {
        /// The end of the file's name, after the store's own.
        let suffix: String
        let path: String
        let status: stat

        /// The permissions in octal digits.
        var mode: String { String(status.st_mode & 0o7777, radix: 8) }
    }

    /// Ends of the names of the files that SQLite and this program put beside one database.
    static let companions = ["-wal", "-shm", "-journal", ".head", ".night", ".reserve", KeyIDFile.suffix, ".lease"]

    private var databases: [String] {
        Store.logs(of: "")
    }

    /// Ends of all names that a store may have. The database itself comes last, so that the files that only help to read it are
    /// handled first.
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
            [".switch-new", ".switch", StoreWipe.draft, ObsoleteKeys.draft] + Self.companions + [""]
        var names: [String] = []
        for number in 0..<StoreSwitch.copies { names += ["-wal", ""].map { "\(StoreSwitch.copy)\(number)\($0)" } }
        names += Self.drafts + [ObsoleteKeys.suffix]
        for database in databases.reversed() { names += (drafts + rest).map { database + $0 } }
        return names
    }

    /// Beginnings of the ends of names under which replaced records are kept.
    static let kept = [".replaced-", ".damaged-", ".before-"]

    /// Answers that are not yet an entry. The command keeps them there.
    static let drafts = [".checkin", ".presleep"]

    /// Replaced and kept records, with the files that belong to them, and unfinished drafts.
    private var replaced: [String] {
        let slash = path.lastIndex(of: "/")
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        return (names ?? FolderListing(of: FilePath.folder(of: path)).names).compactMap { entry in
            guard entry.hasPrefix(name) else { return nil }
            let suffix = String(entry.dropFirst(name.count))
            // A date follows in the name: the person's own files have other names.
            let isKept = Self.kept.contains { kept in
                suffix.hasPrefix(kept) && suffix.dropFirst(kept.count).first?.isNumber == true
            }
            // The number of a process follows that was killed while it wrote.
            let isDraft = Self.drafts.contains { draft in
                suffix.hasPrefix(draft + ".") && suffix.dropFirst(draft.count + 1).allSatisfy(\.isNumber)
            }
            return isKept || isDraft ? suffix : nil
        }
    }

    /// Each kept record: its path, and the size of all files that belong to it.
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

    /// The existing files, of any kind; a file that cannot be looked at is left out.
    var present: [File] {
        (replaced + suffixes).compactMap { suffix in
            let status = try? SystemCall.status(of: path + suffix, "looking at the files")
            return status.map { File(suffix: suffix, path: path + suffix, status: $0) }
        }
    }

    /// Returns the existing files, of any kind.
    ///
    /// - Throws: ``DoseTapDomain/StoreError`` if a file cannot be looked at.
    func allPresent(doing: String) throws(StoreError) -> [File] {
        var files: [File] = []
        for suffix in replaced + suffixes {
            guard let status = try SystemCall.status(of: path + suffix, doing) else { continue }
            files.append(File(suffix: suffix, path: path + suffix, status: status))
        }
        return files
    }
}

/// The names in a folder, in alphabetical order, with the knowledge if the list is whole.
struct FolderListing {
    /// Limit of the names that are read.
    private static let most = 4_096

    /// Empty for a missing or unreadable folder, and for a link or a file in its place.
    let names: [String]
    private let folder: String
    /// Error number for a list that is not whole; 0 for a whole one.
    private let code: CInt

    /// True if there is no other name: the folder was read to its end, or does not exist.
    var isWhole: Bool { code == 0 || code == ENOENT }

    init(of folder: String) {
        self.folder = folder
        (names, code) = Self.read(folder)
    }

    /// Returns the names, unless an error of the machine hides some.
    ///
    /// - Parameter all: true if a folder that may not be read, or has too many names, is a fault, too.
    /// - Throws: ``DoseTapDomain/StoreError``, for example without a descriptor or with a failing disk.
    func known(_ doing: String, all: Bool = true) throws(StoreError) -> [String] {
        // A file or a link in its place is the person's.
        let isFault = all ? !isWhole && code != ENOTDIR && code != ELOOP : SystemCall.leavesUnknown(code)
        guard !isFault else {
            throw SystemCall.failure("readdir", folder, code, context: "\(doing): \(sent("a folder cannot be read"))")
        }
        return names
    }

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
    /// Returns the paths of the existing files of a store.
    public static func files(of path: String) -> [String] { StoreFiles(path: path).present.map(\.path) }
}
