/// One journal entry before it is sent.
public struct JournalEntry: Sendable, Hashable {
    /// Catalog id: 32 lowercase hexadecimal digits, or nil for an entry without an explanation in the catalog.
    public let messageID: String?
    /// One line. Control characters are escaped when the entry is sent, so the message stays one line.
    public let message: String
    public let priority: JournalPriority
    /// Further fields, in order. A name may occur more than once; journald keeps all its values.
    public var fields: [JournalField]
    /// Only for warnings and worse.
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

/// Severity of a journal entry: the syslog levels of RFC 5424, section 6.2.1, as journald's `PRIORITY` field holds them.
public enum JournalPriority: Int, Sendable, Hashable, CaseIterable {
    /// The system is unusable.
    case emergency = 0
    /// Action must be taken at once.
    case alert = 1
    case critical = 2
    case error = 3
    case warning = 4
    /// Normal, but worth noticing.
    case notice = 5
    case info = 6
    case debug = 7

    /// The word a person reads on standard error.
    var word: String {
        switch self {
        case .emergency: "emergency"
        case .alert: "alert"
        case .critical: "critical"
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}

public struct JournalField: Sendable, Hashable {
    /// Upper-case name, as stored.
    public let name: String
    /// Value as stored; newlines and NUL are allowed.
    public let value: [UInt8]

    /// Makes a field, mending the name if journald would refuse it (see ``sanitised(_:)``).
    public init(_ name: String, _ value: String) {
        self.init(name, bytes: Array(value.utf8))
    }

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

    /// Returns a valid field name for a metadata key: `sessionID`, `session-id` and `session_id` all give `SESSION_ID`.
    ///
    /// The name has only A–Z, 0–9 and `_`, no leading underscore (journald drops such names: they mark its own trusted
    /// fields) or digit, and at most 64 bytes. A name the entry itself uses, such as `MESSAGE`, gets the prefix `X_`.
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

/// A place in the source: the fields `CODE_FILE`, `CODE_LINE` and `CODE_FUNC`.
public struct JournalLocation: Sendable, Hashable {
    /// File as `#fileID` gives it: module and file name, no path of the build machine.
    public let file: String
    /// Line, from 1.
    public let line: UInt
    public let function: String

    public init(file: String, line: UInt, function: String) {
        self.file = file
        self.line = line
        self.function = function
    }
}

/// Makes text from outside harmless on one line of a journal or a terminal.
public enum JournalText {
    /// Returns the text with every character written out that could break the line, steer a terminal or reorder the
    /// display: `\n`, `\r`, `\t`, `\x1b`, `\u{202e}`. Everything else stays as it is.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHostile) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        for scalar in text.unicodeScalars {
            if isHostile(scalar) {
                result += spelled(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isHostile(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: true  // C0, DEL, C1: newlines, escape sequences, 8-bit CSI
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
        case 0x2028, 0x2029: true  // line and paragraph separator
        default: false
        }
    }

    private static func spelled(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        default:
            let hex = String(scalar.value, radix: 16)
            return scalar.value < 0x100 ? "\\x" + (hex.count < 2 ? "0" : "") + hex : "\\u{" + hex + "}"
        }
    }
}
