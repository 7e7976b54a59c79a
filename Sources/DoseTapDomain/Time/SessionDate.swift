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
