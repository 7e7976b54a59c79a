/// The settings that belong to no plugin. The settings of a plugin are declared with the plugin.
public enum ServiceSettings {
    // MARK: The rules of a night, read as `NightRules`

    /// The planned wake time.
    public static let wake = Setting(
        "schedule.wake", .clockTime, default: ClockTime(hour: 7), isNightRule: true,
        "When you plan to wake up; the check-in is asked for then.",
        manual: "The time at which you plan to wake up; the reminder of the check-in comes then.")
    /// The start of the evening's preparation.
    public static let prep = Setting(
        "schedule.prep", .clockTime, default: ClockTime(hour: 18), isNightRule: true,
        "When the evening's preparation starts; an unfinished night ends there at the latest.",
        manual: "The time at which you begin to prepare for the night. A night without a check-in is closed then at "
            + "the latest.")
    /// Hours after the wake time until a missing check-in closes the night.
    public static let checkinCutoffHours = Setting(
        "schedule.checkin_cutoff_hours", .integer(1...12), default: 4, isNightRule: true,
        "Hours after the wake time until a night without a check-in is closed.")
    /// Local hour at which a new session date begins.
    public static let rolloverHour = Setting(
        "schedule.rollover_hour", .integer(0...23), default: 18, isNightRule: true,
        "Hour at which a new session date begins.")
    /// Minutes from dose 1 to the alarm for dose 2.
    public static let targetMinutes = Setting(
        "dose.target_minutes", .choice([165, 180, 195, 210, 225]), default: 165, isNightRule: true,
        "Minutes from dose 1 to the alarm for dose 2.")
    /// Minutes one snooze adds.
    public static let snoozeStepMinutes = Setting(
        "snooze.step_minutes", .integer(1...30), default: 10, isNightRule: true,
        "Minutes by which one snooze moves the alarm.")
    /// Snoozes allowed in a night.
    public static let snoozeMax = Setting(
        "snooze.max", .integer(0...10), default: 3, isNightRule: true,
        "Snoozes allowed in a night; 0 turns snoozing off.")
    /// Seconds within which an action can be undone.
    public static let undoWindowSeconds = Setting(
        "undo.window_seconds", .integer(3...600), default: 60, isNightRule: true,
        "Seconds within which the newest action can be undone.")
    /// True if one dose a night is prescribed.
    public static let onceNightly = Setting(
        "regimen.once_nightly", .flag, default: false, isNightRule: true,
        "Whether one dose a night is prescribed; there is then no second window.",
        manual: "Whether one dose a night is prescribed. Such a night has no window for dose 2.")

    // MARK: What can be recorded

    /// Types of sleep events, those of the person's own included.
    public static let sleepEvents = Setting(
        "sleep_events.custom", .sleepEvents, default: SleepEventCatalogue.standard,
        "Types of sleep events of your own, beside those everybody has; separated by commas.",
        manual: "Your own types of sleep events, in addition to the built-in types; separated by commas, up to "
            + "\(SleepEventCatalogue.maximumCustom).")
    /// Medicines, those of the person's own included.
    public static let medications = Setting(
        "medications.custom", .medications, default: MedicationCatalogue.standard,
        "Medicines of your own, such as Melatonin 3mg/tablet; separated by commas.",
        manual: "Your own medicines, separated by commas, up to \(MedicationCatalogue.maximumOwn). A medicine can have "
            + "a usual dose or the content of a tablet or a millilitre, such as Melatonin 3mg/tablet.")

    // MARK: Sleep from outside

    /// The sources of recorded sleep, the preferred one first.
    public static let sleepSources = Setting(
        "sleep.sources", .names, default: NameList(),
        "Sources or devices of recorded sleep, the preferred one first; separated by commas.",
        manual: "Sources or devices of recorded sleep such as oura, the preferred one first; separated by commas. One "
            + "source counts for a night: the first of these that has it, else stages before lengths before what "
            + "a person told, then the source with most nights.")

    // MARK: Sharing

    /// The profile of an export where no other is chosen; an `ExportProfile`.
    public static let exportProfile = Setting(
        "export.profile", .word(ExportProfile.allCases.map(\.rawValue)), default: ExportProfile.full.rawValue,
        "How much an export of nights as fhir, ical or ios tells: full, clinic, share or figures.",
        manual:
            "How much dosetap export tells with fhir, ical and ios where no --profile is named: full, clinic, share "
            + "or figures. The log and the tables are always whole.")
    /// The number of days whose nights a packet has where no others are chosen.
    public static let packetNights = Setting(
        "packet.nights", .integer(ReportNights.range), default: ReportNights.usual,
        "Number of days whose nights a packet has.",
        manual: "Number of days, to the newest night on record, whose nights dosetap packet has where no others are "
            + "chosen.")

