package import DoseTapDomain

/// The text of `db repair`.
package enum RepairText {
    /// - Parameter isDone: true if the repaired log is in place; false for a preview.
    package static func lines(_ report: JSONObject, isDone: Bool, _ page: Page) -> [String] {
        func texts(_ key: String) -> [String] {
            report[key]?.arrayValue?.compactMap(\.stringValue).map { SafeText.line(Wire.told($0)) } ?? []
        }
        func paragraphs(_ texts: [String]) -> [String] {
            texts.flatMap { SafeText.wrap("  \($0)", columns: page.columns, indent: 4) }
        }
        let head = isDone ? tr("The record is repaired.") : tr("The record is damaged. Nothing was changed yet.")
        let lines = [head] + paragraphs(texts("repairs") + texts("notes"))
        return isDone
            ? lines + [tr("Look at it: \(page.addressed("dosetap history"))")]
            : lines + [tr("Next: \(page.addressed("dosetap db repair --replace"))")]
    }
}
