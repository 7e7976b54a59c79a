/// When to get up, go to bed and wind down, worked back from the wake time.
public struct SleepPlan: Hashable, Sendable {
    /// When to be up.
    public let wakeBy: Instant
    /// When to be in bed.
    public let inBedBy: Instant
    /// When to begin to wind down.
    public let windDownStart: Instant
    private let latencyMinutes: Int

    /// What a plan is made from.
    public struct Schedule: Hashable, Sendable {
        /// Wake times by the day of the morning; a day without one has ``usualWake``.
        public var wakeTimes: [Weekday: ClockTime] = [:]
        /// Sleep wanted, in minutes.
        public var targetMinutes = 480
        /// From lights out to sleep, in minutes.
        public var latencyMinutes = 15
        /// From the last screen to bed, in minutes.
        public var windDownMinutes = 20

        /// 07:30 every day, eight hours.
        public init() {}

        /// The wake time of a day without one of its own: 07:30.
        public static let usualWake = ClockTime(hour: 7, minute: 30) ?? ClockTime(hour: 7)

        /// The longest any part may be: a day.
        static let longest = 1_440
    }

    /// The plan of a night. A wake time that the local clock leaves out counts at the jump, one it shows twice at its first
    /// pass; the length of the night is counted in true minutes.
    ///
    /// - Parameters:
    ///   - date: of the night: the morning is the one after it.
    ///   - schedule: parts are held within 0 and a day.
    public init(of date: SessionDate, _ schedule: Schedule = Schedule(), in zone: Zone) {
        func held(_ minutes: Int) -> Int { min(Schedule.longest, max(0, minutes)) }
        let morning = date.civil.adding(days: 1)
        let time = schedule.wakeTimes[morning.weekday] ?? Schedule.usualWake
        wakeBy = zone.resolve(LocalDateTime(date: morning, time: time)).first
        latencyMinutes = held(schedule.latencyMinutes)
        inBedBy = wakeBy - .minutes(held(schedule.targetMinutes) + latencyMinutes)
        windDownStart = inBedBy - .minutes(held(schedule.windDownMinutes))
    }

    /// The sleep that is left when the person goes to bed now, in minutes with their fraction; never negative.
    public func expectedSleepMinutes(from now: Instant) -> Double {
        max(0, (wakeBy - now).minutes - Double(latencyMinutes))
    }
}
