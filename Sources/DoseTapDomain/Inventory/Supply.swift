/// How long what there is of a medicine lasts; facts, no advice.
public struct Supply: Hashable, Sendable {
    /// What there is.
    public let line: StockLine
    /// How much one night takes, and by what it is known; nil is unknown.
    public let perNight: PerNight?
    /// Whole nights it lasts; at most so many where amounts are unknown; nil where nobody knows.
    public let days: Int?
    /// The first session date on which ``lowDays`` or fewer are left; nil where it is low already or nobody knows.
    public let lowOn: SessionDate?
    /// The first session date it does not last for.
    public let refillBy: SessionDate?
    /// In one word.
    public let level: Level

    /// How much one night takes.
    public struct PerNight: Hashable, Sendable {
        /// In mg.
        public let milligrams: Int
        /// By what it is known.
        public let source: Source

        /// Memberwise.
        public init(milligrams: Int, source: Source) {
            self.milligrams = milligrams
            self.source = source
        }

        /// By what it is known; the raw value is the wire word.
        public enum Source: String, Hashable, Sendable, CaseIterable {
            /// The regimen of the present session date.
            case regimen
            /// The mean of the nights of the last two weeks of which all is known.
            case mean
        }
    }

    /// How things stand; the raw value is the wire word.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        case ok
        case low
        case critical
        case empty
        /// Amounts, or what a night takes, are not known.
        case unknown
    }

    /// So many nights or fewer are low.
    public static let lowDays = 10
    /// So many or fewer are critical.
    public static let criticalDays = 3

    /// - Parameters:
    ///   - date: the present session date.
    ///   - regimen: that of the date.
    public init(_ line: StockLine, _ ledger: StockLedger, on date: SessionDate, _ regimen: Regimen?) {
        self.line = line
        let perNight = Self.perNight(line, ledger, on: date, regimen)
        self.perNight = perNight
        let days = perNight.map { line.milligrams / $0.milligrams }
        self.days = days
        // A night that has begun has had its part.
        let served = ledger.nights[date]?[line.medicationID] != nil
        let next = served ? 1 : 0
        lowOn = days.flatMap { $0 > Self.lowDays ? date.adding(days: next + $0 - Self.lowDays) : nil }
        refillBy = days.flatMap { date.adding(days: next + $0) }
        level = Self.level(line, days)
    }

    private static func level(_ line: StockLine, _ days: Int?) -> Level {
        guard line.milligrams > 0 else { return .empty }
        guard let days else { return .unknown }
        if days <= criticalDays { return .critical }
        if days <= lowDays { return .low }
        // There may be less than that.
        return line.unknown > 0 ? .unknown : .ok
    }

    private static func perNight(
        _ line: StockLine, _ ledger: StockLedger, on date: SessionDate, _ regimen: Regimen?
    ) -> PerNight? {
        if let regimen, regimen.medicationID == line.medicationID {
            return PerNight(milligrams: max(1, regimen.totalMilligrams(on: date)), source: .regimen)
        }
        let first = SessionDate(date.civil.adding(days: -StockLedger.nightsLookedAt))
        let known = ledger.nights.filter { $0.key >= first && $0.key < date }
            .compactMap { $0.value[line.medicationID] }
            .filter { $0.doses > 0 && $0.unknown == 0 }
        let sum = known.reduce(0) { $0 + $1.milligrams }
        guard sum > 0 else { return nil }
        return PerNight(milligrams: max(1, (sum + known.count / 2) / known.count), source: .mean)
    }
}

extension SessionDate {
    /// A date so many days later; nil beyond the years that are written with four digits.
    fileprivate func adding(days: Int) -> SessionDate? {
        guard days <= 1_000_000 else { return nil }
        let later = SessionDate(civil.adding(days: days))
        return later.civil.year <= 9_999 ? later : nil
    }
}
