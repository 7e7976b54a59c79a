internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText

/// The content of a notification, before the capabilities of the desktop are known.
package struct NotificationContent: Hashable, Sendable {
    struct Button: Hashable, Sendable {
        var action: NotificationAction
        var label: String
    }

    package var summary: String
    /// Sentences, a line each.
    package var lines: [String]
    var buttons: [Button] = []
    var urgency: ReminderID.Urgency
    /// The time that the notification may stand; nil: as its urgency asks.
    var lasts: Duration?

    /// Replaces the buttons by a line with the commands to type.
    mutating func spellOutButtons() {
        guard !buttons.isEmpty else { return }
        var commands: [String] = []
        for button in buttons where !commands.contains(button.action.terminal) {
            commands.append(button.action.terminal)
        }
        lines.append(NotificationText.inTerminal(commands))
        buttons = []
    }
}

/// A notification in the form that goes over the bus.
struct NotificationWire: Hashable, Sendable {
    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]
    /// Milliseconds. 0: until the notification is withdrawn; -1: as long as the desktop decides.
    let expiry: Int32

    /// Keeps what the desktop can show: text is escaped if the desktop reads markup, and a desktop without buttons gets the
    /// commands to type.
    init(_ content: NotificationContent, for capabilities: Set<NotificationServer.Capability>) {
        var content = content
        if !capabilities.contains(.actions) { DisplayLanguage.addressingPerson { content.spellOutButtons() } }
        actions = content.buttons.flatMap { [$0.action.rawValue, $0.label] }
        if capabilities.contains(.body) {
            summary = content.summary
            let text = content.lines.joined(separator: "\n")
            body = capabilities.contains(.bodyMarkup) ? Self.escaped(text) : text
        } else {
            summary = ([content.summary] + content.lines).joined(separator: " · ")
            body = ""
        }
        expiry =
            content.lasts.map { Int32(clamping: max(1, $0.wholeMilliseconds)) }
            ?? (content.urgency == .critical ? 0 : -1)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}

/// The action of a notification's button; the raw value is the key on the bus.
enum NotificationAction: String, Hashable, Sendable, CaseIterable {
    case dose2
    case snooze
    case skip
    /// Takes back the entry that the button's notification reports.
    case undo
    /// Confirms the questions of the button's notification.
    case confirm
    /// Confirms the questions, and says that the computer's clock is right.
    case clockRight = "clock_right"
    /// Confirms the questions, and says that the computer's clock is wrong.
    case clockWrong = "clock_wrong"
    /// Answers the questions with no: nothing is recorded, and the reminders go on.
    case notTaken = "not_taken"

    /// The command of a press; nil for ``notTaken``, and for the confirming actions, which repeat the command in question.
    var command: Command? {
        switch self {
        case .dose2: .logDose(.dose2)
        case .snooze: .snooze
        case .skip: .skipDose2
        case .undo: .undo
        case .confirm, .clockRight, .clockWrong, .notTaken: nil
        }
    }

    /// The command to type in a terminal instead of the press.
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

    /// The action's answer about the computer's clock; nil for actions without one.
    var isClockRight: Bool? {
        switch self {
        case .clockRight: true
        case .clockWrong: false
        case .dose2, .snooze, .skip, .undo, .confirm, .notTaken: nil
        }
    }
}

/// The content of reminders: short and plain, for somebody half asleep.
extension NotificationContent {
    /// - Parameters:
    ///   - due: the reminder.
    ///   - view: the night at the moment the reminder is shown, which may be later than its due time.
    ///   - showsDetails: true if the medicine and its amount may be named.
    init(_ due: DueReminder, _ view: NightView, showsDetails: Bool) {
        let status = view.status
        let isKnown = showsDetails && status.window.isCertain
        (summary, lines) = ReminderText.notification(
            due.item.id,
            ReminderText.Figures(
                elapsed: status.window.elapsed ?? status.dose1.map { status.at - $0 } ?? .zero,
                remaining: status.window.remaining ?? due.windowCloses - status.at,
                closes: view.moments.clock(due.windowCloses), toAlarm: status.alarm.map { $0 - status.at },
                overdue: due.overdue, doubt: status.window.time?.doubtSentence,
                dose: isKnown ? Self.dose(status) : nil, isDose2Unknown: status.outcome == .notRecorded))
        urgency = due.item.id.urgency
        buttons = Self.buttons(due.item.id, view)
    }

    /// Makes the content that stays of a reminder when the service ends. It has no buttons, for nobody would answer them,
    /// and stands no longer than the window. A critical notification would stay for ever.
    init(parting due: DueReminder, _ view: NightView, showsDetails: Bool) {
        self.init(due, view, showsDetails: showsDetails)
        lines.append(NotificationText.parting)
        spellOutButtons()
        urgency = .normal
        lasts = due.windowCloses - view.status.at
    }

