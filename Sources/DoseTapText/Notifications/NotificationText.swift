package import DoseTapDomain

/// The text of notifications beside the reminders, and of their buttons: short and plain, for somebody half asleep.
package enum NotificationText {
    // MARK: Buttons

    package static var taken: String { tr("Dose 2 taken") }
    package static var skip: String { tr("Skip") }
    /// The answer to the question after the close: the person says what was, and is not told what to do.
    package static var notTaken: String { tr("Dose 2 not taken") }
    package static var undo: String { tr("Undo") }
    package static var clockIsWrong: String { tr("Record it: the clock is wrong") }
    package static var clockIsRight: String { tr("Record it: the clock is right") }

    package static func snooze(minutes: Int) -> String { tr("Snooze \(minutes) min") }

    /// Returns the label of the button that records nothing.
    package static func nothing(_ command: Command) -> String {
        switch command {
        case .logDose, .record(.medicationRecorded, _): tr("Not taken")
        default: tr("Do nothing")
        }
    }

    /// Returns the label of the button that records the command, with the marks of the entry.
    package static func record(_ command: Command, _ marks: [String]) -> String {
        let what =
            switch command {
            case .skipDose2: tr("the skip")
            case .snooze: tr("the snooze")
            default: tr("dose 2")
            }
        return tr("Record \(what): \(marks.joined(separator: ", "))")
    }

    /// Returns the commands to type in place of buttons.
    package static func inTerminal(_ commands: [String]) -> String {
        tr("In a terminal: ") + commands.joined(separator: ", ")
    }

    // MARK: Reminders

    /// Returns the medicine of dose 2 and its amount.
    package static func dose(_ medicine: String, milligrams: Int64?) -> String {
        milligrams.map { "\(medicine), \($0) mg." } ?? "\(medicine)."
    }

    package static var parting: String { tr("DoseTap was stopped: nothing more comes until it runs again.") }

    /// Returns the heading of a warning about the clocks.
    package static func clock(isCertain: Bool) -> String {
        isCertain ? tr("Dose 2: the computer's clock was set") : tr("Dose 2: the computer's clock may be wrong")
    }

    package static var test: (summary: String, line: String) {
        (summary: tr("Test: this is how an alarm looks"), line: tr("No reminder is due. Close it."))
    }
    /// The heading of a notification that only tests whether notifications are shown.
    package static var probe: String { tr("No reminder is due") }

    // MARK: What a press recorded

    /// Returns the text after a press that recorded an entry; nil for an undo.
    package static func recorded(
        _ receipt: Receipt, of command: Command, _ moments: Moments
    ) -> (summary: String, lines: [String])? {
        let ended = tr("The reminders for dose 2 have ended.")
        let help = receipt.isDangerous ? [Receipt.help] : []
        switch command {
        case .logDose(.dose2): return (tr("Recorded: dose 2 at \(moments.clock(receipt.timestamp))"), [ended] + help)
        case .skipDose2: return (tr("Recorded: dose 2 is skipped"), [ended] + help)
        case .snooze:
            let alarm = receipt.dueTimes.map { tr("The alarm rings at \(moments.clock($0.alarm)).") }
            return (tr("Snoozed"), [alarm].compactMap(\.self) + help)
        default: return nil
        }
    }

    // MARK: What a press did not record

    package static var notRecorded: String { tr("Not recorded") }
    package static var elsewhere: String { tr("Try it in a terminal: dosetap status") }
    package static var notKept: String { tr("The disk does not take it. Write it down.") }
    package static var busy: String { tr("The service is busy. Press again in a moment.") }
    package static var nightIsOver: String { tr("That night is over.") }
    package static var failed: String { tr("Something went wrong.") }
    package static var notSafe: (summary: String, lines: [String]) {
        (
            summary: tr("Recorded, but not yet safe"),
            lines: [
                tr("The disk does not take it. Do not switch the computer off."), tr("In a terminal: dosetap status"),
            ]
        )
    }

    /// Returns the reason why a press recorded nothing.
    package static func refusal(_ reason: BlockReason, _ refusal: Refusal, _ moments: Moments) -> String {
        let at = refusal.existingAt.map { tr(" at \(moments.told(in: refusal.zone).clock($0))") } ?? ""
        return switch reason {
        case .dose1Required: tr("Dose 1 is not on record tonight.")
        case .dose2TakenOrSkipped where refusal.isAutomatic: tr("The window of dose 2 is over.")
        case .dose2TakenOrSkipped: tr("Dose 2 is already on record or skipped.")
        case .nearClose: tr("Too little time is left to snooze.")
        case .phase: tr("It does not fit where the night stands now.")
        case .future, .napOpen, .order, .alreadyDiscarded, .alreadyUsed: tr("It does not fit what is on record\(at).")
        case .dose1AlreadyTaken, .dose2AlreadyTaken, .alreadySkipped, .snoozeLimit, .snoozeOff, .cooldown, .windowOpen:
            ErrorText.sentence(reason, at)
        }
    }

    // MARK: What a press is asked

    package static var confirm: String { tr("Please confirm") }
    package static var nothingYet: String { tr("Nothing is recorded yet.") }

    /// Returns one question with the mark of the entry; no mark if a press would be too easy an answer.
    package static func asked(
        _ confirmation: Confirmation, _ question: Question, _ moments: Moments, showsDetails: Bool
    ) -> (summary: String, sentence: String?, mark: String?) {
        let minutes = question.minutesToOpen ?? 1
        let moments = moments.told(in: question.zone)
        switch confirmation {
        case .early where question.isOneTooMany:
            return (
                tr("Too early"), tr("Doses together can stop breathing. Nothing more is due tonight."),
                tr("\(minutes) min early")
            )
        case .early:
            return (
                tr("Too early by \(minutes) min"), early(question, minutes, moments), tr("\(minutes) min early")
            )
        case .late:
            return (
                tr("Too late: the window for dose 2 has closed"),
                tr("After a dose nobody should drive for 6 h. Record it only if you really had it."), tr("late")
            )
        case .afterSkip:
            return (
                tr("Dose 2 is on record as skipped"),
                tr("A dose that is not expected is easily doubled. Record it only if you really had it."),
                tr("after the skip")
            )
        case .afterWake:
            return (
                tr("The night has its final wake or check-in"),
                tr("After a dose nobody should drive for 6 h. Check the time of the dose."), tr("after waking")
            )
        case .overLimit:
            let (sum, limit) = (question.sumMilligrams ?? 0, question.limitMilligrams ?? 0)
            return (
                tr("Over the limit of the label"),
                (showsDetails ? tr("\(sum) mg; the limit is \(limit) mg. ") : "")
                    + tr("Too much can stop breathing. Check the amount.")
                    + (question.isOfRegimen ? tr(" The amount of this dose is that of the regimen.") : ""),
                tr("over the limit")
            )
        case .onceNightly:
            return (
                tr("One dose a night is prescribed and on record"),
                tr("A second one can stop breathing. Nothing more is due tonight."), tr("a second one")
            )
        case .clockSuspect:
            return (
                tr("The clock may be wrong"),
                question.elapsed?.doubtSentence
                    ?? tr("It shows a time before the newest entry. Look at another clock first."),
                tr("at \(moments.clock(question.at))")
            )
        case .extra:
            return (
                tr("Dose 2 is already on record"), tr("If you really had one more, in a terminal: dosetap log extra"),
                nil
            )
        case .extraUnderstood: return (tr("That would be an extra dose"), nil, nil)
        case .longAgo, .duplicate, .windowUnresolved, .nightBegun, .undoDose, .restore, .otherRecord,
            .wipe:
            return (tr("Not with a button"), tr("In a terminal: dosetap status"), nil)
        }
    }

    private static func early(_ question: Question, _ minutes: Int, _ moments: Moments) -> String {
        let danger = tr("Doses together can stop breathing.")
        let opens = moments.clockRoundedUp(question.timeToWaitUntil)
        if let doubt = question.sinceExisting?.doubtSentence { return tr("\(doubt) \(danger) Wait \(minutes) min.") }
        if !question.isActiveByPresentClock, let since = question.sinceExisting {
            return tr("Dose 1 was \(Moments.ago(max(.zero, since.counted))). \(danger) Wait until \(opens).")
        }
        let at = question.existingKind == .dose1 ? question.existingAt : nil
        let dose1 = at.map { tr("Dose 1 was at \(moments.clock($0)). ") } ?? ""
        return tr("\(dose1)\(danger) Wait until \(opens).")
    }
}

/// Neutral words that anybody may hear or read: spoken text, the text for hooks, and the machine's reason to stay awake. The
/// words of the reminders are in `ReminderText`.
package enum SpokenText {
    package static var test: String { tr("This is a test. No reminder is due.") }
    /// A request to another person, without the reason.
    package static var partner: String { tr("An alarm was not answered. Please look in.") }

    /// Returns the text for hooks after an event that is no reminder.
    package static func recorded(_ type: EventType) -> String {
        "Recorded: \(String(type.rawValue.map { $0 == "_" ? " " : $0 }))."
    }

    /// Returns the reason to stay awake until the alarm.
    package static func awake(alarm: Instant, _ moments: Moments) -> String {
        tr("Dose 2 is due at \(moments.clock(alarm))")
    }

    /// Returns the reason to stay awake after the alarm.
    package static func awake(closes: Instant, _ moments: Moments) -> String {
        tr("Dose 2 is due until \(moments.clock(closes))")
    }

    package static var wakesMachine: String { tr("Wakes the machine for a reminder of DoseTap") }
    package static var wokeMachine: String { tr("DoseTap woke the machine") }
}
