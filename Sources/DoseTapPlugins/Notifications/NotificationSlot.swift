internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem

/// A place on the screen for one notification at a time: what should stand there, what stands there, and the call that
/// is under way in between. One call at a time, so that a notification is replaced and never stacked.
struct NotificationSlot: Sendable {
    /// The next thing to do.
    enum Step: Sendable {
        case show(Showing, replacing: UInt32, ticket: UInt64)
        case close(UInt32)
    }

    /// What should stand there.
    private(set) var wanted: Showing?
    /// What stands there, by the server's id.
    private(set) var shown: (id: UInt32, showing: Showing)?
    private var pending: (ticket: UInt64, showing: Showing)?
    /// Calls that were given up, but may still be answered.
    private var late: [UInt64: Showing] = [:]
    private var lastTicket: UInt64 = 0

    /// How many unanswered calls are remembered.
    private static let mostLate = 8

    /// Whether something should be shown that is not.
    var isWaiting: Bool { wanted != nil && pending == nil && wanted?.subject != shown?.showing.subject }

    /// Whether what stands there is untrue by now: it says to take dose 2 though the window has closed or the clocks are in
    /// doubt, or that it has closed though it is open again.
    private var isOutdated: Bool {
        guard let wanted, let shown, shown.showing.subject != wanted.subject else { return false }
        return wanted.subject.saysClosed || shown.showing.subject.saysClosed
            || wanted.subject.isInDoubt && !shown.showing.subject.isInDoubt
    }

    /// Says what should stand there; what is there already, or on its way, stays.
    mutating func want(_ showing: Showing?) {
        let present = pending?.showing ?? shown?.showing
        wanted = showing.map { $0.subject == present?.subject ? present ?? $0 : $0 }
    }

    /// Takes the next step, if there is one.
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

    /// Takes away what is untrue by now, where what should stand there cannot be shown.
    ///
    /// - Returns: what is to be closed.
    mutating func retract() -> UInt32? {
        // A server that is slow may still show what takes its place, under the same id.
        let isComing = late.values.contains { $0.subject == wanted?.subject }
        guard pending == nil, !isComing, isOutdated else { return nil }
        return shown.take()?.id
    }

    /// Something an earlier process showed stands there.
    mutating func adopt(_ showing: Showing, id: UInt32) { shown = (id, showing) }

    /// The server has shown what it was asked to.
    ///
    /// - Returns: what is shown now, and an id to be closed because it came too late.
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

    /// The call came to nothing.
    mutating func failed(_ ticket: UInt64) {
        late[ticket] = nil
        if pending?.ticket == ticket { pending = nil }
    }

    /// The call takes too long: others may go on, its answer is still taken.
    mutating func overdue(_ ticket: UInt64) -> Bool {
        guard let pending, pending.ticket == ticket else { return false }
        if late.count == Self.mostLate, let oldest = late.keys.min() { late[oldest] = nil }
        late[ticket] = pending.showing
        self.pending = nil
        return true
    }

    /// It is gone from the screen by somebody else's doing.
    ///
    /// - Returns: what it was; nil for an id that does not stand here.
    mutating func closed(_ id: UInt32) -> Showing? {
        guard let shown, shown.id == id else { return nil }
        self.shown = nil
        if wanted?.subject == shown.showing.subject { wanted = nil }
        return shown.showing
    }

    /// The server is gone, and everything it showed; what should stand there still should.
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

    /// Whether it is a reminder that says so of the clocks.
    fileprivate var isInDoubt: Bool {
        if case .reminder(_, let isCertain) = self { !isCertain } else { false }
    }
}

/// One notification of ours.
struct Showing: Sendable {
    /// What it is about: two with the same subject need not both be shown.
    enum Subject: Hashable, Sendable {
        /// In doubt the same reminder says something else.
        case reminder(ReminderPlan.Item, isCertain: Bool)
        case question(Command, [Confirmation], NotificationContent)
        case answer(NotificationContent)
        /// What was recorded of the clocks.
        case clock(EventID)
        /// What stays of a reminder when the service ends.
        case parting(ReminderPlan.Item)
        /// An earlier process showed it; what it said is not known.
        case left
    }

    let subject: Subject
    let session: SessionID
    let content: NotificationContent
    /// The reminder it shows.
    let due: DueReminder?
    /// When it was made, which tells it from the next one about the same.
    let made: Instant
    /// The entry that its undo takes back.
    var undoes: EventID?

    /// Key against doubled recording: however often a button of this notification is pressed, it counts once.
    func key(_ action: NotificationAction) -> String {
        "notification/\(session.text)/\(made.milliseconds)/\(action.rawValue)"
    }

    /// Whether it asks what nobody has to ask any more: once the window is open nothing is too early.
    func isOver(_ payload: EventPayload) -> Bool {
        guard case .reminderFired(let fired) = payload, fired.reminder == .windowOpen,
            case .question(_, let confirmations, _) = subject
        else { return false }
        return confirmations.contains(.early)
    }

    /// Whether it has a button for that.
    func offers(_ action: NotificationAction) -> Bool { content.buttons.contains { $0.action == action } }

    /// What a press asks of the engine, and the questions it answers; nil where the button is none of this notification's.
    func request(_ action: NotificationAction) -> (command: Command, confirmations: [Confirmation])? {
        if action == .undo, !offers(.undo) { return nil }
        if let command = action.command { return (command, []) }
        // A question whose answer must not be one press away has no button for it.
        guard case .question(let command, let confirmations, _) = subject, offers(action) else { return nil }
        return (command, confirmations)
    }
}

/// What stands on the screen, in a file that outlives this process.
///
/// The ids a server gave hold as long as it lives, whoever asked for them. A process that is killed leaves its
/// notifications behind, with buttons nobody hears; by this file the next one takes them over. Nothing private is in it.
struct ShownFile: Sendable {
    struct Entry: Hashable, Sendable {
        let place: NotificationsPlugin.Place
        /// The server's, never 0.
        let id: UInt32
        let session: SessionID
        let made: Instant
    }

    /// What the file says.
    struct Content: Hashable, Sendable {
        /// Whose ids they are: ``NotificationServer/identity``.
        let server: String
        let shown: [Entry]
    }

    /// The file says nothing that can be used.
    struct Garbage: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path): not what was written there" }
    }

    let path: String

    /// Most bytes of it.
    private static let limit = 4_096

    /// - Parameter folder: in memory, as the runtime directory is: it is read and written on the loop.
    init(in folder: String) { path = folder + "/notifications.json" }

    /// What was written last; nil when there is none.
    ///
    /// - Throws: `SystemFault` where it cannot be read, ``Garbage``.
    func read() throws -> Content? {
        guard let bytes = try PrivateFile.read(path, limit: Self.limit) else { return nil }
        guard let value = try? JSONValue.parse(bytes), let content = Content(value) else { throw Garbage(path: path) }
        return content
    }

    /// Puts it in place as a whole; it goes when nothing is shown. Like the screen it need not survive a power cut.
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
