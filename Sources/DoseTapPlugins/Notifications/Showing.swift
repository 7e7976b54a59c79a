internal import DoseTapDomain
internal import DoseTapEngine

/// One notification of ours.
struct Showing: Sendable {
    /// What it is about: two with the same subject need not both be shown.
    enum Subject: Hashable, Sendable {
        /// In doubt the same reminder says something else.
        case reminder(ReminderPlan.Item, isCertain: Bool)
        case question(Command, [Confirmation], NotificationContent)
        case answer(NotificationContent)
        /// What stays of a reminder when the service ends.
        case parting(ReminderPlan.Item)
        /// An earlier process showed it; what it said is not known.
        case left
    }

    let subject: Subject
    let session: SessionID
    let content: NotificationContent
    /// The reminder it shows.
    let due: Deadline?
    /// When it was made, which tells it from the next one about the same.
    let made: Instant

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
        // What is newest by then may be something else: only where it is offered.
        if action == .undo, !offers(.undo) { return nil }
        if let command = action.command { return (command, []) }
        // A question whose answer must not be one press away has no button for it.
        guard case .question(let command, let confirmations, _) = subject, offers(action) else { return nil }
        return (command, confirmations)
    }
}
