/// A thing that was logged and the time that has to pass after it by a label: a fact with its source, no advice.
public struct Clearance: Hashable, Sendable {
    public var kind: Kind
    /// The time of the thing; nil if unknown.
    public var at: Instant?
    /// The end of the time that has to pass; nil if nothing says it, or if the beginning is unknown.
    public var until: Instant?
    /// The answer in the words of the log, the medicine, the dose of a cup, or ``atLeast``; nil without any.
    public var detail: String?
    /// The label or the log that tells the fact.
    public var source: String

    /// Kinds of facts.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The last oxybate dose: driving and hazardous work begin again six hours later at the earliest.
        case earliestDrive = "earliest_drive"
        /// The last meal: a dose follows two hours later at the earliest.
        case meal
        /// Alcohol was had today.
        case alcohol
        /// A stimulant was had from noon on.
        case lateStimulant = "late_stimulant"
        /// A cup was poured and stands: neither drunk nor thrown away.
        case preparedCup = "prepared_cup"

        /// Returns the source of facts of the kind.
        ///
        /// - Parameter medicine: the shown name of the medicine whose label is cited; nil names the labels of all oxybates.
        public func source(of medicine: String?) -> String {
            let label = medicine.map { sent("\($0) label") } ?? sent("labels of Xyrem, Xywav and Lumryz")
            return switch self {
            case .earliestDrive: sent("\(label): no driving or hazardous work for at least 6 h after a dose")
            case .meal: sent("\(label): a dose is taken at least 2 h after eating")
            case .alcohol: sent("\(label): contraindicated with alcohol")
            case .lateStimulant: sent("pre-sleep log: had from noon on")
            case .preparedCup: sent("Xyrem label, copy by medslook.com: a diluted dose is used within 24 h")
            }
        }
    }

    /// The time after the last dose.
    public static let drive: Duration = .hours(6)
    /// The detail of a time that an unsettled dose 2 may move: the time told is the least.
    public static let atLeast = "at_least"
    /// The time after the last meal.
    public static let meal: Duration = .hours(2)
    /// The source for the time that a suspension keeps.
    static let suspensionSource = sent("Lumryz label: drunk within 30 min of mixing")
    /// The source for a medicine that was had late.
    static let medicineSource = sent("medicines taken: from noon on")
    /// The time for which a pre-sleep log tells of the day before it.
    static let memory: Duration = .hours(12)
    /// The hour of the local clock from which a stimulant counts as late.
    static let lateHour = 12

    /// - Parameters:
    ///   - source: nil for the source of the kind.
    ///   - medicine: the shown name of the medicine whose label is cited.
    public init(
        kind: Kind, at: Instant?, until: Instant?, detail: String?, source: String? = nil, medicine: String? = nil
    ) {
        self.source = source ?? kind.source(of: medicine)
        self.kind = kind
        self.at = at
        self.until = until
        self.detail = detail
    }

    /// Returns true if the fact still matters: its end is unknown or not reached. A cup matters as long as it stands.
    public func isRunning(at moment: Instant) -> Bool { kind == .preparedCup || until.map { $0 > moment } ?? true }

    /// Returns the facts that hold at a moment, from what happened up to it. A kind without an entry is left out.
    ///
    /// - Parameters:
    ///   - doses: the times at which oxybate was taken, in any order.
    ///   - preSleep: the active logs, in any order; the newest of the last twelve hours counts.
    ///   - stimulants: the active medicines taken that are stimulants, in any order; the newest of them, or of what the
    ///     log says, is told.
    ///   - cups: the cups that stand.
    ///   - zone: the zone whose clock says what is late in the day.
    ///   - labels: the medicines whose labels are cited: that of the last doses, and that of the night; nil for none known.
    public static func facts(
        doses: [Instant], preSleep: [PreSleepLog], stimulants: [MedicationEntry], at moment: Instant,
        cups: [PreparedCups.Cup], in zone: Zone, labels: (taken: String?, night: String?) = (nil, nil)
    ) -> [Clearance] {
        var facts: [Clearance] = []
        let last = doses.filter { $0 <= moment && $0 > moment - memory }.max()
        if let last {
            facts.append(
                Clearance(
                    kind: .earliestDrive, at: last, until: last + drive, detail: nil, medicine: labels.taken))
        }
        let log = preSleep.filter { $0.isActive && $0.at <= moment && $0.at > moment - memory }.max { $0.at < $1.at }
        if let log { facts += self.facts(log.answers, labels.night, in: zone) }
        if let medicine = newestLate(stimulants, at: moment, in: zone) {
            let answered = facts.firstIndex { $0.kind == .lateStimulant }
            if answered.flatMap({ facts[$0].at }).map({ $0 < medicine.at }) ?? true {
                if let answered { facts.remove(at: answered) }
                facts.append(
                    Clearance(
                        kind: .lateStimulant, at: medicine.at, until: nil, detail: medicine.recorded.medicationID,
                        source: medicineSource))
            }
        }
        return facts + cups.map(Clearance.init)
    }

    private static func newestLate(
        _ stimulants: [MedicationEntry], at moment: Instant, in zone: Zone
    ) -> MedicationEntry? {
        stimulants.filter { $0.at <= moment && $0.at > moment - memory && zone.local($0.at).hour >= lateHour }
            .max { $0.at < $1.at }
    }

    private init(_ cup: PreparedCups.Cup) {
        self.init(
            kind: .preparedCup, at: cup.at, until: cup.until, detail: cup.content.dose?.rawValue,
            source: cup.content.isSuspension ? Self.suspensionSource : nil)
    }

    private static func facts(_ answers: Answers, _ medicine: String?, in zone: Zone) -> [Clearance] {
        func word(_ key: String) -> String? { answers[key]?.stringValue.flatMap { $0 == "none" ? nil : $0 } }
        var facts: [Clearance] = []
        let ended = answers["meal_end_at"]?.instantValue
        if let eaten = word("late_meal") {
            facts.append(
                Clearance(
                    kind: .meal, at: ended, until: ended.map { $0 + meal }, detail: eaten, medicine: medicine))
        }
        if let drinks = word("alcohol") {
            facts.append(
                Clearance(
                    kind: .alcohol, at: answers["alcohol_last_at"]?.instantValue, until: nil, detail: drinks,
                    medicine: medicine))
        }
        // A stimulant without a known time is not told: nobody knows whether it was late.
        if let stimulant = word("stimulants"), let at = answers["caffeine_last_at"]?.instantValue,
            zone.local(at).hour >= lateHour
        {
            facts.append(Clearance(kind: .lateStimulant, at: at, until: nil, detail: stimulant))
        }
        return facts
    }
}

extension LogState {
    /// Returns the shown name of the medicine of a night, whose label is cited (R20.10): that of its dose 1, else that of the regimen
    /// of the date; nil where neither names an oxybate.
    func oxybate(of session: Session?, on date: SessionDate) -> String? {
        let id = session?.dose1?.medicationID ?? regimen(on: date)?.regimen.medicationID
        return id.flatMap { MedicationCatalogue.standard[$0] }.flatMap { $0.isOxybate ? $0.displayName : nil }
    }
}

extension Clearance {
    /// Null is unknown.
    static let description = RecordDescription(
        Clearance(kind: .meal, at: nil, until: nil, detail: nil)
    ) { it in
        it.word("kind", get: { $0.kind }, set: { $0.kind = $1 })
        it.instantOrNull("at", get: { $0.at }, set: { $0.at = $1 })
        it.instantOrNull("until", get: { $0.until }, set: { $0.until = $1 })
        it.textOrNull(
            "detail", "at_least: a dose 2 that is not settled moves the time", get: { $0.detail },
            set: { $0.detail = $1 })
        it.text("source", get: { $0.source }, set: { $0.source = $1 })
    }
}
