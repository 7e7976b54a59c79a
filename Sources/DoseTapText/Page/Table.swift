/// Rows under headings, as wide as the terminal allows.
struct Table {
    /// One column; of those that do not fit the last go first.
    struct Column {
        let heading: String
        let cells: [String]
        let alignsRight: Bool
        /// Of the widest cell, or the heading.
        let width: Int

        init(heading: String, cells: [String], alignsRight: Bool = false) {
            self.heading = heading
            self.cells = cells
            self.alignsRight = alignsRight
            width = cells.reduce(heading.count) { max($0, $1.count) }
        }

        func append(_ text: String, to line: inout String, isLast: Bool) {
            let blanks = repeatElement(UInt8(ascii: " "), count: max(0, width - text.count))
            if alignsRight { line += String(decoding: blanks, as: UTF8.self) }
            line += text
            if !alignsRight, !isLast { line += String(decoding: blanks, as: UTF8.self) }
        }
    }

    let columns: [Column]

    /// The heading and the rows.
    func lines(width: Int) -> [String] {
        var shown = columns[...]
        while shown.count > 1, shown.map(\.width).reduce(0, +) + 2 * (shown.count - 1) > width { shown.removeLast() }
        let rows = shown.first?.cells.count ?? 0
        func line(_ text: (Column) -> String) -> String {
            var line = ""
            for (index, column) in shown.enumerated() {
                if index > 0 { line += "  " }
                column.append(text(column), to: &line, isLast: index == shown.count - 1)
            }
            return line
        }
        return [line(\.heading)] + (0..<rows).map { row in line { $0.cells[row] } }
    }
}
