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
    public enum State: String, Hashable, Sendable {
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
    /// The `bundle` of the `show --json` object.
    public var json: JSONObject {
        [
            "target_mg": .integer(Int64(targetMilligrams)), "parts": parts.map { .integer(Int64($0)) } ?? .null,
            "taken": .integer(Int64(taken)), "known_mg": .integer(Int64(knownMilligrams)),
            "unknown": .integer(Int64(unknown)), "state": .string(state.rawValue),
            "remaining_mg": remainingMilligrams.map { .integer(Int64($0)) } ?? .null,
        ]
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            targetMilligrams: try reader.integer("target_mg"), parts: try reader.optionalInteger("parts"),
            taken: try reader.integer("taken"), knownMilligrams: try reader.integer("known_mg"),
            unknown: try reader.integer("unknown"))
    }
}
