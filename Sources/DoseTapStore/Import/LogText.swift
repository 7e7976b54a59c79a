import Crypto
import DoseTapDomain

/// The text of an exported log (R27.3). Each line has one form only, so a log that was taken in is written again with the same
/// bytes.
enum LogText {
    static let format = "dosetap-log"
    static let version: Int64 = 1

    /// The first line, without its end.
    static func beginning(_ storeID: String, _ head: ChainHead) -> [UInt8] {
        line([
            "format": .string(format), "version": .integer(version), "store_id": .string(storeID),
            "head": ["sequence": .integer(head.sequence), "hash": .string(head.hash)],
        ])
    }

    /// The last line, without its end.
    ///
    /// - Parameter digest: the hash of all bytes before the line.
    static func end(events: Int64, _ digest: SHA256Digest) -> [UInt8] {
        line(["events": .integer(events), "sha256": .string(Hexadecimal.text(digest))])
    }

    private static func line(_ object: JSONObject) -> [UInt8] { Array(JSONValue.object(object).serialized().utf8) }
}

extension LogRow {
    /// The row's line, without its end.
    var line: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(640 + payload.utf8.count * 5 / 4)
        var index = 0
        func begin() {
            bytes.append(UInt8(ascii: index == 0 ? "{" : ","))
            bytes.append(contentsOf: Self.names[index])
            index += 1
        }
        func text(_ text: String?) {
            begin()
            if let text { JSONText.append(text, to: &bytes) } else { bytes.append(contentsOf: "null".utf8) }
        }
        func integer(_ number: Int64?) {
            begin()
            bytes.append(contentsOf: (number.map { String($0) } ?? "null").utf8)
        }
        integer(sequence)
        let first: [String?] = [id, type, entityType, entityID, sessionID, occurredAt, effectiveAt, timeZone]
        for column in first { text(column) }
        integer(localOffsetMinutes)
        integer(counterMicroseconds)
        let last: [String?] = [bootID, deviceID, surface, idempotencyKey, payload, previousHash, hash, wall]
        for column in last { text(column) }
        integer(synchronised)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// Reads the row from its line.
    ///
    /// - Throws: ``LogFault`` if the line has not the form that is written.
    init(line: [UInt8]) throws(LogFault) {
        var reader = LogLineReader(line)
        sequence = try reader.integer()
        id = try reader.text()
        type = try reader.text()
        entityType = try reader.text()
        entityID = try reader.text()
        sessionID = try reader.optionalText()
        occurredAt = try reader.text()
        effectiveAt = try reader.text()
        timeZone = try reader.text()
        localOffsetMinutes = try reader.integer()
        counterMicroseconds = try reader.integer()
        bootID = try reader.text()
        deviceID = try reader.text()
        surface = try reader.text()
        idempotencyKey = try reader.optionalText()
        payload = try reader.text()
        previousHash = try reader.text()
        hash = try reader.text()
        wall = try reader.optionalText()
        synchronised = try reader.optionalInteger()
        guard self.line == line else { throw LogFault("it is not as a log is written") }
    }
}

/// The fault of a line of a log.
struct LogFault: Error, Hashable, CustomStringConvertible {
    /// The fault in words, without a full stop.
    let description: String
    /// True if a later version may have written the line.
    let isNewer: Bool

    init(_ description: String, isNewer: Bool = false) {
        self.description = description
        self.isNewer = isNewer
    }
}

/// Reads the columns of a line in their order. Another form of the same values is found when the line is written again.
private struct LogLineReader {
    private let bytes: [UInt8]
    private var position = 0
    private var column = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var fault: LogFault {
        LogFault("it is no event of a log: \(LogRow.columns.split(separator: ", ")[max(0, column - 1)])")
    }

    private mutating func skip(_ wanted: some Collection<UInt8>) -> Bool {
        guard bytes.count - position >= wanted.count,
            bytes[position..<position + wanted.count].elementsEqual(wanted)
        else { return false }
        position += wanted.count
        return true
    }

    private mutating func begin() throws(LogFault) {
        let isRight = skip(CollectionOfOne(UInt8(ascii: column == 0 ? "{" : ","))) && skip(LogRow.names[column])
        column += 1
        guard isRight else { throw fault }
    }

    mutating func integer() throws(LogFault) -> Int64 {
        guard let number = try optionalInteger() else { throw fault }
        return number
    }

    mutating func optionalInteger() throws(LogFault) -> Int64? {
        try begin()
        if skip("null".utf8) { return nil }
        let end = bytes[position...].firstIndex { !(0x30...0x39).contains($0) && $0 != 0x2D } ?? bytes.count
        guard end - position <= 20, let number = Int64(String(decoding: bytes[position..<end], as: UTF8.self)) else {
            throw fault
        }
        position = end
        return number
    }

    mutating func text() throws(LogFault) -> String {
        guard let text = try optionalText() else { throw fault }
        return text
    }

    mutating func optionalText() throws(LogFault) -> String? {
        try begin()
        if skip("null".utf8) { return nil }
        guard skip(CollectionOfOne(UInt8(ascii: "\""))) else { throw fault }
        var found: [UInt8] = []
        while let end = bytes[position...].firstIndex(where: { $0 == 0x22 || $0 == 0x5C }) {
            found += bytes[position..<end]
            position = end + 1
            if bytes[end] == 0x22 {
                // SQLite would read the text up to a NUL only.
                guard !found.contains(0), let text = String(validating: found, as: UTF8.self) else { throw fault }
                return text
            }
            try found.append(contentsOf: escaped())
        }
        throw fault
    }

    /// Returns the bytes that an escape stands for, after the backslash.
    private mutating func escaped() throws(LogFault) -> [UInt8] {
        guard position < bytes.count else { throw fault }
        defer { position += 1 }
        switch bytes[position] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [bytes[position]]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "u"):
            let digits = bytes[(position + 1)...].prefix(4)
            guard digits.count == 4, let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(number)
            else { throw fault }
            position += 4
            return Array(String(Character(scalar)).utf8)
        default: throw fault
        }
    }
}
