internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem

/// A place on the screen for one notification at a time: the notification wanted, the notification shown, and the call
/// under way. Calls go out one at a time, so that a notification is replaced and never stacked.
struct NotificationSlot: Sendable {
    /// The next call to the server.
    enum Step: Sendable {
        case show(Showing, replacing: UInt32, ticket: UInt64)
        case close(UInt32)
    }

    /// The notification that should be shown.
    private(set) var wanted: Showing?
    /// The notification shown, with the server's id.
    private(set) var shown: (id: UInt32, showing: Showing)?
    private var pending: (ticket: UInt64, showing: Showing)?
    /// Overdue calls that may still be answered, by ticket.
    private var late: [UInt64: Showing] = [:]
    private var lastTicket: UInt64 = 0

    /// The most overdue calls that are remembered.
    private static let mostLate = 8

    /// True if a notification is wanted that is not shown, and no call is under way.
    var isWaiting: Bool { wanted != nil && pending == nil && wanted?.subject != shown?.showing.subject }

    /// True if the notification shown is untrue by now: it says to take dose 2 though the window has closed or the clocks
    /// are in doubt, or it says that the window has closed though the window is open again.
    private var isOutdated: Bool {
        guard let wanted, let shown, shown.showing.subject != wanted.subject else { return false }
        return wanted.subject.saysClosed || shown.showing.subject.saysClosed
            || wanted.subject.isInDoubt && !shown.showing.subject.isInDoubt
    }

    /// Sets the wanted notification; one with the same subject that is shown or on its way stays.
    mutating func want(_ showing: Showing?) {
        let present = pending?.showing ?? shown?.showing
        wanted = showing.map { $0.subject == present?.subject ? present ?? $0 : $0 }
    }

    /// Returns the next step and records its begin; nil if nothing is to be done.
    mutating func next() -> Step? {
        guard pending == nil else { return nil }
        if isWaiting, let wanted {
            lastTicket += 1
            pending = (lastTicket, wanted)
            return .show(wanted, replacing: shown?.id ?? 0, ticket: lastTicket)
        }
        guard wanted == nil, let id = shown?.id else { return nil }
        shown = nil
        return .close(id)
    }

    /// Takes away an untrue notification if the wanted one cannot be shown.
    ///
    /// - Returns: the id to be closed.
    mutating func retract() -> UInt32? {
        // A slow server may still show the wanted notification, under the same id.
        let isComing = late.values.contains { $0.subject == wanted?.subject }
        guard pending == nil, !isComing, isOutdated else { return nil }
        return shown.take()?.id
    }

    /// Records a notification of an earlier process as shown.
    mutating func adopt(_ showing: Showing, id: UInt32) { shown = (id, showing) }

    /// Records the answer to a call: the server shows the notification under this id.
    ///
    /// - Returns: the notification shown now, and an id to be closed: that of a replaced or of a late notification.
    mutating func answered(_ ticket: UInt64, id: UInt32) -> (shown: Showing?, stale: UInt32?) {
        if let pending, pending.ticket == ticket {
            self.pending = nil
            let replaced = shown.flatMap { $0.id == id ? nil : $0.id }
            shown = (id, pending.showing)
            return (pending.showing, replaced)
        }
        guard let showing = late.removeValue(forKey: ticket) else { return (nil, nil) }
        if shown?.id == id || (shown == nil && pending == nil && wanted?.subject == showing.subject) {
            shown = (id, showing)
            return (showing, nil)
        }
        return (nil, id)
    }

    /// Records that the call failed.
    mutating func failed(_ ticket: UInt64) {
        late[ticket] = nil
        if pending?.ticket == ticket { pending = nil }
    }

    /// Records that the call takes too long: other calls may go on, and a late answer is still taken.
    mutating func overdue(_ ticket: UInt64) -> Bool {
        guard let pending, pending.ticket == ticket else { return false }
        if late.count == Self.mostLate, let oldest = late.keys.min() { late[oldest] = nil }
        late[ticket] = pending.showing
        self.pending = nil
        return true
    }

    /// Records that somebody else removed the notification from the screen.
    ///
    /// - Returns: the notification; nil for an id that is not shown here.
    mutating func closed(_ id: UInt32) -> Showing? {
        guard let shown, shown.id == id else { return nil }
        self.shown = nil
        if wanted?.subject == shown.showing.subject { wanted = nil }
        return shown.showing
    }

    /// Forgets the server's notification and calls. The wanted notification stays wanted.
    mutating func forget() {
        shown = nil
        pending = nil
        late = [:]
    }
}

extension Showing.Subject {
    fileprivate var saysClosed: Bool {
        if case .reminder(let item, _) = self { item.id.row.message == .closed } else { false }
    }

    /// True for a reminder that says that the clocks are in doubt.
    fileprivate var isInDoubt: Bool {
        if case .reminder(_, let isCertain) = self { !isCertain } else { false }
    }
}

