internal import DoseTapText

/// Writes a time in letters five rows high, to be read from the pillow.
enum BigDigits {
    private static let shapes: [Character: [String]] = [
        "0": ["###", "# #", "# #", "# #", "###"], "1": ["  #", "  #", "  #", "  #", "  #"],
        "2": ["###", "  #", "###", "#  ", "###"], "3": ["###", "  #", "###", "  #", "###"],
        "4": ["# #", "# #", "###", "  #", "  #"], "5": ["###", "#  ", "###", "  #", "###"],
        "6": ["###", "#  ", "###", "# #", "###"], "7": ["###", "  #", "  #", "  #", "  #"],
        "8": ["###", "# #", "###", "# #", "###"], "9": ["###", "# #", "###", "  #", "###"],
        ":": [" ", "#", " ", "#", " "],
    ]

    /// The rows; each dot of a digit is two columns wide, for letters are twice as high as wide.
    static func rows(_ text: String, _ terminal: Terminal) -> [String] {
        let dot = terminal.page.usesUnicode ? "██" : "##"
        return (0..<5).map { row in
            text.map { letter in
                (shapes[letter]?[row] ?? "").map { $0 == "#" ? dot : "  " }.joined()
            }.joined(separator: "  ")
        }
    }

    /// `1:23:45`.
    static func clock(seconds: Int64) -> String {
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let seconds = max(0, seconds)
        return "\(seconds / 3_600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
    }
}
