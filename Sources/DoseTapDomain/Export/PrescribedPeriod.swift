/// A period in which a regimen is in force, as `regimen history` tells regimens. On each date the one that was set last counts
/// (R12.1), so a regimen without an end may have several periods (R28.4).
public struct PrescribedPeriod: Hashable, Sendable {
    public let from: SessionDate
    /// The last date; nil without an end.
    public let until: SessionDate?

    /// Returns the periods of a regimen in order of time; none for a regimen without a date, and for one that later regimens
    /// replaced as a whole.
    ///
    /// - Parameter later: the regimens that were set after this one.
    public static func all(of regimen: JSONObject, later: some Sequence<JSONObject>) -> [PrescribedPeriod] {
        guard let from = date(regimen["from"]) else { return [] }
        let until = date(regimen["until"])
        var periods: [PrescribedPeriod] = []
        if until.map({ from <= $0 }) ?? true { periods.append(PrescribedPeriod(from: from, until: until)) }
        for other in later {
            guard let begins = date(other["from"]) else { continue }
            let ends = date(other["until"])
            periods = periods.flatMap { $0.without(begins, ends) }
        }
        return periods
    }

    /// Returns what a later regimen leaves of the period: the dates before it, and those after its end.
    private func without(_ begins: SessionDate, _ ends: SessionDate?) -> [PrescribedPeriod] {
        if let ends, ends < max(begins, from) { return [self] }
        if let until, until < begins { return [self] }
        var left: [PrescribedPeriod] = []
        if from < begins { left.append(PrescribedPeriod(from: from, until: Self.day(-1, after: begins))) }
        if let ends, until.map({ ends < $0 }) ?? true {
            left.append(PrescribedPeriod(from: Self.day(1, after: ends), until: until))
        }
        return left
    }

    /// Returns the total from each date of the period on, in the words of the regimen; empty if the total never changes.
    public func steps(of regimen: JSONObject) -> [(from: SessionDate, total: String)] {
        let steps = regimen["steps"]?.arrayValue?.compactMap(\.objectValue) ?? []
        guard !steps.isEmpty else { return [] }
        var told: [(from: SessionDate, total: String)] = []
        for step in [regimen] + steps {
            guard let begins = Self.date(step["from"]), let total = step["total"]?.stringValue else { continue }
            if let until, until < begins { continue }
            // The step that is in force when the period begins counts from there.
            if begins <= from { told.removeAll() }
            told.append((from: max(begins, from), total: total))
        }
        return told
    }

    private static func day(_ days: Int, after date: SessionDate) -> SessionDate {
        SessionDate(date.civil.adding(days: days))
    }

    private static func date(_ value: JSONValue?) -> SessionDate? {
        value?.stringValue.flatMap { try? SessionDate(text: $0) }
    }
}
