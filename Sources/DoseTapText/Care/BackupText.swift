package import DoseTapDomain

/// The text of `db backup`, `db backups` and `db restore`.
package enum BackupText {
    package static func made(_ backup: Backup) -> [String] {
        [
            tr("Backed up: \(Count.events(Int(backup.events))), \(size(backup.bytes)), verified."),
            SafeText.line(backup.path),
        ]
            + backup.notes.map { tr("note: \(SafeText.line(Wire.told($0)))") }
    }

    /// Returns a table of backups, with the fault of each broken one.
    package static func list(_ backups: [Backup], _ moments: Moments, _ page: Page) -> [String] {
        guard let newest = backups.first else {
            return [
                page.addressed(tr("There is no backup yet. The service makes one after a night; or: dosetap db backup"))
            ]
        }
        let folder = FilePath.folder(of: newest.path)
        return [tr("In \(SafeText.line(folder)):")]
            + Table(columns: [
                .init(heading: tr("Made"), cells: backups.map { moments.dateAndClock($0.at) }),
                .init(heading: tr("Verified"), cells: backups.map { $0.isVerified ? tr("yes") : tr("NO") }),
                .init(heading: tr("Events"), cells: backups.map { "\($0.events)" }, alignsRight: true),
                .init(heading: tr("Size"), cells: backups.map { size($0.bytes) }, alignsRight: true),
                .init(heading: tr("File"), cells: backups.map(\.name), isNeeded: true),
            ]).lines(width: page.columns)
            + backups.filter { !$0.isVerified }.map { tr("wrong: \($0.name): \(SafeText.line($0.problem))") }
    }

    /// Returns the gains and losses of a restore.
    package static func preview(_ report: RestoreReport, _ moments: Moments, _ page: Page) -> [String] {
        [
            tr("The backup: \(part(report.backup, moments))"),
            tr("Gained: \(part(report.gained, moments))"),
            tr("Put aside with the replaced record: \(part(report.lost, moments))"),
            tr("Brought in from the last 24 hours: \(Count.events(Int(report.broughtIn)))"),
        ] + (report.isSameRecord ? [] : [tr("The backup is of another record, your own or another person's.")])
            + (report.isForeignDevice
                ? [tr("The backup was made on another computer, or before this record was begun.")] : [])
            + encryption(report, page)
            + report.notes.map { tr("note: \(SafeText.line(Wire.told($0)))") }
    }

    /// Returns the result of a restore, and the way back.
    package static func restored(_ report: RestoreReport, _ moments: Moments, _ page: Page) -> [String] {
        var lines = [tr("Restored: \(part(report.backup, moments))")]
        if report.broughtIn > 0 {
            lines.append(tr("Brought in from the last 24 hours: \(Count.events(Int(report.broughtIn)))"))
        }
        lines += encryption(report, page)
        guard let replaced = report.replaced else { return lines }
        lines.append(tr("The replaced record is \(SafeText.line(replaced))"))
        lines.append(page.addressed(tr("To go back: dosetap db restore \(ShellWord.quoted(SafeText.line(replaced)))")))
        return lines
    }

    private static func encryption(_ report: RestoreReport, _ page: Page) -> [String] {
        guard report.isDecrypted else { return [] }
        return [
            page.addressed(
                tr("The backup is encrypted. The restored record is not. Encrypt it afterwards: dosetap db encrypt"))
        ]
    }

    private static func part(_ part: RestoreReport.Difference, _ moments: Moments) -> String {
        let counts = "\(Count.events(Int(part.events))), \(Count.nights(part.nights))"
        guard let from = part.from, let to = part.to else { return counts }
        return tr("\(counts), \(moments.dateAndClock(from)) to \(moments.dateAndClock(to))")
    }

    static func size(_ bytes: Int64) -> String {
        bytes < 1 << 20 ? "\((bytes + 1_023) >> 10) KiB" : "\(bytes >> 20) MiB"
    }
}
