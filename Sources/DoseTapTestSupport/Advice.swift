/// Words by which a text would advise on a dose or judge a night.
public enum Advice {
    private static let words = [
        "should", "ought", "recommend\\w*", "suggests? (taking|to take)", "you must", "try to", "better", "worse",
        "best",
        "worst", "good", "bad", "poor\\w*", "(un)?healthy", "(ab)?normal", "consider", "increas\\w+", "reduc\\w+",
        "raise",
        "lower (it|the|your)", "take (it|another|more|less|dose|your next)", "skip (it|the|your|a)", "instead of",
        "safe to", "aim for", "ideal\\w*", "optimal", "postpone", "wait with",
    ]

    /// Returns the words of advice in a text, of a page without its style and its elements.
    public static func found(in text: String) throws -> [String] {
        let plain = text.replacing(/<style>[^<]*<\/style>/, with: "").replacing(/<[^>]*>/, with: " ").lowercased()
        return try words.flatMap { word in
            try plain.matches(of: Regex("\\b\(word)\\b")).map { match in
                let start = plain.index(match.range.lowerBound, offsetBy: -40, limitedBy: plain.startIndex)
                return "\(plain[(start ?? plain.startIndex)..<match.range.upperBound])"
            }
        }
    }
}
