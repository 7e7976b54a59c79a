internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText

/// What the desktop says when a press could not simply be recorded.
extension NotificationContent {
    /// The questions a press meets, with a button that answers all of them, where one press may.
    ///
    /// - Parameter showsDetails: whether amounts may be named.
    init(_ question: Question, to command: Command, _ moments: Moments, showsDetails: Bool) {
        let asked = question.confirmations.map {
            NotificationText.asked($0, question, moments, showsDetails: showsDetails)
        }
        summary = asked.first?.summary ?? NotificationText.confirm
        lines = asked.compactMap(\.sentence)
        urgency = .critical
        let marks = asked.compactMap(\.mark)
        let isEasy = marks.count == asked.count
        // The first button is the one that a hand finds in the dark.
        buttons = [Button(action: .notTaken, label: NotificationText.nothing(command))]
        lines.append(isEasy ? NotificationText.nothingYet : NotificationText.nothingRecorded)
        if isEasy, question.elapsed != nil {
            // Which figure is recorded is the answer.
            buttons.append(Button(action: .clockWrong, label: NotificationText.clockIsWrong))
            buttons.append(Button(action: .clockRight, label: NotificationText.clockIsRight))
        } else if isEasy {
            buttons.append(Button(action: .confirm, label: NotificationText.record(command, marks)))
        }
    }

    /// What a press recorded, for as long as it can be taken back; nil for the taking back itself.
    init?(_ receipt: Receipt, of command: Command, _ view: NightView) {
        guard let said = NotificationText.recorded(receipt, of: command, view.moments) else { return nil }
        (summary, lines) = said
        // What is dangerous stays on the screen, also when it can no longer be taken back.
        urgency = receipt.isDangerous ? .critical : .normal
        lasts = receipt.isDangerous ? nil : view.undoWindow
        buttons = [Button(action: .undo, label: NotificationText.undo)]
    }

    /// Something went wrong with a press: the person has to know whether it counts.
    init(_ failure: EngineFailure, _ moments: Moments) {
        switch failure {
        case .command(.refused(let reason, let refusal)):
            self.init(refusal: NotificationText.refusal(reason, refusal, moments))
        case .command(.nothingToDo(let text, _)), .command(.invalidInput(let text)): self.init(refusal: "\(text).")
        case .command(.needsConfirmation), .command(.unknown), .command(.notFound):
            self.init(refusal: NotificationText.elsewhere)
        case .store(_, kept: true):
            let said = NotificationText.notSafe
            self.init(summary: said.summary, lines: said.lines, urgency: .critical)
        case .store(_, kept: false): self.init(refusal: NotificationText.notKept)
        case .busy, .stopping: self.init(refusal: NotificationText.busy)
        }
    }

    /// A press that recorded nothing, and why.
    init(refusal why: String) {
        self.init(summary: NotificationText.notRecorded, lines: [why], urgency: .normal)
    }
}
