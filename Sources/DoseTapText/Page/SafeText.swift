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
