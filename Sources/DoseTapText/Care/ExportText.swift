package import DoseTapDomain

/// The text of `export` beside the data.
package enum ExportText {
    package static func made(_ report: ExportReport) -> [String] {
        [
            tr("Exported: \(count(report)), \(BackupText.size(report.bytes))."),
            SafeText.line(report.path),
        ] + notes(report).map { tr("note: \($0)") }
    }

    /// Returns the notes on an export: changes during the export, and the notes of the report.
    package static func notes(_ report: ExportReport) -> [String] {
        let moved =
            report.isMoved
            ? [tr("something was recorded during the export, so some rows may be older than others. Export it anew.")]
            : []
        return moved + report.notes.map { SafeText.line(Wire.told($0)) }
    }

    /// The question after the preview of what is taken out.
    package static var question: String { tr("Write it like this? y writes it, Return does not. ") }

    package static var noSpace: String { tr("There is no space left for the export, and it is not complete.") }

    /// Returns the line during an export.
    ///
    /// - Parameter bytes: the size so far; nil if it is unknown.
    package static func progress(_ bytes: Int64?) -> String {
        tr("dosetap: exporting") + (bytes.map { ", \(BackupText.size($0))" } ?? "")
    }

    package static func journalLine(_ report: ExportReport) -> String {
        "Exported \(report.what), \(count(report))" + (report.isComplete ? "" : ", until the reader went away")
    }

    private static func count(_ report: ExportReport) -> String {
        switch ExportContent(word: report.what) {
        case .log: Count.events(Int(report.rows))
        // The output of a filter is made of nights.
        case .nights, .lab, .table(ExportContent.nightTable), nil: Count.nights(report.rows)
        case .table: Count.rows(report.rows)
        }
    }
}
