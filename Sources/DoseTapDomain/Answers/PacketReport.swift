/// The report of a packet that was made for a clinician.
public struct PacketReport: Hashable, Sendable {
    /// The folder or the archive.
    public var path = ""
    /// The size of all files together.
    public var bytes: Int64 = 0
    /// The names of the files.
    public var files: [String] = []
    public var nights: Int
    public var first: SessionDate?
    public var last: SessionDate?
    /// The profile: how much of the nights the packet tells.
    public var profile: ExportProfile
    /// The parts that the packet tells besides.
    public var parts: [PacketPart]
    public var signer: SignerReport
    /// The last event of the log when the packet was begun, and its hash.
    public var sequence: Int64
    public var hash: String
    /// Further notes for the person, a sentence each.
    public var notes: [String] = []

    public init(
        nights: Int, first: SessionDate?, last: SessionDate?, profile: ExportProfile, parts: [PacketPart],
        signer: SignerReport, sequence: Int64, hash: String
    ) {
        self.nights = nights
        (self.first, self.last) = (first, last)
        self.profile = profile
        self.parts = parts
        self.signer = signer
        self.sequence = sequence
        self.hash = hash
    }

    private init() {
        self.init(
            nights: 0, first: nil, last: nil, profile: .clinic, parts: [],
            signer: SignerReport(fingerprint: "", publicKey: "", place: "", since: .min, isNew: false, replaces: nil),
            sequence: 0, hash: "")
    }

    /// The keys, for writing and for the JSON Schema.
    public static let description = RecordDescription("packet", "packet -o PATH --json", PacketReport()) { it in
        it.text("path", "the folder or the archive", get: { $0.path })
        it.integer("bytes", "of all files together", as: .place, get: { Int($0.bytes) })
        it.texts("files", "their names", get: { $0.files })
        it.integer("nights", "dates with a night", as: .count, get: { $0.nights })
        it.dateOrNull("from", "the first night that was asked for", get: { $0.first })
        it.dateOrNull("to", "the last night that was asked for", get: { $0.last })
        it.text("profile", get: { $0.profile.rawValue })
        it.texts("with", "what is told besides: notes, medicines, lab", get: { $0.parts.map(\.rawValue) })
        it.record("signer", SignerReport.description, get: { $0.signer }, set: { $0.signer = $1 })
        it.integer(
            "head_sequence", "the last event of the log when it was begun", as: .place, get: { Int($0.sequence) })
        it.text("head_hash", "its hash", get: { $0.hash })
        it.texts("notes", "what else is to be known of it", get: { $0.notes })
    }

    /// The report as it is printed.
    public var json: JSONObject { Self.description.json(self) }
}
