import DoseTapDomain

/// The standing doses and sleep events of a log by the plainest reading of it, written apart from the fold it is compared with.
struct HistoryOracle {
    struct Taken {
        var event: Event
        var at: Instant
    }

    var taken: [Taken] = []
    var slept: [Taken] = []

    init(_ log: [Event]) {
        var undone: Set<EventID> = []
        for event in log {
            if case .actionUndone(let undo) = event.payload { undone.formUnion(undo.events) }
        }
        for event in log where !undone.contains(event.id) {
            switch event.payload {
            case .doseRecorded: taken.append(Taken(event: event, at: event.effectiveAt))
            case .sleepEventRecorded: slept.append(Taken(event: event, at: event.effectiveAt))
            case .entryDeleted(let deletion):
                taken.removeAll { $0.event.id == deletion.target }
                slept.removeAll { $0.event.id == deletion.target }
            case .entryAmended(let amendment):
                guard let at = amendment.at else { continue }
                for place in taken.indices where taken[place].event.id == amendment.target { taken[place].at = at }
            default: break
            }
        }
    }

    /// Whether a dose at a time lies less than 150 minutes from another.
    ///
    /// - Parameters:
    ///   - at: the time named; nil is now.
    ///   - slack: how far from the bound the answer may be wrong: readings of the two clocks differ by noise.
    func isNear(_ at: Instant?, now: ClockReading, apart from: EventID? = nil, slack: Duration = .zero) -> Bool {
        let bound = Duration.minutes(150) + slack
        return taken.contains { other in
            guard other.event.id != from else { return false }
            if let at, at < now.wall {
                let gap = at - other.at
                return gap < bound && gap > .zero - bound
            }
            if now.wall - other.at < bound { return true }
            guard other.event.clock.bootID == now.bootID else { return false }
            let sinceRecording = Duration.microseconds(now.counterMicroseconds - other.event.clock.counterMicroseconds)
            return sinceRecording + (other.event.occurredAt - other.at) < bound
        }
    }
}
