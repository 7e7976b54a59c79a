/// What is prescribed for a night, from one session date on.
public struct Regimen: Hashable, Sendable {
    /// An oxybate of ``MedicationCatalogue``.
    public let medicationID: String
    /// The first session date.
    public let from: SessionDate
    /// The last session date; nil while it goes on.
    public let until: SessionDate?
    /// How much a night, as it was said.
    public let total: Amount
    /// What a millilitre or a tablet of it holds; nil where no amount counts in them.
    public let concentration: Concentration?
    /// How a night's amount is divided.
    public let split: Split
    /// One dose a night: there is no dose 2.
    public let onceNightly: Bool
    /// Later totals, in order of their dates.
    public let steps: [Step]

    /// How a night's amount is divided; the word is the wire word.
    public enum Split: Hashable, Sendable {
        /// Not at all, or nobody said how.
        case none
        /// Two halves.
        case equal
        /// In these parts, in millionths.
        case custom([Int64])

        /// `none`, `equal` or `custom`.
        public var word: String {
            switch self {
            case .none: "none"
            case .equal: "equal"
            case .custom: "custom"
            }
        }
    }

    /// Another total from a session date on.
    public struct Step: Hashable, Sendable {
        /// The first session date.
        public let from: SessionDate
        /// How much a night.
        public let total: Amount
    }

    /// Most steps in one regimen.
    public static let maximumSteps = 24
    /// A night has no more parts.
    public static let maximumParts = 2

    /// Whether it holds on a session date; both bounds are included.
    public func isActive(on date: SessionDate) -> Bool { from <= date && until.map { date <= $0 } ?? true }

    /// A night's amount on a session date, in mg.
    public func totalMilligrams(on date: SessionDate) -> Int {
        milligrams(steps.last { $0.from <= date }?.total ?? total)
    }

    /// The parts of a night on a session date, in mg; none where nobody said how it is divided. The last part takes what
    /// rounding leaves.
    public func parts(on date: SessionDate) -> [Int] {
        let total = totalMilligrams(on: date)
        switch split {
        case .none: return onceNightly ? [total] : []
        case .equal: return [total - total / 2, total / 2]
        case .custom(let ratios):
            var parts = ratios.dropLast().map { Int((Int64(total) * $0 + 500_000) / 1_000_000) }
            parts.append(total - parts.reduce(0, +))
            return parts
        }
    }

    /// How much one dose is on a session date, in mg; nil where it is not prescribed.
    public func milligrams(of dose: DoseKind, on date: SessionDate) -> Int? {
        let parts = parts(on: date)
        switch dose {
        case .dose1: return parts.first
        case .dose2: return parts.count > 1 ? parts[1] : nil
        case .extra: return nil
        }
    }

    /// In mg; it was checked when the regimen was made.
    func milligrams(_ amount: Amount) -> Int { (try? amount.milligrams(concentration)) ?? 0 }
}
