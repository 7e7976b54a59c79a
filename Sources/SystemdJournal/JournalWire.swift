/// journald's native datagram: `NAME=value` lines, or for a value with newlines the name, its length as 64-bit
/// little-endian and the bytes. Source: systemd.io/JOURNAL_NATIVE_PROTOCOL.
enum JournalWire {
    /// The bytes of one entry.
    static func encoded(_ entry: JournalEntry, identifier: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256 + entry.message.utf8.count)
        append("MESSAGE", Array(JournalText.escaped(entry.message).utf8), to: &bytes)
        append("PRIORITY", Array(String(entry.priority.rawValue).utf8), to: &bytes)
        append("SYSLOG_IDENTIFIER", Array(identifier.utf8), to: &bytes)
        if let id = entry.messageID { append("MESSAGE_ID", Array(id.utf8), to: &bytes) }
        if let location = entry.location {
            append("CODE_FILE", Array(location.file.utf8), to: &bytes)
            append("CODE_LINE", Array(String(location.line).utf8), to: &bytes)
            append("CODE_FUNC", Array(location.function.utf8), to: &bytes)
        }
        for field in entry.fields { append(field.name, field.value, to: &bytes) }
        return bytes
    }

    private static func append(_ name: String, _ value: [UInt8], to bytes: inout [UInt8]) {
        bytes += name.utf8
        if value.contains(UInt8(ascii: "\n")) {
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }
}
