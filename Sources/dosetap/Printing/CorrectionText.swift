internal import DoseTapDomain

/// What is told after an entry was amended, deleted or taken back.
enum CorrectionText {
    /// - Returns: nil when the receipt is of no correction, or does not say what it did.
    static func sentence(_ receipt: Receipt, _ moments: Moments, near now: Instant) -> String? {
        guard let corrected = receipt.corrected else { return nil }
        let what = Words.entry(corrected.type)
        func time(_ instant: Instant) -> String { moments.told(instant, now: now) }
        switch (EventType(rawValue: receipt.type), corrected.countedAt, corrected.countsAt) {
        case (.entryAmended, let was?, let new?) where was != new:
            return "Changed: \(what) counts at \(time(new)), no longer at \(moments.clock(was, near: new))."
        case (.entryAmended, _, let new?): return "Changed: \(what) of \(time(new))."
        case (.entryDeleted, let was?, nil):
            return "Deleted: \(what) of \(time(was))." + silence(receipt, corrected, was, now)
        case (.actionUndone, let was?, nil):
            return "Undone: \(what) of \(time(was)) is no longer on record." + silence(receipt, corrected, was, now)
        case (.actionUndone, nil, let new?): return "Undone: \(what) of \(time(new)) is on record again."
        case (.actionUndone, _, let new?): return "Undone: \(what) of \(time(new)) is as it was before."
        default: return nil
        }
    }

    /// Who takes dose 1 off the record waits for reminders in vain.
    private static func silence(
        _ receipt: Receipt, _ corrected: CorrectedEntry, _ was: Instant, _ now: Instant
    ) -> String {
        let isAwaited = corrected.type == DoseKind.dose1.rawValue && was + DoseWindow.closes > now
        return isAwaited && receipt.dueTimes == nil ? " No reminders for dose 2 will come tonight." : ""
    }

    /// What the person waits for, after it may have moved; times that are over are not told of again.
    static func due(_ due: DueTimes, _ type: String, _ moments: Moments, now: Instant) -> String? {
        let alarm = due.alarm > now ? "The alarm rings at \(moments.clock(due.alarm))." : nil
        if type == "snooze" {
            let (count, limit) = due.snoozes
            return [alarm, count > limit ? nil : "Snooze \(count) of \(limit)."].compactMap(\.self).joined(
                separator: " ")
        }
        guard due.closes > now else { return alarm }
        let window = due.opens.map { ReceiptText.window(opens: $0, closes: due.closes, moments, now: now) }
        return [window, alarm].compactMap(\.self).joined(separator: " ")
    }
}
