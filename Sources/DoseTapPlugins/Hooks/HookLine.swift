internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText

/// What a hook reads: one line of JSON, version 1. Neutral unless details may be shown.
struct HookLine: Sendable {
    /// Keys and values in order.
    private(set) var object: JSONObject

    /// Bytes of a line; details that do not fit are left out.
    static let mostBytes = 64 * 1024

    private init(event: String, date: SessionDate?, phase: Phase?, text: String) {
        object = ["v": .integer(1), "event": .string(event)]
        object["session_date"] = date.map { .string($0.text) }
        object["phase"] = phase.map { .string($0.rawValue) }
        object["text"] = .string(text)
    }

    /// An event of the log.
    ///
    /// - Parameters:
    ///   - due: when the reminder it is about, if any, is due by the present wall clock.
    ///   - isCertain: whether it is certain how long dose 1 is ago.
    ///   - showsDetails: whether names, amounts and notes may be shown.
    init(
        _ stored: StoredEvent, date: SessionDate?, phase: Phase?, due: Instant?, isCertain: Bool, showsDetails: Bool
    ) {
        let event = stored.event
        self.init(event: event.type.rawValue, date: date, phase: phase, text: Self.text(event, isCertain: isCertain))
        object["id"] = .string(event.id.text)
        object["seq"] = .integer(stored.sequence)
        object["effective_at"] = .instant(event.effectiveAt)
        if let item = event.payload.reminder { add(item.id, due ?? item.due) }
        guard showsDetails else { return }
        var details = event.payload.json(origin: nil)
        // As beside it, by the present wall clock.
        if let due, event.payload.reminder != nil, case .object(var fields) = details {
            fields["due"] = .instant(due)
            details = .object(fields)
        }
        if details.serializedBytes().count < Self.mostBytes - 4_096 { object["details"] = details }
    }

    /// A rung of the alarm.
    ///
    /// - Parameter event: `alarm` or `partner`.
    init(_ event: String, _ due: DueReminder, phase: Phase?, text: String) {
        self.init(event: event, date: due.date, phase: phase, text: text)
        object["session_id"] = .string(due.session.text)
        add(due.item.id, due.shownDue)
        object["window_closes"] = .instant(due.windowCloses)
    }

    /// A test of a rung: nothing is due.
    init(testOf event: String) {
        self.init(event: event, date: nil, phase: nil, text: SpokenText.test)
        object["test"] = .bool(true)
    }

    private mutating func add(_ reminder: ReminderID, _ due: Instant) {
        object["reminder"] = .string(reminder.rawValue)
        object["due"] = .instant(due)
        object["urgency"] = .string(reminder.urgency.rawValue)
    }

    /// The line, with its end.
    var bytes: [UInt8] { JSONValue.object(object).serializedBytes() + [UInt8(ascii: "\n")] }

    /// Neutral words that may appear on any screen.
    private static func text(_ event: Event, isCertain: Bool) -> String {
        if case .reminderFired(let payload) = event.payload {
            return ReminderText.spoken(payload.reminder, isCertain: isCertain)
        }
        return SpokenText.recorded(event.type)
    }
}
