internal import DoseTapDomain

/// What a button of a notification does; the raw value is its key on the bus.
enum NotificationAction: String, Hashable, Sendable, CaseIterable {
    case dose2
    case snooze
    case skip
    /// Takes back what the notification it stands on says to be recorded.
    case undo
    /// Answers the questions of the notification it stands on.
    case confirm
    /// Answers them with no: nothing is recorded, the reminders go on.
    case notTaken = "not_taken"

    /// What a press asks of the engine; nil for ``confirm``, which repeats what was asked, and for ``notTaken``.
    var command: Command? {
        switch self {
        case .dose2: .logDose(.dose2)
        case .snooze: .snooze
        case .skip: .skipDose2
        case .undo: .undo
        case .confirm, .notTaken: nil
        }
    }

    /// How to do the same without buttons.
    var terminal: String {
        switch self {
        case .dose2: "dosetap log dose2"
        case .snooze: "dosetap snooze"
        case .skip: "dosetap skip"
        case .undo: "dosetap undo"
        case .confirm, .notTaken: "dosetap status"
        }
    }
}
