internal import Crypto
internal import DoseTapDomain
internal import DoseTapStore

/// An Ed25519 key that signs as OpenSSH does (PROTOCOL.sshsig of OpenSSH), so that `ssh-keygen -Y verify` reads it.
struct SSHSigningKey {
    private static let algorithm = "ssh-ed25519"
    private static let hash = "sha512"
    private static let magic = Array("SSHSIG".utf8)

    private let key: Curve25519.Signing.PrivateKey

    /// - Parameter seed: 32 bytes, from which the key pair follows (RFC 8032).
    /// - Throws: the error of swift-crypto for a seed of another length.
    init(seed: StoreKey) throws {
        key = try seed.withBytes { try Curve25519.Signing.PrivateKey(rawRepresentation: $0) }
    }

    /// The public key as it stands in a line of OpenSSH, after the word `ssh-ed25519`.
    var publicText: String { Base64.text(publicBlob) }

    /// The fingerprint as `ssh-keygen -l` prints it.
    var fingerprint: String { Self.fingerprint(publicBlob) }

    /// `SHA256:` and the hash without padding.
    static func fingerprint(_ blob: [UInt8]) -> String {
        "SHA256:" + Base64.text(Array(SHA256.hash(data: blob))).filter { $0 != "=" }
    }

    /// Signs a message for a purpose.
    ///
    /// - Parameter namespace: the purpose. A signature for one purpose is not valid for another.
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

    /// A string of the SSH protocol: its length in four bytes, then its bytes (RFC 4251).
    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt32(clamping: bytes.count)
        return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * UInt32($0))) } + bytes
    }
}
