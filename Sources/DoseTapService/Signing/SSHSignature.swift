internal import Crypto
internal import DoseTapStore

/// An Ed25519 key that signs as OpenSSH does (PROTOCOL.sshsig of OpenSSH), so that `ssh-keygen -Y verify` reads it.
struct SSHSigningKey {
    private static let algorithm = "ssh-ed25519"
    private static let hash = "sha512"
    private static let magic = Array("SSHSIG".utf8)

    private let key: Curve25519.Signing.PrivateKey

    /// - Parameter seed: 32 bytes, from which the key pair follows (RFC 8032).
    /// - Throws: what swift-crypto says of a seed of another length.
    init(seed: StoreKey) throws {
        key = try seed.withBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    }

    /// The public key as it stands in a line of OpenSSH, after the word `ssh-ed25519`.
    var publicText: String { Base64.text(publicBlob) }

    /// As `ssh-keygen -l` prints it.
    var fingerprint: String { Self.fingerprint(publicBlob) }

    /// `SHA256:` and the hash without padding.
    static func fingerprint(_ blob: [UInt8]) -> String {
        "SHA256:" + Base64.text(Array(SHA256.hash(data: blob))).filter { $0 != "=" }
    }

    /// Signs a message for a purpose.
    ///
    /// - Parameter namespace: the purpose. A signature for one is none for another.
    /// - Returns: the signature between its two lines.
    func signature(of message: [UInt8], namespace: String) throws -> String {
        let digest = Array(SHA512.hash(data: message))
        let space = Self.string(Array(namespace.utf8)) + Self.string([]) + Self.string(Array(Self.hash.utf8))
        let signed = Array(try key.signature(for: Self.magic + space + Self.string(digest)))
        let blob =
            Self.magic + [0, 0, 0, 1] + Self.string(publicBlob) + space
            + Self.string(Self.string(Array(Self.algorithm.utf8)) + Self.string(signed))
        var text = "-----BEGIN SSH SIGNATURE-----\n"
        var rest = Array(Base64.text(blob).utf8)[...]
        while !rest.isEmpty {
            text += String(decoding: rest.prefix(70), as: UTF8.self) + "\n"
            rest = rest.dropFirst(70)
        }
        return text + "-----END SSH SIGNATURE-----\n"
    }

    private var publicBlob: [UInt8] {
        Self.string(Array(Self.algorithm.utf8)) + Self.string(Array(key.publicKey.rawRepresentation))
    }

    /// A string of the SSH protocol: its length in four bytes, and it (RFC 4251).
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt32(clamping: bytes.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) } + bytes
    }
}

/// Base64 of RFC 4648, with padding.
enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for place in 0..<4 {
                let letter = Self.letters[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                text.append(place <= part.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil for what is no such text.
    static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let letters = Array(text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
        guard text.utf8.count % 4 == 0, text.utf8.count - letters.count <= 2 else { return nil }
        var (bytes, bits, held): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for letter in letters {
            guard let value = Self.letters.firstIndex(of: letter) else { return nil }
            (bits, held) = (bits << 6 | UInt32(value), held + 6)
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            bits &= (1 << held) - 1
        }
        return bytes
    }
}
