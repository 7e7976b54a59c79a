internal import DoseTapDomain
internal import DoseTapEngine

/// What the desktop says when a press could not simply be recorded.
extension NotificationContent {
    /// The questions a press meets, with a button that answers all of them, where one press may.
    ///
    /// - Parameter showsDetails: whether amounts may be named.
    init(_ question: Question, to command: Command, _ moments: Moments, showsDetails: Bool) {
        let asked = question.confirmations.map { Asked($0, question, moments, showsDetails) }
        summary = asked.first?.summary ?? "Please confirm"
        lines = asked.compactMap(\.sentence)
        urgency = .critical
        let remarks = asked.compactMap(\.remark)
        let isEasy = remarks.count == asked.count
        // The first button is the one that a hand finds in the dark.
        buttons = [Button(action: .notTaken, label: Self.refusal(command))]
        lines.append(isEasy ? "Nothing is recorded yet." : "Nothing was recorded.")
        if isEasy, question.elapsed != nil {
            // Which figure is recorded is the answer.
            buttons.append(Button(action: .clockWrong, label: "Record it: the clock is wrong"))
            buttons.append(Button(action: .clockRight, label: "Record it: the clock is right"))
        } else if isEasy {
            let label = "Record \(Self.entry(command)): \(remarks.joined(separator: ", "))"
            buttons.append(Button(action: .confirm, label: label))
        }
    }

    /// What a press recorded, for as long as it can be taken back; nil for the taking back itself.
    init?(_ receipt: Receipt, of command: Command, _ view: NightView) {
        let time = { (instant: Instant) in view.moments.clock(instant) }
        switch command {
        case .logDose(.dose2):
            (summary, lines) = (
                "Recorded: dose 2 at \(time(receipt.timestamp))", ["The reminders for dose 2 have ended."]
            )
        case .skipDose2:
            (summary, lines) = ("Recorded: dose 2 is skipped", ["The reminders for dose 2 have ended."])
        case .snooze:
            let alarm = receipt.dueTimes.map { "The alarm rings at \(time($0.alarm))." }
            (summary, lines) = ("Snoozed", [alarm].compactMap(\.self))
        default:
            return nil
        }
        if receipt.isDangerous { lines.append(Receipt.help) }
        // What is dangerous stays on the screen, also when it can no longer be taken back.
        urgency = receipt.isDangerous ? .critical : .normal
        lasts = receipt.isDangerous ? nil : view.undoWindow
        buttons = [Button(action: .undo, label: "Undo")]
    }

    /// Why a press recorded nothing.
    init(_ reason: BlockReason, _ refusal: Refusal, _ moments: Moments) {
        let at = refusal.existingAt.map { " at " + moments.clock($0) } ?? ""
        let why =
            switch reason {
            case .dose1Required: "Dose 1 is not on record tonight."
            case .dose1AlreadyTaken: "Dose 1 is already on record\(at)."
            case .dose2AlreadyTaken: "Dose 2 is already on record\(at)."
            case .alreadySkipped: "Dose 2 is already skipped\(at)."
            case .dose2TakenOrSkipped: "Dose 2 is already on record or skipped."
            case .nearClose: "Too little time is left to snooze."
            case .snoozeLimit: "No snooze is left tonight."
            case .snoozeOff: "Snoozing is switched off."
            case .phase: "It does not fit where the night stands now."
            case .cooldown: "The same was recorded a moment ago."
            case .future, .napOpen, .order, .alreadyDiscarded, .alreadyUsed: "It does not fit what is on record\(at)."
            }
        self.init(refusal: why)
    }

