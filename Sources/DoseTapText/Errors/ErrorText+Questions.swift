internal import DoseTapDomain

/// The text of questions to confirm: fact, danger, action, in about fifteen words each.
extension ErrorText {
    static func sentence(_ question: Question, _ moments: Moments) -> String {
        question.confirmations.compactMap { sentence($0, question, moments) }.joined(separator: " ")
    }

    private static func sentence(_ confirmation: Confirmation, _ question: Question, _ moments: Moments) -> String? {
        switch confirmation {
        case .early: return tooEarly(question, moments)
        case .late where question.isNamed:
            return
                tr(
                    "Too late: at \(moments.clock(question.at)) the window for dose 2 had closed. After a dose nobody should drive for 6 h (\(label(question))). Check the time."
                )
        case .late where question.confirmations.contains(.afterSkip):
            return late(question)
        case .late:
            // After the automatic skip a skip needs its time.
            return late(question) + " " + (question.windowClosed == nil ? recordOrSkip : recordOrSkipThen).said
        case .afterSkip:
            return
                tr(
                    "Dose 2 is on record as skipped. A second dose that is not expected is easily doubled. Check what was taken."
                )
        case .afterWake:
            let driving = tr("After a dose nobody should drive for 6 h (\(label(question))). ")
            return tr("The night has its final wake or check-in. ")
                + (question.confirmations.contains(.late) ? "" : driving) + tr("Check the time of the dose.")
        case .extra: return extra(question, moments)
        case .extraUnderstood:
            return question.confirmations.contains(.extra)
                ? nil : tr("It would count as one dose more than prescribed.")
        case .overLimit:
            let (sum, limit) = (question.sumMilligrams ?? 0, question.limitMilligrams ?? 0)
            let over =
                limit == RegistrationPolicy.nightLimitMilligrams
                ? tr(
                    "\(sum) mg is over the label's limit of \(limit) mg for one night. Too much can stop breathing. Check the amount."
                )
                : tr(
                    "\(sum) mg is over the label's limit of \(limit) mg for one dose. Too much can stop breathing. Check the amount."
                )
            return over + (question.isOfRegimen ? tr(" The amount of this dose is that of the regimen.") : "")
        case .onceNightly:
            if let night = question.otherNight {
                return tr(
                    "One dose a night is prescribed, and that of the night of \(Moments.date(night)) is on record. A second one can stop breathing \(boxed). Check what was taken."
                )
            }
            return tr(
                "One dose a night is prescribed and on record. A second one can stop breathing \(boxed). Nothing more is due tonight."
            )
        case .longAgo: return tr("That is more than seven days ago. Check the date.")
        case .duplicate where question.wouldRecord == EntityType.inventory.rawValue:
            let at = question.existingAt.map { tr(" at \(moments.clock($0))") } ?? ""
            return tr("One was thrown away\(at), a moment ago. Check whether this is one more.")
        case .duplicate:
            let at = question.existingAt.map { tr(" at \(moments.clock($0))") } ?? ""
            return
                tr(
                    "The same ingredient is on record\(at), less than five minutes apart. Check whether this is one more."
                )
        case .windowUnresolved where question.wouldRecord == Confirmation.wipe.rawValue:
            return tr("Dose 2 is open, or the record cannot be read. Its reminders end with the data.")
        case .wipe: return tr("This deletes the record and all that belongs to it. The settings are kept.")
        case .windowUnresolved:
            return tr(
                "Tonight's dose 2 is neither recorded nor skipped. While its window is open, its reminders go on. \(recordOrSkip.said)"
            )
        case .clockSuspect:
            guard let doubt = question.elapsed?.doubtSentence else {
                return tr("The clock stands before the newest entry. Look at another clock first.")
            }
            return doubt + " " + clockRight.said + tr(" Clock wrong: clock_suspect=wrong.")
        case .nightBegun:
            return tr(
                "Tonight began with another number of doses: its window and reminders would change at once. \(nextNight.said)"
            )
        case .restore:
            return
                tr(
                    "The record is replaced by the backup. What only the record has and is older than a day is put aside with it."
                )
        case .otherRecord:
            return tr("The backup is of another record, your own or another person's. Look at its nights first.")
        case .undoDose:
            // A dose older than a night has no reminder that could follow, and a clock time alone does not tell which dose it is.
            if let existing = question.existingAt, question.at - existing > .hours(12) {
                return tr(
                    "The newest entry is the dose of \(moments.dateAndClock(existing)). Undo removes it from the record. Check whether it was taken."
                )
            }
            let at = question.existingAt.map { tr(" of \(moments.clock($0))") } ?? ""
            return tr(
                "The newest entry is the dose\(at). Undo removes it from the record, and the reminders follow. Check whether it was taken."
            )
        }
    }

    private static func late(_ question: Question) -> String {
        tr(
            "Too late: the window for dose 2 has closed. After a dose nobody should drive for 6 h (\(label(question)))."
        )
    }

    /// The source of the warning about driving: the label of the night's medicine, or all where none is known.
    private static func label(_ question: Question) -> String {
        question.medicine.map { tr("\($0) label") } ?? tr("labels of Xyrem, Xywav and Lumryz")
    }

    /// The source of the warning that doses together are dangerous.
    static var boxed: String { tr("(boxed warning of the labels)") }

