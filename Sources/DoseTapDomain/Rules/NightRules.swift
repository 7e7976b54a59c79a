/// The settings of a night (R2). The log holds them from the opening of the session on, with each change, so that a replay needs
/// nothing else. The 150/240/15/30-minute limits are not settings (see ``DoseWindow``).
public struct NightRules: Hashable, Sendable {
    /// Minutes after dose 1 at which the alarm rings: one of 165, 180, 195, 210, 225.
    public var targetMinutes: Int
    /// Minutes one snooze adds, 1–30.
    public var snoozeStepMinutes: Int
    /// Snoozes allowed in a night, 0–10; 0 switches snoozing off.
    public var maximumSnoozes: Int
    /// Usual wake time.
    public var wake: ClockTime
    /// Usual time of preparing the next night.
    public var prep: ClockTime
    /// Hours after the wake time at which a missing check-in closes the session, 1–12.
    public var checkInCutoffHours: Int
    /// Local hour at which a new session date begins, 0–23.
    public var rolloverHour: Int
    /// Seconds during which the newest action can be undone, 3–600.
    public var undoWindowSeconds: Int
    /// True if one dose a night is prescribed, without a dose 2.
    public var onceNightly: Bool

    /// The targets that can be chosen, in minutes.
    public static let targets = [165, 180, 195, 210, 225]

    /// The defaults of R2.
    public static let standard = NightRules(
        targetMinutes: 165, snoozeStepMinutes: 10, maximumSnoozes: 3, wake: ClockTime(hour: 7),
        prep: ClockTime(hour: 18), checkInCutoffHours: 4, rolloverHour: 18, undoWindowSeconds: 60, onceNightly: false)

    /// Memberwise; ranges are checked where settings are read (DoseTapConfig).
    public init(
        targetMinutes: Int, snoozeStepMinutes: Int, maximumSnoozes: Int, wake: ClockTime, prep: ClockTime,
        checkInCutoffHours: Int, rolloverHour: Int, undoWindowSeconds: Int, onceNightly: Bool
    ) {
        self.targetMinutes = targetMinutes
        self.snoozeStepMinutes = snoozeStepMinutes
        self.maximumSnoozes = maximumSnoozes
        self.wake = wake
        self.prep = prep
        self.checkInCutoffHours = checkInCutoffHours
        self.rolloverHour = rolloverHour
        self.undoWindowSeconds = undoWindowSeconds
        self.onceNightly = onceNightly
    }
}

extension NightRules {
    /// The shortest plausible time from the preparation of a night to the planned wake time, in minutes.
    private static let shortestNight = 6 * 60

    /// Returns true if so little time lies between preparation and wake time that another time was meant, as by
    /// `6:30` for half past six in the evening. A night without a check-in would be closed while the person sleeps
    /// (R2.7).
    package static func isTooShort(from prep: ClockTime, to wake: ClockTime) -> Bool {
        prep.minutes(until: wake) < shortestNight
    }
}

extension NightRules {
    static let description = RecordDescription(
        standard
    ) { it in
        it.integer("target_minutes", in: .minutes, get: { $0.targetMinutes }, set: { $0.targetMinutes = $1 })
        it.integer(
            "snooze_step_minutes", in: .minutes, get: { $0.snoozeStepMinutes }, set: { $0.snoozeStepMinutes = $1 })
        it.integer("max_snoozes", get: { $0.maximumSnoozes }, set: { $0.maximumSnoozes = $1 })
        it.clockTime("wake", get: { $0.wake }, set: { $0.wake = $1 })
        it.clockTime("prep", get: { $0.prep }, set: { $0.prep = $1 })
        it.integer(
            "checkin_cutoff_hours", in: .hours, get: { $0.checkInCutoffHours }, set: { $0.checkInCutoffHours = $1 })
        it.integer("rollover_hour", get: { $0.rolloverHour }, set: { $0.rolloverHour = $1 })
        it.integer(
            "undo_window_seconds", in: .seconds, get: { $0.undoWindowSeconds }, set: { $0.undoWindowSeconds = $1 })
        it.bool("once_nightly", get: { $0.onceNightly }, set: { $0.onceNightly = $1 })
    }

    var json: JSONValue { .object(Self.description.json(self)) }

    init(_ reader: PayloadReader) throws(PayloadError) { self = try Self.description.read(reader) }
}
