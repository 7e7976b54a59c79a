public import DoseTapDomain

/// The same night in which nobody set the clock. Where the clocks are not in doubt, each reminder comes at the same moment.
extension NightVerdict {
    /// Compares a night with its twin; a night in which the clocks were in doubt is not compared.
    public mutating func compare(_ night: NightSimulation.Outcome, with twin: NightSimulation.Outcome) {
        guard doubtful == 0 else { return }
        compared += 1
        let (told, plain) = (Self.told(night.timeline), Self.told(twin.timeline))
        // Across boots the wall clock counts, which may have been set or slewed by up to a minute without a doubt. Then a
        // reminder that is due as the machine goes to sleep may come before that or after it.
        let reboots = night.timeline.contains { if case .befell(.reboot) = $0.what { true } else { false } }
        let tolerance: Duration = reboots ? .seconds(61) : .seconds(1)
        let pauses = reboots ? (night.timeline + twin.timeline).filter(Self.isPause).map(\.at) : []
        func isSame(_ one: Instant, _ other: Instant) -> Bool { one - other <= tolerance && other - one <= tolerance }
        func isMissing(_ one: (name: String, at: Instant), in others: [(name: String, at: Instant)]) -> Bool {
            !others.contains { $0.name == one.name && isSame($0.at, one.at) } && !pauses.contains { isSame($0, one.at) }
        }
        for one in told where isMissing(one, in: plain) {
            complain(.moved, "\(one.name) at \(one.at.iso8601), not without the clock's step")
        }
        for one in plain where isMissing(one, in: told) {
            complain(.moved, "no \(one.name) at \(one.at.iso8601), as without the clock's step")
        }
    }

    /// The service is away from then on, or goes on.
    private static func isPause(_ entry: Timeline.Entry) -> Bool {
        switch entry.what {
        case .befell(.suspend), .befell(.crash), .befell(.reboot), .resumed: true
        default: false
        }
    }

    /// What was told of the window, and what opened and closed it, by a clock that nobody sets.
    private static func told(_ timeline: [Timeline.Entry]) -> [(name: String, at: Instant)] {
        timeline.compactMap { entry in
            switch entry.what {
            case .recorded(let event):
                guard case .reminderFired(let payload) = event.payload, payload.reminder.isOfWindow else { return nil }
                return (payload.reminder.rawValue, entry.at)
            case .phase(_, let new):
                guard [.beforeWindow, .active, .nearClose, .closed].contains(new) else { return nil }
                return ("phase \(new.rawValue)", entry.at)
            default: return nil
            }
        }
    }
}

extension NightScript {
    /// Whether something befalls its clocks.
    public var disturbsClocks: Bool { steps.contains { $0.act.disturbsClocks } }

    /// The same night with clocks that nobody sets; nil where they stand still, which no machine can know.
    public var undisturbed: NightScript? {
        guard !steps.contains(where: { if case .pause = $0.act { true } else { false } }) else { return nil }
        return NightScript(
            zone: zone, start: start, end: end, rules: rules, ladder: ladder,
            steps: steps.filter { !$0.act.disturbsClocks }, notes: notes)
    }
}

extension NightScript.Act {
    fileprivate var disturbsClocks: Bool {
        switch self {
        case .clock, .pause, .rtc, .slew, .reboot(_, synchronised: false): true
        case .asks, .suspend, .crash, .reboot, .travel, .channel, .rules: false
        }
    }
}
