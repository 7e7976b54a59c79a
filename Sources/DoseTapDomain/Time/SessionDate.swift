/// The key of a night: the civil date on whose rollover hour it began, `YYYY-MM-DD`.
///
/// A stored key is never computed again when the zone changes.
public struct SessionDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The calendar date.
    public let civil: CivilDate

    /// The key that is this date.
    public init(_ civil: CivilDate) { self.civil = civil }

    /// Reads `YYYY-MM-DD`, ASCII digits only.
    ///
    /// - Throws: ``TimeParseError``.
    public init(text: some StringProtocol) throws(TimeParseError) { civil = try CivilDate(iso8601: text) }

    /// `YYYY-MM-DD` in ASCII digits.
    public var text: String { civil.iso8601 }

    /// ``text``.
    public var description: String { text }

    /// Whether `lhs` is the earlier night.
    public static func < (lhs: SessionDate, rhs: SessionDate) -> Bool { lhs.civil < rhs.civil }
}

extension SessionDate {
    /// The key of `instant`: the local date whose rollover hour the clock of `zone` last reached or jumped past.
    ///
    /// On every ordinary day the previous date before the rollover hour and the same date from it on. Where a civil day
    /// never existed (Pacific/Apia, 2011-12-30) the last one that did.
    ///
    /// - Parameter rolloverHour: Hour of the local clock, held within 0 to 23; 18 if nobody chose another.
    public static func key(of instant: Instant, in zone: Zone, rolloverHour: Int) -> SessionDate {
        let hour = Int64(ClockTime(hour: rolloverHour).hour)
        var second = instant.seconds
        var segment = zone.table.segment(at: second)
        // Backwards through the stretches without a jump; two of them hold a day in any real zone.
        for _ in 0..<32 {
            let shown = second + segment.offset
            let day = (shown - hour * 3600).flooredQuotient(86_400)
            guard segment.start > Int64.min, day * 86_400 + hour * 3600 - segment.offset < segment.start else {
                return SessionDate(CivilDate(daysSinceEpoch: Int(day)))
            }
            // The hour was not reached since the jump, so what the jump passed decides, then what came before.
            let before = zone.table.segment(at: segment.start - 1)
            let left = segment.start + before.offset
            let landed = segment.start + segment.offset
            // Days between those on which the jump began and ended never were.
            for day in [landed, left - 1].map({ $0.flooredQuotient(86_400) })
            where left <= day * 86_400 + hour * 3600 && day * 86_400 + hour * 3600 < landed {
                return SessionDate(CivilDate(daysSinceEpoch: Int(day)))
            }
            second = segment.start - 1
            segment = before
        }
        return SessionDate(CivilDate(daysSinceEpoch: Int((second + segment.offset).flooredQuotient(86_400))))
    }
}
