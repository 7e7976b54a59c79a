internal import DoseTapDomain
internal import DoseTapEngine

/// How much time has passed since the doses of a simulated night: arithmetic of the judge's own, from what the clocks of the
/// machine showed and when, and from a clock that no machine has.
struct JudgedTime {
    /// What the clocks let the machine know of the time since a dose: two figures where they are in doubt.
    struct Figures: Hashable {
        let least: Duration
        let most: Duration
        let isCertain: Bool

        init(_ certain: Duration) { (least, most, isCertain) = (certain, certain, true) }

        init(_ one: Duration, or other: Duration) {
            (least, most, isCertain) = (min(one, other), max(one, other), false)
        }
    }

    /// Time since a dose.
    struct Elapsed {
        /// What the service may go by: one, or two where it need not have noticed yet what its clocks show.
        let figures: [Figures]
        /// By a clock that nobody sets.
        let passed: Duration

        /// The least that it may go by.
        var least: Duration { figures.map(\.least).min() ?? passed }
        /// The shorter figure is no more than this.
        var leastAtMost: Duration { figures.map(\.least).max() ?? passed }
        /// The most that it may go by.
        var most: Duration { figures.map(\.most).max() ?? passed }
        /// The longer figure is no less than this.
        var mostAtLeast: Duration { figures.map(\.most).min() ?? passed }

        /// Whether there is no doubt, whatever it noticed.
        var isCertain: Bool { figures.allSatisfy(\.isCertain) }
        /// Whether there is doubt, whatever it noticed.
        var isDoubtful: Bool { !figures.contains(where: \.isCertain) }

        /// Whether the window may be open: it opens by the shorter figure, and closes by the longer.
        var mayBeOpen: Bool { figures.contains { $0.least >= DoseWindow.opens && $0.most < DoseWindow.closes } }
    }

    private struct Mark {
        let event: EventID
        let at: Instant
        let clock: ClockReading
        /// How many readings there were by then.
        let readings: Int
    }

    /// The clocks disagree beyond this.
    private static let noise: Duration = .seconds(60)

    private var marks: [Mark] = []

    mutating func note(_ event: Event, _ entry: Timeline.Entry, _ clocks: JudgedClocks) {
        marks.append(Mark(event: event.id, at: entry.at, clock: entry.clock, readings: clocks.readings.count))
    }

    /// - Returns: nil when the dose was not recorded in this night.
    func elapsed(since dose: Dose, _ clock: ClockReading, at: Instant, _ clocks: JudgedClocks) -> Elapsed? {
        guard let first = marks.firstIndex(where: { $0.event == dose.id }) else { return nil }
        let mark = marks[first]
        let ago = max(.zero, mark.clock.wall - dose.at)
        let since = clocks.readings.dropFirst(mark.readings)
        let now = JudgedClocks.Reading(at: at, clock: clock, isNoticed: false)
        let all = figures(marks[first...], since.lazy.map(\.clock), clock, ago)
        func noticed(_ isNoticed: (JudgedClocks.Reading) -> Bool) -> Figures {
            // Looked for one by one, for a clock that is slewed shows another time each time.
            withoutActuallyEscaping(isNoticed) {
                self.figures(marks[first...], since.lazy.filter($0).map(\.clock), clocks.asNoticed(now, $0), ago)
            }
        }
        // What it has not looked at it need not know; but in doubt it has to look.
        let known = noticed(\.isNoticed)
        let latest = known.isCertain ? known : noticed { clocks.isNoticed($0, by: at) }
        var candidates = [all]
        if latest != all { candidates.append(latest) }
        // An instant that was named while nothing vouched for the wall clock is in doubt once that is corrected.
        let isRight: (JudgedClocks.Reading) -> Bool = {
            $0.clock.isSynchronised && $0.clock.bootID == mark.clock.bootID
        }
        if ago > .zero, !mark.clock.isSynchronised {
            // By the first of them, or the first that it looked at.
            let corrections = [since.first(where: isRight), since.first { $0.isNoticed && isRight($0) }]
            for correction in Set(corrections.compactMap { $0.map { $0.ahead - mark.clock.ahead } })
            where correction > Self.noise || correction < .zero - Self.noise {
                candidates += Set([all, latest]).map { figures in
                    Figures(figures.least + min(correction, .zero), or: figures.most + max(correction, .zero))
                }
            }
        }
        // So is a time that was named where both clocks agree to a second: it may go by either.
        let gain = clock.ahead - mark.clock.ahead
        if ago > .zero, clock.bootID == mark.clock.bootID, gain > .seconds(-1), gain < .seconds(1), gain != .zero {
            candidates.append(Figures(all.least + gain))
        }
        return Elapsed(figures: candidates, passed: at - mark.at + ago)
    }

