/// Text from a file as it may be repeated in a complaint.
public enum Quoted {
    /// Quoted, cut at 60 characters, control characters replaced: a complaint is one line on a terminal and in the journal.
    public static func text(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(60).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                "\u{FFFD}"
            default: Character(scalar)
            }
        }
        return "“" + String(safe) + (text.unicodeScalars.count > 60 ? "…" : "") + "”"
    }
}
