/// The form of a text for its surface: its width, its signs, its colours and its commands. A surface supplies these values; this
/// module knows no terminal.
package struct Page: Sendable {
    /// The colours, few and only for the important facts of a night.
    package enum Colour: Sendable {
        case bold, dim, red, green, yellow
    }

    /// True if a person looks at the text now.
    package let isTerminal: Bool
    /// The number of columns for tables and drawings.
    package let columns: Int
    /// The number of columns at which text is broken; nil if the reader breaks the text.
    package let textColumns: Int?
    /// True if drawings may use signs beyond ASCII.
    package let usesUnicode: Bool
    /// Returns a text in a colour.
    package let paint: @Sendable (String, Colour) -> String
    /// Returns a text with its commands completed, so that each command asks the same service and store.
    package let addressed: @Sendable (String) -> String
    /// Returns the options that each command has to repeat for that; empty in most cases.
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

    /// Returns labels with a text beside each. A long text continues below itself.
    ///
    /// - Parameters:
    ///   - columns: the columns for the labels and texts.
    ///   - indent: the blanks before each row.
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
    /// Returns a word in the form that a POSIX shell reads back.
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
    /// Returns the text, padded with blanks.
    package func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// The text with a capital, for the start of a sentence.
    package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}

/// Makes foreign text safe to print: a note must not move the cursor, colour the screen or reverse the line.
package enum SafeText {
    /// Returns the text on one line. Control characters and characters that reorder text are written out.
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

    /// Breaks a long line at blanks; the rest is indented two columns more than the line. A command to copy, after `Next:` and
    /// the like, stays whole.
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

    /// Returns the columns of a text. Colours take none.
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

    /// Breaks a line at blanks so that it fits, and indents the lines after the first.
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
    /// One column. If the columns do not fit, those that are not needed go, the last one first.
    struct Column {
        let heading: String
        let cells: [String]
        let alignsRight: Bool
        /// True if the next command needs the cells: the column stays even if its rows are wider than the page.
        let isNeeded: Bool
        /// True if a person may be misled without the cells: the column goes after all others that are not needed.
        let goesLast: Bool
        /// The width of the widest cell, or of the heading.
        let width: Int

        init(
            heading: String, cells: [String], alignsRight: Bool = false, isNeeded: Bool = false, goesLast: Bool = false
        ) {
            self.heading = heading
            self.cells = cells
            self.alignsRight = alignsRight
            self.isNeeded = isNeeded
            self.goesLast = goesLast
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

    func lines(width: Int) -> [String] {
        var shown = columns
        while shown.map(\.width).reduce(0, +) + 2 * (shown.count - 1) > width {
            let places = shown.indices.dropFirst().filter { !shown[$0].isNeeded }
            guard let place = places.last(where: { !shown[$0].goesLast }) ?? places.last else { break }
            shown.remove(at: place)
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