/// One notification of this service.
struct Showing: Sendable {
    /// The subject of a notification. Two notifications with the same subject need not both be shown.
    enum Subject: Hashable, Sendable {
        /// A reminder; its text is another one if the time is in doubt.
        case reminder(ReminderPlan.Item, isCertain: Bool)
        case question(Command, [Confirmation], NotificationContent)
        case answer(NotificationContent)
        /// A recorded change of the clocks.
        case clock(EventID)
        /// The part of a reminder that stays when the service ends.
        case parting(ReminderPlan.Item)
        /// A notification of an earlier process; its content is not known.
        case left
    }

    let subject: Subject
    let session: SessionID
    let content: NotificationContent
    /// The reminder shown; nil for other subjects.
    let due: DueReminder?
    /// The instant when the notification was made, which tells two with the same subject apart.
    let made: Instant
    /// The entry that the undo button takes back.
    var undoes: EventID?

    /// Returns the key against double recording: repeated presses of one button of this notification count once.
    func key(_ action: NotificationAction) -> String {
        "notification/\(session.text)/\(made.milliseconds)/\(action.rawValue)"
    }

    /// Returns true if the event makes the question needless: once the window is open, no dose is too early.
    func isOver(_ payload: EventPayload) -> Bool {
        guard case .reminderFired(let fired) = payload, fired.reminder == .windowOpen,
            case .question(_, let confirmations, _) = subject
        else { return false }
        return confirmations.contains(.early)
    }

    /// Returns true if the notification has a button for the action.
    func offers(_ action: NotificationAction) -> Bool { content.buttons.contains { $0.action == action } }

    /// Returns the command of a press and the questions it answers; nil for an undo or an answer without a button here.
    func request(_ action: NotificationAction) -> (command: Command, confirmations: [Confirmation])? {
        if action == .undo, !offers(.undo) { return nil }
        if let command = action.command { return (command, []) }
        // A question that must not be answered by one press has no button for the answer.
        guard case .question(let command, let confirmations, _) = subject, offers(action) else { return nil }
        return (command, confirmations)
    }
}

/// The file that tells the next process which notifications are shown.
///
/// A server's ids are valid as long as the server lives, for every caller. A killed process leaves its notifications
/// behind, with buttons nobody hears; with this file the next process takes them over. The file holds nothing private.
struct ShownFile: Sendable {
    struct Entry: Hashable, Sendable {
        let place: NotificationsPlugin.Place
        /// The server's id, never 0.
        let id: UInt32
        let session: SessionID
        let made: Instant
    }

    /// The content of the file.
    struct Content: Hashable, Sendable {
        /// The server that gave the ids: ``NotificationServer/identity``.
        let server: String
        let shown: [Entry]
    }

    /// The file has no usable content.
    struct Garbage: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path): not what was written there" }
    }

    let path: String

    /// The most bytes of the file.
    private static let limit = 4_096

    /// - Parameter folder: a folder in memory, as the runtime directory is: the loop reads and writes the file.
    init(in folder: String) { path = folder + "/notifications.json" }

    /// Returns the content written last; nil without a file.
    ///
    /// - Throws: `SystemFault` if the file cannot be read, ``Garbage``.
    func read() throws -> Content? {
        guard let bytes = try PrivateFile.read(path, limit: Self.limit) else { return nil }
        guard let value = try? JSONValue.parse(bytes), let content = Content(value) else { throw Garbage(path: path) }
        return content
    }

    /// Replaces the file as a whole, or removes it if nothing is shown. The file need not survive a power cut.
    func write(_ content: Content) throws(SystemFault) {
        guard !content.shown.isEmpty else { return PrivateFile.remove(path) }
        try PrivateFile.write(content.json.serializedBytes(), to: path, isFlushed: false)
    }
}

extension ShownFile.Content {
    fileprivate var json: JSONValue {
        let entries = shown.map { entry -> JSONValue in
            [
                "place": .string(entry.place.rawValue), "id": .integer(Int64(entry.id)),
                "session_id": .string(entry.session.text), "made": .instant(entry.made),
            ]
        }
        return ["server": .string(server), "shown": .array(entries)]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let server = json["server"]?.stringValue, let entries = json["shown"]?.arrayValue else { return nil }
        var shown: [ShownFile.Entry] = []
        for entry in entries {
            guard let place = entry["place"]?.stringValue.flatMap(NotificationsPlugin.Place.init),
                !shown.contains(where: { $0.place == place }),
                let id = entry["id"]?.integerValue.flatMap(UInt32.init(exactly:)), id != 0,
                let session = entry["session_id"]?.stringValue, session.utf8.count == 36,
                let made = entry["made"]?.instantValue
            else { return nil }
            shown.append(ShownFile.Entry(place: place, id: id, session: SessionID(session), made: made))
        }
        self.init(server: server, shown: shown)
    }
}
