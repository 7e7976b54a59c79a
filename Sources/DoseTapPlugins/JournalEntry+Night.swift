public import DoseTapDomain
public import DoseTapEngine
internal import DoseTapText
public import SystemdJournal

/// The entries of a night: one stable sentence and stable fields for each. Names and amounts of medicines, and notes,
/// never get in here.
extension JournalEntry {
    /// Makes the entry for an event of the log.
    ///
    /// - Parameters:
    ///   - due: the due time of the event's reminder, if any, by the present wall clock.
    ///   - moments: for showing times.
    public init(recorded stored: StoredEvent, date: SessionDate?, phase: Phase?, due: Instant? = nil, moments: Moments)
    {
        let event = stored.event
        let (message, priority) = Self.message(event.payload)
        let text = JournalText.recorded(event, sleepEvent: SleepEventRecorded.journalWord, moments)
        var fields = [
            ("DOSETAP_EVENT", event.type.rawValue), ("DOSETAP_EVENT_ID", event.id.text),
            ("DOSETAP_SEQUENCE", "\(stored.sequence)"), ("DOSETAP_EFFECTIVE_AT", event.effectiveAt.iso8601),
            ("DOSETAP_SURFACE", event.surface.rawValue),
        ]
        if let session = event.sessionID { fields.append(("DOSETAP_SESSION_ID", session.text)) }
        fields += Self.night(date ?? Self.openedDate(event), phase)
        fields += Self.details(event.payload, due)
        self.init(messageID: message.rawValue, message: text, priority: priority, fields: fields)
    }

    /// The same entry for an event that may have been written before.
    var again: JournalEntry {
        var entry = JournalEntry(
            messageID: messageID, message: JournalText.again(message), priority: priority)
        entry.fields = fields + [JournalField("DOSETAP_WRITTEN_AGAIN", "1")]
        return entry
    }

    /// Makes the entry for a reminder at its instant.
    public init(reminder due: DueReminder) {
        let toAlarm = ReminderPlan.preAlarmLead - due.lateness
        let milliseconds = due.lateness.wholeMilliseconds
        let message: JournalMessage =
            switch due.item.id.row.message {
            case _ where due.item.id.isOfWindow && !due.isCertain: .reminder
            case .opening: .windowOpen
            case .alarm: .alarm
            case .closing: .closing
            case .closed: .windowClosed
            case .checkIn: .checkInOpen
            default: .reminder
            }
        let text = ReminderText.journal(
            due.item.id, isCertain: due.isCertain, toAlarm: ReminderText.minutesUp(toAlarm), toClose: due.minutesLeft,
            lateness: due.lateness)
        var fields = [
            ("DOSETAP_EVENT", "reminder_fired"), ("DOSETAP_REMINDER", due.item.id.rawValue),
            ("DOSETAP_DUE", due.shownDue.iso8601), ("DOSETAP_LATE_MS", "\(milliseconds)"),
            ("DOSETAP_SESSION_ID", due.session.text), ("DOSETAP_SESSION_DATE", due.date.text),
        ]
        if due.item.id.isOfWindow {
            fields += [
                ("DOSETAP_WINDOW_CLOSES", due.windowCloses.iso8601), ("DOSETAP_MINUTES_LEFT", "\(due.minutesLeft)"),
            ]
        }
        self.init(
            messageID: message.rawValue, message: text, priority: due.item.id.urgency == .critical ? .warning : .notice,
            fields: fields)
    }

    /// Returns the entry for a test of a channel.
    public static func channelTested(_ channel: String) -> JournalEntry {
        JournalEntry(
            messageID: JournalMessage.channelTested.rawValue,
            message: JournalText.channelTested(channel),
            priority: .notice, fields: [("DOSETAP_EVENT", "channel_tested"), ("DOSETAP_CHANNEL", channel)])
    }

    /// Makes the entry for a timer that cannot be armed.
    public init(timerFault why: String) {
        self.init(
            messageID: JournalMessage.serviceUnhealthy.rawValue,
            message: JournalText.timerFault,
            priority: .critical,
            fields: [("DOSETAP_REASON", why), ("DOSETAP_HINT", "systemctl --user restart dosetapd")])
    }

    /// Makes the entry for data that was written out for a caller.
    public init(exported report: ExportReport) {
        self.init(
            messageID: JournalMessage.exported.rawValue, message: ExportText.journalLine(report), priority: .info,
            fields: [("DOSETAP_EXPORT", report.what), ("DOSETAP_ROWS", "\(report.rows)")])
    }

