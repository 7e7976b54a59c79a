/// The time since dose 1: one figure if the clocks leave no doubt, two if they do (R2.16–R2.19).
///
/// Within a boot the counter counts, whatever is done to the wall clock. In each boot wall and counter are compared from the
/// first synchronised reading at or after dose 1; before that reading, from dose 1. Earlier corrections do not count.
public struct ElapsedTime: Hashable, Sendable {
    /// The counted time: the true figure if the wall clock is wrong.
    public let counted: Duration
    /// The time by the wall clock: the true figure if that clock is right.
    public let byWall: Duration
    /// The least time that may have passed. Opening and sleeping through go by this figure.
    public let shorter: Duration
    /// The most time that may have passed. Reminders and the closing go by this figure.
    public let longer: Duration
    /// False if either figure may be true, or if only the least is known.
    public let isCertain: Bool

    /// The largest difference between wall and counter that drift and the moments of reading explain.
    static let tolerance: Duration = .seconds(60)
    /// The most that a counter may be behind one on record. A counter further behind is that of an earlier state of the machine.
    private static let noise: Duration = .seconds(1)

    /// Creates a certain time.
    public init(certain duration: Duration) {
        (counted, byWall, shorter, longer) = (duration, duration, duration, duration)
        isCertain = true
    }

    /// Creates a doubtful time. The further figures are those of a time that was named.
    init(counted: Duration, byWall: Duration, further: [Duration] = []) {
        self.counted = counted
        // A wall clock that stands before the dose means that no time has passed, not that the dose is to come.
        self.byWall = max(.zero, byWall)
        let all = [counted, self.byWall] + further.map { max(.zero, $0) }
        shorter = all.min() ?? counted
        longer = all.max() ?? counted
        isCertain = false
    }

    /// Creates the time since a moment that was said.
    ///
    /// - Parameters:
    ///   - moment: the moment in question, with the clocks when it was said.
    ///   - later: the clocks at later events, in the order of the log.
    ///   - isNamed: true if the end is a named time, too, and not now.
    public init(
        since moment: SaidMoment, then later: some Sequence<ClockReading>, now: ClockReading, isNamed: Bool = false
    ) {
        let later = Array(later)
        guard Self.isCounted(moment.clock, later, now) else {
            self = Self.acrossBoots(moment, later, now)
            return
        }
        let time = Self.withinBoot(moment, later, now)
        // If both clocks agree to a second, the wall clock decides between times that were named by it.
        self = isNamed || moment.isNamedByClock ? time.moved(by: now.noise(since: moment.clock)) : time
    }

    /// True if the doubt matters for the window, so that a dose 2 asks about the clock: not if both figures are too short, or
    /// both too long.
    public var isDoubtful: Bool {
        !isCertain && longer >= DoseWindow.opens && shorter < DoseWindow.closes
    }

    /// Returns the time with all figures moved by a duration.
    public func moved(by duration: Duration) -> ElapsedTime {
        guard !isCertain else { return ElapsedTime(certain: counted + duration) }
        return ElapsedTime(
            counted: counted + duration, byWall: byWall + duration, further: [shorter + duration, longer + duration])
    }

    // MARK: Within a boot

    /// Returns true if one counter counted all the time: the same boot, and no reading behind the one before.
    private static func isCounted(_ first: ClockReading, _ later: [ClockReading], _ now: ClockReading) -> Bool {
        guard first.bootID == now.bootID, !now.bootID.isEmpty else { return false }
        var last = first.counterMicroseconds
        for reading in later where reading.bootID == now.bootID {
            guard reading.counter(since: last) > .zero - noise else { return false }
            last = reading.counterMicroseconds
        }
        return now.counter(since: last) > .zero - noise
    }

    private static func withinBoot(_ moment: SaidMoment, _ later: [ClockReading], _ now: ClockReading) -> ElapsedTime {
        let said = moment.clock
        let counted = now.counter(since: said.counterMicroseconds) + moment.ago
        let base =
            said.isSynchronised
            ? said
            : later.first { $0.isSynchronised && $0.bootID == now.bootID } ?? (now.isSynchronised ? now : nil)
        let gain = now.gain(since: base ?? said)
        let isWallDoubted = gain > tolerance || gain < .zero - tolerance && now.isSynchronised
        let time =
            isWallDoubted ? ElapsedTime(counted: counted, byWall: counted + gain) : ElapsedTime(certain: counted)
        return time.doubting(moment, correctedBy: base)
    }

