/// The next step that is safe: a person who follows it as shown records no dose that the facts do not call for.
/// The answer to a question is never a next step; it is told separately.
public enum NextStep: Hashable, Sendable {
    /// Read the status of the night.
    case status
    /// Follow the status as the night goes on.
    case follow
    /// Find the fault: nobody knows what the log holds.
    case doctor
    /// Show the night of a date.
    case show(SessionDate)
    /// Record a dose, once the dose is taken.
    case logDose(DoseKind)
    case skip
    case wake
    case checkIn

    /// The time for following a step.
    public enum Moment: String, Hashable, Sendable, CaseIterable {
        case now
        /// Not before the dose was taken.
        case onceTaken = "once_taken"
        /// In the morning: the step would end a night that is still going on.
        case inTheMorning = "in_the_morning"
    }

    /// The step without its date; the raw value is the wire word.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        case status, follow, doctor, show
        case logDose1 = "log_dose1"
        case logDose2 = "log_dose2"
        case logExtra = "log_extra"
        case skip, wake
        case checkIn = "checkin"
    }

    public var code: Code {
        switch self {
        case .status: .status
        case .follow: .follow
        case .doctor: .doctor
        case .show: .show
        case .logDose(.dose1): .logDose1
        case .logDose(.dose2): .logDose2
        case .logDose(.extra): .logExtra
        case .skip: .skip
        case .wake: .wake
        case .checkIn: .checkIn
        }
    }

    public var moment: Moment {
        switch self {
        case .logDose: .onceTaken
        case .wake: .inTheMorning
        case .status, .follow, .doctor, .show, .skip, .checkIn: .now
        }
    }

    /// The command that records the step; nil for a step that only tells.
    public var command: Command? {
        switch self {
        case .logDose(let kind): .logDose(kind)
        case .skip: .skipDose2
        case .wake: .logFinalWake
        case .checkIn: .saveCheckIn([:], night: nil)
        case .status, .follow, .doctor, .show: nil
        }
    }

    /// Chooses the step for the night as it stands now: one pure function for every surface.
    ///
    /// - Parameter isCertain: false while nobody knows what the log holds, or how much time has passed.
    public init(_ logState: LogState, _ context: DecisionContext, isCertain: Bool = true) {
        guard isCertain else {
            self = .doctor
            return
        }
        self.init(certain: logState, context)
        // A person who has just removed an entry of the window is not asked to record it again.
        if [.logDose1, .logDose2, .logExtra, .skip, .wake].contains(code), let removal = logState.lastRemoval,
            context.clock.vouches(that: removal, isWithin: LogState.actionMemory)
        {
            self = .status
        }
    }

    private init(certain logState: LogState, _ context: DecisionContext) {
        let night = logState.open
        let window = night?.window(asOf: nil, now: context.clock)
        // A doubt about the time sends nobody to a dose or to a skip.
        if let window, !window.isCertain, night?.hasUnresolvedWindow == true {
            self = .status
            return
        }
        switch window?.phase ?? .noDose1 {
        case .noDose1:
            let date = logState.presentDate(context)
            let ended = logState.sessions.filter { $0.id != night?.id && $0.hasSigns && !$0.isOpen }
            let over =
                ended.last { $0.date == date }
                ?? ended.last { $0.isDosed(within: RegistrationPolicy.recent, of: context.now) }
            guard let over else {
                self = .logDose(.dose1)
                return
            }
            self = over.isCheckInPending ? .checkIn : .show(over.date)
        case .beforeWindow: self = .follow
        case .active, .nearClose:
            // If another night of the date has doses, one more dose is never the next step.
            let isDosed = logState.sessions.contains {
                $0.id != night?.id && $0.date == night?.date && !$0.doses.isEmpty
            }
            self = isDosed ? .status : .logDose(.dose2)
        case .closed: self = .skip
        case .completed, .finalizing:
            if let night, night.hasUnresolvedWindow {
                // The wake or the check-in may be the mistake as long as the window is not over.
                self = window?.time.map { $0.longer >= DoseWindow.closes } == true ? .skip : .status
            } else if let night, let dosed = logState.night(behind: night) {
                self = dosed.isCheckInPending ? .checkIn : .show(dosed.date)
            } else if let night, night.checkIn != nil {
                self = .show(night.date)
            } else {
                self = night?.finalWakes.isEmpty == false ? .checkIn : .wake
            }
        }
    }
}

extension Session {
    /// Returns true if the doses of the last hours before a moment, by the wall clock, are as many as the night has.
    fileprivate func isDosed(within hours: Duration, of moment: Instant) -> Bool {
        doses.count { (.zero..<hours).contains(moment - $0.wall) } >= RegistrationPolicy.prescribed(rules.onceNightly)
    }
}

extension NextStep {
    /// The step as a part of the status.
    public struct Record: Hashable, Sendable {
        public var code: Code
        /// The date of the night to show; nil for other steps.
        public var date: SessionDate?
        public var moment: Moment
        /// The command line in the words of a surface; nil on D-Bus.
        public var command: String?

        public init(_ step: NextStep) {
            (code, moment) = (step.code, step.moment)
            if case .show(let date) = step { self.date = date }
        }

        static let description = RecordDescription(
            Record(.status)
        ) { it in
            it.textOrNull(
                "command", "what a person types; not on D-Bus", null: .absent, get: { $0.command },
                set: { $0.command = $1 })
            it.word("when", get: { $0.moment }, set: { $0.moment = $1 })
            // A step that only a newer service knows becomes `status`.
            it.value(
                "step", .words { Code.allCases.map { $0.rawValue } }, get: { .string($0.code.rawValue) },
                set: { (record, value) throws(PayloadError) in
                    record.code = value?.stringValue.flatMap(Code.init(rawValue:)) ?? .status
                    return true
                })
            it.dateOrNull(
                "session_date", "of the night to show", null: .absent, get: { $0.date }, set: { $0.date = $1 })
        }
    }
}
