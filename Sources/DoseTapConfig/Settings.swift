public import DoseTapDomain

/// Every setting of the service with a value within its range.
public struct Settings: Sendable, Hashable {
    /// When sleep is planned to start.
    public internal(set) var sleepStart = ClockTime(hour: 21)
    /// The planned wake time.
    public internal(set) var wake = ClockTime(hour: 7)
    /// When the evening's preparation starts.
    public internal(set) var prep = ClockTime(hour: 18)
    /// Hours after the wake time until a missing check-in closes the night, 1 to 12.
    public internal(set) var checkinCutoffHours = 4
    /// Local hour at which a new session date begins, 0 to 23.
    public internal(set) var rolloverHour = 18
    /// Minutes from dose 1 to the alarm for dose 2: 165, 180, 195, 210 or 225.
    public internal(set) var targetMinutes = 165
    /// Minutes one snooze adds, 1 to 30.
    public internal(set) var snoozeStepMinutes = 10
    /// Snoozes allowed in a night, 0 to 10; 0 turns snoozing off.
    public internal(set) var snoozeMax = 3
    /// Seconds within which an action can be undone, 3 to 600.
    public internal(set) var undoWindowSeconds = 60
    /// Whether the prescription is one dose a night.
    public internal(set) var onceNightly = false
    /// The types of sleep events that can be logged, those of the person's own included.
    public internal(set) var sleepEvents = SleepEventCatalogue.standard
    /// The medicines that can be recorded, those of the person's own included.
    public internal(set) var medications = MedicationCatalogue.standard
    /// Whether names, amounts and notes may be shown in notifications and the journal.
    public internal(set) var details = false
    /// Sound of urgent notifications, by its name in the desktop's theme; empty for none.
    public internal(set) var notificationSound = "alarm-clock-elapsed"
    /// Name of the time zone to use instead of the system's; empty for the system's.
    public internal(set) var timeZone = ""
    /// Plugins turned on or off by name; one that is not named decides for itself.
    public internal(set) var plugins: [String: Bool] = [:]

    /// The defaults.
    public init() {}

    /// The same settings with one value changed.
    ///
    /// - Returns: nil where `text` is no value of this setting.
    public func setting(_ key: SettingKey, to text: String) -> Settings? {
        guard let value = key.kind.value(text) else { return nil }
        var changed = self
        changed.apply(value, for: key)
        return changed
    }

    /// Puts in a value that ``SettingKind/value(_:)`` of the same key gave; one of another type changes nothing.
    mutating func apply(_ value: SettingValue, for key: SettingKey) {
        switch (key, value) {
        case (.sleepStart, .clockTime(let time)): sleepStart = time
        case (.wake, .clockTime(let time)): wake = time
        case (.prep, .clockTime(let time)): prep = time
        case (.checkinCutoffHours, .integer(let number)): checkinCutoffHours = number
        case (.rolloverHour, .integer(let number)): rolloverHour = number
        case (.targetMinutes, .integer(let number)): targetMinutes = number
        case (.snoozeStepMinutes, .integer(let number)): snoozeStepMinutes = number
        case (.snoozeMax, .integer(let number)): snoozeMax = number
        case (.undoWindowSeconds, .integer(let number)): undoWindowSeconds = number
        case (.onceNightly, .flag(let flag)): onceNightly = flag
        case (.customSleepEvents, .sleepEvents(let catalogue)): sleepEvents = catalogue
        case (.ownMedications, .medications(let catalogue)): medications = catalogue
        case (.details, .flag(let flag)): details = flag
        case (.notificationSound, .text(let text)): notificationSound = text
        case (.timeZone, .text(let text)): timeZone = text
        case (.sleepStart, _), (.wake, _), (.prep, _), (.checkinCutoffHours, _), (.rolloverHour, _),
            (.targetMinutes, _), (.snoozeStepMinutes, _), (.snoozeMax, _), (.undoWindowSeconds, _), (.onceNightly, _),
            (.customSleepEvents, _), (.ownMedications, _), (.details, _), (.notificationSound, _),
            (.timeZone, _):
            break
        }
    }
}
