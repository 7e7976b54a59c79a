public import DoseTapDomain

/// Every setting of the service with a value within its range.
public struct Settings: Sendable, Hashable {
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
    /// Seconds from the alarm until a tone rings, 0 to 4500; nil for never.
    public internal(set) var soundAfter: Int? = 0
    /// Seconds from the alarm until a sentence is spoken, 0 to 4500; nil for never.
    public internal(set) var speechAfter: Int? = 60
    /// Seconds from the alarm until the programs in `hooks.d/alarm` are run, 0 to 4500; nil for never.
    public internal(set) var hooksAfter: Int? = 120
    /// Seconds from the alarm until the programs in `hooks.d/partner` are run, 0 to 4500; nil for never.
    public internal(set) var partnerAfter: Int? = 300
    /// Program that plays the tone, a name or a path; empty for the first that is found.
    public internal(set) var alarmPlayer = ""
    /// What is spoken.
    public internal(set) var alarmText = "It is time. Look at the screen."
    /// What the partner's hooks get as text.
    public internal(set) var partnerText = "An alarm was not answered. Please look in."
    /// How clock times are shown; nil is as the locale has it.
    public internal(set) var clock: ClockStyle?
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
        switch key {
        case .wake: if case .clockTime(let time) = value { wake = time }
        case .prep: if case .clockTime(let time) = value { prep = time }
        case .checkinCutoffHours: if case .integer(let number) = value { checkinCutoffHours = number }
        case .rolloverHour: if case .integer(let number) = value { rolloverHour = number }
        case .targetMinutes: if case .integer(let number) = value { targetMinutes = number }
        case .snoozeStepMinutes: if case .integer(let number) = value { snoozeStepMinutes = number }
        case .snoozeMax: if case .integer(let number) = value { snoozeMax = number }
        case .undoWindowSeconds: if case .integer(let number) = value { undoWindowSeconds = number }
        case .onceNightly: if case .flag(let flag) = value { onceNightly = flag }
        case .customSleepEvents: if case .sleepEvents(let catalogue) = value { sleepEvents = catalogue }
        case .ownMedications: if case .medications(let catalogue) = value { medications = catalogue }
        case .details: if case .flag(let flag) = value { details = flag }
        case .notificationSound: if case .text(let text) = value { notificationSound = text }
        case .soundAfter: if case .delay(let seconds) = value { soundAfter = seconds }
        case .speechAfter: if case .delay(let seconds) = value { speechAfter = seconds }
        case .hooksAfter: if case .delay(let seconds) = value { hooksAfter = seconds }
        case .partnerAfter: if case .delay(let seconds) = value { partnerAfter = seconds }
        case .alarmPlayer: if case .text(let text) = value { alarmPlayer = text }
        case .alarmText: if case .text(let text) = value { alarmText = text }
        case .partnerText: if case .text(let text) = value { partnerText = text }
        case .clock: if case .text(let text) = value { clock = ClockStyle(rawValue: text) }
        case .timeZone: if case .text(let text) = value { timeZone = text }
        }
    }
}
