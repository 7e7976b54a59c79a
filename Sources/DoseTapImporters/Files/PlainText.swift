internal import DoseTapDomain

/// Text of another program as it goes on.
enum PlainText {
    /// Texts of several lines: line ends are LF, other control characters and those that turn the direction of text are
    /// blanks; nothing is around it.
    static func text(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            defer { isAfterReturn = scalar == "\r" }
            if scalar == "\n", isAfterReturn { continue }
            switch scalar {
            case "\r": scalars.append("\n")
            case _ where scalar.isControlOrBidirectional: scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        let isBlank: (Unicode.Scalar) -> Bool = { $0.properties.isWhitespace }
        let head = scalars.drop(while: isBlank)
        return String(String.UnicodeScalarView(head.reversed().drop(while: isBlank).reversed()))
    }

    /// One short line, for places and reasons.
    static func line(_ text: String, most: Int = 80) -> String {
        let plain = Self.text(text).unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 } as [Unicode.Scalar]
        let line = String(String.UnicodeScalarView(plain.prefix(most)))
        return plain.count > most ? line + "…" : line
    }

    /// A text of a file in quotation marks.
    static func quoted(_ text: String) -> String { "'\(line(text, most: 40))'" }

    /// An identity of a source; nil for one that is too long to be one.
    static func id(_ text: String) -> String? {
        let plain = Self.text(text)
        return plain == text && (1...120).contains(text.utf8.count) ? text : nil
    }
}
