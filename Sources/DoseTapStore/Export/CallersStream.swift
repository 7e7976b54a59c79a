import DoseTapDomain
import Glibc

/// The target of an export: a pipe, a socket, a plain file or a device that a caller opened. Only the thread of the export
/// waits for it, and a cancellation of the export ends the wait.
final class CallersStream: Sendable {
    /// The reader went away.
    struct Gone: Error {}

    /// Bytes that a pipe takes at once if poll(2) says that there is room.
    private static let page = 4096

    /// The way to write without waiting longer than wanted.
    private enum Way {
        /// A plain file.
        case disk
        /// A descriptor of this process that never waits.
        case own
        case socket
        /// The caller's own descriptor, which may wait: poll(2) comes first, and the writing goes a page at a time.
        case shared
    }

    private let descriptor: CInt
    private let way: Way
    private let timeout: Duration
    private let cancellation: ExportCancellation

    /// Opens the target on the caller's thread, which a file of a hanging disk holds up.
    ///
    /// - Parameters:
    ///   - store: the store in use, which is refused.
    ///   - timeout: time for which a reader may take nothing.
    /// - Throws: `.unfit` with the reason; ``Gone`` if nobody reads any more.
    init(
        _ descriptor: CInt, store: String, timeout: Duration, _ cancellation: ExportCancellation
    ) throws {
        var status = stat()
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fstat(descriptor, &status) == 0 else { throw Self.wrong("the descriptor is not open") }
        guard flags & SystemCall.pathOnly == 0, [O_WRONLY, O_RDWR].contains(flags & O_ACCMODE) else {
            throw Self.wrong("the descriptor was not opened for writing")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG:
            guard !CallersFile.isRecord(status, store) else {
                throw Self.wrong(sent("the descriptor is the record in use"))
            }
            (way, self.descriptor) = (.disk, fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
        case S_IFSOCK: (way, self.descriptor) = (.socket, fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
        // A second opening of a device may reach another one.
        case S_IFCHR: (way, self.descriptor) = (.shared, fcntl(descriptor, F_DUPFD_CLOEXEC, 0))
        case S_IFIFO:
            // A pipe opened anew has flags of its own: those of the caller stay as they are.
            let own = open("/proc/self/fd/\(descriptor)", O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
            if own < 0, errno == ENXIO { throw Gone() }
            (way, self.descriptor) = own < 0 ? (.shared, fcntl(descriptor, F_DUPFD_CLOEXEC, 0)) : (.own, own)
        default: throw Self.wrong(sent("the descriptor is no file, pipe or socket"))
        }
        guard self.descriptor >= 0 else { throw Self.failure("fcntl", errno) }
        self.timeout = timeout
        self.cancellation = cancellation
    }

    deinit { close(descriptor) }

    private static func failure(_ call: String, _ number: CInt) -> StoreError {
        let isFull = SystemCall.code(number) == .noSpace
        return StoreError(
            code: isFull ? .noSpace : .unavailable,
            context: isFull ? sent("there is no space left for the export") : sent("the export cannot be written"),
            underlying: "\(call): \(SystemCall.message(number))")
    }

    private static func wrong(_ why: String) -> StoreError { StoreError(code: .unfit, context: why) }

    /// Writes all bytes.
    ///
    /// - Throws: ``Gone``; `.stalled` if the reader took nothing for too long; `.interrupted` after a cancellation; `.noSpace`
    ///   and other errors of the file.
    func write(_ bytes: [UInt8]) throws {
        var written = 0
        while written < bytes.count {
            if way == .shared { try awaitRoom() }
            let count = bytes.withUnsafeBytes { put(UnsafeRawBufferPointer(rebasing: $0[written...])) }
            guard count < 0 else {
                guard count > 0 else { throw Self.failure("write", EIO) }
                written += count
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN: try awaitRoom()
            case EPIPE where way != .disk, ECONNRESET where way == .socket: throw Gone()
            case let number: throw Self.failure("write", number)
            }
        }
    }

    private func put(_ bytes: UnsafeRawBufferPointer) -> Int {
        switch way {
        case .disk, .own: Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        case .socket: send(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        case .shared: Glibc.write(descriptor, bytes.baseAddress, min(bytes.count, Self.page))
        }
    }

    private func awaitRoom() throws(StoreError) {
        var asked = [
            pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
            pollfd(fd: cancellation.waits, events: Int16(POLLIN), revents: 0),
        ]
        let limit = CInt(clamping: timeout.wholeMilliseconds)
        while true {
            let ready = poll(&asked, 2, limit)
            if ready < 0, errno == EINTR { continue }
            guard ready >= 0 else { throw Self.failure("poll", errno) }
            guard ready > 0 else {
                throw StoreError(
                    code: .stalled,
                    context: "nobody read the export for \(timeout.wholeSeconds) seconds, so it was ended")
            }
            guard asked[1].revents == 0 else { throw ExportJob.cancelled }
            return
        }
    }
}

/// Ends the wait of an export for its reader, from any thread.
final class ExportCancellation: Sendable {
    /// Readable after the cancellation.
    let waits: CInt
    private let ends: CInt

    init() throws(StoreError) {
        var made: [CInt] = [-1, -1]
        guard pipe(&made) == 0 else { throw SystemCall.failure("pipe", "an export", errno, context: "exporting") }
        for end in made { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (waits, ends) = (made[0], made[1])
    }

    deinit { for one in [waits, ends] { close(one) } }

    /// Makes every wait fail, present and future.
    func cancel() {
        var byte: UInt8 = 1
        _ = Glibc.write(ends, &byte, 1)
    }
}
