/// The types of sleep events that can be logged: those everybody has, and up to eight of the person's own.
public struct SleepEventCatalogue: Hashable, Sendable {
    /// Without types of one's own.
    public static let standard = SleepEventCatalogue()
    /// Types of one's own at most.
    public static let maximumCustom = 8
    /// Unicode scalars in the name of a type of one's own.
    public static let customScalars = 32

    /// All types, in the order in which they are listed.
    public let types: [SleepEventType]

    /// Those of the person's own.
    public var custom: ArraySlice<SleepEventType> { types[SleepEventType.standard.count...] }

    private init() { types = SleepEventType.standard }

    /// Adds types of one's own.
    ///
    /// - Parameter names: as people write them; letters, digits, blanks, hyphens and underscores.
    /// - Throws: ``SleepEventNameError`` for too many, too long, a name that means something already, or one twice.
    public init(custom names: [String]) throws(SleepEventNameError) {
        guard names.count <= Self.maximumCustom else {
            throw SleepEventNameError("there are more than \(Self.maximumCustom)")
        }
        var types = SleepEventType.standard
        for name in names {
            let word = SleepEventWord.normalised(name)
            guard (1...Self.customScalars).contains(word.unicodeScalars.count) else {
                throw SleepEventNameError("a name has 1 to \(Self.customScalars) characters")
            }
            guard word.unicodeScalars.allSatisfy({ $0 == "_" || $0.isLetterOrDigit }) else {
                throw SleepEventNameError("a name has letters, digits, blanks and hyphens")
            }
            guard !types.contains(where: { $0.word == word || $0.aliases.contains(word) }),
                !Self.doses.contains(word)
            else { throw SleepEventNameError("'\(word)' has a meaning already") }
            types.append(SleepEventType(word))
        }
        self.types = types
    }

    /// The type that a text means in any of its spellings; nil for none.
    public func type(named text: String) -> SleepEventType? { self[Self.word(text)] }

    /// The type with a wire word.
    public subscript(word: String) -> SleepEventType? { types.first { $0.word == word } }

    /// The wire word of a text, aliases resolved; a text that means nothing is only normalised.
    public static func word(_ text: String) -> String {
        let word = SleepEventWord.normalised(text)
        return standard.types.first { $0.aliases.contains(word) }?.word ?? word
    }

    /// How a wire word is shown, also that of a type that is in no list any more.
    public static func displayName(of word: String) -> String {
        standard[word]?.displayName ?? SleepEventWord.title(of: word)
    }

    /// The words that may have been meant by one that is unknown, among everything that can be logged.
    public func nearest(to text: String) -> [String] {
        let word = SleepEventWord.normalised(text)
        let near = NearestWords.to(word, in: types.flatMap { [$0.word] + $0.aliases } + Self.doses)
        var words: [String] = []
        for word in near.map(Self.word) where !words.contains(word) { words.append(word) }
        return words
    }

    /// What is logged beside sleep events.
    private static let doses = ["dose1", "dose2", "extra"]
}

/// Why a name cannot be a type of one's own.
public struct SleepEventNameError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}

extension Unicode.Scalar {
    /// What names of one's own are made of.
    var isLetterOrDigit: Bool {
        switch properties.generalCategory {
        case .lowercaseLetter, .uppercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
