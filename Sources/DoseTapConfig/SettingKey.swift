internal import DoseTapDomain

/// Every setting of the service by its spelling in `config.yaml`: section and name, joined with a dot.
///
/// `plugins.ID.enabled` is apart: see ``Settings/plugins``.
public enum SettingKey: String, Sendable, Hashable, CaseIterable {
    /// The planned wake time.
    case wake = "schedule.wake"
    /// When the evening's preparation starts.
    case prep = "schedule.prep"
    /// Hours after the wake time until a missing check-in closes the night.
    case checkinCutoffHours = "schedule.checkin_cutoff_hours"
    /// Local hour at which a new session date begins.
    case rolloverHour = "schedule.rollover_hour"
    /// Minutes from dose 1 to the alarm for dose 2.
    case targetMinutes = "dose.target_minutes"
    /// Minutes one snooze adds.
    case snoozeStepMinutes = "snooze.step_minutes"
    /// Snoozes allowed in a night.
    case snoozeMax = "snooze.max"
    /// Seconds within which an action can be undone.
    case undoWindowSeconds = "undo.window_seconds"
    /// Whether the prescription is one dose a night.
    case onceNightly = "regimen.once_nightly"
    /// Types of sleep events of the person's own.
    case customSleepEvents = "sleep_events.custom"
    /// Medicines of the person's own.
    case ownMedications = "medications.custom"
    /// Whether names, amounts and notes may be shown in notifications and the journal.
    case details = "privacy.details"
    /// Sound of urgent notifications.
    case notificationSound = "notifications.sound_name"
    /// Seconds from the alarm to the tone.
    case soundAfter = "ladder.sound_after"
    /// Seconds from the alarm to the voice.
    case speechAfter = "ladder.speech_after"
    /// Seconds from the alarm to the programs in `hooks.d/alarm`.
    case hooksAfter = "ladder.hooks_after"
    /// Seconds from the alarm to the programs in `hooks.d/partner`.
    case partnerAfter = "ladder.partner_after"
    /// Program that plays the tone.
    case alarmPlayer = "ladder.player"
    /// What is spoken.
    case alarmText = "ladder.text"
    /// What the partner's hooks get as text.
    case partnerText = "ladder.partner_text"
    /// How clock times are shown.
    case clock = "display.clock"
    /// Time zone instead of the system's.
    case timeZone = "time_zone"

    /// What values it takes.
    public var kind: SettingKind {
        switch self {
        case .wake, .prep: .clockTime
        case .checkinCutoffHours: .integer(1...12)
        case .rolloverHour: .integer(0...23)
        case .targetMinutes: .choice([165, 180, 195, 210, 225])
        case .snoozeStepMinutes: .integer(1...30)
        case .snoozeMax: .integer(0...10)
        case .undoWindowSeconds: .integer(3...600)
        case .onceNightly, .details: .flag
        case .customSleepEvents: .sleepEvents
        case .ownMedications: .medications
        case .notificationSound: .soundName
        case .soundAfter, .speechAfter, .hooksAfter, .partnerAfter: .delay(0...AlarmLadder.mostSeconds)
        case .alarmPlayer: .program
        case .alarmText, .partnerText: .sentence
        case .clock: .word(["locale"] + ClockStyle.allCases.map(\.rawValue))
        case .timeZone: .zone
        }
    }

    /// Whether it changes the rules of a night: such a change is recorded as an event. All others are preferences.
    public var isNightRule: Bool {
        switch self {
        case .wake, .prep, .checkinCutoffHours, .rolloverHour, .targetMinutes, .snoozeStepMinutes,
            .snoozeMax, .undoWindowSeconds, .onceNightly:
            true
        case .customSleepEvents, .ownMedications, .details, .notificationSound, .soundAfter, .speechAfter, .hooksAfter,
            .partnerAfter, .alarmPlayer, .alarmText, .partnerText, .clock, .timeZone:
            false
        }
    }

    /// One sentence for people.
    public var summary: String {
        switch self {
        case .wake: "When you plan to wake up; the check-in is asked for then."
        case .prep: "When the evening's preparation starts; an unfinished night ends there at the latest."
        case .checkinCutoffHours: "Hours after the wake time until a night without a check-in is closed."
        case .rolloverHour: "Hour at which a new session date begins."
        case .targetMinutes: "Minutes from dose 1 to the alarm for dose 2."
        case .snoozeStepMinutes: "Minutes by which one snooze moves the alarm."
        case .snoozeMax: "Snoozes allowed in a night; 0 turns snoozing off."
        case .undoWindowSeconds: "Seconds within which the newest action can be undone."
        case .onceNightly: "Whether one dose a night is prescribed; there is then no second window."
        case .customSleepEvents: "Types of sleep events of your own, beside those everybody has; separated by commas."
        case .ownMedications: "Medicines of your own, such as Melatonin 3mg/tablet; separated by commas."
        case .details: "Whether medicine names, amounts and notes may appear in notifications and reach hooks."
        case .notificationSound: "Sound of urgent notifications, by its name in the desktop's theme; empty for none."
        case .soundAfter: "Seconds from the alarm until a tone rings that gets louder; off for never."
        case .speechAfter: "Seconds from the alarm until a sentence is spoken; off for never."
        case .hooksAfter: "Seconds from the alarm until the programs in hooks.d/alarm are run; off for never."
        case .partnerAfter: "Seconds from the alarm until the programs in hooks.d/partner are run; off for never."
        case .alarmPlayer: "Program that plays the tone; empty for the first of pw-play, paplay and aplay."
        case .alarmText: "What is spoken, and what the alarm's hooks get as text."
        case .partnerText: "What the partner's hooks get as text."
        case .clock: "How clock times are shown: 24h, 12h, or as the locale has it."
        case .timeZone: "Time zone to use instead of the system's; empty for the system's."
        }
    }

    /// The environment variable that sets it: `DOSETAP_` and the key in upper case, dots as underscores.
    public var variable: String { "DOSETAP_" + rawValue.uppercased().replacing(".", with: "_") }

    /// The value in `settings`.
    public func value(in settings: Settings) -> SettingValue {
        switch self {
        case .wake: .clockTime(settings.wake)
        case .prep: .clockTime(settings.prep)
        case .checkinCutoffHours: .integer(settings.checkinCutoffHours)
        case .rolloverHour: .integer(settings.rolloverHour)
        case .targetMinutes: .integer(settings.targetMinutes)
        case .snoozeStepMinutes: .integer(settings.snoozeStepMinutes)
        case .snoozeMax: .integer(settings.snoozeMax)
        case .undoWindowSeconds: .integer(settings.undoWindowSeconds)
        case .onceNightly: .flag(settings.onceNightly)
        case .customSleepEvents: .sleepEvents(settings.sleepEvents)
        case .ownMedications: .medications(settings.medications)
        case .details: .flag(settings.details)
        case .notificationSound: .text(settings.notificationSound)
        case .soundAfter: .delay(settings.soundAfter)
        case .speechAfter: .delay(settings.speechAfter)
        case .hooksAfter: .delay(settings.hooksAfter)
        case .partnerAfter: .delay(settings.partnerAfter)
        case .alarmPlayer: .text(settings.alarmPlayer)
        case .alarmText: .text(settings.alarmText)
        case .partnerText: .text(settings.partnerText)
        case .clock: .text(settings.clock?.rawValue ?? "locale")
        case .timeZone: .text(settings.timeZone)
        }
    }
}
