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
    var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
