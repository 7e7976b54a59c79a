/// One journal entry before it is sent.
public struct JournalEntry: Sendable, Hashable {
    /// Catalog id: 32 lowercase hexadecimal digits, or nil for an entry without an explanation in the catalog.
    public let messageID: String?
    /// One line for people. Control characters are escaped when it is sent, so it stays one line.
    public let message: String
    /// Severity.
    public let priority: JournalPriority
    /// Further fields, in order. A name may occur more than once; journald keeps all its values.
    public var fields: [JournalField]
    /// Where in the source the entry was made; only worth its room for warnings and worse.
    public let location: JournalLocation?

    /// Makes an entry.
    ///
    /// - Parameters:
    ///   - messageID: 32 hexadecimal digits, dashes allowed; anything else is left out, as journald could not look it up.
    ///   - message: One line for people.
    ///   - priority: Severity.
    ///   - fields: Names and values; names are made valid by ``JournalField/sanitised(_:)``.
    ///   - location: Source location, if it helps the reader.
    public init(
        messageID: String? = nil,
        message: String,
        priority: JournalPriority = .info,
        fields: [(String, String)] = [],
        location: JournalLocation? = nil
    ) {
        self.messageID = messageID.flatMap(Self.normalised)
        self.message = message
        self.priority = priority
        self.fields = fields.map { JournalField($0.0, $0.1) }
        self.location = location
    }

    private static func normalised(_ id: String) -> String? {
        if isHexadecimal(id) { return id }
        let digits = id.lowercased().filter { $0 != "-" }
        return isHexadecimal(digits) ? digits : nil
    }

    private static func isHexadecimal(_ id: String) -> Bool {
        id.utf8.count == 32
            && id.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
            }
    }
}
