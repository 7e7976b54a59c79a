internal import DoseTapDomain
internal import DoseTapEngine

/// Time since the doses of a simulated night, computed independently of the engine, from the readings of the machine's
/// clocks and from true time, which no machine has.
struct JudgedTime {
    /// The time since a dose by the machine's clocks: two figures if the clocks are in doubt.
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
        /// The figures that the service may use: more than one if it need not have noticed a change of its clocks yet.
        let figures: [Figures]
        /// The true time since the dose.
        let passed: Duration

        /// The least figure that the service may use.
        var least: Duration { figures.map(\.least).min() ?? passed }
        /// Upper bound of the shorter figure.
        var leastAtMost: Duration { figures.map(\.least).max() ?? passed }
        /// The greatest figure that the service may use.
        var most: Duration { figures.map(\.most).max() ?? passed }
        /// Lower bound of the longer figure.
        var mostAtLeast: Duration { figures.map(\.most).min() ?? passed }

        /// True if there is no doubt, whatever the service noticed.
        var isCertain: Bool { figures.allSatisfy(\.isCertain) }
        /// True if there is doubt, whatever the service noticed.
        var isDoubtful: Bool { !figures.contains(where: \.isCertain) }

        /// True if the window may be open. The window opens by the shorter figure, and closes by the longer.
        var mayBeOpen: Bool { figures.contains { $0.least >= DoseWindow.opens && $0.most < DoseWindow.closes } }
    }

    private struct Mark {
        let event: EventID
        let at: Instant
        let clock: ClockReading
        /// Number of readings by then.
        let readings: Int
    }

    /// A greater disagreement of the clocks is a doubt.
    private static let noise: Duration = .seconds(60)

    private var marks: [Mark] = []

    mutating func note(_ event: Event, _ entry: Timeline.Entry, _ clocks: JudgedClocks) {
        marks.append(Mark(event: event.id, at: entry.at, clock: entry.clock, readings: clocks.readings.count))
    }

    /// - Parameter recordsClocks: true if the service records its readings of the clocks, as it does for an open
    ///   window; else it knows only what its entries say of them.
    /// - Returns: nil if the dose was not recorded in this night.
    func elapsed(
        since dose: Dose, _ clock: ClockReading, at: Instant, _ clocks: JudgedClocks, recordsClocks: Bool
    ) -> Elapsed? {
        guard let first = marks.firstIndex(where: { $0.event == dose.id }) else { return nil }
        let mark = marks[first]
        let ago = max(.zero, mark.clock.wall - dose.at)
        let since = clocks.readings.dropFirst(mark.readings)
        let now = JudgedClocks.Reading(at: at, clock: clock, isNoticed: false)
        let all = figures(marks[first...], since.lazy.map(\.clock), clock, ago)
        func noticed(_ isNoticed: (JudgedClocks.Reading) -> Bool) -> Figures {
            // The readings are searched one by one, since a slewed clock differs at each reading.
            withoutActuallyEscaping(isNoticed) {
                self.figures(marks[first...], since.lazy.filter($0).map(\.clock), clocks.asNoticed(now, $0), ago)
            }
        }
        // The service need not know a reading it has not made; but in doubt it must read its clocks.
        let known = noticed(\.isNoticed)
        let latest = known.isCertain ? known : noticed { clocks.isNoticed($0, by: at) }
        // The service knows its present reading, though it has not read what came between.
        let present = figures(marks[first...], since.lazy.filter(\.isNoticed).map(\.clock), clock, ago)
        let recorded = figures(marks[first...], marks[first...].dropFirst().map(\.clock), clock, ago)
        var candidates = [all]
        for figures in [latest, present] + (recordsClocks ? [] : [recorded]) where !candidates.contains(figures) {
            candidates.append(figures)
        }
        // A time that was named while the wall clock was not synchronised is in doubt once that clock is corrected.
        let isRight: (JudgedClocks.Reading) -> Bool = {
            $0.clock.isSynchronised && $0.clock.bootID == mark.clock.bootID
        }
        if ago > .zero, !mark.clock.isSynchronised {
            // The correction is the first one, or the first one that the service read.
            let corrections = [since.first(where: isRight), since.first { $0.isNoticed && isRight($0) }]
            for correction in Set(corrections.compactMap { $0.map { $0.ahead - mark.clock.ahead } })
            where correction > Self.noise || correction < .zero - Self.noise {
                candidates += Set([all, latest, present]).map { figures in
                    Figures(figures.least + min(correction, .zero), or: figures.most + max(correction, .zero))
                }
            }
        }
        // A named time for which both clocks agree to a second may go by either clock.
        let gain = clock.ahead - mark.clock.ahead
        if ago > .zero, clock.bootID == mark.clock.bootID, gain > .seconds(-1), gain < .seconds(1), gain != .zero {
            candidates.append(Figures(all.least + gain))
        }
        return Elapsed(figures: candidates, passed: at - mark.at + ago)
    }

    /// - Parameters:
    ///   - marks: the recorded readings, the dose first.
    ///   - since: the readings after the dose.
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
            // Within a boot the counter counts, whatever the wall clock was set to. If the wall clock went ahead of the
            // counter, the counter may have paused.
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
            // A wall clock does not take back counted time.
            return vouched < counted - Self.noise
                ? Figures(counted, or: vouched) : Self.figures(vouched, since: again, now)
        }
        // The wall clock is not synchronised at both ends: the counted time of each boot, and the wall clock.
        let wall = first.map { dose.counted(to: $0) + (now.wall - $0.wall) } ?? now.wall - dose.wall
        return Figures(counted, or: max(counted, ago + wall))
    }

    private static func figures(_ counted: Duration, since base: ClockReading, _ now: ClockReading) -> Figures {
        let gain = now.ahead - base.ahead
        let isDoubtful = gain > noise || gain < .zero - noise && now.isSynchronised
        return isDoubtful ? Figures(counted, or: counted + gain) : Figures(counted)
    }
}

