/// The times to get up, go to bed and wind down, worked back from the wake time.
public struct SleepPlan: Hashable, Sendable {
    /// The time to be up.
    public let wakeBy: Instant
    public let inBedBy: Instant
    public let windDownStart: Instant
    private let latencyMinutes: Int

    /// The values from which a plan is made.
    public struct Schedule: Hashable, Sendable {
        /// Wake times by the day of the morning; a day without one has ``usualWake``.
        public var wakeTimes: [Weekday: ClockTime] = [:]
        /// The wake time of a day without one of its own.
        public var usualWake = ClockTime(hour: 7, minute: 30) ?? ClockTime(hour: 7)
        /// Sleep wanted, in minutes.
        public var targetMinutes = 480
        /// From lights out to sleep, in minutes.
        public var latencyMinutes = 15
        /// From the last screen to bed, in minutes.
        public var windDownMinutes = 20

        /// 07:30 every day, eight hours.
        public init() {}

        /// The bounds of any part: up to a day.
        public static let minutes = 0...1_440
    }

    /// The plan of a night. A wake time that the local clock leaves out counts at the jump, one it shows twice at its first
    /// pass; the length of the night is counted in true minutes.
    ///
    /// - Parameters:
    ///   - date: the date of the night; the morning is the one after it.
    ///   - schedule: parts are held within 0 and a day.
    public init(of date: SessionDate, _ schedule: Schedule = Schedule(), in zone: Zone) {
        func held(_ minutes: Int) -> Int {
            min(Schedule.minutes.upperBound, max(Schedule.minutes.lowerBound, minutes))
        }
        let morning = date.civil.adding(days: 1)
        let time = schedule.wakeTimes[morning.weekday] ?? schedule.usualWake
        wakeBy = zone.resolve(LocalDateTime(date: morning, time: time)).first
        latencyMinutes = held(schedule.latencyMinutes)
        inBedBy = wakeBy - .minutes(held(schedule.targetMinutes) + latencyMinutes)
        windDownStart = inBedBy - .minutes(held(schedule.windDownMinutes))
    }

    /// Returns the sleep that is left if the person goes to bed now, in minutes with their fraction; never negative.
    public func expectedSleepMinutes(from now: Instant) -> Double {
        max(0, (wakeBy - now).minutes - Double(latencyMinutes))
    }
}

extension SleepPlan {
    /// The keys of `sleep-plan --json`.
    public static let shape = Shape(
        "sleep-plan", "sleep-plan --json",
        [
            Key("session_date", .date), Key("wind_down_start", .instant), Key("in_bed_by", .instant),
            Key("wake_by", .instant),
            Key(
                "expected_sleep_min", .number(.minutes), .null,
                "sleep left when going to bed now; null before the wind-down begins and when the night is over"),
        ])

    /// The answer of `sleep-plan --json`, with the keys of ``shape``.
    ///
    /// - Parameter expectedSleepMinutes: the sleep that is left now; nil if the night is not the present one.
    public func json(of date: SessionDate, expectedSleepMinutes: Double?) -> JSONObject {
        [
            "session_date": .string(date.text), "wind_down_start": .instant(windDownStart),
            "in_bed_by": .instant(inBedBy), "wake_by": .instant(wakeBy),
            "expected_sleep_min": expectedSleepMinutes.map(JSONValue.number) ?? .null,
        ]
    }
}
