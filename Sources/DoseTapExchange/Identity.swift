internal import CLinux
internal import Crypto
internal import DoseTapDomain

/// Identifiers that replace those of the record.
///
/// The identifiers are UUIDs of version 8 (RFC 9562 5.8), so every format can hold them; the record's own have version 7.
package struct Identity: Hashable, Sendable {
    private let salt: [UInt8]

    /// Makes identifiers with a given salt: those of a packet, or of a test.
    package init(salt: [UInt8]) { self.salt = salt }

    /// Makes identifiers with a new salt from the kernel's generator. The salt is kept nowhere, so no two files can be joined.
    ///
    /// - Throws: ``ExchangeFault`` if the kernel gives none.
    package static func random() throws(ExchangeFault) -> Identity {
        var salt = [UInt8](repeating: 0, count: 32)
        let failure = salt.withUnsafeMutableBytes { clinux_random($0.baseAddress, $0.count) }
        guard failure == 0 else {
            throw ExchangeFault(.output, sent("The kernel gives no random bytes: \(ErrorNumber.sentence(failure))."))
        }
        return Identity(salt: salt)
    }

    /// Returns the identifier that replaces an identifier of the record in this file.
    package func hashed(_ id: String) -> String { Self.uuid(salt + Array(id.lowercased().utf8)) }

    /// Returns the identifier of a thing that has none of its own, derived from the identifier of the entry or night it belongs
    /// to.
    ///
    /// - Parameter name: the kind of the thing, with that identifier.
    package static func derived(_ name: String) -> String { uuid(Array("dosetap/\(name)".utf8)) }

    /// Returns the identifier itself if it is a UUID, else one that is derived from it.
    package static func uuid(of id: String) -> String { isUUID(id) ? id.lowercased() : derived("id/\(id)") }

    /// Returns true if a text has the form of a UUID.
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
