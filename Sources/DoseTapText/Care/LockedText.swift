public import DoseTapDomain

/// The text while the record is locked.
public enum LockedText {
    public static var noReminders: String { tr("The record is locked, no reminders will come.") }
    public static var reminders: String {
        tr("The record is locked. Tonight's reminders still come; nothing can be recorded until it is unlocked.")
    }

    /// Returns a statement with its reason.
    ///
    /// - Parameter why: `the record is locked: …`, or another reason.
    public static func statement(_ statement: String, because why: String) -> String {
        let known = "the record is locked: "
        let reason = why.hasPrefix(known) ? String(why.dropFirst(known.count)) : why
        return "\(statement) \(reason.capitalised)"
    }

    /// Returns the text of a reminder whose night cannot be read.
    public static func reminder(_ id: ReminderID) -> String {
        tr("\(ReminderText.name(id).capitalised). The record is locked: check what was taken before anything else.")
    }
}
