/// The period in which a regimen was in force, as `regimen history` tells regimens: a regimen that was set later ends
/// the period or takes its place (R28.4).
public struct PrescribedPeriod: Hashable, Sendable {
    public let from: SessionDate
    /// The last date; nil without an end.
    public let until: SessionDate?

    /// - Parameter later: the regimens that were set after this one.
    /// - Returns: nil for a regimen without a date, and for one that a later regimen replaced as a whole.
    public init?(_ regimen: JSONObject, later: some Sequence<JSONObject>) {
        guard let from = Self.date(regimen["from"]) else { return nil }
        var until = Self.date(regimen["until"])
        for other in later {
            guard let begins = Self.date(other["from"]) else { continue }
            if begins > from {
                let before = SessionDate(begins.civil.adding(days: -1))
                until = until.map { min($0, before) } ?? before
            } else if Self.isCovered(until, by: Self.date(other["until"])) {
                return nil
            }
        }
        (self.from, self.until) = (from, until)
    }

    /// Returns the total from each date on, in the words of the regimen; empty if the total never changes.
    public static func steps(of regimen: JSONObject) -> [(from: SessionDate, total: String)] {
        let steps = regimen["steps"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard !steps.isEmpty else { return [] }
        return ([regimen] + steps).compactMap { step in
            guard let from = date(step["from"]), let total = step["total"]?.stringValue else { return nil }
            return (from, total)
        }
    }

    /// Returns true if a period ends no later than another one; nil is no end.
    private static func isCovered(_ end: SessionDate?, by other: SessionDate?) -> Bool {
        guard let other else { return true }
        return end.map { $0 <= other } ?? false
    }

    private static func date(_ value: JSONValue?) -> SessionDate? {
        value?.stringValue.flatMap { try? SessionDate(text: $0) }
    }
}
