import DoseTapDomain
import Glibc

/// A small file beside the store with a decision, which is carried out now or at the next opening. The file is complete and
/// flushed as soon as it has its name.
enum RedoFile {
    /// Limit of a file, in bytes.
    private static let most = 65_536

    /// Writes a file under another name, flushes it, and gives it its name.
    ///
    /// - Throws: ``StoreError`` if nothing was decided.
    static func write(
        _ text: String, to path: String, as draft: String, doing: String
    ) throws(StoreError) {
        try SystemCall.makeFile(draft, Array(text.utf8), context: doing)
        let folder = FilePath.folder(of: path)
        do throws(StoreError) {
            // The files that it names must be in the folder for good before the redo file is.
            try SystemCall.synchronize(folder, flags: O_DIRECTORY)
            guard rename(draft, path) == 0 else { throw SystemCall.failure("rename", draft, errno, context: doing) }
        } catch {
            unlink(draft)
            throw error
        }
        do { try SystemCall.synchronize(folder, flags: O_DIRECTORY) } catch {
            // The redo file may or may not be on the disk. Its removal makes sure that nothing was decided.
            unlink(path)
            throw error
        }
    }

    /// Reads the file; nil if no plain file of this user has that name.
    ///
    /// - Throws: ``StoreError`` if that is unknown, as without a descriptor or with a failing disk: a decision must not count
    ///   as none.
    static func read(_ path: String) throws(StoreError) -> String? {
        let doing = sent("reading what was decided about the record")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            guard SystemCall.leavesUnknown(errno) else { return nil }
            throw SystemCall.failure("open", path, errno, context: doing)
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        var bytes = [UInt8](repeating: 0, count: most)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw SystemCall.failure("read", path, errno, context: doing) }
        guard count > 0, count < bytes.count else { return nil }
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
