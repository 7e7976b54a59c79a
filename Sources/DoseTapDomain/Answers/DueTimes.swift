/// What a person waits for in an unresolved window.
public struct DueTimes: Hashable, Sendable {
    /// When the window for dose 2 opens; nil where the clocks leave doubt.
    public var opens: Instant?
    public var closes: Instant
    /// When the alarm rings.
    public var alarm: Instant
    /// Snoozes so far, and how many the night allows.
    public var snoozes: (count: Int, limit: Int) { (snoozeCount, snoozeLimit) }
    private var snoozeCount: Int
    private var snoozeLimit: Int

    public init(opens: Instant?, closes: Instant, alarm: Instant, snoozes: (count: Int, limit: Int)) {
        self.opens = opens
        self.closes = closes
        self.alarm = alarm
        (snoozeCount, snoozeLimit) = snoozes
    }

    /// Of a night whose window an action may have moved: a snooze or a correction.
    ///
    /// - Returns: nil for any other action, and for a night that waits for nothing.
    init?(after event: Event, _ session: Session?, now: ClockReading) {
        switch event.payload {
        case .snoozeRecorded, .entryAmended, .entryDeleted, .actionUndone: self.init(of: session, now: now)
        // A regimen that is said to hold tonight may give the night a window.
        case .entry
        where event.payload.concernsOpenNight && session?.events.contains { $0.payload.cause == event.id } == true:
            self.init(of: session, now: now)
        default: return nil
        }
    }

    /// What a night waits for.
    ///
    /// - Returns: nil for one that waits for nothing.
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
