package import SystemdJournal

/// The journal entries people may look for: each has an id of its own, which never changes, and an explanation in the
/// journal's catalog (`journalctl --catalog`).
///
/// The raw value is the entry's `MESSAGE_ID`.
public enum JournalMessage: String, Sendable, Hashable, CaseIterable {
    /// The service is ready.
    case serviceStarted = "b2732721a36b4715996fae21dba5a127"
    /// The service ends.
    case serviceStopped = "34a2776345cc4c6e812806baebc30ad2"
    /// Something the service needs does not work.
    case serviceUnhealthy = "526ae3a76aaa45219e7bf7e8826cf1f0"
    /// An event is on disk.
    case eventRecorded = "4b877705b90b4698b5450b02420ca3aa"
    /// A sleep event is on disk.
    case sleepEventRecorded = "684d4b768ea946b1bbe445017765f00f"
    /// A morning check-in is on disk.
    case checkInRecorded = "27dee451eb214760ae22f8f2b3bcfdb7"
    /// A pre-sleep log is on disk.
    case preSleepRecorded = "0a5436ab9bdf41d5bae2a82f40185a14"
    /// A medicine taken is on disk.
    case medicationRecorded = "e05171d964f4499185b8bc7df6191533"
    /// A regimen is on disk.
    case regimenSet = "b3df686e98374420bb5196c93dd949b7"
    /// An entry of the inventory is on disk.
    case inventoryRecorded = "6f1c3f1d9b0e4a6c8d5e27a4b9c01e73"
    /// The rules refused a command.
    case commandRefused = "56ec9c2fd5bf468ea6be4a8691fb4e63"
    /// A command needs confirmations it did not bring.
    case confirmationNeeded = "dd5db4fd029b40d3a0759d44f532d98f"
    /// The night went into another phase.
    case phaseChanged = "e16b7f9e6aec4c53b9ecfc2ca3d560bb"
    /// The window for dose 2 opened.
    case windowOpen = "deac74a331d6411ea9d6f5d4dd703101"
    /// The alarm for dose 2 fired.
    case alarm = "c19800007bce4bf6b0d4f1e37f5552fd"
    /// The window for dose 2 closes in 15 or in 5 minutes.
    case closing = "eb5c138da3fa4f83b5d1b737cc662418"
    /// The window for dose 2 closed.
    case windowClosed = "b1edec785a444d7cbfff00217451ef7a"
    /// The reminder of the morning check-in fired.
    case checkInOpen = "ba135b7c0a444294baaa0c77abad4ac1"
    /// Any other reminder fired.
    case reminder = "a142e339e68d4821ae704a92098d0991"
    /// A reminder was due and is no longer true.
    case reminderDropped = "74b1bffe25324d0cbef83c6cbfc21066"
    /// A reminder reached a channel.
    case reminderDelivered = "604ae54c602b4a59b9e56148eb7ec131"
    /// A reminder was answered.
    case reminderAcknowledged = "eccc2c70118c40cabec57e8434a6b5df"
    /// A channel of the reminders is tried.
    case channelTested = "1da495245d5644af80882282c73da290"
    /// A night began.
    case sessionOpened = "ced1fb570ff044259bc6ec29d0f03cd5"
    /// A night ended.
    case sessionClosed = "806a67a587fe4ebcb21fe3941e7232f3"
    /// Dose 2 was skipped because the night was slept through.
    case sleptThrough = "eb6fc682339d4d36896773f2259ab8f5"
    /// The clock was set, or the two clocks disagree.
    case clockStepped = "5de4faa2748d4266888d7471dd10051d"
    /// The clock shows a time before the newest event.
    case clockSuspect = "249d909fca304881ae31d42aee1f0583"
    /// The store cannot be written or read.
    case storeFault = "b71d62c98fdf40b4814e89eb68855a4f"
    /// Care of the record that was asked for failed.
    case careFailed = "7c2e0b5d9a3f4e61b8d4f0a6c1935e27"
    /// The store works again.
    case storeRecovered = "528611b42d084c3189ca995646181aec"
    /// The store is older than it was.
    case storeRolledBack = "019b28053b4d4a6d918ed21a527b2fdf"
    /// A backup took the place of the record.
    case storeRestored = "7d1f0c54a2b94b0c9a3e6f5d80c7e2b1"
    /// Files that others could read were closed to them.
    case modesClosed = "c1b0f8a7e2d94d54b7a36a4f09d1c8e5"
    /// Data was written out for a caller.
    case exported = "6a98c4b3c24f4131b0562f9aec7a0315"
    /// A file was taken in, or an import was taken back.
    case imported = "c2f4b58d7a6e4f0e9b1d3a5c7e9f2046"
    /// A plugin failed and will be tried again.
    case pluginFailed = "5cfa75777a1b43f4a62c47cf58bef80c"
    /// A configuration file is wrong.
    case configRefused = "db0e548e99f44fbfa90be99fb451b604"
    /// The time zone cannot be found.
    case zoneUnknown = "1454e6f756a94fde89f72e8544548ebd"
    /// Reminders are shown on the desktop.
    case notificationsAvailable = "6e81d9617e1b48afb220e99bf1b556d5"
    /// Reminders cannot be shown on the desktop.
    case notificationsUnavailable = "c8373afd2e3e4d7399ede8e2b7f6cc52"
    /// A press on a notification was ignored.
    case notificationIgnored = "19b9b6982c6f4f17842929336b1bdd65"
    /// Sleep is held off.
    case sleepHeldOff = "751552c608354db7ac578a74ca8217dc"
    /// Sleep is no longer held off.
    case sleepAllowed = "fa8db5a79ad043aa90e81aecc6a39676"
    /// Sleep cannot be held off.
    case sleepNotHeldOff = "aedd8192ba604c4baeb809cbeaa05fb0"
    /// The machine will be woken for a reminder.
    case wakeTimerSet = "352bd5b9692144fbac300da438a933eb"
    /// The machine cannot be woken for reminders.
    case wakeTimerRefused = "7fb316dda9b748fe8c388b4c76df2235"
    /// The machine goes to sleep.
    case machineSleeps = "70663ed78d75408d8b77f022f992cea8"
    /// The machine is awake again.
    case machineWoke = "b172bf3871794640ab520189089d4412"
    /// The alarm rings.
    case alarmSound = "0bbc573d59474c639adfd4ec0093189d"
    /// The alarm is spoken.
    case alarmSpeech = "d11f401e8d594dba9af02f64a38d7743"
    /// The alarm's hooks are run.
    case alarmHooks = "5df363efbbc84a1cb7bac446840786a9"
    /// Somebody else is told of the alarm.
    case alarmPartner = "52c22c408eda44fb84a0839e775967f6"
    /// A rung of the alarm does not work.
    case alarmStepFailed = "d0be064410f1431bb68faf25d22d4023"
    /// A hook failed.
    case hookFailed = "7adc19565ebc48efa48147a00c9d990e"
    /// A hook is not run: somebody else could change the file, or the file cannot be run.
    case hookRefused = "ed18f80291364faa9e50043238cca959"
    /// A folder of hooks is named after no event.
    case hookFolderUnknown = "3c0a7be1f5d24b6f9a41d7c2e86b5f17"

