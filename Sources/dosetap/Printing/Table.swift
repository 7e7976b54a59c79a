/// Rows under headings, as wide as the terminal allows.
struct Table {
    /// One column; of those that do not fit the last go first.
    struct Column {
        let heading: String
        let cells: [String]
        var alignsRight = false

        var width: Int { ([heading] + cells).map(\.count).max() ?? 0 }

        func cell(_ text: String, isLast: Bool) -> String {
            let blanks = String(repeating: " ", count: max(0, width - text.count))
            if alignsRight { return blanks + text }
            return isLast ? text : text + blanks
        }
    }

    let columns: [Column]

    /// The heading and the rows.
    func lines(width: Int) -> [String] {
        var shown = columns[...]
        while shown.count > 1, shown.map(\.width).reduce(0, +) + 2 * (shown.count - 1) > width { shown.removeLast() }
        let rows = shown.first?.cells.count ?? 0
        func line(_ text: (Column) -> String) -> String {
            shown.enumerated().map { index, column in
                column.cell(text(column), isLast: index == shown.count - 1)
            }.joined(separator: "  ")
        }
        return [line(\.heading)] + (0..<rows).map { row in line { $0.cells[row] } }
    }
}
