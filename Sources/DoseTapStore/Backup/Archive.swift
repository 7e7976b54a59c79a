import Crypto
import DoseTapDomain
import Glibc

/// Runs work on files that are not the store in use: copies, their check, descriptors of callers. The archive has a thread of
/// its own, so that a large, slow or hanging file delays neither the loop nor a dose.
actor Archive {
    private nonisolated let thread: StoreThread

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init() throws(StoreError) { thread = try StoreThread.start() }

    deinit { thread.stop() }

    func perform<Answer: Sendable>(
        _ work: @Sendable () throws(StoreError) -> Answer
    ) throws(StoreError) -> Answer {
        try work()
    }
}

/// A plain file that a caller opened. The descriptor is the caller's and is never closed here.
struct CallersFile: Sendable {
    /// Limit of a file that is taken in, in bytes.
    static let most: Int64 = 4 << 30
    private static let chunk = 1 << 18

    let descriptor: CInt

    /// - Parameters:
    ///   - isWritten: true for a file to write, which is empty and not opened for appending; false for a file to read.
    ///   - store: the store in use, which is refused.
    /// - Throws: `.unfit` with the reason.
    init(_ descriptor: CInt, isWritten: Bool, store: String) throws(StoreError) {
        self.descriptor = descriptor
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.wrong(sent("the descriptor is no plain file"))
        }
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, flags & SystemCall.pathOnly == 0,
            [O_RDWR, isWritten ? O_WRONLY : O_RDONLY].contains(flags & O_ACCMODE)
        else { throw Self.wrong("the descriptor was not opened for \(isWritten ? "writing" : "reading")") }
        if isWritten {
            guard flags & O_APPEND == 0 else { throw Self.wrong("the descriptor was opened for appending") }
            guard status.st_size == 0 else { throw Self.wrong(sent("the file to write to is not empty")) }
        } else {
            guard status.st_size <= Self.most else { throw Self.wrong(sent("the file is too large")) }
        }
        guard !Self.isRecord(status, store) else { throw Self.wrong(sent("the descriptor is the record in use")) }
    }

    /// Returns true if a file is part of the store.
    static func isRecord(_ status: stat, _ store: String) -> Bool {
        ["", "-wal"].contains { suffix in
            var own = stat()
            return lstat(store + suffix, &own) == 0 && own.st_ino == status.st_ino && own.st_dev == status.st_dev
        }
    }

    private static func wrong(_ why: String) -> StoreError { StoreError(code: .unfit, context: why) }

    var size: Int64 {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int64(status.st_size) : 0
    }

    /// Writes a file into the descriptor, flushes it, and reads it back if the descriptor may be read.
    func fill(from path: String) throws(StoreError) {
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard source >= 0 else { throw SystemCall.failure("open", path, errno, context: Self.writing) }
        defer { close(source) }
        let wanted = try Self.copy(source, to: descriptor, doing: Self.writing)
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw SystemCall.failure("fsync", "the descriptor", errno, context: Self.writing)
        }
        guard fcntl(descriptor, F_GETFL) & O_ACCMODE == O_RDWR else { return }
        guard try Self.copy(descriptor, to: nil, doing: Self.writing) == wanted else {
            throw StoreError(
                code: .unavailable, context: "what was written into the descriptor is not what is read from it")
        }
    }

    /// Copies the descriptor's file to a path, in place of a former file, and flushes the copy.
    func take(to path: String) throws(StoreError) {
        unlink(path)
        let target = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw SystemCall.failure("open", path, errno, context: Self.reading) }
        defer { close(target) }
        _ = try Self.copy(descriptor, to: target, doing: Self.reading)
        guard fsync(target) == 0 else { throw SystemCall.failure("fsync", path, errno, context: Self.reading) }
    }

    private static let writing = sent("writing the backup")
    private static let reading = sent("reading the backup")

    /// - Returns: the SHA-256 of the copied bytes.
    private static func copy(_ source: CInt, to target: CInt?, doing: String) throws(StoreError) -> [UInt8] {
        var room = [UInt8](repeating: 0, count: chunk)
        var place: off_t = 0
        var hash = SHA256()
        while place <= most {
            let count = pread(source, &room, room.count, place)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw SystemCall.failure("pread", "the backup", errno, context: doing) }
            guard count > 0 else { return Array(hash.finalize()) }
            room.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if let target { try SystemCall.write(room[..<count], to: target, at: place, "the backup", context: doing) }
            place += off_t(count)
        }
        throw wrong(sent("the file is too large"))
    }
}