    /// Journal fields the entry must carry, for the catalog's text refers to them.
    public var fields: [String] {
        switch self {
        case .serviceStarted: ["DOSETAP_VERSION"]
        case .serviceStopped, .zoneUnknown: ["DOSETAP_REASON"]
        case .serviceUnhealthy, .storeFault, .careFailed: ["DOSETAP_REASON", "DOSETAP_HINT"]
        case .eventRecorded: ["DOSETAP_EVENT", "DOSETAP_EVENT_ID"]
        case .sleepEventRecorded: ["DOSETAP_SLEEP_EVENT", "DOSETAP_EVENT_ID", "DOSETAP_SESSION_DATE"]
        case .checkInRecorded: ["DOSETAP_EVENT_ID", "DOSETAP_SESSION_DATE"]
        case .preSleepRecorded: ["DOSETAP_EVENT_ID", "DOSETAP_COMPLETION_STATE"]
        case .medicationRecorded, .regimenSet, .inventoryRecorded: ["DOSETAP_EVENT_ID"]
        case .commandRefused: ["DOSETAP_COMMAND", "DOSETAP_REASON"]
        case .confirmationNeeded: ["DOSETAP_COMMAND", "DOSETAP_CONFIRMATIONS"]
        case .phaseChanged: ["DOSETAP_PHASE_BEFORE", "DOSETAP_PHASE"]
        case .windowOpen, .alarm: ["DOSETAP_SESSION_DATE", "DOSETAP_WINDOW_CLOSES"]
        case .closing: ["DOSETAP_SESSION_DATE", "DOSETAP_MINUTES_LEFT", "DOSETAP_WINDOW_CLOSES"]
        case .windowClosed, .sleptThrough, .checkInOpen: ["DOSETAP_SESSION_DATE"]
        case .reminder: ["DOSETAP_REMINDER", "DOSETAP_SESSION_DATE"]
        case .reminderDropped: ["DOSETAP_REMINDER", "DOSETAP_REASON"]
        case .reminderDelivered: ["DOSETAP_REMINDER", "DOSETAP_CHANNEL"]
        case .reminderAcknowledged: ["DOSETAP_REMINDER", "DOSETAP_ANSWER"]
        case .channelTested: ["DOSETAP_CHANNEL"]
        case .sessionOpened: ["DOSETAP_SESSION_DATE", "DOSETAP_SESSION_ID"]
        case .sessionClosed: ["DOSETAP_SESSION_DATE", "DOSETAP_SESSION_ID", "DOSETAP_TERMINAL_STATE"]
        case .clockStepped, .clockSuspect: ["DOSETAP_DIFFERENCE_SECONDS"]
        case .storeRecovered: []
        case .modesClosed: ["DOSETAP_FILES"]
        case .exported: ["DOSETAP_EXPORT", "DOSETAP_ROWS"]
        case .imported: ["DOSETAP_SOURCE", "DOSETAP_ENTRIES"]
        case .storeRolledBack, .storeRestored: ["DOSETAP_EXPECTED_SEQ", "DOSETAP_FOUND_SEQ"]
        case .pluginFailed: ["DOSETAP_PLUGIN", "DOSETAP_REASON"]
        case .configRefused: ["DOSETAP_COMPLAINT"]
        case .notificationsAvailable: ["DOSETAP_SERVER"]
        case .notificationsUnavailable: ["DOSETAP_REASON"]
        case .notificationIgnored: ["DOSETAP_ACTION", "DOSETAP_REASON"]
        case .sleepHeldOff: ["DOSETAP_LOCKS"]
        case .sleepNotHeldOff, .wakeTimerRefused: ["DOSETAP_REASON"]
        case .wakeTimerSet: ["DOSETAP_AT"]
        case .sleepAllowed, .machineSleeps, .machineWoke: []
        case .alarmSound, .alarmSpeech, .alarmHooks, .alarmPartner: ["DOSETAP_RUNG", "DOSETAP_REMINDER", "DOSETAP_DUE"]
        case .alarmStepFailed: ["DOSETAP_RUNG", "DOSETAP_REASON"]
        case .hookFailed: ["DOSETAP_HOOK", "DOSETAP_REASON", "DOSETAP_OUTPUT", "DOSETAP_EVENT"]
        case .hookRefused: ["DOSETAP_HOOK", "DOSETAP_REASON", "DOSETAP_EVENT"]
        case .hookFolderUnknown: ["DOSETAP_HOOK", "DOSETAP_NEAREST"]
        }
    }
}

extension JournalSink {
    /// Writes one of the entries people may look for.
    package func send(
        _ message: JournalMessage, _ text: String, _ fields: [(String, String)] = [],
        _ priority: JournalPriority = .info
    ) {
        send(JournalEntry(messageID: message.rawValue, message: text, priority: priority, fields: fields))
    }
}

extension StringProtocol {
    /// The words of somebody else, fit for one line of the journal.
    var journalText: String { journalText(200) }

    /// Returns ``journalText`` with at most this many characters.
    func journalText(_ limit: Int) -> String {
        if utf8.count <= limit, utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return String(self) }
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix(limit).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
