internal import DoseTapDomain

/// Numbers, lengths of time, weights and volumes: the one place for their digits and units.
package enum Figure {
    /// `2 h 50 min` of whole minutes.
    package static func length(minutes: Int64) -> String { LocalTimeFormat.interval(.seconds(minutes * 60)) }

    /// `12 min`, `45 s`: how late something came; nothing below a second.
    static func lateness(_ lateness: Duration?) -> String {
        guard let lateness, lateness >= .seconds(1) else { return "" }
        return lateness >= .minutes(2) ? "\(lateness.wholeMinutes) min" : "\(lateness.wholeSeconds) s"
    }

    /// A number to a tenth, whole ones without it.
    static func tenth(_ value: Double) -> String {
        let tenth = (value * 10).rounded() / 10
        return tenth == tenth.rounded() ? "\(Int64(tenth))" : "\(tenth)"
    }

    /// A share of 1 in percent, to a tenth; nil for what is no number.
    static func percent(_ share: Double) -> String? {
        guard let tenths = Int64(exactly: (share * 1_000).rounded()) else { return nil }
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }

    /// `4.5 g`, `750 mg`.
    static func weight(_ milligrams: Int64) -> String {
        milligrams >= 1_000 ? "\(tenths(milligrams)) g" : "\(milligrams) mg"
    }

    /// `180 mL`, or the weight where nobody said what a millilitre holds.
    static func volume(_ milligrams: Int64, _ concentration: String?) -> String {
        guard let concentration = concentration.flatMap({ Concentration(text: $0) }) else { return weight(milligrams) }
        let (fine, overflow) = milligrams.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? weight(milligrams) : "\(tenths(fine / concentration.thousandths)) mL"
    }

    /// Thousandths with one decimal, cut off.
    private static func tenths(_ thousandths: Int64) -> String {
        let tenth = thousandths / 100 % 10
        return tenth == 0 ? "\(thousandths / 1_000)" : "\(thousandths / 1_000).\(tenth)"
    }
}

/// Counted things by their nouns.
package enum Count {
    package static func nights(_ count: Int) -> String { Plural.of(count, "night", "nights") }
    static func days(_ count: Int) -> String { Plural.of(count, "day", "days") }
    package static func events(_ count: Int) -> String { Plural.of(count, "event", "events") }
    static func failures(_ count: Int64) -> String { Plural.of(count, "failure", "failures") }
    static func rows(_ count: Int64) -> String { Plural.of(count, "row", "rows") }
    static func nights(_ count: Int64) -> String { Plural.of(count, "night", "nights") }
    package static func entries(_ count: Int) -> String { Plural.of(count, "entry", "entries") }
    static func otherSources(_ count: Int) -> String { Plural.of(count, "other source", "other sources") }
    static func doses(_ count: Int) -> String { Plural.of(count, "dose", "doses") }
    static func minutes(_ count: Int64) -> String { Plural.of(count, "minute", "minutes") }
    static func bottles(_ count: Int64) -> String { Plural.of(count, "bottle", "bottles") }
    static func files(_ count: Int) -> String { Plural.of(count, "file", "files") }
    static func packets(_ count: Int64) -> String { Plural.of(count, "packet", "packets") }
    static func amountsAre(_ count: Int64) -> String { Plural.of(count, "amount is", "amounts are") }
    /// `once`, `3 times`.
    package static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
    static func backups(_ count: Int) -> String { Plural.of(count, "backup", "backups") }
    static func pairs(_ count: Int) -> String { Plural.of(count, "pair of nights", "pairs of nights") }
}