    /// Adds the doubt about a time that was named by a wrong wall clock: nobody knows which clock was meant.
    ///
    /// - Parameter base: the first synchronised reading of that boot.
    private func doubting(_ moment: SaidMoment, correctedBy base: ClockReading?) -> ElapsedTime {
        guard moment.isNamedByClock, !moment.clock.isSynchronised, let correction = base?.gain(since: moment.clock),
            correction.magnitude > Self.tolerance, counted + correction > .zero
        else { return self }
        return ElapsedTime(
            counted: counted, byWall: byWall + correction,
            further: [counted + correction, byWall, shorter, longer, shorter + correction, longer + correction])
    }

    // MARK: Across boots

    /// The wall clock between two synchronised readings counts. Without such a reading in both boots the time may be the counted
    /// one, or that of the wall clock, if it is longer.
    private static func acrossBoots(
        _ moment: SaidMoment, _ later: [ClockReading], _ now: ClockReading
    ) -> ElapsedTime {
        let said = moment.clock
        let first = firstSynchronised(said, later)
        let running = running(later, now)
        let second = running.first(where: \.isSynchronised)
        if let first, let second {
            let between = second.wall - first.wall
            let counted =
                moment.ago + first.counter(since: said.counterMicroseconds) + between
                + now.counter(since: second.counterMicroseconds)
            let least = moment.ago + passed(said, later, now)
            let gain = now.gain(since: second)
            let isDoubted = gain > tolerance || gain < .zero - tolerance && now.isSynchronised
            guard counted >= least - tolerance else { return ElapsedTime(counted: least, byWall: counted) }
            let time = isDoubted ? ElapsedTime(counted: counted, byWall: counted + gain) : ElapsedTime(certain: counted)
            return time.doubting(moment, correctedBy: first)
        }
        let counted = moment.ago + passed(said, later, now)
        let base = first ?? said
        let byWall =
            moment.ago + (now.wall - said.wall) - (base.wall - said.wall)
            + base.counter(since: said.counterMicroseconds)
        return ElapsedTime(counted: counted, byWall: max(counted, byWall))
    }

    /// Returns the first synchronised reading of the first reading's boot; nil if the counter went back before it.
    private static func firstSynchronised(_ first: ClockReading, _ later: [ClockReading]) -> ClockReading? {
        var last = first
        for reading in [first] + later where reading.bootID == first.bootID {
            if reading.counter(since: last.counterMicroseconds) < .zero - noise { return nil }
            if reading.isSynchronised { return reading }
            last = reading
        }
        return nil
    }

    /// Returns the readings of the present boot since its counter last went back.
    private static func running(_ later: [ClockReading], _ now: ClockReading) -> [ClockReading] {
        var readings: [ClockReading] = []
        for reading in later + [now] where reading.bootID == now.bootID {
            if let last = readings.last, reading.counter(since: last.counterMicroseconds) < .zero - noise {
                readings = []
            }
            readings.append(reading)
        }
        return readings
    }

    /// Returns the least time that has passed: the time that the counters counted between one reading and the next. The time for
    /// which the machine was off in between is unknown.
    static func passed(_ first: ClockReading, _ later: [ClockReading], _ now: ClockReading) -> Duration {
        var passed: Duration = .zero
        // The lag of each boot's counter behind the time that had passed. The log gives the order of two readings.
        var behind: [String: Duration] = [:]
        for reading in [first] + later + [now] where !reading.bootID.isEmpty {
            let counter = Duration.microseconds(reading.counterMicroseconds)
            let known = behind[reading.bootID] ?? passed - counter
            passed = max(passed, counter + known)
            behind[reading.bootID] = max(known, passed - counter)
        }
        return passed
    }
}

/// The moment at which something is said to have happened, with the clocks at the time of saying.
public struct SaidMoment: Hashable, Sendable {
    /// The clocks at the recording, or at the amendment of the time.
    public let clock: ClockReading
    /// The time from the moment to the recording.
    public let ago: Duration
    /// True if the person named a time of day, not how long ago the moment was.
    public let isNamedByClock: Bool

