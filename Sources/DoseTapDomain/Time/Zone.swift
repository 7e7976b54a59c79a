/// A time zone: the past, present and future differences of a place's clocks from UTC.
///
/// The content is handed in as bytes of the system's zone data, so that a night's key follows the system's updates and no code
/// here reads a file. Zones are equal if identifier and content are.
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

    /// The zone whose clocks always differ from UTC by so many seconds, held within 26 hours east or west.
    public init(fixedOffsetSeconds: Int) {
        let range = LocalTimeType.offsetRange
        let offset = Swift.min(Swift.max(fixedOffsetSeconds, range.lowerBound), range.upperBound)
        let name = LocalTimeFormat.offset(seconds: offset)
        identifier = name
        table = ZoneTable(offset: offset, abbreviation: name)
    }

    /// The minutes by which the clocks of a zone may be ahead of UTC: less than 26 hours either way.
    public static let offsetMinutes =
        LocalTimeType.offsetRange.lowerBound / 60...LocalTimeType.offsetRange.upperBound / 60

    /// The zone whose clocks always differ from UTC by so many minutes, held within 26 hours east or west.
    public init(fixedOffsetMinutes minutes: Int) {
        self.init(fixedOffsetSeconds: Self.seconds(minutes))
    }

    /// Returns the seconds of an offset in minutes, held within 26 hours: the offset may come from a file.
    private static func seconds(_ minutes: Int) -> Int {
        Swift.min(Swift.max(minutes, offsetMinutes.lowerBound), offsetMinutes.upperBound) * 60
    }

    /// A zone built from the offsets noted with entries: from each moment on its own offset, before the first moment the first one.
    ///
    /// - Parameter noted: at least one note, in order of time; minutes ahead of UTC, held within 26 hours.
    public init?(identifier: String, noted: [(at: Instant, offsetMinutes: Int)]) {
        var types: [LocalTimeType] = []
        var (transitions, indices): ([Int64], [UInt8]) = ([], [])
        for note in noted {
            let offset = Self.seconds(note.offsetMinutes)
            let type = LocalTimeType(
                offset: offset, isDaylight: false, abbreviation: LocalTimeFormat.offset(seconds: offset))
            let index = types.firstIndex(of: type) ?? types.count
            if index == types.count { types.append(type) }
            guard let place = UInt8(exactly: index) else { return nil }
            guard indices.last != place else { continue }
            transitions.append(note.at.seconds)
            indices.append(place)
        }
        guard !types.isEmpty else { return nil }
        self.identifier = identifier
        table = ZoneTable(transitions: transitions, typeIndices: indices, types: types, rule: nil)
    }

    private init(identifier: String, table: ZoneTable) {
        self.identifier = identifier
        self.table = table
    }

    public static let utc = Zone(identifier: "UTC", table: ZoneTable(offset: 0, abbreviation: "UTC"))

    /// Seconds by which the clocks are ahead of UTC at `instant`, negative west of Greenwich.
    public func offset(at instant: Instant) -> Int { table.type(at: instant.seconds).offset }

    /// ``offset(at:)`` in minutes, truncated towards zero.
    public func offsetMinutes(at instant: Instant) -> Int { offset(at: instant) / 60 }

    /// The zone's name for its time at `instant`, for example `CEST` or `+03`.
    public func abbreviation(at instant: Instant) -> String { table.type(at: instant.seconds).abbreviation }

    /// True if the zone data calls the time at `instant` daylight saving time.
    public func isDaylight(at instant: Instant) -> Bool { table.type(at: instant.seconds).isDaylight }
}

extension ZoneTable {
    /// A table with one local time for all times.
    convenience init(offset: Int, abbreviation: String) {
        let type = LocalTimeType(offset: offset, isDaylight: false, abbreviation: abbreviation)
        self.init(transitions: [], typeIndices: [], types: [type], rule: nil)
    }
}

extension Zone {
    /// Returns the reading of clock and calendar at `instant`.
    public func local(_ instant: Instant) -> LocalDateTime {
        LocalDateTime(millisecondsSinceEpoch: instant.milliseconds + Int64(offset(at: instant)) * 1000)
    }

    /// The calendar date at `instant`.
    public func date(at instant: Instant) -> CivilDate { local(instant).date }

    /// Returns the instants at which the local clock shows `local`: one, two, or none because the clock jumps past it.
    public func resolve(_ local: LocalDateTime) -> LocalResolution {
        let wanted = local.secondsSinceEpoch
        let range = LocalTimeType.offsetRange
        var second = wanted - Int64(range.upperBound)
        let last = wanted - Int64(range.lowerBound)
        var first: Int64?
        var latest = wanted
        var jump: Int64?
        var previousEnd: Int64?
        while second <= last {
            let segment = table.segment(at: second)
            let candidate = wanted - segment.offset
            if candidate >= segment.start, candidate < segment.end {
                first = first ?? candidate
                latest = candidate
            } else if jump == nil, let previousEnd, previousEnd <= wanted, candidate < segment.start {
                jump = segment.start
            }
            guard segment.end < Int64.max else { break }
            previousEnd = segment.end + segment.offset
            second = segment.end
        }
        guard let first else { return .skipped(jump: Instant(seconds: jump ?? wanted)) }
        if first == latest { return .unique(Instant(second: first, of: local)) }
        return .repeated(earlier: Instant(second: first, of: local), later: Instant(second: latest, of: local))
    }