    /// Something went wrong with a press: the person has to know whether it counts.
    init(_ failure: EngineFailure, _ moments: Moments) {
        switch failure {
        case .command(.refused(let reason, let refusal)): self.init(reason, refusal, moments)
        case .command(.nothingToDo(let text, _)), .command(.invalidInput(let text)): self.init(refusal: "\(text).")
        case .command(.needsConfirmation), .command(.unknown), .command(.notFound):
            self.init(refusal: "Try it in a terminal: dosetap status")
        case .store(_, kept: true):
            self.init(
                summary: "Recorded, but not yet safe",
                lines: ["The disk does not take it. Do not switch the computer off.", "In a terminal: dosetap status"],
                urgency: .critical)
        case .store(_, kept: false): self.init(refusal: "The disk does not take it. Write it down.")
        case .busy, .stopping: self.init(refusal: "The service is busy. Press again in a moment.")
        }
    }

    /// A press that recorded nothing, and why.
    init(refusal why: String) {
        self.init(summary: "Not recorded", lines: [why], urgency: .normal)
    }

    private static func refusal(_ command: Command) -> String {
        switch command {
        case .logDose, .record(.medicationRecorded, _): "Not taken"
        default: "Do nothing"
        }
    }

    private static func entry(_ command: Command) -> String {
        switch command {
        case .skipDose2: "the skip"
        case .snooze: "the snooze"
        default: "dose 2"
        }
    }

    /// One question: what it is, and how the entry will be marked; no mark where a press is too easy an answer.
    private struct Asked {
        let summary: String
        let sentence: String?
        let remark: String?

        init(_ confirmation: Confirmation, _ question: Question, _ moments: Moments, _ showsDetails: Bool) {
            switch confirmation {
            case .early:
                let minutes = question.minutesToOpen ?? 1
                summary = "Too early by \(minutes) min"
                let opens = moments.clock(question.at + .minutes(minutes))
                if let doubt = question.sinceExisting?.doubtSentence {
                    sentence = "\(doubt) Doses together can stop breathing. Wait \(minutes) min."
                } else if !question.isActiveByPresentClock, let since = question.sinceExisting {
                    let ago = Moments.ago(max(.zero, since.counted))
                    sentence = "Dose 1 was \(ago). Doses together can stop breathing. Wait until \(opens)."
                } else {
                    let dose1 = question.existingAt.map { "Dose 1 was at \(moments.clock($0)). " } ?? ""
                    sentence = "\(dose1)Doses together can stop breathing. Wait until \(opens)."
                }
                remark = "\(minutes) min early"
            case .late:
                (summary, remark) = ("Too late: the window for dose 2 has closed", "late")
                sentence = "After a dose nobody should drive for 6 h. Skip dose 2 tonight."
            case .afterSkip:
                (summary, remark) = ("Dose 2 is on record as skipped", "after the skip")
                sentence = "A dose that is not expected is easily doubled. Record it only if you really had it."
            case .afterWake:
                (summary, remark) = ("The night has its final wake or check-in", "after waking")
                sentence = "After a dose nobody should drive for 6 h. Check the time of the dose."
            case .overLimit:
                (summary, remark) = ("Over the limit of the label", "over the limit")
                let (sum, limit) = (question.sumMilligrams ?? 0, question.limitMilligrams ?? 0)
                sentence =
                    (showsDetails ? "\(sum) mg; the limit is \(limit) mg. " : "")
                    + "Too much can stop breathing. Check the amount."
            case .onceNightly:
                (summary, remark) = ("One dose a night is prescribed and on record", "a second one")
                sentence = "A second one can stop breathing. Nothing more is due tonight."
            case .clockSuspect:
                (summary, remark) = ("The clock may be wrong", "at \(moments.clock(question.at))")
                sentence =
                    question.elapsed?.doubtSentence
                    ?? "It shows a time before the newest entry. Look at another clock first."
            case .extra:
                (summary, remark) = ("Dose 2 is already on record", nil)
                sentence = "If you really had one more, in a terminal: dosetap log extra"
            case .extraUnderstood: (summary, sentence, remark) = ("That would be an extra dose", nil, nil)
            case .longAgo, .duplicate, .windowUnresolved, .nightBegun, .undoDose:
                (summary, remark) = ("Not with a button", nil)
                sentence = "In a terminal: dosetap status"
            }
        }
    }
}
