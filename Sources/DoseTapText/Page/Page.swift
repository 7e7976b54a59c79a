/// What a text is written for: how wide it may be, what may be drawn, how colours and commands are written. A surface
/// hands it in; nothing here knows a terminal.
package struct Page: Sendable {
    /// The colours used, few and only for what matters at night.
    package enum Colour: Sendable {
        case bold, dim, red, green, yellow
    }

    /// Whether a person looks at it now.
    package let isTerminal: Bool
    /// Columns for tables and what is drawn.
    package let columns: Int
    /// Columns at which text is broken; nil where whoever reads it breaks it.
    package let textColumns: Int?
    /// Whether letters beyond ASCII may be used for drawing.
    package let usesUnicode: Bool
    /// A text in a colour.
    package let paint: @Sendable (String, Colour) -> String
    /// A text of the program with commands, each fit to be followed: it asks the same service and store.
    package let addressed: @Sendable (String) -> String
    /// What each command has to repeat for that; mostly nothing.
    package let address: @Sendable () -> String

    package init(
        isTerminal: Bool, columns: Int, textColumns: Int?, usesUnicode: Bool,
        paint: @escaping @Sendable (String, Colour) -> String, addressed: @escaping @Sendable (String) -> String,
        address: @escaping @Sendable () -> String
    ) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.textColumns = textColumns
        self.usesUnicode = usesUnicode
        self.paint = paint
        self.addressed = addressed
        self.address = address
    }

    /// Labels and what is said under each; values that are too wide go on below themselves.
    ///
    /// - Parameters:
    ///   - columns: for the values and their labels.
    ///   - indent: blanks before each row.
    package static func rows(_ rows: [(String, String)], columns: Int, indent: Int = 0) -> [String] {
        let width = rows.map(\.0.count).max() ?? 0
        let blanks = String(repeating: " ", count: indent)
        return rows.flatMap { label, value in
            SafeText.wrap(value, columns: columns - width - 2, indent: 0).enumerated().map { index, line in
                blanks + (index == 0 ? label : "").padded(to: width + 2) + line
            }
        }
    }
}

/// Words for a shell.
package enum ShellWord {
    /// A word as a POSIX shell reads it back.
    package static func quoted(_ word: String) -> String {
        let safe = word.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: ","),
                UInt8(ascii: "@"), UInt8(ascii: "%"):
                true
            default: false
            }
        }
        if safe && !word.isEmpty { return word }
        let parts = word.split(separator: "'", omittingEmptySubsequences: false)
        return "'" + parts.joined(separator: "'\\''") + "'"
    }
}

extension String {
    /// Filled up with blanks.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// With a capital, at the start of a sentence.
    package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}

/// Makes text from elsewhere safe to print: a note must not move the cursor, colour the screen or turn the line round.
package enum SafeText {
    /// The text on one line; control characters and those that reorder text are written out.
    package static func line(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var safe = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": safe += "\\n"
            case "\t": safe += "\\t"
            case "\r": safe += "\\r"
            case _ where isUnsafe(scalar): safe += "\\u{\(String(scalar.value, radix: 16))}"
            default: safe.unicodeScalars.append(scalar)
            }
        }
        return safe
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069,
            0xFEFF, 0xE0000...0xE007F:
            true
        default: false
        }
    }

    /// Breaks a line that is too long at blanks; the rest is indented two columns more than the line. What is to be
    /// copied as a whole, a command after `Next:` and its like, stays whole.
    package static func fit(_ line: String, columns: Int) -> [String] {
        guard width(line) > columns else {
            return line.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        if line.contains("\n") {
            return line.split(separator: "\n", omittingEmptySubsequences: false).flatMap {
                fit(String($0), columns: columns)
            }
        }
        let indent = line.prefix { $0 == " " }.count
        let text = line.dropFirst(indent)
        if CommandLead.begins(text) { return [line] }
        let blanks = String(repeating: " ", count: indent)
        return wrap(String(text), columns: columns - indent, indent: 2).map { blanks + $0 }
    }

    /// Columns that a text takes: colours take none.
    static func width(_ text: String) -> Int {
        guard text.utf8.contains(0x1B) else { return text.count }
        var count = 0
        var isEscape = false
        for letter in text {
            if letter == "\u{1B}" {
                isEscape = true
            } else if !isEscape {
                count += 1
            } else if letter == "m" {
                isEscape = false
            }
        }
        return count
    }

    /// Breaks a line at blanks so that it fits; lines after the first are indented.
    package static func wrap(_ text: String, columns: Int, indent: Int) -> [String] {
        let width = max(20, columns)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            if line.isEmpty {
                line = String(word)
            } else if Self.width(line) + 1 + Self.width(String(word)) <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = String(repeating: " ", count: indent) + word
            }
        }
        return lines + [line]
    }
}

/// Rows under headings, as wide as the terminal allows.
struct Table {
    /// One column; of those that do not fit the last go first, but for what the next command needs.
    struct Column {
        let heading: String
        let cells: [String]
        let alignsRight: Bool
        /// A further command needs what stands in it: it stays, even if its rows are wider than the page.
        let isNeeded: Bool
        /// Of the widest cell, or the heading.
        let width: Int

        init(heading: String, cells: [String], alignsRight: Bool = false, isNeeded: Bool = false) {
            self.heading = heading
            self.cells = cells
            self.alignsRight = alignsRight
            self.isNeeded = isNeeded
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
        var shown = columns
        while shown.map(\.width).reduce(0, +) + 2 * (shown.count - 1) > width,
            let last = shown.indices.dropFirst().last(where: { !shown[$0].isNeeded })
        {
            shown.remove(at: last)
        }
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
