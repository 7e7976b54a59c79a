internal import DoseTapText

/// Finds ids in text, so that they do not stand in the way of what people read.
enum Identifiers {
    /// The line with its ids dim.
    static func dim(_ line: String, _ terminal: Terminal) -> String {
        guard line.contains("-") else { return line }
        return line.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let id = word.prefix(36)
            return isIdentifier(id) ? terminal.paint(String(id), .dim) + word.dropFirst(36) : String(word)
        }.joined(separator: " ")
    }

    /// Whether a text is a UUID, as ids are written.
    private static func isIdentifier(_ text: Substring) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { place, byte in
            switch byte {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(place)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                ![8, 13, 18, 23].contains(place)
            default: false
            }
        }
    }
}
