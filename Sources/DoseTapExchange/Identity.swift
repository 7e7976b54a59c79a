internal import CLinux
internal import Crypto
internal import DoseTapDomain

/// Identifiers that take the place of those of the record.
///
/// They are UUIDs of version 8 (RFC 9562 5.8), so every format can hold them; the record's own have version 7.
package struct Identity: Hashable, Sendable {
    private let salt: [UInt8]

    /// With a given salt, for tests.
    package init(salt: [UInt8]) { self.salt = salt }

    /// With a new salt from the kernel's generator. It is kept nowhere, so no two files can be joined.
    ///
    /// - Throws: ``ExchangeFault`` where the kernel gives none.
    package static func random() throws(ExchangeFault) -> Identity {
        var salt = [UInt8](repeating: 0, count: 32)
        let failure = salt.withUnsafeMutableBytes { clinux_random($0.baseAddress, $0.count) }
        guard failure == 0 else {
            throw ExchangeFault(.output, sent("The kernel gives no random bytes: \(ErrorNumber.sentence(failure))."))
        }
        return Identity(salt: salt)
    }

    /// What an identifier of the record is called in this file.
    package func hashed(_ id: String) -> String { Self.uuid(salt + Array(id.lowercased().utf8)) }

    /// The identifier of something that has none of its own: it follows from the identifier of what it belongs to.
    ///
    /// - Parameter name: what it is, with that identifier.
    package static func derived(_ name: String) -> String { uuid(Array("dosetap/\(name)".utf8)) }

    /// The identifier itself where it is a UUID, else one that follows from it.
    package static func uuid(of id: String) -> String { isUUID(id) ? id.lowercased() : derived("id/\(id)") }

    /// Whether a text has the form of a UUID.
    package static func isUUID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        for (place, byte) in bytes.enumerated() {
            switch (place, byte) {
            case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")):
                break
            case (8, _), (13, _), (18, _), (23, _): return false
            case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")),
                (_, UInt8(ascii: "A")...UInt8(ascii: "F")):
                break
            default: return false
            }
        }
        return true
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        var hasher = SHA256()
        bytes.withUnsafeBytes { hasher.update(bufferPointer: $0) }
        var digest = Array(hasher.finalize().prefix(16))
        digest[6] = digest[6] & 0x0F | 0x80
        digest[8] = digest[8] & 0x3F | 0x80
        let digits = Array("0123456789abcdef")
        var text = ""
        for (place, byte) in digest.enumerated() {
            if [4, 6, 8, 10].contains(place) { text.append("-") }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 0xF)])
        }
        return text
    }
}
