internal import DoseTapDomain

/// Numbers, lengths of time, weights and volumes. This enum is the one place for their digits and units.
package enum Figure {
    /// Returns whole minutes as `2 h 50 min`.
    package static func length(minutes: Int64) -> String {
        let (seconds, isTooLong) = minutes.multipliedReportingOverflow(by: 60)
        return isTooLong ? "\(minutes) min" : LocalTimeFormat.interval(.seconds(seconds))
    }

    /// Returns minutes as `2 h 50 min`, with the fraction cut off.
    static func length(minutes: Double) -> String {
        Int64(exactly: minutes.rounded(.towardZero)).map { length(minutes: $0) } ?? Self.minutes(minutes)
    }

    /// Returns minutes as `165.5 min`, to a tenth.
    package static func minutes(_ minutes: Double) -> String { tr("\(tenth(minutes)) min") }

    /// Returns the lateness as `12 min` or `45 s`; empty below a second.
    static func lateness(_ lateness: Duration?) -> String {
        guard let lateness, lateness >= .seconds(1) else { return "" }
        return lateness >= .minutes(2) ? tr("\(lateness.wholeMinutes) min") : "\(lateness.wholeSeconds) s"
    }

    /// Returns a number to a tenth; a whole number has no decimal place.
    static func tenth(_ value: Double) -> String {
        let tenth = (value * 10).rounded() / 10
        return Int64(exactly: tenth).map { "\($0)" } ?? pointed("\(tenth)")
    }

    /// The decimal mark.
    private static var point: String { tr(".", context: "decimal") }

    /// Returns a decimal number with the decimal mark of the person's language in place of the point.
    package static func pointed(_ decimal: String) -> String {
        DisplayLanguage.isTranslating ? decimal.replacing(".", with: point) : decimal
    }

    /// Returns a share of 1 in percent, to a tenth; nil for a number that is too large or not finite.
    static func percent(_ share: Double) -> String? {
        guard let tenths = Int64(exactly: (share * 1_000).rounded()) else { return nil }
        return tenths % 10 == 0 ? tr("\(tenths / 10) %") : "\(tenths / 10)\(point)\(tenths % 10) %"
    }

    /// `4.5 g`, `750 mg`.
    static func weight(_ milligrams: Int64) -> String {
        milligrams >= 1_000 ? "\(tenths(milligrams)) g" : "\(milligrams) mg"
    }

    /// Returns `180 mL`, or the weight if the concentration is unknown.
    static func volume(_ milligrams: Int64, _ concentration: String?) -> String {
        guard let concentration = concentration.flatMap({ Concentration(text: $0) }) else { return weight(milligrams) }
        let (fine, overflow) = milligrams.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? weight(milligrams) : "\(tenths(fine / concentration.thousandths)) mL"
    }

    /// Returns thousandths as a number with one decimal, cut off.
    private static func tenths(_ thousandths: Int64) -> String {
        let tenth = thousandths / 100 % 10
        return tenth == 0 ? "\(thousandths / 1_000)" : "\(thousandths / 1_000)\(point)\(tenth)"
    }
}

/// Counted things with their nouns.
package enum Count {
    package static func nights(_ count: Int) -> String { Plural.of(count, tr("night"), tr("nights")) }
    static func days(_ count: Int) -> String { Plural.of(count, tr("day"), tr("days")) }
    package static func events(_ count: Int) -> String { Plural.of(count, tr("event"), tr("events")) }
    static func failures(_ count: Int64) -> String { Plural.of(count, tr("failure"), tr("failures")) }
    static func rows(_ count: Int64) -> String { Plural.of(count, tr("row"), tr("rows")) }
    static func places(_ count: Int) -> String { Plural.of(count, tr("place"), tr("places")) }
    static func nights(_ count: Int64) -> String { Plural.of(count, tr("night"), tr("nights")) }
    package static func entries(_ count: Int) -> String { Plural.of(count, tr("entry"), tr("entries")) }
    static func otherSources(_ count: Int) -> String { Plural.of(count, tr("other source"), tr("other sources")) }
    static func extraDoses(_ count: Int) -> String { Plural.of(count, tr("extra dose"), tr("extra doses")) }
    static func doses(_ count: Int) -> String { Plural.of(count, tr("dose"), tr("doses")) }
    static func minutes(_ count: Int64) -> String { Plural.of(count, tr("minute"), tr("minutes")) }
    static func bottles(_ count: Int64) -> String { Plural.of(count, tr("bottle"), tr("bottles")) }
    static func files(_ count: Int) -> String { Plural.of(count, tr("file"), tr("files")) }
    static func packets(_ count: Int64) -> String { Plural.of(count, tr("packet"), tr("packets")) }
    static func amountsAre(_ count: Int64) -> String { Plural.of(count, tr("amount is"), tr("amounts are")) }
    /// `once`, `3 times`.
    package static func times(_ count: Int) -> String { count == 1 ? tr("once") : tr("\(count) times") }
    static func backups(_ count: Int) -> String { Plural.of(count, tr("backup"), tr("backups")) }
    static func pairs(_ count: Int) -> String { Plural.of(count, tr("pair of nights"), tr("pairs of nights")) }
}
