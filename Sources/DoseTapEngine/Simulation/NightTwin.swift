public import DoseTapDomain

/// The same night in which nobody set the clock. Where the clocks are not in doubt, each reminder comes at the same moment.
extension NightVerdict {
    /// Compares a night with its twin; a night in which the clocks were in doubt is not compared.
    public mutating func compare(_ night: NightSimulation.Outcome, with twin: NightSimulation.Outcome) {
        guard doubtful == 0 else { return }
        compared += 1
        let (told, plain) = (Self.told(night.timeline), Self.told(twin.timeline))
        for (name, at) in told where !plain.contains(where: { $0.name == name && Self.isSame($0.at, at) }) {
            complain(.moved, "\(name) at \(at.iso8601), not without the clock's step")
        }
        for (name, at) in plain where !told.contains(where: { $0.name == name && Self.isSame($0.at, at) }) {
            complain(.moved, "no \(name) at \(at.iso8601), as without the clock's step")
        }
    }

    private static func isSame(_ one: Instant, _ other: Instant) -> Bool {
        one - other <= .seconds(1) && other - one <= .seconds(1)
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
