/// A time zone: how the clocks of a place have differed, differ and will differ from UTC.
///
/// Its content is handed in as bytes of the system's zone data, so that a night's key follows the system's updates
/// and nothing here reads a file. Zones are equal when identifier and content are.
public struct Zone: Hashable, Sendable {
    /// The zone's name, for example `Europe/Berlin`.
    public let identifier: String
    let table: ZoneTable

    /// Reads a compiled zone file (TZif, RFC 9636 versions 1 to 4), as it lies below `/usr/share/zoneinfo`.
    ///
    /// - Throws: ``ZoneError`` for data that is too large, cut short or not well formed.
    public init(identifier: String, tzif: [UInt8]) throws(ZoneError) {
        var reader = TZifReader(tzif)
        table = try reader.table()
        self.identifier = identifier
    }

    /// Reads a POSIX `TZ` string such as `CET-1CEST,M3.5.0,M10.5.0/3`, which is also the identifier.
    ///
    /// - Throws: ``ZoneError/badRule(_:)``.
    public init(posixRule text: some StringProtocol) throws(ZoneError) {
        let rule = try ZoneRule(posix: Array(text.utf8.prefix(1024))[...])
        identifier = String(text)
        table = ZoneTable(transitions: [], typeIndices: [], types: [rule.standard], rule: rule)
    }

    /// The zone whose clocks always differ by that many seconds, held within 26 hours east or west.
    public init(fixedOffsetSeconds: Int) {
        let range = LocalTimeType.offsetRange
        let offset = Swift.min(Swift.max(fixedOffsetSeconds, range.lowerBound), range.upperBound)
        let name = LocalTimeFormat.offset(seconds: offset)
        identifier = name
        table = ZoneTable(offset: offset, abbreviation: name)
    }

    private init(identifier: String, table: ZoneTable) {
        self.identifier = identifier
        self.table = table
    }

    /// Coordinated Universal Time.
    public static let utc = Zone(identifier: "UTC", table: ZoneTable(offset: 0, abbreviation: "UTC"))

    /// Seconds by which the clocks are ahead of UTC at `instant`, negative west of Greenwich.
    public func offset(at instant: Instant) -> Int { table.type(at: instant.seconds).offset }

    /// ``offset(at:)`` in minutes, truncated towards zero.
    public func offsetMinutes(at instant: Instant) -> Int { offset(at: instant) / 60 }

    /// What the zone calls its time at `instant`, for example `CEST` or `+03`.
    public func abbreviation(at instant: Instant) -> String { table.type(at: instant.seconds).abbreviation }

    /// Whether the zone data calls the time at `instant` daylight saving time.
    public func isDaylight(at instant: Instant) -> Bool { table.type(at: instant.seconds).isDaylight }
}

extension ZoneTable {
    /// One local time for ever.
    convenience init(offset: Int, abbreviation: String) {
        let type = LocalTimeType(offset: offset, isDaylight: false, abbreviation: abbreviation)
        self.init(transitions: [], typeIndices: [], types: [type], rule: nil)
    }
}
