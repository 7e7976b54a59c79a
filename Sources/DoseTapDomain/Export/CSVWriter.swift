/// Writes rows of CSV (RFC 4180): UTF-8, CRLF after each row, nothing for null, `""` for an empty text.
public struct CSVWriter: Sendable {
    /// The bytes that were written and not taken yet.
    public private(set) var bytes: [UInt8] = []
    private let isExact: Bool
    private var isFirst = true
    /// The zone of the last offset that was looked up, and the stretch of time in which the offset holds.
    private var zone: Zone?
    private var segment: ZoneSegment?

    /// - Parameter isExact: texts stand as they are; else a text that a spreadsheet would calculate is guarded (R27.8).
    public init(isExact: Bool) { self.isExact = isExact }

    /// Writes the names of the columns.
    public mutating func header(_ names: [String]) {
        for name in names { text(name) }
        end()
    }

    /// Ends a row.
    public mutating func end() {
        bytes.append(0x0D)
        bytes.append(0x0A)
        isFirst = true
    }

    /// Returns the bytes that were written, and empties the writer.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: false) }
        return bytes
    }

    public mutating func null() { separate() }

    public mutating func integer(_ value: Int64) {
        separate()
        // Digits from the last to the first, without a text between.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { room in
            var (rest, first) = (value.magnitude, 20)
            repeat {
                first -= 1
                room[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            if value < 0 {
                first -= 1
                room[first] = UInt8(ascii: "-")
            }
            bytes.append(contentsOf: room[first...])
        }
    }

    public mutating func number(_ value: Double) {
        separate()
        bytes.append(contentsOf: value.description.utf8)
    }

    public mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { self.text($0) }
    }

    /// - Parameter text: UTF-8.
    public mutating func text(_ text: UnsafeBufferPointer<UInt8>) {
        separate()
        let isGuarded = !isExact && Self.isCalculated(text)
        guard text.isEmpty || text.contains(where: Self.mustQuote) else {
            if isGuarded { bytes.append(Self.apostrophe) }
            bytes.append(contentsOf: text)
            return
        }
        bytes.append(Self.quote)
        if isGuarded { bytes.append(Self.apostrophe) }
        for byte in text {
            if byte == Self.quote { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(Self.quote)
    }

    private mutating func separate() {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
    }

    private static let quote = UInt8(ascii: "\"")
    private static let apostrophe = UInt8(ascii: "'")

    private static func mustQuote(_ byte: UInt8) -> Bool {
        byte == quote || byte == UInt8(ascii: ",") || byte == 0x0D || byte == 0x0A
    }

    /// Returns true if a spreadsheet would calculate the text. A text that already looks guarded counts, too: one
    /// apostrophe taken off gives back the text on record.
    private static func isCalculated(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, first < 0x41 else { return false }
        guard let byte = first == apostrophe ? text.first(where: { $0 != apostrophe }) : first else { return false }
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0D: return true
        default: return false
        }
    }
}

/// Instants: UTC, and beside it the local time and its offset.
extension CSVWriter {
    /// The names of the three columns of an instant.
    public static func instantColumns(_ name: String) -> [String] {
        [name, "\(name)_local", "\(name)_offset_minutes"]
    }

    /// - Parameter text: the text on record; a text that is no instant has no local time.
    public mutating func instant(_ text: UnsafeBufferPointer<UInt8>, in zone: Zone?) {
        self.text(text)
        local(try? Instant(iso8601: text).milliseconds, in: zone)
    }

    public mutating func instant(_ instant: Instant?, in zone: Zone?) {
        if let instant { text(instant.iso8601) } else { null() }
        local(instant?.milliseconds, in: zone)
    }

    private mutating func local(_ milliseconds: Int64?, in zone: Zone?) {
        guard let milliseconds, let zone else {
            null()
            null()
            return
        }
        let offset = offset(at: milliseconds.flooredQuotient(1000), in: zone)
        separate()
        let local = LocalDateTime(millisecondsSinceEpoch: milliseconds + Int64(offset) * 1000)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 23) { room in
            local.write(to: room)
            bytes.append(contentsOf: room)
        }
        integer(Int64(offset / 60))
    }

    private mutating func offset(at second: Int64, in zone: Zone) -> Int {
        if let segment, self.zone == zone, second >= segment.start, second < segment.end { return Int(segment.offset) }
        let found = zone.table.segment(at: second)
        (self.zone, segment) = (zone, found)
        return Int(found.offset)
    }
}
