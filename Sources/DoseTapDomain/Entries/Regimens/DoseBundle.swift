/// What was taken in a night compared with what was prescribed.
public struct DoseBundle: Hashable, Sendable {
    /// Prescribed, in mg.
    public var targetMilligrams: Int
    /// How many parts are prescribed; nil where nobody said how the night is divided.
    public var parts: Int?
    /// How many doses were taken.
    public var taken: Int
    /// The sum of the amounts that are known, in mg.
    public var knownMilligrams: Int
    /// How many doses have no known amount.
    public var unknown: Int

    /// How it compares; the raw value is the wire word.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Within five percent.
        case onTarget = "on_target"
        case under
        case over
        /// A dose of unknown amount is among them, and without it there is not too much already.
        case unknown
    }

    /// Memberwise.
    public init(targetMilligrams: Int, parts: Int?, taken: Int, knownMilligrams: Int, unknown: Int) {
        self.targetMilligrams = targetMilligrams
        self.parts = parts
        self.taken = taken
        self.knownMilligrams = knownMilligrams
        self.unknown = unknown
    }

    /// Compares doses with the regimen of their night.
    public init(_ doses: [Dose], _ regimen: Regimen, on date: SessionDate) {
        let amounts = doses.compactMap(\.amountMilligrams)
        let parts = regimen.parts(on: date).count
        self.init(
            targetMilligrams: regimen.totalMilligrams(on: date), parts: parts == 0 ? nil : parts, taken: doses.count,
            knownMilligrams: amounts.reduce(0, +), unknown: doses.count - amounts.count)
    }

    /// How it compares: five percent either way are on target. An amount nobody knows is unknown, not nothing.
    public var state: State {
        if knownMilligrams * 100 > targetMilligrams * 105 { return .over }
        if unknown > 0 { return .unknown }
        return knownMilligrams * 100 < targetMilligrams * 95 ? .under : .onTarget
    }

    /// What is left of the night's amount, in mg; nil where it is unknown.
    public var remainingMilligrams: Int? { unknown > 0 ? nil : max(0, targetMilligrams - knownMilligrams) }
}

extension DoseBundle {
    static let description = RecordDescription(
        DoseBundle(targetMilligrams: 0, parts: nil, taken: 0, knownMilligrams: 0, unknown: 0)
    ) { it in
        it.integer("target_mg", in: .milligrams, get: { $0.targetMilligrams }, set: { $0.targetMilligrams = $1 })
        it.integerOrNull(
            "parts", "null where nobody said how the night is divided", get: { $0.parts }, set: { $0.parts = $1 })
        it.integer("taken", "doses", get: { $0.taken }, set: { $0.taken = $1 })
        it.integer("known_mg", in: .milligrams, get: { $0.knownMilligrams }, set: { $0.knownMilligrams = $1 })
        it.integer("unknown", "doses of no known amount", get: { $0.unknown }, set: { $0.unknown = $1 })
        it.word("state", get: { $0.state })
        it.integerOrNull("remaining_mg", in: .milligrams, get: { $0.remainingMilligrams })
    }
}
