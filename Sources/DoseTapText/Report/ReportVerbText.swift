package import DoseTapDomain

/// The text of `report` about its file.
package enum ReportVerbText {
    package static func made(_ report: ExportReport) -> [String] {
        [tr("Report: \(BackupText.size(report.bytes))."), SafeText.line(report.path)]
            + ExportText.notes(report).map { tr("note: \($0)") }
    }

    /// Returns the text about a report for a browser. The file stays until the person deletes it.
    ///
    /// - Parameter command: the command that deletes the file.
    package static func shown(_ report: ExportReport, isOpened: Bool, command: String) -> [String] {
        made(report) + [
            isOpened
                ? tr("It is opened in your browser. Only you can read the file.")
                : tr("No program opened it. Open the file in a browser; only you can read it."),
            tr("When you have seen it, delete it: \(command)"),
        ]
    }

    /// Returns the line before the run of a program that takes a while.
    package static func printing(_ engine: String) -> String { tr("\(engine) makes the PDF.") }

    /// Returns the text if no program that makes a PDF is installed.
    package static func withoutEngine(_ page: String) -> String {
        tr(
            "No PDF was made: neither weasyprint nor chromium is installed. The report is in \(SafeText.line(page)), and any browser can print it."
        )
    }
    package static let engines = "sudo apt install weasyprint"

    /// Returns the text after a failure of the PDF program.
    package static func broken(_ engine: String, _ complaint: String, _ page: String) -> String {
        let said = complaint.isEmpty ? "" : ": \(SafeText.line(complaint))"
        return tr(
            "No PDF was made: \(engine) failed\(said). The report is in \(SafeText.line(page)), and any browser can print it."
        )
    }
}
