/// One field of a journal entry: a name journald accepts and a value that may hold any bytes.
public struct JournalField: Sendable, Hashable {
    /// Upper-case name, as stored.
    public let name: String
    /// Value as stored; newlines and NUL are allowed.
    public let value: [UInt8]

    /// Makes a field, mending the name where journald would refuse it (see ``sanitised(_:)``).
    public init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }

    /// Makes a field with a binary value.
    public init(_ name: String, bytes: [UInt8]) {
        self.name = Self.sanitised(name)
        self.value = bytes
    }

    /// Names an entry writes itself; a caller's field of that name would contradict it.
    private static let reserved: Set<String> = [
        "MESSAGE", "MESSAGE_ID", "PRIORITY", "SYSLOG_IDENTIFIER", "CODE_FILE", "CODE_LINE", "CODE_FUNC",
    ]

    /// Longest name journald stores, in bytes (`field_name_is_valid` in systemd's journal-file.c).
    private static let longestName = 64

    /// A name that needs no mending: upper-case letters and single underscores between them, and not an entry's own.
    private static func isPlain(_ name: String) -> Bool {
        var previous = UInt8(ascii: "_")
        for byte in name.utf8 {
            let isLetter = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            guard isLetter || byte == UInt8(ascii: "_") && previous != byte else { return false }
            previous = byte
        }
        return (1...longestName).contains(name.utf8.count) && previous != UInt8(ascii: "_") && !reserved.contains(name)
    }

    /// A valid field name for a metadata key: `sessionID`, `session-id` and `session_id` all give `SESSION_ID`.
    ///
    /// Only A–Z, 0–9 and `_` remain, no leading underscore (journald drops those: they mark its own trusted fields) or
    /// digit, at most 64 bytes. A name the entry itself uses, such as `MESSAGE`, gets the prefix `X_`.
    public static func sanitised(_ name: String) -> String {
        if isPlain(name) { return name }
        var bytes: [UInt8] = []
        var previousIsLower = false
        for byte in name.utf8.prefix(4 * longestName) {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"):
                if previousIsLower { bytes.append(UInt8(ascii: "_")) }
                bytes.append(byte)
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                bytes.append(byte & 0xDF)
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                bytes.append(byte)
            default:
                if bytes.last != UInt8(ascii: "_") { bytes.append(UInt8(ascii: "_")) }
            }
            previousIsLower = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        }
        var text = String(decoding: bytes.drop { $0 == UInt8(ascii: "_") }, as: UTF8.self)
        if text.isEmpty { return "X_FIELD" }
        if text.utf8.first.map((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) == true || reserved.contains(text) {
            text = "X_" + text
        }
        return String(text.prefix(longestName))
    }
}
