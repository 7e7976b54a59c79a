/// The prescription for a night, from one session date on.
public struct Regimen: Hashable, Sendable {
    /// An oxybate of ``MedicationCatalogue``.
    public let medicationID: String
    /// The first session date.
    public let from: SessionDate
    /// The last session date; nil while the regimen goes on.
    public let until: SessionDate?
    /// The amount of a night, as it was said.
    public let total: Amount
    /// The contents of a millilitre or a tablet; nil if no amount needs them.
    public let concentration: Concentration?
    /// The division of a night's amount.
    public let split: Split
    /// True for one dose a night: there is no dose 2.
    public let onceNightly: Bool
    /// Later totals, in order of their dates.
    public let steps: [Step]

    /// The division of a night's amount; ``word`` is the wire word.
    public enum Split: Hashable, Sendable {
        /// No division, or an unknown one.
        case none
        /// Two halves.
        case equal
        /// The parts in millionths.
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
        /// The amount of a night.
        public let total: Amount
    }

    /// The most steps in one regimen.
    public static let maximumSteps = 24
    /// The most parts of a night.
    public static let maximumParts = 2

    /// Returns true if the regimen holds on a session date. Both bounds are included.
    public func isActive(on date: SessionDate) -> Bool { from <= date && until.map { date <= $0 } ?? true }

    /// Returns the amount of a night on a session date, in mg.
    public func totalMilligrams(on date: SessionDate) -> Int {
        milligrams(steps.last { $0.from <= date }?.total ?? total)
    }

    /// Returns the parts of a night on a session date, in mg; none if nobody said the division. The last part takes the rest of
    /// the rounding.
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

    /// Returns the amount of one dose on a session date, in mg; nil if none is prescribed.
    public func milligrams(of dose: DoseKind, on date: SessionDate) -> Int? {
        let parts = parts(on: date)
        switch dose {
        case .dose1: return parts.first
        case .dose2: return parts.count > 1 ? parts[1] : nil
        case .extra: return nil
        }
    }

    /// Returns an amount in mg. The amount was checked when the regimen was made.
    func milligrams(_ amount: Amount) -> Int { (try? amount.milligrams(concentration)) ?? 0 }
}

extension Regimen {
    /// The object in the log and in answers; `init(_:_:today:)` reads the object back.
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

    /// Returns the total and the parts on a session date, in mg.
    func derived(on date: SessionDate) -> JSONObject {
        [
            "total_mg": .integer(Int64(totalMilligrams(on: date))),
            "parts_mg": .array(parts(on: date).map { .integer(Int64($0)) }),
        ]
    }
}

extension Regimen {
    /// The largest raise of a night's amount within a week by the labels, in mg.
    static let weeklyRaise = 1_500

    private static let raiseSource = sent("Xyrem, Xywav and Lumryz labels, dosage")
    private static let doseSource = sent("Xyrem and Xywav labels, dosage")

    /// Returns the cautions of labels about the regimen. They are shown, never enforced.
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
        } else if let dose = overDoseLimit {
            cautions.append(
                Medication.Caution(
                    text: sent(
                        "\(dose) mg as one dose is over the \(RegistrationPolicy.doseLimitMilligrams) mg of the labels for a dose."
                    ), source: Self.doseSource))
        }
        return cautions
    }

    /// The largest part of a night that is over the label's limit for one dose (R4.12); nil without one, and for one dose a night.
    private var overDoseLimit: Int? {
        guard !onceNightly else { return nil }
        let most = ([from] + steps.map(\.from)).flatMap { parts(on: $0) }.max() ?? 0
        return most > RegistrationPolicy.doseLimitMilligrams ? most : nil
    }

    /// Returns the least amount in force on one of the seven days before a date; nil if none was.
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
    /// A regimen in the answers, with its id, and the total and the parts on the date.
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

/// The amounts taken in a night, compared with the prescribed amount.
public struct DoseBundle: Hashable, Sendable {
    /// The prescribed amount, in mg.
    public var targetMilligrams: Int
    /// The number of prescribed parts; nil if nobody said the division.
    public var parts: Int?
    /// The number of doses taken.
    public var taken: Int
    /// The sum of the known amounts, in mg.
    public var knownMilligrams: Int
    /// The number of doses without a known amount. A dose 2 that nobody recorded is one of them.
    public var unknown: Int

    /// The result of the comparison; the raw value is the wire word.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Within five percent.
        case onTarget = "on_target"
        case under
        case over
        /// The amount of a dose is unknown, and the known amounts are not over the target.
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

    /// The result of the comparison: five percent either way are on target. An unknown amount does not count as zero.
    public var state: State {
        // A stream from elsewhere may name any number.
        let (known, target) = (Double(knownMilligrams), Double(targetMilligrams))
        if known * 100 > target * 105 { return .over }
        if unknown > 0 { return .unknown }
        return known * 100 < target * 95 ? .under : .onTarget
    }

    /// Returns the sum with the doses of another session of the same date.
    public func adding(_ other: DoseBundle) -> DoseBundle {
        func sum(_ one: Int, _ more: Int) -> Int { Int(clamping: Int128(one) + Int128(more)) }
        var both = self
        both.taken = sum(taken, other.taken)
        both.knownMilligrams = sum(knownMilligrams, other.knownMilligrams)
        both.unknown = sum(unknown, other.unknown)
        return both
    }

    /// The rest of the night's amount, in mg; nil if a dose has no known amount.
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