    /// Makes the entry for a change of the night's phase.
    public init(phase old: Phase, _ new: Phase, _ status: NightStatus) {
        self.init(
            messageID: JournalMessage.phaseChanged.rawValue, message: JournalText.phase(old, new),
            priority: .info,
            fields: [("DOSETAP_EVENT", "phase_changed"), ("DOSETAP_PHASE_BEFORE", old.rawValue)]
                + Self.night(status.sessionDate, new))
    }

    /// Makes the entry for a command that recorded nothing.
    public init(declined command: Command, _ failure: CommandFailure, _ surface: Surface, _ date: SessionDate?) {
        let what = command.journalWord
        var fields = [("DOSETAP_COMMAND", what), ("DOSETAP_SURFACE", surface.rawValue)] + Self.night(date, nil)
        var message = JournalMessage.commandRefused
        let reason: String
        switch failure {
        case .needsConfirmation(let question):
            message = .confirmationNeeded
            let words = question.confirmations.map(\.rawValue).joined(separator: ",")
            fields += [("DOSETAP_EVENT", "confirmation_needed"), ("DOSETAP_CONFIRMATIONS", words)]
            reason = ""
        case .refused(let block, _): reason = block.rawValue
        case .invalidInput: reason = "invalid_input"
        case .unknown: reason = "unknown_word"
        case .notFound: reason = "not_found"
        case .nothingToDo: reason = "nothing_to_do"
        }
        if !reason.isEmpty { fields += [("DOSETAP_EVENT", "command_refused"), ("DOSETAP_REASON", reason)] }
        self.init(
            messageID: message.rawValue, message: JournalText.declined(what, failure), priority: .notice, fields: fields
        )
    }

    /// Returns the entries for events that could not be made durable yet; the journal at least has them on record.
    public static func unsafe(_ events: [Event], _ error: StoreError) -> [JournalEntry] {
        events.map { event in
            JournalEntry(
                messageID: JournalMessage.storeFault.rawValue,
                message: JournalText.unsafe(event),
                priority: .error,
                fields: [
                    ("DOSETAP_EVENT", event.type.rawValue), ("DOSETAP_EVENT_ID", event.id.text),
                    ("DOSETAP_EFFECTIVE_AT", event.effectiveAt.iso8601), ("DOSETAP_REASON", error.code.rawValue),
                    ("DOSETAP_HINT", "dosetap status"),
                    ("DOSETAP_SESSION_ID", event.sessionID?.text ?? ""),
                ] + (event.withoutDetails.map { [(Self.entryField, $0.json.serialized())] } ?? []))
        }
    }

    /// Makes the entry for care of the record that failed.
    ///
    /// - Parameter member: the care that was asked for, by its name in the contract.
    public init(failed member: String, _ error: StoreError) {
        self.init(
            messageID: JournalMessage.careFailed.rawValue, message: JournalText.failed(member, error), priority: .error,
            fields: [
                ("DOSETAP_COMMAND", member), ("DOSETAP_REASON", error.code.rawValue),
                ("DOSETAP_HINT", "dosetap doctor"),
            ])
    }

    /// The field with an event that may have no other place, without medicines, amounts and notes.
    public static let entryField = "DOSETAP_ENTRY"

    /// Returns the entries for events that are not in the log when the service stops.
    public static func left(_ events: [Event], in place: KeptPlace) -> [JournalEntry] {
        events.map { event in
            JournalEntry(
                messageID: JournalMessage.storeFault.rawValue,
                message: JournalText.left(event, in: place),
                priority: .error,
                fields: [
                    ("DOSETAP_EVENT", event.type.rawValue), ("DOSETAP_EVENT_ID", event.id.text),
                    ("DOSETAP_EFFECTIVE_AT", event.effectiveAt.iso8601), ("DOSETAP_REASON", "left_\(place.rawValue)"),
                    ("DOSETAP_HINT", "dosetap status"), ("DOSETAP_SESSION_ID", event.sessionID?.text ?? ""),
                ])
        }
    }

    private static func night(_ date: SessionDate?, _ phase: Phase?) -> [(String, String)] {
        var fields: [(String, String)] = []
        if let date { fields.append(("DOSETAP_SESSION_DATE", date.text)) }
        if let phase { fields.append(("DOSETAP_PHASE", phase.rawValue)) }
        return fields
    }