    public init(clock: ClockReading, ago: Duration, isNamedByClock: Bool) {
        self.clock = clock
        self.ago = ago
        self.isNamedByClock = isNamedByClock
    }
}

/// The moment at which a dose is said to have been taken, with the clocks at later events.
struct SaidDose: Hashable {
    let moment: SaidMoment
    /// The clocks at later events, as far as they matter, because every question looks at all of them: of a boot whose counter
    /// goes on, the first, the first synchronised and the last reading.
    let later: [ClockReading]
    /// The last recorded step of the clocks since then.
    let step: Event?

    init(moment: SaidMoment, later readings: some Sequence<ClockReading>, step: Event? = nil) {
        self.moment = moment
        self.step = step
        var kept: [ClockReading] = []
        var isSynchronised = false
        var isBetween = false
        for reading in readings {
            let last = kept.last
            if let last, last.bootID == reading.bootID, reading.counterMicroseconds >= last.counterMicroseconds {
                if isBetween { kept.removeLast() }
                isBetween = isSynchronised || !reading.isSynchronised
                isSynchronised = isSynchronised || reading.isSynchronised
            } else {
                isBetween = false
                isSynchronised = reading.isSynchronised
            }
            kept.append(reading)
        }
        later = kept
    }
}

extension ClockReading {
    /// Returns the time by the counter since it showed a value.
    func counter(since microseconds: Int64) -> Duration { .microseconds(counterMicroseconds - microseconds) }

    /// Returns the reading at the moment when the wall clock shows an instant, if nobody sets that clock.
    func moved(to instant: Instant) -> ClockReading {
        ClockReading(
            wall: instant, counterMicroseconds: counterMicroseconds + (instant - wall).wholeMilliseconds * 1_000,
            bootID: bootID, isSynchronised: isSynchronised)
    }

    /// Returns the gain since a reading if it is below a second: clocks are read in turn, and drift. Else returns zero.
    func noise(since earlier: ClockReading) -> Duration {
        let gain = gain(since: earlier)
        return bootID == earlier.bootID && gain.magnitude < .seconds(1) ? gain : .zero
    }

    /// Returns the gain of the wall clock on the counter since a reading of the same boot.
    func gain(since earlier: ClockReading) -> Duration {
        (wall - earlier.wall) - counter(since: earlier.counterMicroseconds)
    }
}

extension Duration {
    /// The duration without its sign.
    public var magnitude: Duration { self < .zero ? .zero - self : self }
}

/// The readings of the machine's clocks at one moment. Callers hand them in; no code here reads a clock.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// The counter, in microseconds, which also counts while the machine sleeps. Nothing sets or slews the counter. The value is
    /// held within a quarter of the type's range, so that the difference of any two, even of a damaged log, can be told.
    public let counterMicroseconds: Int64
    /// The boot in which `counterMicroseconds` counts.
    public let bootID: String
    /// True if the wall clock is kept right, as far as the kernel knows.
    public let isSynchronised: Bool

    /// Time since an event was recorded: within one boot by the counter, else by the wall clock.
    public func elapsed(since event: Event) -> Duration {
        guard event.clock.bootID == bootID, !bootID.isEmpty else { return wall - event.occurredAt }
        return .microseconds(counterMicroseconds - event.clock.counterMicroseconds)
    }

    /// Returns true if an event was recorded within a time before now, as far as the clocks vouch for that: by one counter that
    /// went on, or by a wall clock that was synchronised then and is now. An event ahead by more than a second is not recent.
    func vouches(that event: Event, isWithin window: Duration) -> Bool {
        let isCounted = event.clock.bootID == bootID && !bootID.isEmpty
        guard isCounted || isSynchronised && event.clock.isSynchronised else { return false }
        return (.seconds(-1)...window).contains(elapsed(since: event))
    }

    private static let counterRange = Int64.min / 4...Int64.max / 4

    public init(wall: Instant, counterMicroseconds: Int64, bootID: String, isSynchronised: Bool) {
        self.wall = wall
        self.counterMicroseconds = min(
            max(counterMicroseconds, Self.counterRange.lowerBound), Self.counterRange.upperBound)
        self.bootID = bootID
        self.isSynchronised = isSynchronised
    }
}