    // MARK: The report

    /// The number of days whose nights a report shows where no others are chosen.
    public static let reportNights = Setting(
        "report.nights", .integer(ReportNights.range), default: ReportNights.usual,
        "Number of days whose nights a report shows.",
        manual: "Number of days, to today, whose nights dosetap report shows where no others are chosen.")

    /// Minutes after which the live page ends by itself.
    public static let webIdleMinutes = Setting(
        "web.idle_minutes", .integer(1...1_440), default: 30,
        "Minutes after which dosetap web ends when no page was asked for.",
        manual: "Minutes after which dosetap web ends when no page was asked for.")

    // MARK: The key of an encrypted record

    /// The only place for a new key; a key that exists is found in each place.
    public static let keyPlace = Setting(
        "encryption.key", .word(["auto", "keyring", "credential", "file"]), default: "auto",
        "Where a new key of an encrypted record goes: keyring, credential, file, or auto.",
        manual:
            "The place of a new key of an encrypted record: keyring (Secret Service), credential (dosetap.key of the "
            + "unit's LoadCredential=), file (key-ID beside this file, mode 0600), or auto: the keyring, else the credential, "
            + "never a file. A key that is kept already is found in each of them, in this one first. The key that signs packets "
            + "is kept likewise, as dosetap-signing.key or signing-key-ID, and with auto in a file where there is neither."
    )

    // MARK: Backups, read as `BackupRule`

    /// True if the service makes backups by itself.
    public static let backups = Setting(
        "backup.enabled", .flag, default: true,
        "Whether the service makes a backup when a night is over.",
        manual: "Whether the service makes a backup in the folder backups beside the record when a night is over and "
            + "something was recorded.")
    /// Days of which the newest backup stays.
    public static let dailyBackups = Setting(
        "backup.daily", .integer(1...31), default: 7, "Days of which the newest automatic backup is kept.")
    /// Weeks of which the newest backup stays.
    public static let weeklyBackups = Setting(
        "backup.weekly", .integer(0...53), default: 8, "Weeks of which the newest automatic backup is kept.")

    // MARK: What is shown, and how

    /// True if names, amounts and notes may be shown in notifications and reach hooks; read by more than one plugin.
    public static let details = Setting(
        "privacy.details", .flag, default: false,
        "Whether medicine names, amounts and notes may appear in notifications and reach hooks.",
        manual: "Whether notifications and hooks may have medicine names, amounts and notes. The journal never has "
            + "them.")
    /// The form of clock times.
    public static let clock = Setting(
        "display.clock", .word(["locale"] + ClockStyle.allCases.map(\.rawValue)), default: "locale",
        "How clock times are shown: 24h, 12h, or as the locale has it.",
        manual: "The form of clock times in the output: 24h, 12h, or locale for the form of the locale. The command "
            + "line accepts both forms.")
    /// The language in which people are addressed.
    public static let language = Setting(
        "display.language", .word(["locale"] + Language.allCases.map(\.rawValue)), default: "locale",
        "Language of what people read and hear: en, de, or as the locale has it.",
        manual: "The language of the output, notifications, spoken words and reports: en (English), de (German), or "
            + "locale for the language of the locale. Commands, names of settings, output with --json, data that are "
            + "exported and the journal are English.")
    /// The colours of the command at a terminal.
    public static let theme = Setting(
        "display.theme", .word(["standard", "night"]), default: "standard",
        "Colours at a terminal: standard, or night for dark red alone.",
        manual: "The colours at a terminal: standard, or night for dark red alone, which spares eyes that are "
            + "used to the dark. No colour says what words do not say.")
    /// The name of the time zone to use instead of the system's; empty for the system's.
    public static let timeZone = Setting(
        "time_zone", .zone, default: "", "Time zone to use instead of the system's; empty for the system's.",
        manual: "The time zone to use instead of the system's, such as America/New_York; empty for the system's. Times "
            + "are shown in this zone, and local times on the command line are read in it.")

    /// Returns all rows in the order of the file, the rows of the plugins in their place.
    public static func rows(plugins: [SettingRow] = []) -> [SettingRow] {
        var rows = [
            wake.row, prep.row, checkinCutoffHours.row, rolloverHour.row, targetMinutes.row, snoozeStepMinutes.row,
            snoozeMax.row, undoWindowSeconds.row, onceNightly.row, sleepEvents.row, medications.row, sleepSources.row,
            exportProfile.row, packetNights.row, reportNights.row, webIdleMinutes.row, keyPlace.row, backups.row,
            dailyBackups.row, weeklyBackups.row,
            details.row,
        ]
        for row in plugins where !rows.contains(row) { rows.append(row) }
        return rows + [clock.row, language.row, theme.row, timeZone.row]
    }
}
