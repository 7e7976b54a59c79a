/// The times of an unresolved window, and its snoozes.
public struct DueTimes: Hashable, Sendable {
    /// The opening of the window for dose 2; nil if the clocks leave doubt.
    public var opens: Instant?
    public var closes: Instant
    public var alarm: Instant
    /// The snoozes so far, and the number that the night allows.
    public var snoozes: (count: Int, limit: Int) { (snoozeCount, snoozeLimit) }
    private var snoozeCount: Int
    private var snoozeLimit: Int

    public init(opens: Instant?, closes: Instant, alarm: Instant, snoozes: (count: Int, limit: Int)) {
        self.opens = opens
        self.closes = closes
        self.alarm = alarm
        (snoozeCount, snoozeLimit) = snoozes
    }

    /// The times of a night after an action that may have moved its window: a snooze or a correction.
    ///
    /// - Returns: nil for any other action, and for a night that waits for nothing.
    init?(after event: Event, _ session: Session?, now: ClockReading) {
        switch event.payload {
        case .snoozeRecorded, .entryAmended, .entryDeleted, .actionUndone: self.init(of: session, now: now)
        // A regimen recorded for tonight may give the night a window.
        case .entry
        where event.payload.concernsOpenNight && session?.events.contains { $0.payload.cause == event.id } == true:
            self.init(of: session, now: now)
        default: return nil
        }
    }

    /// The times of a night with an unresolved window.
    ///
    /// - Returns: nil for a night that waits for nothing.
    public init?(of session: Session?, now: ClockReading) {
        guard let session, session.isOpen, session.hasUnresolvedWindow, let times = session.windowTimes(now: now) else {
            return nil
        }
        self.init(
            opens: times.opens, closes: times.closes, alarm: times.alarm,
            snoozes: (session.countedSnoozes.count, session.rules.maximumSnoozes))
    }

    init?(_ reader: PayloadReader) throws(PayloadError) {
        let opens = try reader.optionalInstant("window_opens")
        guard let closes = try reader.optionalInstant("window_closes"),
            let alarm = try reader.optionalInstant("alarm_time")
        else { return nil }
        self.init(
            opens: opens, closes: closes, alarm: alarm,
            snoozes: (try reader.integer("snooze_count"), try reader.integer("snooze_limit")))
    }
}
