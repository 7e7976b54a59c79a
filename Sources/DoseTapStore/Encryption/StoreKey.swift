import Crypto
public import DoseTapDomain
import Glibc

/// The name of a key. An encrypted store begins with the name, which finds the key again and reveals nothing of it.
public struct StoreKeyID: Hashable, Sendable, CustomStringConvertible {
    static let length = 8
    let bytes: [UInt8]

    init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// - Parameter text: 16 hexadecimal digits.
    public init?(_ text: some StringProtocol) {
        guard let bytes = Hexadecimal.bytes(Array(text.utf8)) else { return nil }
        self.init(bytes: bytes)
    }

    /// 16 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}

/// A 256-bit key of an encrypted store or of signatures. Its memory is neither swapped nor dumped, and zeroed at its end.
///
/// The memory is one page of its own. The address is kept as a number, because the content never changes.
public final class StoreKey: Sendable {
    public static let length = 32
    private static let page = 4_096

    private let address: UInt
    /// The name of the key, as a store has it.
    public let id: StoreKeyID

    private init(_ fill: (UnsafeMutableRawBufferPointer) -> Bool) throws(StoreError) {
        let mapped = mmap(nil, Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { throw Self.failure("no memory for the key of the record") }
        // If the limit of locked memory is used up, the key may be swapped, which is no reason to refuse it.
        _ = mlock(mapped, Self.page)
        _ = madvise(mapped, Self.page, MADV_DONTDUMP)
        _ = madvise(mapped, Self.page, MADV_WIPEONFORK)
        let room = UnsafeMutableRawBufferPointer(start: mapped, count: Self.length)
        guard fill(room) else {
            munmap(mapped, Self.page)
            throw Self.failure("the key of the record cannot be read")
        }
        address = UInt(bitPattern: mapped)
        var hash = SHA256()
        hash.update(data: Array("dosetap key id\0".utf8))
        hash.update(bufferPointer: UnsafeRawBufferPointer(room))
        guard let id = StoreKeyID(bytes: Array(hash.finalize().prefix(StoreKeyID.length))) else {
            throw Self.failure("the key of the record cannot be named")
        }
        self.id = id
    }

    deinit {
        guard let start = UnsafeMutableRawPointer(bitPattern: address) else { return }
        explicit_bzero(start, Self.page)
        munmap(start, Self.page)
    }

    private static func failure(_ context: String) -> StoreError {
        StoreError(code: .internal, context: context)
    }

    /// A new key from the kernel's random generator.
    public static func random() throws(StoreError) -> StoreKey {
        // getentropy(3) is getrandom(2), whole or not at all.
        try StoreKey { room in room.baseAddress.map { getentropy($0, room.count) == 0 } ?? false }
    }

    /// - Parameter content: the form in which a key is kept: 32 bytes, or 64 hexadecimal digits and white space after them.
    /// - Throws: `.keyWrong` for another length; the error reveals nothing of the content.
    public convenience init(content: [UInt8]) throws(StoreError) {
        guard var bytes = Self.bytes(content) else {
            throw StoreError(
                code: .keyWrong,
                context: "the key has the wrong length: a key is 64 hexadecimal digits, or 32 bytes",
                underlying: "\(content.count) bytes")
        }
        defer { Self.wipe(&bytes) }
        try self.init { room in
            room.copyBytes(from: bytes)
            return true
        }
    }

    private static func bytes(_ content: [UInt8]) -> [UInt8]? {
        if content.count == length { return content }
        let digits = Array(content.prefix { !isSpace($0) })
        guard digits.count == 2 * length, content.dropFirst(digits.count).allSatisfy(isSpace) else { return nil }
        return Hexadecimal.bytes(digits)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { room in
            if let start = room.baseAddress { explicit_bzero(start, room.count) }
        }
    }

    /// The key in the form in which it is kept: 64 hexadecimal digits. The caller wipes them.
    public var content: [UInt8] { withBytes { Hexadecimal.digits($0) } }

    /// Hands the key's 32 bytes over, which must not be kept.
    package func withBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: Self.length))
    }

    /// Key and salt as SQLCipher reads a raw key: `x'…'`. The caller wipes the bytes.
    private var literal: [UInt8] {
        var digits = content
        defer { Self.wipe(&digits) }
        return Array("x'".utf8) + digits + Hexadecimal.digits(EncryptedFile.beginning(id)) + Array("'".utf8)
    }

    /// Hands SQLCipher's form of the key over and wipes it afterwards.
    func withLiteral<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        var literal = literal
        defer { Self.wipe(&literal) }
        return try literal.withUnsafeBytes { try body($0) }
    }

    /// The key for the files beside the store.
    fileprivate var lineKey: SymmetricKey {
        withBytes { bytes in
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: bytes), info: Array("dosetap files beside the store".utf8),
                outputByteCount: Self.length)
        }
    }
}

/// Seals the lines of the files beside an encrypted store: events that the log lacks, and the last nights. Without a key the
/// lines stay as they are.
struct LineSeal: Sendable {
    private static let word = "sealed "
    private let key: StoreKey?
    private let lineKey: SymmetricKey?

    init(_ key: StoreKey?) {
        self.key = key
        lineKey = key?.lineKey
    }

    func seal(_ line: String) -> String {
        guard let key, let lineKey else { return line }
        guard let sealed = try? AES.GCM.seal(Array(line.utf8), using: lineKey).combined else { return "" }
        return "\(Self.word)\(key.id) \(Hexadecimal.text(Array(sealed)))"
    }

    /// Returns the text of a line; nil if the line is damaged or was sealed with another key.
    func open(_ line: String) -> String? {
        guard line.hasPrefix(Self.word) else { return line }
        let parts = line.split(separator: " ")
        guard let lineKey, parts.count == 3, let bytes = Hexadecimal.bytes(Array(parts[2].utf8)),
            let box = try? AES.GCM.SealedBox(combined: bytes), let text = try? AES.GCM.open(box, using: lineKey)
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the key that sealed a line.
    static func keyID(of line: some StringProtocol) -> StoreKeyID? {
        guard line.hasPrefix(word) else { return nil }
        return line.dropFirst(word.count).split(separator: " ").first.flatMap { StoreKeyID($0) }
    }
}
