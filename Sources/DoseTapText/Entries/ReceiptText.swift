package import DoseTapDomain

/// The text after an entry was recorded.
package enum ReceiptText {
    package static func lines(_ receipt: Receipt, _ moments: Moments, _ page: Page, now: Instant) -> [String] {
        let isDose = DoseKind(rawValue: receipt.type) != nil
        let time = moments.entryTime(receipt.timestamp, now: now, isDose: isDose)
        var lines: [String]
        let correction = CorrectionText.sentence(receipt, moments, near: now)
        if let correction {
            lines = [correction]
        } else if receipt.dryRun {
            lines = [tr("Would record: \(what(receipt)) at \(time). Nothing was recorded.")]
        } else if receipt.duplicate {
            lines = [tr("Already on record: \(what(receipt)) at \(time). Nothing new was recorded.")]
            if receipt.type == EntityType.inventory.rawValue, !isDiscardOfCup(receipt) {
                lines.append(tr("If it is one more: the same with --confirm duplicate"))
            }
        } else {
            lines = [done(receipt, time)]
        }
        if let score = Label.wellness(receipt.metadata) {
            lines[0] += " \(score.capitalised)."
        } else if receipt.metadata["defaults"] != nil {
            lines[0] += tr(" No wellness score: nothing of it was answered.")
        }
        if receipt.type == EntityType.checkin.rawValue, receipt.target == nil, let date = receipt.sessionDate,
            date != SessionDate(moments.zone.date(at: receipt.timestamp).adding(days: -1))
        {
            lines[0] += tr(" It is that of the night of \(Moments.date(date)).")
        }
        if let word = receipt.metadata["completion_state"]?.stringValue {
            lines[0] += tr(" It is \(PreSleepCompletion(rawValue: word).map(Label.completion) ?? SafeText.line(word)).")
        }
        for limit in receipt.metadata["plan_over_limit"]?.arrayValue ?? [] {
            lines.append(
                limit == "night"
                    ? tr("The plan you noted is over the label's limit for one night.")
                    : tr("The plan you noted is over the label's limit for one dose."))
        }
        if isCorrection(receipt), let amount = receipt.metadata["amount_mg"]?.integerValue {
            lines[0] += tr(" Amount: \(amount) mg.")
        }
        if correction != nil, receipt.dryRun { lines[0] += tr(" Nothing was changed.") }
        if receipt.metadata["regimen_id"] != nil {
            lines.append(tr("The amount is that of the regimen."))
        }
        for caution in receipt.metadata["cautions"]?.arrayValue?.compactMap(Medication.Caution.init(json:)) ?? [] {
            let source = SafeText.line(Wire.told(caution.source))
            lines.append(tr("Caution: \(SafeText.line(Wire.told(caution.text))) (\(source))"))
        }
        if let warning = MedicationText.warning(receipt.metadata) ?? InventoryText.warning(receipt.metadata) {
            lines.append(warning)
        }
        if let next = next(receipt, moments, now: now) { lines.append(next) }
        if !receipt.duplicate, case .object(let night)? = receipt.metadata["night_over"] {
            lines += beside(night, receipt, moments, page)
        }
        if !receipt.dryRun, !receipt.duplicate, case .object(let asked)? = receipt.metadata[Receipt.dose2Unknown] {
            lines += Dose2Question.lines(closed: asked["window_closes"]?.instantValue, moments, page)
        }
        if !receipt.dryRun, receipt.isDangerous { lines.append(tr("\(Receipt.help) Tell them the times above.")) }
        if !receipt.dryRun, !receipt.duplicate, !isCorrection(receipt) {
            let isAmended = EntityType(rawValue: receipt.type).map { !EntityType.fixedInTime.contains($0) } ?? true
            let name = SafeText.line(receipt.handle ?? receipt.eventID.text)
            let or = isAmended ? "dosetap amend \(name) --at TIME" : "dosetap delete \(name)"
            // Right after a dose, undo takes back no entry of the lab (R34.11).
            let isOfLab = EntityType(rawValue: receipt.type).map { EntityType.ofLab.contains($0) } ?? false
            lines.append(page.addressed(isOfLab ? tr("Wrong? \(or)") : tr("Wrong? dosetap undo, or \(or)")))
        }
        return lines
    }

    /// Returns the text after the skip of a pre-sleep log that has answers, which stay (R10.4); nil where it is skipped.
    package static func unskipped(_ receipt: Receipt, _ moments: Moments, now: Instant) -> [String]? {
        guard let word = receipt.metadata["completion_state"]?.stringValue, word != PreSleepCompletion.skipped.rawValue
        else { return nil }
        let time = moments.entryTime(receipt.timestamp, now: now)
        return [tr("Not skipped: the pre-sleep log of \(time) has answers. They stay on record.")]
    }

    /// Returns the note that the entry began a new record.
    package static func begun(at path: String) -> String { tr("A new record was begun at \(path).") }

    private static func what(_ receipt: Receipt) -> String {
        switch receipt.type {
        case EntityType.medication.rawValue: MedicationText.what(receipt.metadata)
        case EntityType.inventory.rawValue: InventoryText.what(receipt.metadata)
        case EntityType.regimen.rawValue: tr("regimen, \(RegimenText.line(receipt.metadata))")
        default: Label.entry(receipt.type) + (receipt.metadata["amount_mg"]?.integerValue.map { " (\($0) mg)" } ?? "")
        }
    }

    /// Returns the note that a present entry does not belong to a night that is over.
    private static func beside(
        _ night: JSONObject, _ receipt: Receipt, _ moments: Moments, _ page: Page
    ) -> [String] {
        let date =
            night["session_date"]?.stringValue.flatMap { try? SessionDate(text: $0) }.map(Moments.date)
            ?? tr("this date")
        let ended = night["end_utc"]?.instantValue.map { tr(" at \(moments.clock($0, near: receipt.timestamp))") } ?? ""
        let how = night["checked_in"] == true ? tr("with its check-in") : tr("without a check-in")
        let said = tr("The night of \(date) ended\(ended) \(how): this entry stands beside it, under the same date.")
        // A second final wake has no place in that night, and an entry from before its beginning has none either.
        let hasPlace = night["end_utc"]?.instantValue.map { $0 < receipt.timestamp } ?? true
        let beside = [SleepEventWord.napStart, SleepEventWord.napEnd, SleepEventWord.finalWake]
        guard hasPlace, !beside.contains(receipt.type) else { return [said] }
        let word = ShellWord.quoted(SafeText.line(receipt.type))
        let there = tr("If it was in that night: dosetap undo, then: dosetap log \(word) --at TIME")
        return [said, page.addressed(there)]
    }

    private static func isDiscardOfCup(_ receipt: Receipt) -> Bool {
        receipt.metadata["kind"]?.stringValue == "cup_discarded"
    }

    private static func isCorrection(_ receipt: Receipt) -> Bool { receipt.target != nil }

    private static func done(_ receipt: Receipt, _ time: String) -> String {
        let what = Self.what(receipt)
        let isSave = [EntityType.checkin.rawValue, EntityType.preSleep.rawValue].contains(receipt.type)
        if isSave, receipt.target != nil {
            // The answers count at the time of the first save.
            guard receipt.type == EntityType.checkin.rawValue, let date = receipt.sessionDate else {
                return tr("Changed: \(what).")
            }
            return tr("Changed: \(what) of the night of \(Moments.date(date)).")
        }
        guard let target = receipt.target else { return tr("Recorded: \(what) at \(time)\(interval(receipt)).") }
        return tr("\(what.capitalised): entry \(SafeText.line(target.text)).")
    }

    private static func interval(_ receipt: Receipt) -> String {
        guard let minutes = receipt.intervalMinutes else { return "" }
        let early = receipt.metadata["is_early"]?.boolValue == true ? tr(", early") : ""
        let late = receipt.metadata["is_late"]?.boolValue == true ? tr(", late") : ""
        return tr(", \(minutes) min after dose 1\(early)\(late)")
    }

    /// Returns the course of the night after the entry.
    private static func next(_ receipt: Receipt, _ moments: Moments, now: Instant) -> String? {
        if receipt.type == SleepEventWord.napEnd {
            let minutes = receipt.metadata["nap_min"]?.integerValue
            return minutes.map { tr("The nap was \(Figure.length(minutes: $0)).") }
                ?? tr("No nap was open: this end stands alone.")
        }
        if receipt.type == EntityType.sleepRecord.rawValue, let end = receipt.metadata["end_utc"]?.instantValue {
            return SleepText.span(receipt.timestamp, end, moments)
        }
        if receipt.type == EntityType.regimen.rawValue { return tonight(receipt, moments, now: now) }
        // A dry run may draw another seed than the plan that is recorded later.
        if let plan = receipt.labPlan, !receipt.dryRun {
            return plan.arm(on: plan.from).map { LabText.night(plan.from, $0, plan.routine) }
        }
        if receipt.metadata[Receipt.windowOver] == true, let dose1 = receipt.corrected?.countsAt {
            return window(opens: dose1 + DoseWindow.opens, closes: dose1 + DoseWindow.closes, moments, now: now)
        }
        if receipt.dueTimes != nil { return CorrectionText.due(receipt, moments, now: now) }
        if receipt.type == "dose2_skipped", !receipt.duplicate {
            return receipt.dryRun
                ? tr("Reminders for this dose 2 would end.") : tr("Reminders for this dose 2 have ended.")
        }
        // The receipt of a repeated command has the state of the night at the first one.
        if receipt.type == DoseKind.dose1.rawValue, !receipt.duplicate, receipt.metadata["once_nightly"] == true {
            return tr("One dose a night: no dose 2 is due, and no reminder comes.")
        }
        if receipt.type == DoseKind.dose2.rawValue, !receipt.duplicate, receipt.metadata["once_nightly"] == true {
            return tr("One dose a night is prescribed: this is one more.")
        }
        guard receipt.type == DoseKind.dose1.rawValue, !receipt.duplicate else { return nil }
        // Also for a night whose window has closed by now, but not for one of last week.
        let isLate = receipt.timestamp + DoseWindow.closes <= now && now - receipt.timestamp <= .hours(24)
        guard receipt.phase.isRunning || receipt.phase == .closed || isLate else { return nil }
        return window(
            opens: receipt.timestamp + DoseWindow.opens, closes: receipt.timestamp + DoseWindow.closes, moments,
            now: now)
    }

    /// Returns the effect of a regimen on a night that has begun.
    private static func tonight(_ receipt: Receipt, _ moments: Moments, now: Instant) -> String? {
        switch receipt.metadata["tonight"]?.stringValue {
        case "unchanged":
            let from = receipt.metadata["from"]?.stringValue.map {
                tr(": the regimen holds from \(SafeText.line($0)) on")
            }
            return tr("Tonight goes on as it began\(from ?? "").")
        case "one_dose": return tr("Tonight has one dose now: its window and its reminders have ended.")
        case "two_doses":
            let due = CorrectionText.due(receipt, moments, now: now)
            return tr("Tonight has two doses now.") + (due.map { " \($0)" } ?? "")
        default: return nil
        }
    }

    static func window(opens: Instant, closes: Instant, _ moments: Moments, now: Instant) -> String {
        let start = moments.clock(Moments.roundedUp(opens), beside: closes)
        if closes <= now {
            return
                tr(
                    "The window for dose 2 was from \(start) to \(moments.clock(closes)): no reminder comes."
                )
        }
        return Moments.roundedUp(opens) > now
            ? tr("The window for dose 2 opens at \(start) and closes at \(moments.clock(closes)).")
            : tr("The window for dose 2 opened at \(start) and closes at \(moments.clock(closes)).")
    }
}

