import DoseTapDomain
import Glibc

/// The chain's head kept outside the database, so that an older copy of the file is noticed.
///
/// Written after each commit without a flush: it may lag behind the log, it never leads.
final class HeadFile: Sendable {
    /// What the file says.
    enum Content: Hashable, Sendable {
        /// No file, an empty one, or one that is torn.
        case unknown
        /// The head of a store.
        case head(ChainHead, storeID: String)
    }

    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Opens or makes the file; where that fails the head is unknown and stays so, which is never fatal.
    static func open(besides path: String) -> HeadFile {
        let descriptor = Glibc.open(path + ".head", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        if descriptor >= 0 { _ = fchmod(descriptor, 0o600) }
        return HeadFile(descriptor: descriptor)
    }

    /// No file at all: for a store that is not made yet.
    static var none: HeadFile { HeadFile(descriptor: -1) }

    /// Reads the file.
    func read() -> Content {
        guard descriptor >= 0 else { return .unknown }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return .unknown }
        return Self.parse(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Writes the head with one call.
    func write(_ head: ChainHead, storeID: String) {
        guard descriptor >= 0 else { return }
        let bytes = Array(Self.text(head, storeID: storeID).utf8)
        // A head that could not be written only lags; the commit it follows is safe already.
        while pwrite(descriptor, bytes, bytes.count, 0) < 0 && errno == EINTR {}
    }

    static func text(_ head: ChainHead, storeID: String) -> String {
        let digits = String(head.sequence)
        let padded = String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
        let line = "dosetap-head 1 \(storeID) \(padded) \(head.hash)"
        return "\(line) \(checkWord(line))\n"
    }

    static func parse(_ text: String) -> Content {
        guard let line = text.split(separator: "\n", omittingEmptySubsequences: false).first, text.contains("\n") else {
            return .unknown
        }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 6, words[0] == "dosetap-head", words[1] == "1", let sequence = Int64(words[3]),
            sequence >= 0, words[5] == checkWord(words[0..<5].joined(separator: " "))
        else { return .unknown }
        return .head(ChainHead(sequence: sequence, hash: words[4]), storeID: words[2])
    }

    /// FNV-1a over the line: tells a torn write from a real head.
    static func checkWord(_ line: String) -> String { checkWord(line.utf8) }

    /// The same over bytes.
    static func checkWord(_ line: some Sequence<UInt8>) -> String {
        var word: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in line { word = (word ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
