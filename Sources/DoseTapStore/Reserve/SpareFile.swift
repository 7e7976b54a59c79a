import DoseTapDomain
import Glibc

/// What the reserve beside the store could not hold, as a file in another folder; made when it is needed, removed when
/// it is not.
struct SpareFile {
    /// The folder; it is made where only itself is missing.
    let folder: String
    let storeID: String

    private var path: String { "\(folder)/unsaved-\(storeID)" }

    /// What the file says; nil for none.
    func read() -> Reserve.Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16 * Reserve.half)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { room in
                room.baseAddress.map { pread(descriptor, $0 + count, room.count - count, off_t(count)) } ?? -1
            }
            guard got > 0 else { break }
            count += got
        }
        return Reserve.content(bytes.prefix(count))
    }

    /// Writes the file whole under another name first; no lines remove it.
    ///
    /// - Returns: whether all of them are on the disk.
    func write(_ lines: [String], lastSequence: Int64) -> Bool {
        guard !lines.isEmpty else { return unlink(path) == 0 || errno == ENOENT }
        _ = mkdir(folder, 0o700)
        let draft = path + ".new"
        unlink(draft)
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let content = Reserve.Content(generation: 1, storeID: storeID, lastSequence: lastSequence, lines: lines)
        let bytes = Reserve.bytes(content)
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count && fsync(descriptor) == 0
        close(descriptor)
        guard isWritten, rename(draft, path) == 0 else {
            unlink(draft)
            return false
        }
        do { try SystemCall.synchronize(folder, flags: O_DIRECTORY) } catch { return false }
        return true
    }
}
