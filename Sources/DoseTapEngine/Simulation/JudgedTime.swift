internal import DoseTapDomain

/// How much time has passed since the doses of a simulated night: arithmetic of the judge's own, from the moments at which
/// something was recorded.
struct JudgedTime {
    /// Time since a dose.
    struct Elapsed {
        /// By the clock that says least, of those that count.
        let least: Duration
        /// By the one that says most.
        let most: Duration
        /// By a clock that nobody sets. After a new boot no machine can know it.
        let passed: Duration
    }

    private struct Mark {
        let event: EventID
        let at: Instant
        let clock: ClockReading
    }

    private var marks: [Mark] = []

    mutating func note(_ event: Event, _ entry: Timeline.Entry) {
        marks.append(Mark(event: event.id, at: entry.at, clock: entry.clock))
    }

    /// Within a boot both clocks count. Across boots the wall clock does; but what passed between two things recorded in
    /// one boot cannot be taken back by it.
    ///
    /// - Returns: nil when the dose was not recorded in this night.
    func elapsed(since dose: Dose, _ clock: ClockReading, at: Instant) -> Elapsed? {
        guard let first = marks.firstIndex(where: { $0.event == dose.id }) else { return nil }
        let ago = max(.zero, marks[first].clock.wall - dose.at)
        let (wall, passed) = (clock.wall - dose.at, at - marks[first].at + ago)
        if marks[first].clock.bootID == clock.bootID {
            return Elapsed(least: min(wall, passed), most: max(wall, passed), passed: passed)
        }
        var known = ago
        for (mark, next) in zip(marks[first...], marks[first...].dropFirst())
        where mark.clock.bootID == next.clock.bootID {
            known += next.at - mark.at
        }
        if let last = marks.last, last.clock.bootID == clock.bootID { known += at - last.at }
        return Elapsed(least: wall, most: max(wall, known), passed: passed)
    }
}
