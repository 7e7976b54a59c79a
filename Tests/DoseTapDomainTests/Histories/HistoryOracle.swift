import DoseTapDomain

/// The active doses and sleep events of a log by a plain reading, written apart from the fold under test.
struct HistoryOracle {
    struct Taken {
        var event: Event
        var at: Instant
        /// The clocks at the event that set the time, and how long before that event the time was.
        var clock: ClockReading
        var ago: Duration

        init(_ event: Event, at: Instant, by: Event) {
            self.event = event
            self.at = at
            clock = by.clock
            ago = by.payload.request?.at == nil ? .zero : by.clock.wall - at
        }
    }

    var taken: [Taken] = []
    var slept: [Taken] = []
    private let read: [ClockReading]

    init(_ log: [Event]) {
        read = log.map(\.clock)
        var undone: Set<EventID> = []
        for event in log {
            if case .actionUndone(let undo) = event.payload { undone.formUnion(undo.events) }
        }
        for event in log where !undone.contains(event.id) {
            switch event.payload {
            case .doseRecorded: taken.append(Taken(event, at: event.effectiveAt, by: event))
            case .sleepEventRecorded: slept.append(Taken(event, at: event.effectiveAt, by: event))
            case .entryDeleted(let deletion):
                taken.removeAll { $0.event.id == deletion.target }
                slept.removeAll { $0.event.id == deletion.target }
            case .entryAmended(let amendment):
                guard let at = amendment.at else { continue }
                for place in taken.indices where taken[place].event.id == amendment.target {
                    taken[place] = Taken(taken[place].event, at: at, by: event)
                }
            default: break
            }
        }
    }

    /// True if a dose at a time lies less than 150 minutes from another dose.
    ///
    /// - Parameters:
    ///   - at: The named time; nil is now.
    ///   - slack: The error allowed at the bound, since readings of the two clocks differ by noise.
    func isNear(_ at: Instant?, now: ClockReading, apart from: EventID? = nil, slack: Duration = .zero) -> Bool {
        let bound = Duration.minutes(150) + slack
        return taken.contains { other in
            guard other.event.id != from else { return false }
            let ago = at.map { max(.zero, now.wall - $0) } ?? .zero
            let counted = Duration.microseconds(now.counterMicroseconds - other.clock.counterMicroseconds)
            let since = other.clock.bootID == now.bootID ? counted + other.ago : acrossBoots(other, now)
            let gap = since - ago
            return ago > .zero ? gap < bound && gap > .zero - bound : gap < bound
        }
    }

    /// The time by the wall clock, but at least the time that both boots have counted.
    private func acrossBoots(_ other: Taken, _ now: ClockReading) -> Duration {
        func counted(_ first: ClockReading, _ last: ClockReading) -> Duration {
            max(.zero, .microseconds(last.counterMicroseconds - first.counterMicroseconds))
        }
        let first = read.first { $0.bootID == now.bootID } ?? now
        let last = read.last { $0.bootID == other.clock.bootID } ?? other.clock
        let before = max(counted(other.clock, last) + other.ago, first.wall - (other.clock.wall - other.ago))
        return max(now.wall - (other.clock.wall - other.ago), before + counted(first, now))
    }
}
