/// What became of the doses of a night, in a word.
public enum NightOutcome: String, Hashable, Sendable, CaseIterable {
    /// Both doses, the second from 150:00 on and before 240:00.
    case onTime = "on_time"
    /// Both doses, the second before 150:00.
    case early
    /// Both doses, the second from 240:00 on.
    case late
    /// The person skipped dose 2.
    case skipped
    /// The window went by and nothing says what became of dose 2.
    case notRecorded = "not_recorded"
    /// Dose 2 is still open.
    case pending
    /// The one dose of a once-nightly night.
    case onceNightly = "once_nightly"
    /// No dose 1 is on record.
    case noDose1 = "no_dose1"
    /// Dose 2 lies before dose 1: shown, never repaired.
    case anomaly

    /// The outcome of a night as it stands.
    public init(_ session: Session) {
        guard session.dose1 != nil else {
            self = .noDose1
            return
        }
        if let interval = session.interval {
            self = Self.of(interval)
        } else if session.rules.onceNightly {
            self = .onceNightly
        } else if session.isSkippedByPerson {
            self = .skipped
        } else {
            self = session.hasUnresolvedWindow && session.isOpen ? .pending : .notRecorded
        }
    }

    /// The outcome of an interval between the doses (R5).
    static func of(_ interval: Duration) -> NightOutcome {
        if interval < .zero { return .anomaly }
        if interval < DoseWindow.opens { return .early }
        return DoseWindow.isOnTime(interval) ? .onTime : .late
    }

    /// Whether the night expected a second dose and is decided: only such nights count for compliance.
    public var isJudged: Bool {
        switch self {
        case .onTime, .early, .late, .skipped, .notRecorded: true
        case .pending, .onceNightly, .noDose1, .anomaly: false
        }
    }
}

extension Session {
    /// Whether the morning asks with this entry what became of a dose 2 that nobody recorded: with the final wake, else
    /// with the check-in, once.
    func isDose2Asked(by event: Event) -> Bool {
        guard NightOutcome(self) == .notRecorded else { return false }
        switch event.payload {
        case .finalWakeRecorded: return true
        case .checkinRecorded(let saved):
            let unknownSince = skips.first(where: \.isAutomatic)?.at ?? .min
            return saved.amends == nil && !wakes.contains { $0.at >= unknownSince }
        default: return false
        }
    }

    /// How complete the night was; nil while it is open: it is not over yet.
    public var nightScore: Int? {
        guard !isOpen else { return nil }
        var facts = NightScore.Facts()
        facts.dose1 = dose1 != nil
        facts.dose2 = dose2 != nil
        facts.skipped = isDose2Skipped
        facts.onceNightly = rules.onceNightly
        facts.interval = interval
        facts.lightsOut = sleepEvents.contains { $0.type == SleepEventWord.lightsOut }
        facts.finalWake = !wakes.isEmpty
        facts.checkIn = checkIn != nil
        facts.totalSleepMinutes = sleepDiary.totalSleepMinutes.map { Double($0) }
        return NightScore.of(facts)
    }
}
