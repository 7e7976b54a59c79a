/// The key of a night: the civil date on whose rollover hour it began, `YYYY-MM-DD`.
///
/// A stored key is never computed again when the zone changes.
public struct SessionDate: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let civil: CivilDate

    public init(_ civil: CivilDate) { self.civil = civil }

    /// Reads `YYYY-MM-DD`, ASCII digits only.
    ///
    /// - Throws: ``TimeParseError``.
    public init(text: some StringProtocol) throws(TimeParseError) { civil = try CivilDate(iso8601: text) }

    /// `YYYY-MM-DD` in ASCII digits.
    public var text: String { civil.iso8601 }

    /// ``text``.
    public var description: String { text }

    /// True if `lhs` is the earlier night.
    public static func < (lhs: SessionDate, rhs: SessionDate) -> Bool { lhs.civil < rhs.civil }
}

extension SessionDate {
    /// Returns the key of `instant`: the local date whose rollover hour the clock of `zone` last reached or jumped past.
    ///
    /// On every ordinary day the key is the previous date before the rollover hour, and the same date from that hour on. If a civil
    /// day never existed (Pacific/Apia, 2011-12-30), the key is the last one that did.
    ///
    /// - Parameter rolloverHour: Hour of the local clock, held within 0 to 23; 18 if nobody chose another.
    public static func key(of instant: Instant, in zone: Zone, rolloverHour: Int) -> SessionDate {
        let hour = Int64(ClockTime(hour: rolloverHour).hour)
        var second = instant.seconds
        var segment = zone.table.segment(at: second)
        // The loop goes backwards through the stretches without a jump; two of them hold a day in any real zone.
        for _ in 0..<32 {
            let shown = second + segment.offset
            let day = (shown - hour * 3600).flooredQuotient(86_400)
            guard segment.start > Int64.min, day * 86_400 + hour * 3600 - segment.offset < segment.start else {
                return SessionDate(CivilDate(daysSinceEpoch: Int(day)))
            }
            // The hour was not reached since the jump, so the jump decides first, and then the stretch before it.
            let before = zone.table.segment(at: segment.start - 1)
            let left = segment.start + before.offset
            let landed = segment.start + segment.offset
            // Days between those on which the jump began and ended never existed.
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
