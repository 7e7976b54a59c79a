internal import DoseTapDomain

/// The text of refusals by the rules: the obstacle, and the remedy.
extension ErrorText {
    static func sentence(
        _ reason: BlockReason, _ refusal: Refusal, _ command: Command?, _ moments: Moments
    ) -> String {
        // Care of the data has no command and records no entry.
        if command == nil, reason == .phase { return tr("Dose 2 is still open. Nothing was changed.") }
        if reason == .windowOpen {
            let again = refusal.again.map { tr(" Try it again at \(moments.clock($0)) or later.") } ?? ""
            return sentence(reason, "") + tr(" Nothing was changed.") + again
        }
        if reason == .future, let said = refusal.said {
            let date = Moments.date(moments.zone.date(at: said))
            return tr("That time lies in the future: \(date) at \(moments.clock(said)).")
        }
        let at = refusal.existingAt.map { tr(" at \(moments.clock($0))") } ?? ""
        let rings = refusal.alarm.map { tr(" The alarm rings at \(moments.clock($0)).") } ?? ""
        let sentence =
            sentence(ofDose: command, reason, refusal, moments) ?? sentence(ofEndedNight: command, refusal, moments)
            ?? sentence(command, reason, at, refusal) ?? sentence(reason, at)
        return sentence + rings
    }

    /// Returns the sentence for a dose that does not fit; nil for any other command.
    private static func sentence(
        ofDose command: Command?, _ reason: BlockReason, _ refusal: Refusal, _ moments: Moments
    ) -> String? {
        guard case .logDose(let kind) = command else { return nil }
        let at = refusal.existingAt.map(moments.clock) ?? tr("another time")
        switch reason {
        case .dose1AlreadyTaken where refusal.isOnceNightly && refusal.awaitsDose2,
            .order where refusal.isOnceNightly && refusal.awaitsDose2:
            return tr(
                "Dose 1 is on record at \(at), and one dose a night is prescribed. A second one can stop breathing \(boxed). If that is not its time, correct it."
            )
        case .dose1AlreadyTaken:
            guard refusal.awaitsDose2 else {
                return tr("Dose 1 is already on record at \(at). If that is not its time, correct it.")
            }
            if refusal.isWindowOver || refusal.phase == .closed {
                return
                    tr(
                        "Dose 1 is already on record at \(at). If that is not its time, correct it. A second dose is dose 2, and its window has closed."
                    )
            }
            return refusal.isWindowOpened
                ? tr(
                    "Dose 1 is already on record at \(at). If that is not its time, correct it. A second dose is dose 2."
                )
                : tr(
                    "Dose 1 is already on record at \(at). If that is not its time, correct it. A second dose is dose 2, not before its window opens."
                )
        case .dose1Required:
            guard let night = refusal.endedNight else {
                let then = kind == .dose2 ? dose2Then.said : "."
                return tr("Dose 1 is not on record for this night. When was it? Record it first, with its time\(then)")
            }
            let (date, end) = (Moments.date(night.date), moments.clock(night.end))
            // Who thinks that dose 2 is missing has to see first that it is not.
            guard night.times.isEmpty else {
                let times = night.times.map { moments.clock($0) }.joined(separator: ", ")
                return
                    tr(
                        "The night of \(date) ended at \(end) with \(Count.doses(night.doses)) on record: \(times). One dose too many can stop breathing \(boxed). A dose before that end is recorded with its time; a later one begins another night as dose 1."
                    )
            }
            return
                tr(
                    "The night of \(date) ended at \(end). A dose before that is recorded with its time; a later one begins another night as dose 1."
                )
        case .order where refusal.awaitsDose2:
            return tr(
                "Only dose 1 is on record, at \(at): the next one is dose 2. If that is not its time, correct it.")
        case .order:
            return tr(
                "That time lies before dose 1 at \(at). If it was the first dose, correct dose 1; then record the other as dose 2 with its own time."
            )
        default: return nil
        }
    }