/// The text after an entry was amended, deleted or undone.
enum CorrectionText {
    /// - Returns: nil if the receipt is of no correction, or has no details.
    static func sentence(_ receipt: Receipt, _ moments: Moments, near now: Instant) -> String? {
        guard let corrected = receipt.corrected else { return nil }
        let what = Label.entry(corrected.type)
        func time(_ instant: Instant) -> String { moments.entryTime(instant, now: now) }
        switch (EventType(rawValue: receipt.type), corrected.countedAt, corrected.countsAt) {
        case (.entryAmended, let was?, let new?)
        where was != new && moments.clock(was, near: new) == moments.clock(new):
            return receipt.dryRun
                ? tr("Would change by seconds: \(what) would count at \(time(new)).")
                : tr("Changed by seconds: \(what) counts at \(time(new)).")
        case (.entryAmended, let was?, let new?) where was != new:
            let old = moments.clock(was, near: new)
            return receipt.dryRun
                ? tr("Would change: \(what) would count at \(time(new)), no longer at \(old).")
                : tr("Changed: \(what) counts at \(time(new)), no longer at \(old).")
        case (.entryAmended, _, let new?):
            return receipt.dryRun
                ? tr("Would change: \(what) of \(time(new)).") : tr("Changed: \(what) of \(time(new)).")
        case (.entryDeleted, let was?, nil):
            let deleted =
                receipt.dryRun
                ? tr("Would delete: \(what) of \(time(was)).") : tr("Deleted: \(what) of \(time(was)).")
            return deleted + silence(receipt, corrected, was, now) + skip(receipt)
        case (.actionUndone, let was?, nil):
            let undone =
                receipt.dryRun
                ? tr("Would undo: \(what) of \(time(was)) would no longer be on record.")
                : tr("Undone: \(what) of \(time(was)) is no longer on record.")
            return undone + silence(receipt, corrected, was, now) + skip(receipt)
        case (.actionUndone, nil, let new?):
            return receipt.dryRun
                ? tr("Would undo: \(what) of \(time(new)) would be on record again.")
                : tr("Undone: \(what) of \(time(new)) is on record again.")
        case (.actionUndone, _, let new?):
            return receipt.dryRun
                ? tr("Would undo: \(what) of \(time(new)) would be as it was before.")
                : tr("Undone: \(what) of \(time(new)) is as it was before.")
        default: return nil
        }
    }