    /// Makes the content for a recorded change of the clocks while dose 2 is open: a fact, no reminder.
    init(_ stepped: ClockStepped, _ event: Event, _ moments: Moments) {
        summary = NotificationText.clock(isCertain: stepped.elapsed?.isCertain == true)
        lines = [stepped.sentence(now: event.clock.wall, moments)]
        urgency = .normal
    }

    private static func buttons(_ id: ReminderID, _ view: NightView) -> [Button] {
        let skip = Button(action: .skip, label: NotificationText.skip)
        switch id.row.message {
        case .closed where view.status.window.isCertain:
            return [Button(action: .skip, label: NotificationText.notTaken)]
        case .checkIn: return []
        default:
            let taken = Button(action: .dose2, label: NotificationText.taken)
            guard view.offersSnooze else { return [taken, skip] }
            let snooze = NotificationText.snooze(minutes: view.snoozeStepMinutes)
            return [taken, Button(action: .snooze, label: snooze), skip]
        }
    }

    /// Returns the medicine and the amount prescribed as dose 2; nil if no medicine is known.
    private static func dose(_ status: NightStatus) -> String? {
        guard let regimen = status.regimen, case .string(let id)? = regimen["medication_id"] else { return nil }
        let name = MedicationCatalogue.standard[id]?.displayName ?? id
        guard case .array(let parts)? = regimen["parts_mg"], parts.count > 1, case .integer(let amount) = parts[1]
        else { return NotificationText.dose(name, milligrams: nil) }
        return NotificationText.dose(name, milligrams: amount)
    }
}

/// The content in answer to a press.
extension NotificationContent {
    /// Makes the content for the questions that a press meets, with a button that answers all of them if one press may.
    ///
    /// - Parameter showsDetails: true if amounts may be named.
    init(_ question: Question, to command: Command, _ moments: Moments, showsDetails: Bool) {
        let asked = question.confirmations.map {
            NotificationText.asked($0, question, moments, showsDetails: showsDetails)
        }
        summary = asked.first?.summary ?? NotificationText.confirm
        lines = asked.compactMap(\.sentence)
        urgency = .critical
        let marks = asked.compactMap(\.mark)
        let isEasy = marks.count == asked.count
        // A hand in the dark finds the first button.
        buttons = [Button(action: .notTaken, label: NotificationText.nothing(command))]
        lines.append(isEasy ? NotificationText.nothingYet : ErrorText.nothingRecorded)
        if isEasy, question.elapsed != nil {
            // The answer decides which figure is recorded.
            buttons.append(Button(action: .clockWrong, label: NotificationText.clockIsWrong))
            buttons.append(Button(action: .clockRight, label: NotificationText.clockIsRight))
        } else if isEasy {
            buttons.append(Button(action: .confirm, label: NotificationText.record(command, marks)))
        }
    }

    /// Makes the content for a recorded press, shown as long as undo is possible; nil for an undo.
    init?(_ receipt: Receipt, of command: Command, _ view: NightView) {
        guard let said = NotificationText.recorded(receipt, of: command, view.moments) else { return nil }
        (summary, lines) = said
        // A dangerous entry stays on the screen, even after undo is no longer possible.
        urgency = receipt.isDangerous ? .critical : .normal
        lasts = receipt.isDangerous ? nil : view.undoWindow
        buttons = [Button(action: .undo, label: NotificationText.undo)]
    }

    /// Makes the content for a press that failed: the person has to know whether the press counts.
    init(_ failure: EngineFailure, _ moments: Moments) {
        switch failure {
        case .command(.refused(let reason, let refusal)):
            self.init(refusal: NotificationText.refusal(reason, refusal, moments))
        case .command(.nothingToDo(let text, _)), .command(.invalidInput(let text)):
            self.init(refusal: Wire.told("\(text.capitalised)."))
        case .command(.needsConfirmation), .command(.unknown), .command(.notFound):
            self.init(refusal: NotificationText.elsewhere)
        case .store(_, kept: true):
            let said = NotificationText.notSafe
            self.init(summary: said.summary, lines: said.lines, urgency: .critical)
        case .store(_, kept: false): self.init(refusal: NotificationText.notKept)
        case .busy, .stopping: self.init(refusal: NotificationText.busy)
        }
    }

    /// Makes the content for a press that recorded nothing, with the reason.
    init(refusal why: String) {
        self.init(summary: NotificationText.notRecorded, lines: [why], urgency: .normal)
    }
}
