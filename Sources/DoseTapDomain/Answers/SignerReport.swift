/// The key that signs packets, as far as it is public.
public struct SignerReport: Hashable, Sendable {
    /// `SHA256:…`, as `ssh-keygen -l` prints it.
    public var fingerprint: String
    /// `ssh-ed25519` and the key in Base64.
    public var publicKey: String
    /// The place of the key: keyring, credential or file.
    public var place: String
    /// The time at which the key was made.
    public var since: Instant
    /// True if the key was made just now.
    public var isNew: Bool
    /// The fingerprint of the lost key that this key replaces; nil for the first key.
    public var replaces: String?

    public init(
        fingerprint: String, publicKey: String, place: String, since: Instant, isNew: Bool, replaces: String?
    ) {
        self.fingerprint = fingerprint
        self.publicKey = publicKey
        self.place = place
        self.since = since
        self.isNew = isNew
        self.replaces = replaces
    }

    /// The purpose of the signatures: a signature for another purpose does not hold for a packet.
    public static let namespace = "packet@dosetap.org"
    /// The largest number of files whose sums are signed together.
    public static let mostFiles = 64

    /// Returns true if a text has the form in which sha256sum writes the sums of files with plain names.
    public static func isListOfSums(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "", (2...mostFiles + 1).contains(lines.count), text.utf8.count <= 128 * mostFiles else {
            return false
        }
        return lines.dropLast().allSatisfy { line in
            let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            return parts.count == 2 && parts[0].utf8.count == 64 && parts[0].utf8.allSatisfy(isDigit)
                && parts[1].first == " " && isName(parts[1].dropFirst())
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }

    private static func isName(_ name: Substring) -> Bool {
        !name.isEmpty && name.first != "." && name.first != "-"
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "." || $0 == "-")
            }
    }

    public static let description = RecordDescription(
        "signer", "The key that signs packets",
        SignerReport(fingerprint: "", publicKey: "", place: "", since: .min, isNew: false, replaces: nil)
    ) { it in
        it.text(
            "fingerprint", "as ssh-keygen -l prints it", get: { $0.fingerprint }, set: { $0.fingerprint = $1 })
        it.text("public_key", "as OpenSSH writes it", get: { $0.publicKey }, set: { $0.publicKey = $1 })
        it.text("place", "keyring, credential or file", get: { $0.place }, set: { $0.place = $1 })
        it.instant("since", "when it was made", get: { $0.since }, set: { $0.since = $1 })
        it.bool("new", "made just now", get: { $0.isNew }, set: { $0.isNew = $1 })
        it.textOrNull(
            "replaces", "the fingerprint of the key before, which was lost", null: .absent, get: { $0.replaces },
            set: { $0.replaces = $1 })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("signer", Self.description.shape.completed(json)))
    }
}
