import Crypto
import DoseTapDomain
import Glibc

/// The place beside the store for events that the log does not take: a small file that was allocated and filled while
/// there was room, so that writing it needs no more space.
///
/// It has two halves that are written by turns, each with its own check sum: a write that is cut off leaves the other.
final class Reserve: Sendable {
    /// Bytes of one half.
    static let half = 65_536

    /// What one half says.
    struct Content: Hashable, Sendable {
        /// Counts the writes; the higher one is in force.
        var generation: UInt64
        /// The store the events belong to.
        var storeID: String
        /// The last place of the log at the time.
        var lastSequence: Int64
        /// One event a line.
        var lines: [String]
    }

    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { Glibc.close(descriptor) }

    /// Opens the file, or makes it; nil where that fails, which is never fatal: the configuration folder comes next.
    static func open(besides path: String) -> Reserve? {
        let descriptor = Glibc.open(path + ".reserve", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        guard descriptor >= 0 else { return nil }
        let reserve = Reserve(descriptor: descriptor)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1,
            status.st_uid == geteuid()
        else { return nil }
        _ = fchmod(descriptor, 0o600)
        if status.st_size < 2 * half, !reserve.allocate() { return nil }
        return reserve
    }

    /// Really written, not only promised: a block that was only promised may need room elsewhere on its first write.
    private func allocate() -> Bool {
        guard posix_fallocate(descriptor, 0, off_t(2 * Self.half)) == 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: Self.half)
        for place in 0..<2 where pwrite(descriptor, zeros, zeros.count, off_t(place * Self.half)) != zeros.count {
            return false
        }
        return fdatasync(descriptor) == 0
    }

    /// What is in force; nil for nothing readable.
    func read() -> Content? { [half(0), half(1)].compactMap { $0 }.max { $0.generation < $1.generation } }

    /// Replaces what is in force.
    ///
    /// - Returns: how many lines found room and are on the disk; 0 where writing failed.
    func write(_ lines: [String], storeID: String, lastSequence: Int64) -> Int {
        let generation = (read()?.generation ?? 0) + 1
        var content = Content(generation: generation, storeID: storeID, lastSequence: lastSequence, lines: [])
        var room = Self.half - Self.bytes(content).count
        for line in lines {
            room -= line.utf8.count + 1
            guard room >= 0 else { break }
            content.lines.append(line)
        }
        let bytes = Self.bytes(content)
        let written = pwrite(descriptor, bytes, bytes.count, off_t(Int(generation % 2) * Self.half))
        guard written == bytes.count, fdatasync(descriptor) == 0 else { return 0 }
        return content.lines.count
    }

    private func half(_ place: Int) -> Content? {
        var bytes = [UInt8](repeating: 0, count: Self.half)
        let count = pread(descriptor, &bytes, bytes.count, off_t(place * Self.half))
        return count > 0 ? Self.content(bytes.prefix(count)) : nil
    }

    /// One line that says how long the rest is and what it sums up to, then the events.
    static func bytes(_ content: Content) -> [UInt8] {
        let body = Array(content.lines.map { $0 + "\n" }.joined().utf8)
        // Both numbers have the same length whatever they are, so that the room left is known before.
        let generation = String(repeating: "0", count: max(0, 20 - String(content.generation).utf8.count))
        let length = String(repeating: "0", count: max(0, 6 - String(body.count).utf8.count))
        let head =
            "dosetap-reserve 1 \(generation)\(content.generation) \(content.storeID) \(content.lastSequence) "
            + "\(length)\(body.count)"
        return Array("\(head) \(sum(Array(head.utf8) + body))\n".utf8) + body
    }

    static func content(_ bytes: ArraySlice<UInt8>) -> Content? {
        guard let end = bytes.prefix(1_024).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        guard words.count == 7, words[0] == "dosetap-reserve", words[1] == "1", let generation = UInt64(words[2]),
            let lastSequence = Int64(words[4]), let length = Int(words[5]), length >= 0,
            end + 1 + length <= bytes.endIndex
        else { return nil }
        let body = bytes[(end + 1)..<(end + 1 + length)]
        guard words[6] == sum(Array(words[0...5].joined(separator: " ").utf8) + body) else { return nil }
        let lines = String(decoding: body, as: UTF8.self).split(separator: "\n").map(String.init)
        return Content(generation: generation, storeID: words[3], lastSequence: lastSequence, lines: lines)
    }

    private static func sum(_ bytes: [UInt8]) -> String {
        SHA256.hash(data: bytes).prefix(16).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }
}