    /// Returns the first moment at which the local clock reached or jumped past `time` of `date`; nil if the zone never had that
    /// date, as 2011-12-30 in Pacific/Apia.
    func first(_ time: ClockTime, of date: CivilDate) -> Instant? {
        let resolution = resolve(LocalDateTime(date: date, time: time))
        guard case .skipped(let jump) = resolution else { return resolution.first }
        let lastBefore = Instant(milliseconds: jump.milliseconds - 1)
        return self.date(at: lastBefore) == date || self.date(at: jump) == date ? jump : nil
    }
}

extension Instant {
    /// The given second, with the milliseconds of `local`.
    fileprivate init(second: Int64, of local: LocalDateTime) {
        self.init(milliseconds: second * 1000 + Int64(local.millisecond))
    }
}

extension Zone {
    /// The first moment strictly after `instant` at which the local clock reaches or jumps past `time`.
    ///
    /// A time that a jump leaves out counts at the jump, a repeated one at its first pass; days that never existed are stepped
    /// over. The result is ``Instant/max`` if the calendar ends first.
    public func next(_ time: ClockTime, strictlyAfter instant: Instant) -> Instant {
        let today = date(at: instant)
        // The loop goes beyond tomorrow: clocks put back may repeat the time of today, and days may be missing.
        for days in 0...7 {
            if let moment = first(time, of: today.adding(days: days)), moment > instant { return moment }
        }
        return .max
    }
}

/// The fault of bytes that are no usable time zone data, or of a text that is no zone rule.
public enum ZoneError: Error, Hashable, Sendable, CustomStringConvertible {
    /// More than `TZifReader.sizeLimit` bytes.
    case tooLarge(bytes: Int)
    /// The data does not start with `TZif`.
    case notTZif
    /// A version of the format later than 4 or unknown.
    case unknownVersion(UInt8)
    /// The data is shorter than its header announces.
    case truncated
    /// A count of the header is out of range or contradicts another.
    case badCounts
    /// Transition times do not ascend, or one lies before the Big Bang or as far in the future.
    case badTransitionTimes
    /// A transition refers to a local time type that is not there.
    case badTypeIndex
    /// A local time type is out of range: more than 26 hours from UTC, an unknown flag or no designation.
    case badLocalTimeType
    /// The leap second table does not ascend.
    case badLeapSeconds
    /// The rule for the time after the last transition is no POSIX `TZ` string.
    case badRule(String)

    /// One sentence about the fault.
    public var description: String {
        switch self {
        case .tooLarge(let bytes): "The time zone data has \(bytes) bytes, more than any zone needs."
        case .notTZif: "The time zone data is not in TZif format."
        case .unknownVersion(let version): "The time zone data has an unknown format version, byte \(version)."
        case .truncated: "The time zone data is cut short."
        case .badCounts: "The header of the time zone data contradicts itself."
        case .badTransitionTimes: "The transition times of the time zone data are not in order or impossible."
        case .badTypeIndex: "The time zone data refers to a local time type it does not have."
        case .badLocalTimeType: "The time zone data has an impossible local time type."
        case .badLeapSeconds: "The leap seconds of the time zone data are not in order."
        case .badRule(let rule): "The time zone rule \"\(rule)\" is not a POSIX TZ string."
        }
    }
}

/// A stretch of time in which a zone's clock runs on without a jump, in seconds since 1970.
struct ZoneSegment {
    /// First second of the stretch; `Int64.min` for the first one.
    let start: Int64
    /// First second after the stretch; `Int64.max` for the last one.
    let end: Int64
    let type: LocalTimeType

    var offset: Int64 { Int64(type.offset) }
}

/// One of the ways a zone has counted its local time.
struct LocalTimeType: Hashable, Sendable {
    /// Seconds east of UTC.
    let offset: Int
    let isDaylight: Bool
    let abbreviation: String

    /// Offsets further from UTC are refused, as RFC 9636 section 3.2 advises.
    static var offsetRange: ClosedRange<Int> { -93_599...93_599 }
}

/// The leap seconds of a `right/` zone file, to bring its times to POSIX time.
struct LeapSecondTable {
    private var occurrences: [Int64] = []
    private var corrections: [Int64] = []

    var isEmpty: Bool { occurrences.isEmpty }

    /// Adds a record; returns false if it does not follow the last one or its correction is beyond reason.
    mutating func append(occurrence: Int64, correction: Int64) -> Bool {
        if let last = occurrences.last, occurrence <= last { return false }
        guard (-10_000...10_000).contains(correction) else { return false }
        occurrences.append(occurrence)
        corrections.append(correction)
        return true
    }

    /// Returns the POSIX time of a time that counts leap seconds.
    func posix(_ time: Int64) -> Int64 {
        guard let index = occurrences.lastIndex(where: { $0 <= time }) else { return time }
        return time.subtractingReportingOverflow(corrections[index]).partialValue
    }
}
