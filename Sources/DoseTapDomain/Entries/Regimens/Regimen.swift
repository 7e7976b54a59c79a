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

extension Regimen {
    /// As it stands in the log and in answers; `init(_:_:today:)` reads it back.
    public var json: JSONObject {
        var object: JSONObject = [
            "medication_id": .string(medicationID), "from": .string(from.text),
            "until": until.map { .string($0.text) } ?? .null, "total": .string(total.text),
            "concentration": concentration.map { .string($0.text) } ?? .null, "split": .string(split.word),
            "once_nightly": .bool(onceNightly),
        ]
        if case .custom(let ratios) = split {
            object["ratios"] = .array(ratios.map { .number(Double($0) / 1_000_000) })
        }
        object["steps"] = .array(
            steps.map { ["from": .string($0.from.text), "total": .string($0.total.text)] as JSONValue })
        return object
    }

    /// What it comes to on a session date.
    func derived(on date: SessionDate) -> JSONObject {
        [
            "total_mg": .integer(Int64(totalMilligrams(on: date))),
            "parts_mg": .array(parts(on: date).map { .integer(Int64($0)) }),
        ]
    }
}

extension Regimen {
    /// The label's most that a night's amount is raised by within a week, in mg.
    static let weeklyRaise = 1_500

    private static let raiseSource = "Xyrem, Xywav and Lumryz labels, dosage"

    /// What labels say about it; shown, never enforced.
    ///
    /// - Parameter earlier: the regimen on the date before it.
    func cautions(after earlier: Regimen?) -> [Medication.Caution] {
        var cautions: [Medication.Caution] = []
        for date in [from] + steps.map(\.from) {
            let total = totalMilligrams(on: date)
            guard let least = least(beforeWithinAWeekOf: date, earlier), total - least > Self.weeklyRaise else {
                continue
            }
            cautions.append(
                Medication.Caution(
                    text:
                        sent(
                            "From \(least) to \(total) mg a night within a week of \(date.text): labels raise it by at most \(Self.weeklyRaise) mg a week."
                        ), source: Self.raiseSource))
        }
        let most = ([from] + steps.map(\.from)).map(totalMilligrams).max() ?? 0
        if most > RegistrationPolicy.nightLimitMilligrams {
            cautions.append(
                Medication.Caution(
                    text: sent(
                        "\(most) mg a night is over the \(RegistrationPolicy.nightLimitMilligrams) mg of the labels."),
                    source: Self.raiseSource))
        }
        return cautions
    }

    /// The least that was in force on one of the seven days before a date.
    private func least(beforeWithinAWeekOf date: SessionDate, _ earlier: Regimen?) -> Int? {
        let totals = (1...7).compactMap { back -> Int? in
            let day = SessionDate(date.civil.adding(days: -back))
            if day >= from { return totalMilligrams(on: day) }
            return earlier.flatMap { $0.isActive(on: day) ? $0.totalMilligrams(on: day) : nil }
        }
        return totals.min()
    }
}

extension Regimen {
    /// A regimen in the answers, with its id and what it comes to on the date.
    public static let shape = Shape([
        Key("id", .text), Key("medication_id", .text), Key("from", .date),
        Key("until", .date, .zero, "null while it goes on"), Key("total", .text, .never, "a night, as it was said"),
        Key("concentration", .text, .absent), Key("split", .text, .never, "none, equal or custom"),
        Key("once_nightly", .bool), Key("ratios", .list(.number()), .absent, "with split custom"),
        Key("steps", .list(.object { Shape([Key("from", .date), Key("total", .text)]) })),
        Key("total_mg", .integer(.milligrams)), Key("parts_mg", .list(.integer(.milligrams))),
        Key("note", .text, .absent), Key("recorded_at", .instant),
    ])
}

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
    /// How many doses have no known amount; a dose 2 that nobody recorded is one of them.
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

    public init(targetMilligrams: Int, parts: Int?, taken: Int, knownMilligrams: Int, unknown: Int) {
        self.targetMilligrams = targetMilligrams
        self.parts = parts
        self.taken = taken
        self.knownMilligrams = knownMilligrams
        self.unknown = unknown
    }

    /// Compares the doses of a night with its regimen.
    public init(_ session: Session, _ regimen: Regimen) {
        let amounts = session.doses.compactMap(\.amountMilligrams)
        let parts = regimen.parts(on: session.date).count
        // A dose 2 that nobody recorded may have been taken.
        let unrecorded = NightOutcome(session) == .notRecorded ? 1 : 0
        self.init(
            targetMilligrams: regimen.totalMilligrams(on: session.date), parts: parts == 0 ? nil : parts,
            taken: session.doses.count, knownMilligrams: amounts.reduce(0, +),
            unknown: session.doses.count - amounts.count + unrecorded)
    }

    /// How it compares: five percent either way are on target. An amount nobody knows is unknown, not nothing.
    public var state: State {
        // A stream from elsewhere may name any number.
        let (known, target) = (Double(knownMilligrams), Double(targetMilligrams))
        if known * 100 > target * 105 { return .over }
        if unknown > 0 { return .unknown }
        return known * 100 < target * 95 ? .under : .onTarget
    }

    /// Together with what was taken in another session of the same date.
    public func adding(_ other: DoseBundle) -> DoseBundle {
        func sum(_ one: Int, _ more: Int) -> Int { Int(clamping: Int128(one) + Int128(more)) }
        var both = self
        both.taken = sum(taken, other.taken)
        both.knownMilligrams = sum(knownMilligrams, other.knownMilligrams)
        both.unknown = sum(unknown, other.unknown)
        return both
    }

    /// What is left of the night's amount, in mg; nil where it is unknown.
    public var remainingMilligrams: Int? {
        unknown > 0 ? nil : Int(clamping: max(0, Int128(targetMilligrams) - Int128(knownMilligrams)))
    }
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
        it.integer(
            "unknown", "doses of no known amount, and a dose 2 that nobody recorded", get: { $0.unknown },
            set: { $0.unknown = $1 })
        it.word("state", get: { $0.state })
        it.integerOrNull("remaining_mg", in: .milligrams, get: { $0.remainingMilligrams })
    }
}
