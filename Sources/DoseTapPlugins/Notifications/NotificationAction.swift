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
    /// The same, saying that the computer's clock is right.
    case clockRight = "clock_right"
    /// The same, saying that it is wrong.
    case clockWrong = "clock_wrong"
    /// Answers them with no: nothing is recorded, the reminders go on.
    case notTaken = "not_taken"

    /// What a press asks of the engine; nil for ``confirm``, which repeats what was asked, and for ``notTaken``.
    var command: Command? {
        switch self {
        case .dose2: .logDose(.dose2)
        case .snooze: .snooze
        case .skip: .skipDose2
        case .undo: .undo
        case .confirm, .clockRight, .clockWrong, .notTaken: nil
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
        case .clockRight: "dosetap log dose2 --confirm clock_suspect=right"
        case .clockWrong: "dosetap log dose2 --confirm clock_suspect=wrong"
        }
    }

    /// What it says of the computer's clock, if that was asked.
    var isClockRight: Bool? {
        switch self {
        case .clockRight: true
        case .clockWrong: false
        case .dose2, .snooze, .skip, .undo, .confirm, .notTaken: nil
        }
    }
}
