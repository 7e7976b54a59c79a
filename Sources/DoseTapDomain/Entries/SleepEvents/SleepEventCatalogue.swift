/// The types of sleep events that can be logged: the standard types, and up to eight of the person's own.
public struct SleepEventCatalogue: Hashable, Sendable {
    /// The catalogue without types of one's own.
    public static let standard = SleepEventCatalogue()
    /// The most types of one's own.
    public static let maximumCustom = 8
    /// The most Unicode scalars in the name of a type of one's own.
    public static let customScalars = 32

    /// All types, in the order in which they are listed.
    public let types: [SleepEventType]

    /// The types of the person's own.
    public var custom: ArraySlice<SleepEventType> { types[SleepEventType.standard.count...] }

    private init() { types = SleepEventType.standard }

    /// Adds types of one's own.
    ///
    /// - Parameter names: as people write them; letters, digits, blanks, hyphens and underscores.
    /// - Throws: ``SleepEventNameError`` for too many, too long, a name that means something already, or one twice.
    public init(custom names: [String]) throws(SleepEventNameError) {
        guard names.count <= Self.maximumCustom else {
            throw SleepEventNameError(sent("there are more than \(Self.maximumCustom)"))
        }
        var types = SleepEventType.standard
        for name in names {
            let word = SleepEventWord.normalised(name)
            guard (1...Self.customScalars).contains(word.unicodeScalars.count) else {
                throw SleepEventNameError(sent("a name has 1 to \(Self.customScalars) characters"))
            }
            guard word.unicodeScalars.allSatisfy({ $0 == "_" || $0.isLetterOrDigit }) else {
                throw SleepEventNameError(sent("a name has letters, digits, blanks and hyphens"))
            }
            guard !types.contains(where: { $0.word == word || $0.aliases.contains(word) }),
                !Self.doses.contains(word)
            else { throw SleepEventNameError(sent("'\(word)' has a meaning already")) }
            types.append(SleepEventType(word))
        }
        self.types = types
    }

    /// Returns the type that a text means in any spelling; nil if the text means none.
    public func type(named text: String) -> SleepEventType? { self[Self.word(text)] }

    /// The type with a wire word.
    public subscript(word: String) -> SleepEventType? { types.first { $0.word == word } }

    /// Returns the wire word of a text, aliases resolved. A text that means nothing is only normalised.
    public static func word(_ text: String) -> String {
        let word = SleepEventWord.normalised(text)
        return standard.types.first { $0.aliases.contains(word) }?.word ?? word
    }

    /// Returns the shown name of a wire word, also for a type that is in no list any more.
    public static func displayName(of word: String) -> String {
        standard[word]?.displayName ?? SleepEventWord.title(of: word)
    }

    /// Returns the words that an unknown word may mean, among everything that can be logged.
    public func nearest(to text: String) -> [String] {
        let word = SleepEventWord.normalised(text)
        let near = Suggestions.to(word, in: types.flatMap { [$0.word] + $0.aliases } + Self.doses)
        var words: [String] = []
        for word in near.map(Self.word) where !words.contains(word) { words.append(word) }
        return words
    }

    /// The words that are logged beside sleep events.
    private static let doses = ["dose1", "dose2", "extra"]
}

/// The reason why a name cannot be a type of one's own.
public struct SleepEventNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in words, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Unicode.Scalar {
    /// True for a letter, a mark or a digit, of which names of one's own are made.
    var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}

/// A type of sleep event: an event of a night beside its doses (R8).
public struct SleepEventType: Hashable, Sendable {
    /// The wire word, the `event_type` of `sleep_events`.
    public let word: String
    /// The name as people read it.
    public let displayName: String
    /// Other normalised words for the type.
    public let aliases: [String]
    /// The seconds after the last event of the type in which a live repeat is refused; 0 never.
    public let cooldownSeconds: Int
    /// The `color_hex` of `sleep_events`, `#RRGGBB`; nil for none.
    public let colourHex: String?

    init(
        _ word: String, _ displayName: String? = nil, aliases: [String] = [], cooldownSeconds: Int = 0,
        colourHex: String? = nil
    ) {
        self.word = word
        self.displayName = displayName ?? SleepEventWord.title(of: word)
        self.aliases = aliases
        self.cooldownSeconds = cooldownSeconds
        self.colourHex = colourHex
    }
}

extension SleepEventType {
    /// The types that every machine knows, in the order in which they are listed.
    static let standard: [SleepEventType] = [
        SleepEventType("in_bed", aliases: ["inbed"], colourHex: "#5B6BB5"),
        SleepEventType("lights_out", aliases: ["lightsout", "🌙"], colourHex: "#3F4A8A"),
        SleepEventType("wake_temp", "Brief Wake", aliases: ["waketemp", "brief_wake"], colourHex: "#C9A227"),
        // The rows of the final wake come from an event of its own and have never had a colour.
        SleepEventType(
            SleepEventWord.finalWake, "Final Wake",
            aliases: ["wakefinal", "final_wake", "wake", "wakeup", "wake_up", "☀"]),
        SleepEventType("bathroom", aliases: ["🚽"], cooldownSeconds: 60, colourHex: "#3E8FB0"),
        SleepEventType("water", aliases: ["💧"], cooldownSeconds: 60, colourHex: "#2F9FD0"),
        SleepEventType("snack", aliases: ["🍎"], cooldownSeconds: 60, colourHex: "#6A9F3D"),
        SleepEventType(SleepEventWord.napStart, aliases: ["napstart"], colourHex: "#8A6FB8"),
        SleepEventType(SleepEventWord.napEnd, aliases: ["napend"], colourHex: "#B39AD6"),
        SleepEventType("anxiety", aliases: ["restless", "😰"], colourHex: "#B5548A"),
        SleepEventType("dream", aliases: ["💭"], colourHex: "#7A86D1"),
        SleepEventType("heart_racing", aliases: ["heartracing", "💓"], colourHex: "#C74B5A"),
        SleepEventType("noise", aliases: ["🔊"], colourHex: "#8C8C5A"),
        SleepEventType("temperature", aliases: ["temp", "🌡"], colourHex: "#D07A3A"),
        SleepEventType("pain", aliases: ["🤕"], colourHex: "#A83A3A"),
    ]
}

/// The words for types of sleep events, as they come in and as they are kept.
public enum SleepEventWord {
    /// The final wake: an event of its own kind in the log, a row like the others in the table.
    public static let finalWake = "wake_final"
    /// Going to bed.
    public static let inBed = "in_bed"
    /// Trying to sleep.
    public static let lightsOut = "lights_out"
    /// Awake for a while.
    static let briefWake = "wake_temp"
    /// The beginning of a nap.
    public static let napStart = "nap_start"
    public static let napEnd = "nap_end"

    /// The most Unicode scalars in a type as it comes in. A longer text is invalid input.
    public static let scalars = 64

    /// Returns the one spelling of a word: trimmed, in lower case, blanks and hyphens as single underscores.
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

    /// Returns a word as a title: `leg_cramps` is "Leg Cramps".
    static func title(of word: String) -> String {
        word.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined(separator: " ")
    }

    /// A character that asks for a picture instead of a letter, without a change of meaning.
    private static let variationSelector: Unicode.Scalar = "\u{FE0F}"
}
