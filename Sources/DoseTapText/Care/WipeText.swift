package import DoseTapDomain

/// The text of `db wipe` before and after the deletion: what happens, what is kept, two choices.
package enum WipeText {
    /// The word that the person types to delete.
    package static let word = "delete"

    package static func statement(_ report: WipeReport) -> [String] {
        let record = report.events > 0 ? tr("the record of \(Count.events(Int(report.events)))") : tr("the record")
        var lines = [
            tr("Delete all data"), "",
            tr(
                "To be deleted: \(record), every file beside it, unsaved entries and answers, what is in memory and on the screen."
            )
                + (report.removedBackups > 0 ? tr(" Also \(Count.backups(report.removedBackups)).") : ""),
            tr(
                "Kept: settings, hooks and the key that signs packets\(report.keptBackups > 0 ? tr(", and \(Count.backups(report.keptBackups)) (--backups deletes them)") : ""). Entries in the system's journal stay until it drops them."
            ),
            saved,
            tr("The files are removed, not overwritten. Without a backup the data does not come back."),
            tr("Doses taken before are then unknown: the next dose is not compared with them."),
        ]
        if report.leavesBackupFolder { lines.append(backupFolder) }
        if report.isKeyRemoved {
            lines.append(
                tr(
                    "The key of the record is removed from the keyring or its file; a credential of the service manager is kept. Encrypted copies elsewhere cannot be opened without the key."
                ))
        }
        if report.isKeyKept {
            lines.append(
                tr(
                    "The key of the record is kept: an encrypted backup or copy beside the record needs it, or a file there cannot be read."
                ))
        }
        if report.isWindowOpen { lines.append(tr("Dose 2 is open. Its reminders end with the data.")) }
        if report.isWindowUnknown {
            lines.append(tr("Dose 2 may be open: the record cannot be read. Its reminders end with the data."))
        }
        return lines + report.files.map { "  " + SafeText.line($0) }
    }

    private static var saved: String { tr("Exports, reports and packets that you saved stay where they are.") }

    private static var backupFolder: String {
        tr("The folder of the backups is a link or no folder: what lies behind it stays.")
    }

    package static var choices: String { tr("Type delete to delete all data. Press Return to keep it: ") }

    package static var kept: String { tr("Nothing was deleted.") }

    package static func done(_ report: WipeReport) -> [String] {
        guard report.isFinished else {
            return [tr("All data is being deleted. The rest goes when the service starts, before anything is opened.")]
        }
        var lines = [
            tr("All data is deleted. Settings, hooks and the key that signs packets are kept."),
            saved,
            tr("Doses taken before are unknown now: the next dose is not compared with them."),
        ]
        if report.keptBackups > 0 {
            lines.append(
                tr("Still there: \(Count.backups(report.keptBackups)) of the record. To see them: dosetap db backups"))
        }
        if report.leavesBackupFolder { lines.append(backupFolder) }
        if report.isKeyRemoved, !report.isKeyLeft {
            lines.append(tr("The key of the record is removed. A new record is not encrypted: dosetap db encrypt"))
        }
        guard report.isKeyLeft else { return lines }
        return lines + [
            tr(
                "The key of the record could not be removed yet: the keyring is locked or does not answer. The service removes it at a start while the keyring is unlocked."
            )
        ]
    }
}
