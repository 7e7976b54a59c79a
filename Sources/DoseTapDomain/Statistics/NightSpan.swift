/// Nights by their dates, both included; nil is open.
public struct NightSpan: Hashable, Sendable {
    /// The first date.
    public var first: SessionDate?
    /// The last date.
    public var last: SessionDate?

    /// Memberwise.
    public init(first: SessionDate? = nil, last: SessionDate? = nil) {
        self.first = first
        self.last = last
    }

    /// Whether a night lies in it.
    public func contains(_ date: SessionDate) -> Bool {
        first.map { date >= $0 } ?? true && last.map { date <= $0 } ?? true
    }

    /// A query that finds them: a store looks by the start first, which lies within a day or so of the date.
    public func query(
        limit: Int, cursor: String, event: String? = nil, kinds: Set<NightKind> = []
    ) -> SessionQuery {
        SessionQuery(
            from: first.map { Self.midnight($0, plus: -2) }, to: last.map { Self.midnight($0, plus: 3) }, limit: limit,
            cursor: cursor, event: event, dates: self, kinds: kinds)
    }

    private static func midnight(_ date: SessionDate, plus days: Int) -> Instant {
        Instant(seconds: Int64(date.civil.daysSinceEpoch + days) * 86_400)
    }
}

/// Which nights to make figures of.
public struct StatisticsQuery: Hashable, Sendable {
    /// The newest so many; nil is all of the span.
    public var range: Int?
    /// Their dates.
    public var span: NightSpan
    /// Also figures for each week or month.
    public var grouping: Grouping?

    /// The most nights figures are made of.
    public static let mostNights = 10_000
    /// How many without another wish.
    public static let usualRange = 30

    /// Memberwise.
    public init(range: Int?, span: NightSpan = NightSpan(), grouping: Grouping? = nil) {
        self.range = range
        self.span = span
        self.grouping = grouping
    }
}

/// What nights are put together by.
public enum Grouping: String, Hashable, Sendable, CaseIterable {
    /// ISO 8601 weeks, Monday to Sunday.
    case week
    /// Months of the calendar.
    case month

    /// The name of the group of a date: `2026-W03` or `2026-01`.
    public func key(of date: SessionDate) -> String {
        switch self {
        case .month: return String(date.text.prefix(7))
        case .week:
            // A week belongs to the year of its Thursday.
            let thursday = date.civil.adding(days: Weekday.thursday.rawValue - date.civil.weekday.rawValue)
            let first = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
            let week = (thursday.daysSinceEpoch - first.daysSinceEpoch) / 7 + 1
            return "\(SessionDate(thursday).text.prefix(4))-W\(week < 10 ? "0" : "")\(week)"
        }
    }
}