    /// Returns the note that no reminders come after dose 1 was taken off the record.
    private static func silence(
        _ receipt: Receipt, _ corrected: CorrectedEntry, _ was: Instant, _ now: Instant
    ) -> String {
        let isAwaited = corrected.type == DoseKind.dose1.rawValue && was + DoseWindow.closes > now
        guard isAwaited, receipt.dueTimes == nil else { return "" }
        return receipt.dryRun
            ? tr(" No reminders for dose 2 would come tonight.") : tr(" No reminders for dose 2 will come tonight.")
    }

    /// Returns the note that a skip counts again after dose 2 was taken off the record.
    private static func skip(_ receipt: Receipt) -> String {
        guard receipt.metadata[Receipt.skipCounts]?.boolValue == true else { return "" }
        return receipt.dryRun ? tr(" The skip of dose 2 would count again.") : tr(" The skip of dose 2 counts again.")
    }

    /// Returns the times to wait for, which may have moved. Times in the past are left out.
    static func due(_ receipt: Receipt, _ moments: Moments, now: Instant) -> String? {
        guard let due = receipt.dueTimes else { return nil }
        let isHeard = receipt.warnings.silence == nil
        let alarm =
            due.alarm <= now
            ? nil
            : isHeard
                ? tr("The alarm rings at \(moments.clock(due.alarm)).")
                : tr("You will not hear the alarm of \(moments.clock(due.alarm)).")
        if receipt.type == "snooze" {
            let (count, limit) = due.snoozes
            return [alarm, count > limit ? nil : tr("Snooze \(count) of \(limit).")].compactMap(\.self).joined(
                separator: " ")
        }
        guard due.closes > now else { return alarm }
        let window = due.opens.map { ReceiptText.window(opens: $0, closes: due.closes, moments, now: now) }
        return [window, alarm].compactMap(\.self).joined(separator: " ")
    }
}
