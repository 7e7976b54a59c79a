package import DoseTapDomain

/// What notifications say beside the reminders themselves, and their buttons: short and plain, for somebody half asleep.
package enum NotificationText {
    // MARK: Buttons

    package static let taken = "Dose 2 taken"
    package static let skip = "Skip"
    package static let skipDose2 = "Skip dose 2"
    package static let undo = "Undo"
    package static let clockIsWrong = "Record it: the clock is wrong"
    package static let clockIsRight = "Record it: the clock is right"

    package static func snooze(minutes: Int) -> String { "Snooze \(minutes) min" }

    /// The button that records nothing.
    package static func nothing(_ command: Command) -> String {
        switch command {
        case .logDose, .record(.medicationRecorded, _): "Not taken"
        default: "Do nothing"
        }
    }

    /// The button that records it, marked so.
    package static func record(_ command: Command, _ marks: [String]) -> String {
        let what =
            switch command {
            case .skipDose2: "the skip"
            case .snooze: "the snooze"
            default: "dose 2"
            }
        return "Record \(what): \(marks.joined(separator: ", "))"
    }

    /// What to type in place of buttons.
    package static func inTerminal(_ commands: [String]) -> String {
        "In a terminal: " + commands.joined(separator: ", ")
    }

    // MARK: Reminders

    /// The medicine of dose 2 and its amount.
    package static func dose(_ medicine: String, milligrams: Int64?) -> String {
        milligrams.map { "\(medicine), \($0) mg." } ?? "\(medicine)."
    }

    package static let parting = "DoseTap was stopped: nothing more comes until it runs again."

    /// The heading over what was recorded of the clocks.
    package static func clock(isCertain: Bool) -> String {
        isCertain ? "Dose 2: the computer's clock was set" : "Dose 2: the computer's clock may be wrong"
    }

    package static let test = (summary: "Test: this is how an alarm looks", line: "No reminder is due. Close it.")
    /// The heading of one that only asks whether notifications are shown.
    package static let probe = "No reminder is due"

    // MARK: What a press recorded

    /// What a press recorded; nil for the taking back itself.
    package static func recorded(
        _ receipt: Receipt, of command: Command, _ moments: Moments
    ) -> (summary: String, lines: [String])? {
        let ended = "The reminders for dose 2 have ended."
        let help = receipt.isDangerous ? [Receipt.help] : []
        switch command {
        case .logDose(.dose2): return ("Recorded: dose 2 at \(moments.clock(receipt.timestamp))", [ended] + help)
        case .skipDose2: return ("Recorded: dose 2 is skipped", [ended] + help)
        case .snooze:
            let alarm = receipt.dueTimes.map { "The alarm rings at \(moments.clock($0.alarm))." }
            return ("Snoozed", [alarm].compactMap(\.self) + help)
        default: return nil
        }
    }

    // MARK: What a press did not record

    package static let notRecorded = "Not recorded"
    package static let elsewhere = "Try it in a terminal: dosetap status"
    package static let notKept = "The disk does not take it. Write it down."
    package static let busy = "The service is busy. Press again in a moment."
    package static let nightIsOver = "That night is over."
    package static let failed = "Something went wrong."
    package static let notSafe = (
        summary: "Recorded, but not yet safe",
        lines: ["The disk does not take it. Do not switch the computer off.", "In a terminal: dosetap status"]
    )

    /// Why a press recorded nothing.
    package static func refusal(_ reason: BlockReason, _ refusal: Refusal, _ moments: Moments) -> String {
        let at = refusal.existingAt.map { " at " + moments.clock($0) } ?? ""
        return switch reason {
        case .dose1Required: "Dose 1 is not on record tonight."
        case .dose2TakenOrSkipped where refusal.isAutomatic: "The window of dose 2 is over."
        case .dose2TakenOrSkipped: "Dose 2 is already on record or skipped."
        case .nearClose: "Too little time is left to snooze."
        case .phase: "It does not fit where the night stands now."
        case .future, .napOpen, .order, .alreadyDiscarded, .alreadyUsed: "It does not fit what is on record\(at)."
        case .dose1AlreadyTaken, .dose2AlreadyTaken, .alreadySkipped, .snoozeLimit, .snoozeOff, .cooldown, .windowOpen:
            ErrorText.sentence(reason, at)
        }
    }

    // MARK: What a press is asked

    package static let confirm = "Please confirm"
    package static let nothingYet = "Nothing is recorded yet."
    package static let nothingRecorded = "Nothing was recorded."

    /// One question: what it is, and how the entry will be marked; no mark where a press is too easy an answer.
    package static func asked(
        _ confirmation: Confirmation, _ question: Question, _ moments: Moments, showsDetails: Bool
    ) -> (summary: String, sentence: String?, mark: String?) {
        switch confirmation {
        case .early:
            let minutes = question.minutesToOpen ?? 1
            return (
                "Too early by \(minutes) min", early(question, minutes, moments), "\(minutes) min early"
            )
        case .late:
            return (
                "Too late: the window for dose 2 has closed",
                "After a dose nobody should drive for 6 h. Skip dose 2 tonight.", "late"
            )
        case .afterSkip:
            return (
                "Dose 2 is on record as skipped",
                "A dose that is not expected is easily doubled. Record it only if you really had it.", "after the skip"
            )
        case .afterWake:
            return (
                "The night has its final wake or check-in",
                "After a dose nobody should drive for 6 h. Check the time of the dose.", "after waking"
            )
        case .overLimit:
            let (sum, limit) = (question.sumMilligrams ?? 0, question.limitMilligrams ?? 0)
            return (
                "Over the limit of the label",
                (showsDetails ? "\(sum) mg; the limit is \(limit) mg. " : "")
                    + "Too much can stop breathing. Check the amount.", "over the limit"
            )
        case .onceNightly:
            return (
                "One dose a night is prescribed and on record",
                "A second one can stop breathing. Nothing more is due tonight.", "a second one"
            )
        case .clockSuspect:
            return (
                "The clock may be wrong",
                question.elapsed?.doubtSentence
                    ?? "It shows a time before the newest entry. Look at another clock first.",
                "at \(moments.clock(question.at))"
            )
        case .extra:
            return (
                "Dose 2 is already on record", "If you really had one more, in a terminal: dosetap log extra", nil
            )
        case .extraUnderstood: return ("That would be an extra dose", nil, nil)
        case .longAgo, .duplicate, .windowUnresolved, .nightBegun, .undoDose, .restore, .otherRecord,
            .wipe:
            return ("Not with a button", "In a terminal: dosetap status", nil)
        }
    }

    private static func early(_ question: Question, _ minutes: Int, _ moments: Moments) -> String {
        let danger = "Doses together can stop breathing."
        let opens = moments.clock(question.at + .minutes(minutes))
        if let doubt = question.sinceExisting?.doubtSentence { return "\(doubt) \(danger) Wait \(minutes) min." }
        if !question.isActiveByPresentClock, let since = question.sinceExisting {
            return "Dose 1 was \(Moments.ago(max(.zero, since.counted))). \(danger) Wait until \(opens)."
        }
        let dose1 = question.existingAt.map { "Dose 1 was at \(moments.clock($0)). " } ?? ""
        return "\(dose1)\(danger) Wait until \(opens)."
    }
}

/// What is spoken, what hooks get as text, and what the machine says for why it does not sleep: neutral words that may
/// be heard or read by anybody. Those of the reminders themselves are in `ReminderText`.
package enum SpokenText {
    package static let test = "This is a test. No reminder is due."
    /// Says what somebody else can do, and nothing about why.
    package static let partner = "An alarm was not answered. Please look in."

    /// What hooks get of an event that is no reminder.
    package static func recorded(_ type: EventType) -> String {
        "Recorded: \(String(type.rawValue.map { $0 == "_" ? " " : $0 }))."
    }

    /// Why the machine does not sleep until the alarm.
    package static func awake(alarm: Instant, _ moments: Moments) -> String {
        "Dose 2 is due at \(moments.clock(alarm))"
    }

    /// Why it does not sleep after it.
    package static func awake(closes: Instant, _ moments: Moments) -> String {
        "Dose 2 is due until \(moments.clock(closes))"
    }

    package static let wakesMachine = "Wakes the machine for a reminder of DoseTap"
    package static let wokeMachine = "DoseTap woke the machine"
}
