/// Words for types of sleep events, as they come in and as they are kept.
public enum SleepEventWord {
    /// The final wake: an event of its own kind in the log, a row like the others in the table.
    public static let finalWake = "wake_final"
    /// Going to bed.
    static let inBed = "in_bed"
    /// Trying to sleep.
    public static let lightsOut = "lights_out"
    /// Awake for a while.
    static let briefWake = "wake_temp"
    /// The beginning of a nap.
    public static let napStart = "nap_start"
    /// Its end.
    public static let napEnd = "nap_end"

    /// Unicode scalars in a type as it comes in; beyond is invalid input.
    public static let scalars = 64

    /// The one spelling of a word: trimmed, in lower case, blanks and hyphens as single underscores.
    public static func normalised(_ text: String) -> String {
        var word = String.UnicodeScalarView()
        var isGap = false
        for scalar in text.lowercased().unicodeScalars where scalar != variationSelector {
            if scalar == "_" || scalar.properties.isWhitespace || scalar.properties.generalCategory == .dashPunctuation
            {
                isGap = true
                continue
            }
            if isGap, !word.isEmpty { word.append("_") }
            isGap = false
            word.append(scalar)
        }
        return String(word)
    }

    /// A word as a title: `leg_cramps` is "Leg Cramps".
    static func title(of word: String) -> String {
        word.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// Asks for a picture instead of a letter; it changes no meaning.
    private static let variationSelector: Unicode.Scalar = "\u{FE0F}"
}