    /// Returns the fields that the catalog's explanation of an event names.
    private static func details(_ payload: EventPayload, _ due: Instant?) -> [(String, String)] {
        switch payload {
        case .reminderDropped(let payload):
            [
                ("DOSETAP_REMINDER", payload.reminder.rawValue), ("DOSETAP_DUE", (due ?? payload.due).iso8601),
                ("DOSETAP_REASON", payload.reason.rawValue),
            ]
        case .reminderDelivered(let payload):
            [
                ("DOSETAP_REMINDER", payload.reminder.rawValue), ("DOSETAP_DUE", (due ?? payload.due).iso8601),
                ("DOSETAP_CHANNEL", payload.channel.text), ("DOSETAP_LATE_MS", "\(payload.lateMilliseconds)"),
            ]
        case .reminderAcknowledged(let payload):
            [
                ("DOSETAP_REMINDER", payload.reminder.rawValue), ("DOSETAP_DUE", (due ?? payload.due).iso8601),
                ("DOSETAP_ANSWER", payload.by.rawValue),
            ]
        case .sessionClosed(let payload): [("DOSETAP_TERMINAL_STATE", payload.state.rawValue)]
        case .clockStepped(let payload): [("DOSETAP_DIFFERENCE_SECONDS", "\(payload.byMilliseconds / 1_000)")]
        case .storeRestored(let payload):
            [
                ("DOSETAP_EXPECTED_SEQ", "\(payload.expectedSequence)"),
                ("DOSETAP_FOUND_SEQ", "\(payload.foundSequence)"),
            ]
        case .importRecorded(let fact):
            [("DOSETAP_SOURCE", fact.source), ("DOSETAP_ENTRIES", "\(fact.entries)")]
        case .sleepEventRecorded(let payload): [("DOSETAP_SLEEP_EVENT", SleepEventRecorded.journalWord(payload.type))]
        case .entry(let entry): entry.journalFields
        default: []
        }
    }

    private static func openedDate(_ event: Event) -> SessionDate? {
        guard case .sessionOpened(let payload) = event.payload else { return nil }
        return payload.date
    }

    private static func message(_ payload: EventPayload) -> (JournalMessage, JournalPriority) {
        switch payload {
        case .sessionOpened: (.sessionOpened, .info)
        case .sessionClosed: (.sessionClosed, .info)
        case .doseSkipped(let payload) where payload.isAutomatic: (.sleptThrough, .warning)
        case .doseRecorded, .doseSkipped, .snoozeRecorded, .finalWakeRecorded, .entryAmended, .entryDeleted,
            .actionUndone, .settingChanged:
            (.eventRecorded, .notice)
        case .sleepEventRecorded: (.sleepEventRecorded, .notice)
        case .checkinRecorded: (.checkInRecorded, .notice)
        case .entry: (JournalMessage(recorded: payload.type), .notice)
        case .reminderFired: (.reminder, .info)
        case .reminderDropped: (.reminderDropped, .info)
        case .reminderDelivered: (.reminderDelivered, .info)
        case .reminderAcknowledged: (.reminderAcknowledged, .info)
        case .clockStepped(let payload): (payload.suspect ? .clockSuspect : .clockStepped, .warning)
        case .storeRestored(let restored): restored.isByPerson ? (.storeRestored, .notice) : (.storeRolledBack, .error)
        case .importRecorded: (.imported, .notice)
        }
    }
}

extension Command {
    fileprivate var journalWord: String {
        switch self {
        case .logDose(let kind): kind.rawValue
        case .snooze: "snooze"
        case .skipDose2: "skip"
        case .logFinalWake: "wake"
        case .logSleepEvent: "sleep_event"
        case .saveCheckIn: "checkin"
        case .record(let type, _): type.entity?.rawValue ?? type.rawValue
        case .undo: "undo"
        case .amend: "amend"
        case .delete: "delete"
        }
    }
}

extension SleepEventRecorded {
    /// Returns the word for a type of sleep event; `custom` for a person's own type, whose name does not get in here.
    fileprivate static func journalWord(_ type: String) -> String {
        SleepEventCatalogue.standard[type] == nil ? "custom" : type
    }
}

extension JournalMessage {
    /// Makes the message for an entry that is no part of a session's fold.
    fileprivate init(recorded type: EventType) {
        self =
            switch type {
            case .preSleepRecorded: .preSleepRecorded
            case .medicationRecorded: .medicationRecorded
            case .regimenSet: .regimenSet
            case .inventoryRecorded: .inventoryRecorded
            default: .eventRecorded
            }
    }
}