/// Readings of the clocks of a simulated machine, in order.
struct JudgedClocks {
    struct Reading {
        let at: Instant
        let clock: ClockReading
        /// True if the service read the clocks, too.
        var isNoticed: Bool
        /// The number of the reading: two readings may have the same instant.
        var number = -1
        /// True if the change lasted long enough to be noticed by a service that looks for it.
        var isOld = false

        var ahead: Duration { clock.ahead }
    }

    /// The time in which a running service notices a change without a notification: synchronisation or slewing.
    private static let timeout: Duration = .seconds(301)

    /// Readings that differ from the one before.
    private(set) var readings: [Reading] = []
    /// The instant from which service and machine run.
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

    /// Drops unread changes from before this reading: the service knows only the present state of the clocks.
    private mutating func forget() {
        for index in readings.indices.dropLast().reversed() {
            guard !readings[index].isNoticed else { return }
            readings[index].isOld = false
        }
    }

    mutating func resume(at: Instant) {
        settle(by: at)
        awakeSince = at
    }

    /// Marks changes that lasted long enough as noticed.
    private mutating func settle(by now: Instant) {
        guard let last = readings.last, isNoticed(last, by: now) else { return }
        readings[readings.count - 1].isOld = true
    }

    func isNoticed(_ reading: Reading, by now: Instant) -> Bool {
        reading.isNoticed || reading.isOld
            || reading.number == readings.count - 1 && now - max(reading.at, awakeSince) >= Self.timeout
    }

    /// The clocks as the service knows them: its last reading, moved on by the counter.
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
    /// Lead of the wall clock over the counter. Only the changes of the lead within a boot have a meaning.
    fileprivate var ahead: Duration { wall - Instant(seconds: 0) - .microseconds(counterMicroseconds) }

    /// Counted time until another reading in the same boot.
    fileprivate func counted(to other: ClockReading) -> Duration {
        .microseconds(other.counterMicroseconds - counterMicroseconds)
    }

    /// Returns true if only time has passed between both readings.
    fileprivate func shows(asMuchAs other: ClockReading) -> Bool {
        bootID == other.bootID && isSynchronised == other.isSynchronised && ahead == other.ahead
    }
}
