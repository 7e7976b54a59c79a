import Glibc

/// Writes datagrams to journald without ever waiting long for it.
///
/// `sd_journal_sendv` is not used, because its socket blocks. With journald stopped, the first call after the receive
/// queue is full (10 entries by kernel default) hangs for good, and with it the thread that must fire the reminder. The
/// function also reports success when no journald listens. So the native protocol is spoken here, with `MSG_DONTWAIT`.
final class JournalSocket: Sendable {
    /// The fate of a datagram.
    enum Outcome: Equatable {
        /// journald has it.
        case delivered
        /// The errno: journald does not read, or is not there.
        case failed(Int32)
    }

    private let descriptor: Int32
    private let path: String

    /// Opens a socket; nothing is connected until the first entry. A failure shows as the outcome of each entry.
    init(path: String) {
        self.path = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// - Parameter timeout: The longest wait for room, in milliseconds. A burst can fill the short queue of a
    ///   journald in good health; a moment's wait is then enough.
    func send(_ bytes: [UInt8], timeout: Int32) -> Outcome {
        var failure = persist(timeout) { transmit(bytes) }
        if failure == EMSGSIZE || failure == ENOBUFS { failure = transmitByFile(bytes, timeout: timeout) }
        return failure == 0 ? .delivered : .failed(failure)
    }

    /// Tries until delivered, out of time, or hopeless. Returns 0 or an errno.
    private func persist(_ timeout: Int32, _ attempt: () -> Int32) -> Int32 {
        var failure = attempt()
        switch failure {
        case ENOTCONN, ECONNREFUSED, ECONNRESET, ENOENT, EDESTADDRREQ:
            // Not connected yet, or journald was restarted behind a new socket.
            failure = attach()
            if failure == 0 { failure = attempt() }
        default:
            break
        }
        if failure == EAGAIN, timeout > 0 {
            var interest = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&interest, 1, timeout) > 0 { failure = attempt() }
        }
        return failure
    }

    private func transmit(_ bytes: [UInt8]) -> Int32 {
        while true {
            let sent = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
            }
            if sent >= 0 { return 0 }
            if errno != EINTR { return errno }
        }
    }

    /// Connects the socket to journald: only a connected datagram socket can be polled for room at the other end.
    private func attach() -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard bytes.count < room.count else { return false }
            room.copyBytes(from: bytes)
            return true
        }
        guard fits else { return ENAMETOOLONG }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        return result == 0 ? 0 : errno
    }

    /// Sends an entry too large for a datagram as a descriptor of an unlinked file in shared memory, which journald reads
    /// instead (it accepts only sealed memory files and files under `/dev/shm`, `/tmp` and `/var/tmp`).
    private func transmitByFile(_ bytes: [UInt8], timeout: Int32) -> Int32 {
        let name = "/dosetap-journal-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
        guard file >= 0 else { return errno }
        defer { close(file) }
        shm_unlink(name)
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { write(file, $0.baseAddress.map { $0 + written }, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            written += count
        }
        return persist(timeout) { transmit(descriptor: file) }
    }

    /// Passes a descriptor in an otherwise empty message (`SCM_RIGHTS`, unix(7)).
    private func transmit(descriptor file: Int32) -> Int32 {
        // cmsg(3)'s macros do not reach Swift: header, then the payload, both aligned to a machine word.
        let header = MemoryLayout<cmsghdr>.size
        let word = MemoryLayout<Int>.alignment
        let space = header + (MemoryLayout<Int32>.size + word - 1) / word * word
        let control = UnsafeMutableRawBufferPointer.allocate(byteCount: space, alignment: word)
        defer { control.deallocate() }
        control.initializeMemory(as: UInt8.self, repeating: 0)
        var rights = cmsghdr()
        rights.cmsg_len = header + MemoryLayout<Int32>.size
        rights.cmsg_level = SOL_SOCKET
        rights.cmsg_type = Int32(SCM_RIGHTS)
        control.storeBytes(of: rights, as: cmsghdr.self)
        control.storeBytes(of: file, toByteOffset: header, as: Int32.self)
        var message = msghdr()
        message.msg_control = control.baseAddress
        message.msg_controllen = space
        while true {
            if sendmsg(descriptor, &message, Int32(MSG_DONTWAIT | MSG_NOSIGNAL)) >= 0 { return 0 }
            if errno != EINTR { return errno }
        }
    }
}

/// journald's native datagram: `NAME=value` lines, or for a value with newlines the name, its length as 64-bit
/// little-endian and the bytes. Source: systemd.io/JOURNAL_NATIVE_PROTOCOL.
enum JournalWire {
    static func encoded(_ entry: JournalEntry, identifier: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + entry.message.utf8.count)
        append("MESSAGE", Array(JournalText.escaped(entry.message).utf8), to: &bytes)
        append("PRIORITY", Array(String(entry.priority.rawValue).utf8), to: &bytes)
        append("SYSLOG_IDENTIFIER", Array(identifier.utf8), to: &bytes)
        if let id = entry.messageID { append("MESSAGE_ID", Array(id.utf8), to: &bytes) }
        if let location = entry.location {
            append("CODE_FILE", Array(location.file.utf8), to: &bytes)
            append("CODE_LINE", Array(String(location.line).utf8), to: &bytes)
            append("CODE_FUNC", Array(location.function.utf8), to: &bytes)
        }
        for field in entry.fields { append(field.name, field.value, to: &bytes) }
        return bytes
    }

    private static func append(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }
}