    /// Returns the sentence for a skip or a snooze after the night.
    private static func sentence(ofEndedNight command: Command?, _ refusal: Refusal, _ moments: Moments) -> String? {
        guard let night = refusal.endedNight else { return nil }
        let (date, end) = (Moments.date(night.date), moments.clock(night.end))
        return switch command {
        case .skipDose2: tr("The night of \(date) ended at \(end). A skip in it is recorded with its time.")
        case .snooze: tr("The night of \(date) ended at \(end), so there is no alarm to put off.")
        default: nil
        }
    }

    /// Returns the sentence for a refusal whose command matters; nil for any other.
    private static func sentence(
        _ command: Command?, _ reason: BlockReason, _ at: String, _ refusal: Refusal
    ) -> String? {
        switch (command, reason, refusal.phase) {
        case (.delete, .order, _):
            tr("This entry stays: a later one\(at) needs it. If only its time is wrong, correct it.")
                + goesFirst(refusal.handle)
        case (.skipDose2, .alreadySkipped, _) where refusal.isAutomatic:
            tr("Dose 2 is not recorded, and its window is over. If you did not have it, the skip counts from then.")
        case (.snooze, .dose2TakenOrSkipped, _) where refusal.isAutomatic:
            tr("Dose 2 is not recorded, and its window is over.")
        case (.skipDose2, .phase, _) where refusal.isOnceNightly:
            tr("One dose a night is prescribed: there is no dose 2 to skip.")
        case (.snooze, .phase, _) where refusal.isOnceNightly:
            tr("One dose a night is prescribed: there is no alarm to put off.")
        case (.skipDose2, .order, _), (.amend, .order, _):
            tr("That time does not fit the order of the entries: see the one\(at).")
        case (.record(.inventoryRecorded, _), .order, _):
            tr("That time lies before what it is about, which was noted\(at).")
        case (.logSleepEvent, .cooldown, _):
            tr(
                "The same is on record\(at): as one more it can be logged in \(refusal.secondsLeft ?? 1) s, or with its time."
            )
        case (.amend, .napOpen, _): tr("The nap would run into the one\(at).")
        case (.saveCheckIn, .order, _): tr("That time lies before the night, which began\(at).")
        case (.logFinalWake, .phase, _): tr("The final wake is already on record\(at).")
        case (.snooze, .phase, .beforeWindow): tr("The window is not open yet, so there is no alarm to put off.")
        case (.snooze, .phase, .closed): tr("The window has closed, so there is no alarm to put off.")
        case (.snooze, .phase, .finalizing): tr("The final wake is on record: after it no alarm is put off.")
        case (.snooze, .phase, .completed): tr("The check-in is on record: after it no alarm is put off.")
        default: nil
        }
    }

    /// Returns the sentence about a deletion of both entries.
    ///
    /// - Parameter later: the short name of the entry that rests on the other one.
    private static func goesFirst(_ later: String?) -> String {
        later.map { tr(" If both are wrong, delete \($0) first.") }
            ?? tr(" If both are wrong, delete the later one first.")
    }

    /// - Parameter at: " at" and the time of the entry in the way, or nothing.
    static func sentence(_ reason: BlockReason, _ at: String) -> String {
        switch reason {
        case .dose1Required: tr("Dose 1 is not on record for this night. When was it? Record it with its time.")
        case .dose1AlreadyTaken: tr("Dose 1 is already on record\(at).")
        case .dose2AlreadyTaken: tr("Dose 2 is already on record\(at).")
        case .alreadySkipped: tr("Dose 2 is already skipped\(at).")
        case .dose2TakenOrSkipped: tr("Dose 2 is already taken or skipped.")
        case .nearClose: tr("Too little of the window is left to snooze.")
        case .snoozeLimit: tr("No snooze is left tonight.")
        case .snoozeOff: tr("Snoozing is switched off.")
        case .phase: tr("This does not fit where the night stands\(at).")
        case .future: tr("That time lies in the future.")
        case .cooldown: tr("The same was recorded a moment ago.")
        case .napOpen: tr("The nap that began\(at) has not ended then.")
        case .alreadyDiscarded: tr("That was thrown away before\(at).")
        case .alreadyUsed: tr("That cup was used up by the dose\(at).")
        case .order: tr("The order of the doses does not allow it\(at).")
        case .windowOpen: tr("The dose window is open, or opens in some minutes.")
        }
    }
}