    /// - Parameters:
    ///   - marks: what was recorded, the dose first.
    ///   - since: what the clocks showed after it.
    private func figures(
        _ marks: ArraySlice<Mark>, _ since: some Sequence<ClockReading>, _ now: ClockReading, _ ago: Duration
    ) -> Figures {
        guard let dose = marks.first?.clock else { return Figures(ago) }
        func synchronised(in bootID: String) -> ClockReading? {
            let isOne = { (reading: ClockReading) in reading.bootID == bootID && reading.isSynchronised }
            return since.first(where: isOne) ?? (isOne(now) ? now : nil)
        }
        let first =
            dose.isSynchronised ? dose : synchronised(in: dose.bootID)
        if dose.bootID == now.bootID {
            // Within a boot it is the counter, whatever the wall clock was set to; but if that went ahead of the counter, the
            // counter may have stood still.
            return Self.figures(ago + dose.counted(to: now), since: first ?? dose, now)
        }
        var counted = ago
        for (mark, next) in zip(marks, marks.dropFirst()) where mark.clock.bootID == next.clock.bootID {
            counted += mark.clock.counted(to: next.clock)
        }
        if let last = marks.last, last.clock.bootID == now.bootID { counted += last.clock.counted(to: now) }
        let again = synchronised(in: now.bootID)
        if let first, let again {
            let vouched = ago + dose.counted(to: first) + (again.wall - first.wall) + again.counted(to: now)
            // No wall clock takes back what was counted.
            return vouched < counted - Self.noise
                ? Figures(counted, or: vouched) : Self.figures(vouched, since: again, now)
        }
        // Nothing vouches for the wall clock at both ends: what was counted in each boot, and the wall clock.
        let wall = first.map { dose.counted(to: $0) + (now.wall - $0.wall) } ?? now.wall - dose.wall
        return Figures(counted, or: max(counted, ago + wall))
    }

    private static func figures(_ counted: Duration, since base: ClockReading, _ now: ClockReading) -> Figures {
        let gain = now.ahead - base.ahead
        let isDoubtful = gain > noise || gain < .zero - noise && now.isSynchronised
        return isDoubtful ? Figures(counted, or: counted + gain) : Figures(counted)
    }
}

/// What the clocks of a simulated machine showed, in order.
struct JudgedClocks {
    struct Reading {
        let at: Instant
        let clock: ClockReading
        /// Whether the service looked at them, too.
        var isNoticed: Bool
        /// Which one it is: two may be of one instant.
        var number = -1
        /// Whether they stayed so for long enough to be noticed by a service that looks for it.
        var isOld = false

        var ahead: Duration { clock.ahead }
    }

    /// How long a service that runs may take to notice what nothing tells it: that the clock is synchronised, or slewed.
    private static let patience: Duration = .seconds(301)

    /// Those that differ from the one before.
    private(set) var readings: [Reading] = []
    /// Since when the service runs, and the machine does.
    private var awakeSince = Instant.min

    mutating func note(_ clock: ClockReading, at: Instant, isNoticed: Bool) {
        if let last = readings.last, last.clock.shows(asMuchAs: clock) {
            if isNoticed { readings[readings.count - 1].isNoticed = true }
        } else {
            settle(by: at)
            readings.append(Reading(at: at, clock: clock, isNoticed: isNoticed, number: readings.count))
        }
        if isNoticed { forget() }
    }

    /// What was not looked at before this look never will be: the service knows the clocks as it finds them.
    private mutating func forget() {
        for index in readings.indices.dropLast().reversed() {
            guard !readings[index].isNoticed else { return }
            readings[index].isOld = false
        }
    }

    /// The service was away.
    mutating func resume(at: Instant) {
        settle(by: at)
        awakeSince = at
    }

    /// What has been so for long enough was noticed.
    private mutating func settle(by now: Instant) {
        guard let last = readings.last, isNoticed(last, by: now) else { return }
        readings[readings.count - 1].isOld = true
    }

    func isNoticed(_ reading: Reading, by now: Instant) -> Bool {
        reading.isNoticed || reading.isOld
            || reading.number == readings.count - 1 && now - max(reading.at, awakeSince) >= Self.patience
    }

    /// What the service takes the clocks to show: as when it last looked, moved on by the counter.
    func asNoticed(_ now: Reading, _ isNoticed: (Reading) -> Bool) -> ClockReading {
        guard let last = readings.last(where: isNoticed),
            last.clock.bootID == now.clock.bootID
        else { return now.clock }
        return ClockReading(
            wall: now.clock.wall - (now.ahead - last.ahead), counterMicroseconds: now.clock.counterMicroseconds,
            bootID: now.clock.bootID, isSynchronised: last.clock.isSynchronised)
    }
}

extension ClockReading {
    /// How far the wall clock is ahead of the counter; only its changes mean something, and only within a boot.
    fileprivate var ahead: Duration { wall - Instant(seconds: 0) - .microseconds(counterMicroseconds) }

    /// What the counter counted until another reading in the same boot.
    fileprivate func counted(to other: ClockReading) -> Duration {
        .microseconds(other.counterMicroseconds - counterMicroseconds)
    }

    /// Whether only time has passed since.
    fileprivate func shows(asMuchAs other: ClockReading) -> Bool {
        bootID == other.bootID && isSynchronised == other.isSynchronised && ahead == other.ahead
    }
}