    private static func extra(_ question: Question, _ moments: Moments) -> String {
        guard let night = question.endedNight else {
            // Tonight's dose 2 may still be due.
            if let night = question.otherNight {
                return tr(
                    "Both doses of the night of \(Moments.date(night)) are on record. One more than prescribed can stop breathing \(boxed). Check what was taken."
                )
            }
            return tr(
                "Both doses are on record. One more than prescribed can stop breathing \(boxed). Nothing more is due tonight."
            )
        }
        return
            tr(
                "The night of \(Moments.date(night.date)) ended at \(moments.clock(night.end)) with \(Count.doses(night.doses)) on record. This would begin another night, and one dose too many can stop breathing \(boxed)."
            )
    }

    /// Returns fact, danger, action, in about fifteen words each.
    private static func tooEarly(_ question: Question, _ moments: Moments) -> String {
        let dose =
            switch question.existingKind {
            case .dose1: tr("dose 1")
            case .dose2: tr("dose 2")
            case .extra: tr("the extra dose")
            case nil: tr("the dose before")
            }
        let danger = tr("Doses together can stop breathing \(boxed).")
        let existing = question.existingAt ?? question.at
        let since = question.sinceExisting
        let isBefore = since.map { $0.longer < .zero } ?? (existing > question.at)
        // A dose that is recorded once more, with its own time.
        if question.isNamed, question.confirmations.contains(.extra), since.map({ $0.isCertain }) ?? true,
            abs(question.at.milliseconds - existing.milliseconds) < 60_000
        {
            return tr("At \(moments.clock(existing)) \(dose) is on record already. Check whether this is one more.")
        }
        if isBefore, question.isNamed {
            return tr(
                "Too early: \(dose) is on record at \(moments.clock(existing)), less than 150 minutes after it. \(danger) Check both times."
            )
        }
        if let since, !since.isCertain { return tooEarly(question, dose, danger, since, moments) }
        // The time by the clock. If a clock was set in between, only the counted time is true.
        let isByClock = question.isActiveByPresentClock
        let ago = since?.counted ?? question.at - existing
        guard question.isNamed else {
            let passed = ago < .minutes(2) ? tr("just now") : Moments.ago(ago)
            let was =
                isByClock ? tr("\(dose) was at \(moments.clock(existing)), \(passed)") : tr("\(dose) was \(passed)")
            // Nothing more is due tonight, so there is no time to wait for.
            if question.isOneTooMany {
                return saysSo(question)
                    ? tr("Too early: \(was).") : tr("Too early: \(was). \(danger) Nothing more is due tonight.")
            }
            return tr("Too early: \(was). \(danger) Wait until \(moments.clockRoundedUp(question.timeToWaitUntil)).")
        }
        guard isByClock else {
            return
                tr(
                    "Too early: \(moments.clock(question.at)) is only \(LocalTimeFormat.interval(max(.zero, ago))) after \(dose). \(danger) Check the time."
                )
        }
        return tr(
            "Too early: \(moments.clock(question.at)) is less than 150 minutes after \(dose) at \(moments.clock(existing)). \(danger) Check the time."
        )
    }

    /// Returns true if the question also has the sentence about one dose too many.
    private static func saysSo(_ question: Question) -> Bool {
        question.confirmations.contains { [.extra, .onceNightly].contains($0) }
    }

    /// Returns the sentence for clocks in doubt. The sentence tells no clock time of the dose before.
    private static func tooEarly(
        _ question: Question, _ dose: String, _ danger: String, _ since: ElapsedTime, _ moments: Moments
    ) -> String {
        if question.isNamed {
            let least = LocalTimeFormat.interval(max(.zero, since.shorter))
            return tr(
                "Too early: \(moments.clock(question.at)) may be only \(least) after \(dose). Look at another clock. \(danger) Check the time."
            )
        }
        let doubt =
            question.existingKind == .dose1
            ? since.doubtSentence : tr("At least \(Count.minutes(since.shorter.wholeMinutes)) since \(dose).")
        let early = tr("Too early. \(doubt ?? "")")
        if question.isOneTooMany {
            return saysSo(question) ? early : tr("\(early) \(danger) Nothing more is due tonight.")
        }
        let wait = question.minutesToOpen ?? 1
        return tr("\(early) \(danger) Wait \(Count.minutes(Int64(wait))).")
    }

    /// Returns the condition under which the person may confirm a command.
    ///
    /// - Parameter word: the entry that the command would record; nil for a dose.
    public static func condition(ofRecording word: String?) -> String {
        switch word {
        case EventType.actionUndone.rawValue?: tr("Only if it was not taken")
        case let word? where DoseKind(rawValue: word) == nil && MedicationCatalogue.standard[word] == nil:
            tr("Only if that is right")
        default: tr("Only if it was really taken")
        }
    }
}

extension Question {
    /// The time to wait until: 150 minutes after the dose before, or the remaining minutes if that dose stands under another
    /// clock.
    var timeToWaitUntil: Instant {
        let latest = at + .minutes(minutesToOpen ?? 1)
        let opens = isActiveByPresentClock ? existingAt.map { $0 + DoseWindow.opens } : nil
        return opens.flatMap { $0 > latest - .minutes(1) ? $0 : nil } ?? latest
    }
}
