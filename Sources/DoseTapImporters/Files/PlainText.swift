internal import DoseTapDomain

/// Cleans text of another program.
enum PlainText {
    /// Returns text of several lines: line ends become LF, other control characters and those that turn the direction of text
    /// become blanks, and white space at both ends is removed.
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

    /// Returns one short line, for places and reasons.
    static func line(_ text: String, most: Int = 80) -> String {
        let plain = Self.text(text).unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 } as [Unicode.Scalar]
        let line = String(String.UnicodeScalarView(plain.prefix(most)))
        return plain.count > most ? line + "…" : line
    }

    /// Returns a text of a file in quotation marks.
    static func quoted(_ text: String) -> String { "'\(line(text, most: 40))'" }

    /// Returns an identity of a source; nil if the text is empty, too long or not plain.
    static func id(_ text: String) -> String? {
        let plain = Self.text(text)
        return plain == text && (1...120).contains(text.utf8.count) ? text : nil
    }
}
