/// Time since dose 1: one figure where the clocks leave no doubt, two where they do (R2.16–R2.19).
///
/// Within a boot the counter counts, whatever is done to the wall clock. In each boot wall and counter are compared from the
/// first synchronised reading at or after dose 1, until then from dose 1: earlier corrections do not count.
public struct ElapsedTime: Hashable, Sendable {
    /// What was counted for certain: the figure when the wall clock is wrong.
    public let counted: Duration
    /// What the wall clock makes of it: the figure when it is right.
    public let byWall: Duration
    /// The least that may have passed. Opening and sleeping through go by it.
    public let shorter: Duration
    /// The most that may have passed. Reminders and the closing go by it.
    public let longer: Duration
    /// False where it may be either figure, or where only the least is known.
    public let isCertain: Bool

    /// Up to here wall and counter differ by drift and by the moment they are read.
    static let tolerance: Duration = .seconds(60)
    /// A counter that is further behind one on record is that of an earlier state of the machine.
    private static let noise: Duration = .seconds(1)

    /// One figure.
    public init(certain duration: Duration) {
        (counted, byWall, shorter, longer) = (duration, duration, duration, duration)
        isCertain = true
    }

    /// Two figures; the further ones are those of a time that was named.
    init(counted: Duration, byWall: Duration, further: [Duration] = []) {
        self.counted = counted
        // A wall clock that stands before the dose says that nothing has passed, not that it is to come.
        self.byWall = max(.zero, byWall)
        let all = [counted, self.byWall] + further.map { max(.zero, $0) }
        shorter = all.min() ?? counted
        longer = all.max() ?? counted
        isCertain = false
    }

    /// Since what an event says happened.
    ///
    /// - Parameters:
    ///   - moment: who said when it was, and when.
    ///   - later: the clocks at what was recorded after that, in the order of the log.
    ///   - isNamed: the other end is a time that is named, too, and not now.
    public init(
        since moment: SaidMoment, then later: some Sequence<ClockReading>, now: ClockReading, isNamed: Bool = false
    ) {
        let later = Array(later)
        guard Self.isCounted(moment.clock, later, now) else {
            self = Self.acrossBoots(moment, later, now)
            return
        }
        let time = Self.withinBoot(moment, later, now)
        // Between times that were named by the wall clock that clock decides, where both agree to a second.
        self = isNamed || moment.isNamedByClock ? time.moved(by: now.noise(since: moment.clock)) : time
    }

    /// Whether it may be before, in or after the window, so that a dose 2 asks about the clock: not where either figure is too
    /// little, or either too much.
    public var isDoubtful: Bool {
        !isCertain && longer >= DoseWindow.opens && shorter < DoseWindow.closes
    }

    /// The same so much later, or earlier: both figures go on alike.
    public func moved(by duration: Duration) -> ElapsedTime {
        guard !isCertain else { return ElapsedTime(certain: counted + duration) }
        return ElapsedTime(
            counted: counted + duration, byWall: byWall + duration, further: [shorter + duration, longer + duration])
    }

    // MARK: Within a boot

    /// Whether one counter counted all the time: the same boot, and no reading behind the one before it.
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

    /// A time by the clock, on a wall that was wrong then: nobody knows by which clock it was meant.
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

    /// The wall between two synchronised readings counts. Without one in either boot it may be what was counted, or what the
    /// wall says, if that is more.
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

    /// The first synchronised reading of a boot from one on, as long as its counter went on.
    private static func firstSynchronised(_ first: ClockReading, _ later: [ClockReading]) -> ClockReading? {
        var last = first
        for reading in [first] + later where reading.bootID == first.bootID {
            if reading.counter(since: last.counterMicroseconds) < .zero - noise { return nil }
            if reading.isSynchronised { return reading }
            last = reading
        }
        return nil
    }

    /// The readings of the present boot since its counter last began.
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

    /// The least time that has passed: what the counters counted between one reading and the next. How long the machine was
    /// off in between nobody knows.
    static func passed(_ first: ClockReading, _ later: [ClockReading], _ now: ClockReading) -> Duration {
        var passed: Duration = .zero
        // By how much each boot's counter is behind what had passed; the log says which of two readings was first.
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

/// When something is said to have happened, and what the clocks said when that was said.
public struct SaidMoment: Hashable, Sendable {
    /// The clocks when it was recorded, or its time amended.
    public let clock: ClockReading
    /// How long before that it was.
    public let ago: Duration
    /// The person named a time of day, not how long ago it was.
    public let isNamedByClock: Bool

    public init(clock: ClockReading, ago: Duration, isNamedByClock: Bool) {
        self.clock = clock
        self.ago = ago
        self.isNamedByClock = isNamedByClock
    }
}

/// When a dose is said to have been taken, and the clocks at what was recorded since.
struct SaidDose: Hashable {
    let moment: SaidMoment
    /// Not all of them, for every question looks at them: while the counter of a boot goes on, only the first, the first
    /// synchronised and the last reading say something.
    let later: [ClockReading]
    /// What was recorded of the clocks last, since then.
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
    /// Time by the counter since it showed something.
    func counter(since microseconds: Int64) -> Duration { .microseconds(counterMicroseconds - microseconds) }

    /// As it will be when the wall clock shows an instant, if nothing is done to it.
    func moved(to instant: Instant) -> ClockReading {
        ClockReading(
            wall: instant, counterMicroseconds: counterMicroseconds + (instant - wall).wholeMilliseconds * 1_000,
            bootID: bootID, isSynchronised: isSynchronised)
    }

    /// The same where it is less than a second: clocks are read one after the other, and drift. Else nothing.
    func noise(since earlier: ClockReading) -> Duration {
        let gain = gain(since: earlier)
        return bootID == earlier.bootID && gain.magnitude < .seconds(1) ? gain : .zero
    }

    /// How much more the wall clock went than the counter since a reading of the same boot.
    func gain(since earlier: ClockReading) -> Duration {
        (wall - earlier.wall) - counter(since: earlier.counterMicroseconds)
    }
}

extension Duration {
    /// Without its sign.
    public var magnitude: Duration { self < .zero ? .zero - self : self }
}

/// What the clocks of the machine said at one moment; handed in, never read in here.
public struct ClockReading: Hashable, Sendable {
    /// CLOCK_REALTIME.
    public let wall: Instant
    /// The counter, in microseconds: it also counts while the machine sleeps, and nothing sets or slews it. Held within
    /// a quarter of what the type holds, so that the difference of any two, also from a damaged log, can be told.
    public let counterMicroseconds: Int64
    /// Which boot `counterMicroseconds` counts from.
    public let bootID: String
    /// Whether something keeps the wall clock right, as far as the kernel knows.
    public let isSynchronised: Bool

    /// Time since an event was recorded: within one boot by the counter, else by the wall clock.
    public func elapsed(since event: Event) -> Duration {
        guard event.clock.bootID == bootID, !bootID.isEmpty else { return wall - event.occurredAt }
        return .microseconds(counterMicroseconds - event.clock.counterMicroseconds)
    }

    /// Whether an event was recorded so long ago at the most, as far as the clocks vouch for it: by one counter that went
    /// on, or by a wall clock that was synchronised then and is now. What is ahead by more than a second is not recent.
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
