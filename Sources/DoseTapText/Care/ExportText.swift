package import DoseTapDomain

/// What `export` says beside the data.
package enum ExportText {
    package static func made(_ report: ExportReport) -> [String] {
        [
            tr("Exported: \(count(report)), \(BackupText.size(report.bytes))."),
            SafeText.line(report.path),
        ] + notes(report).map { tr("note: \($0)") }
    }

    /// What else is to be known of it.
    package static func notes(_ report: ExportReport) -> [String] {
        let moved =
            report.isMoved
            ? [tr("something was recorded during the export, so some rows may be older than others. Export it anew.")]
            : []
        return moved + report.notes.map { SafeText.line(Wire.told($0)) }
    }

    /// After what is taken out was shown.
    package static var question: String { tr("Write it like this? y writes it, Return does not. ") }

    package static var noSpace: String { tr("There is no space left for the export, and it is not complete.") }

    /// While it goes on.
    ///
    /// - Parameter bytes: what there is of it; nil where nobody knows.
    package static func progress(_ bytes: Int64?) -> String {
        tr("dosetap: exporting") + (bytes.map { ", \(BackupText.size($0))" } ?? "")
    }

    package static func journalLine(_ report: ExportReport) -> String {
        "Exported \(report.what), \(count(report))" + (report.isComplete ? "" : ", until the reader went away")
    }

    private static func count(_ report: ExportReport) -> String {
        switch ExportContent(word: report.what) {
        case .log: Count.events(Int(report.rows))
        // What a filter makes is made of the nights.
        case .nights, .lab, .table(ExportContent.nightTable), nil: Count.nights(report.rows)
        case .table: Count.rows(report.rows)
        }
    }
}
