/// The types of the log's events this version writes and reads; the raw value is the `type` column.
public enum EventType: String, Hashable, Sendable, CaseIterable {
    case sessionOpened = "session_opened"
    case sessionClosed = "session_closed"
    case doseRecorded = "dose_recorded"
    case doseSkipped = "dose_skipped"
    case snoozeRecorded = "snooze_recorded"
    case finalWakeRecorded = "final_wake_recorded"
    case sleepEventRecorded = "sleep_event_recorded"
    case checkinRecorded = "checkin_recorded"
    case preSleepRecorded = "pre_sleep_recorded"
    case medicationRecorded = "medication_recorded"
    case regimenSet = "regimen_set"
    case inventoryRecorded = "inventory_recorded"
    case sleepRecorded = "sleep_recorded"
    case labRegistered = "lab_registered"
    case labPlanned = "lab_planned"
    case labAnswered = "lab_answered"
    case entryAmended = "entry_amended"
    case entryDeleted = "entry_deleted"
    case actionUndone = "action_undone"
    case settingChanged = "setting_changed"
    case reminderFired = "reminder_fired"
    case reminderDropped = "reminder_dropped"
    case reminderDelivered = "reminder_delivered"
    case reminderAcknowledged = "reminder_acknowledged"
    case clockStepped = "clock_stepped"
    case storeRestored = "store_restored"
    case importRecorded = "import_recorded"

    /// The kind of entry that an event of this type records; nil for other events. No other list has the kinds outside a
    /// session's fold.
    var kind: (any EntryKind.Type)? {
        switch self {
        case .preSleepRecorded: PreSleepRecorded.self
        case .medicationRecorded: MedicationRecorded.self
        case .regimenSet: RegimenSet.self
        case .inventoryRecorded: InventoryRecorded.self
        case .sleepRecorded: SleepRecorded.self
        case .labRegistered: LabRegistered.self
        case .labPlanned: LabPlanned.self
        case .labAnswered: LabAnswered.self
        default: nil
        }
    }

    /// The entity of an entry of this kind; nil for other events, and for the parts of a night.
    public var entity: EntityType? { kind?.entity }
    /// The distance in time within which entries of this kind matter to a new one; nil if none do.
    public var reach: Duration? { kind?.reach }
    /// Returns the CLI words that record what is said.
    public func verb(_ said: JSONObject) -> String { kind?.verb(said) ?? rawValue }
}

/// The kind of thing that an event is about. With the id of the entity it leads to the history of one entry.
public enum EntityType: String, Hashable, Sendable, CaseIterable {
    case session
    case dose
    case skip
    case snooze
    case wake
    case sleepEvent = "sleep_event"
    case checkin
    case preSleep = "pre_sleep"
    case medication
    case regimen
    case inventory
    case sleepRecord = "sleep_record"
    case labQuestion = "lab_question"
    case labPlan = "lab_plan"
    case labNight = "lab_night"
    case reminder
    case setting
    case clock
    case store

    /// True for an entry that is folded from the events about it alone.
    public var isStandalone: Bool {
        switch self {
        case .dose, .skip, .snooze, .wake, .sleepEvent, .checkin: false
        default: isEntry
        }
    }

    /// True for an entry of a person or a program, not for one of ``others``.
    public var isEntry: Bool { !Self.others.contains(self) }

    /// The entries that are folded from the events about them alone.
    public static let standalone: [EntityType] = kinds.map { $0.entity }
    /// The standalone entries that are listed with the other entries of their night.
    public static let shownInNight: [EntityType] = kinds.filter { $0.isShownInNight }.map { $0.entity }
    /// The keys of the lists with the entries of ``shownInNight`` on a day without a night, see ``ShownNights``.
    public static let listsOfDays: [String] = kinds.filter { $0.isShownInNight }.compactMap { $0.list?.key }
    /// The entries that are in memory whatever their age.
    public static let alwaysLoaded: [EntityType] = kinds.filter { $0.isAlwaysLoaded }.map { $0.entity }
    /// Entries whose time cannot be amended.
    public static let fixedInTime: [EntityType] = [.snooze] + kinds.filter { !$0.canBeMoved }.map { $0.entity }
    /// The entries about the lab.
    public static let ofLab: [EntityType] = kinds.filter { $0.isOfLab }.map { $0.entity }
    static let kinds = EventType.allCases.compactMap(\.kind)

    /// The entities that are no entries.
    public static let others: [EntityType] = [.session, .reminder, .setting, .clock, .store]
}
