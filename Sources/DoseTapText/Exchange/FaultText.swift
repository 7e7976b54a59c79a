internal import DoseTapDomain

/// Translates the exchange program's text about foreign files and streams.
package enum FaultText {
    /// Returns a fault with its line and its byte, such as `Line 5: It is no UTF-8. (byte 12)`.
    package static func told(_ fault: String) -> String {
        guard DisplayLanguage.isTranslating else { return fault }
        var (line, text, byte) = ("", fault, "")
        if let end = text.firstRange(of: ": "), let number = number(text[..<end.lowerBound], after: "Line ") {
            line = tr("Line \(number):", context: "import") + " "
            text = String(text[end.upperBound...])
        }
        if text.hasSuffix(")"), let mark = text.lastIndex(of: "("),
            let number = number(text[mark...].dropLast(), after: "(byte ")
        {
            byte = " " + tr("(byte \(number))", context: "import")
            text = String(text[..<mark].dropLast())
        }
        return line + Wire.told(text) + byte
    }

    /// Returns the place of a row, such as `events.csv, line 5, its note`. Names of files, tables and devices stay.
    package static func place(_ row: String) -> String {
        guard DisplayLanguage.isTranslating else { return row }
        var rest = row[...]
        var parts: [String] = []
        while let end = rest.firstRange(of: ", ") {
            parts.append(part(rest[..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return (parts + [part(rest)]).joined(separator: ", ")
    }

    private static func part(_ text: Substring) -> String {
        if let number = number(text, after: "line ") { return tr("line \(number)", context: "import") }
        if let number = number(text, after: "row ") { return tr("row \(number)", context: "import") }
        if let number = number(text, after: "record ") { return tr("record \(number)", context: "import") }
        if let number = number(text, after: "sleep record ") { return tr("sleep record \(number)", context: "import") }
        if let number = number(text, after: "medicine ") { return tr("medicine \(number)", context: "import") }
        for (end, what) in [
            (" of its rows", tr("of its rows", context: "import")),
            (" of its sleeps", tr("of its sleeps", context: "import")),
            (" of its stages", tr("of its stages", context: "import")),
        ] where text.hasSuffix(end) {
            if let number = number(text.dropLast(end.count), after: "") { return "\(number) \(what)" }
        }
        return switch text {
        case "its note": tr("its note", context: "import")
        case "its rating": tr("its rating", context: "import")
        case "its awakenings": tr("its awakenings", context: "import")
        case "its details": tr("its details", context: "import")
        case "its amount": tr("its amount", context: "import")
        case "the skip": tr("the skip", context: "import")
        case "dose 2", "dose2": tr("dose 2", context: "import")
        case "dose1": tr("dose 1", context: "import")
        case "a source without a name": tr("a source without a name", context: "import")
        default: time(text)
        }
    }

    /// Returns the beginning of a sleep that has no number.
    private static func time(_ text: Substring) -> String {
        guard text.hasPrefix("from "), (try? Instant(iso8601: String(text.dropFirst(5)))) != nil else {
            return String(text)
        }
        return tr("from \(text.dropFirst(5))", context: "import")
    }

    private static func number(_ text: Substring, after word: String) -> String? {
        guard text.hasPrefix(word) else { return nil }
        let digits = text.dropFirst(word.count)
        return !digits.isEmpty && digits.allSatisfy(\.isNumber) ? String(digits) : nil
    }
}
