/// A text for people, as it is written in the source: English, with the values put into it.
///
/// Other languages know the phrase by its key: the text with `%1`, `%2` in place of the interpolations.
package struct Phrase: ExpressibleByStringInterpolation, Sendable {
    let english: String
    /// The key; empty for an interpolated text in English, where nobody asks for it.
    let key: String
    let arguments: [String]

    package init(stringLiteral text: String) {
        english = text
        key = text
        arguments = []
    }

    package init(stringInterpolation interpolation: Interpolation) {
        english = interpolation.english
        key = interpolation.key
        arguments = interpolation.arguments
    }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var english = ""
        fileprivate var key = ""
        fileprivate var arguments: [String] = []
        private let collects: Bool

        package init(literalCapacity: Int, interpolationCount: Int) {
            collects = DisplayLanguage.isTranslating
            english.reserveCapacity(literalCapacity + 8 * interpolationCount)
        }

        package mutating func appendLiteral(_ text: String) {
            english += text
            if collects { key += text }
        }

        package mutating func appendInterpolation(_ text: String) {
            english += text
            guard collects else { return }
            arguments.append(text)
            key += "%\(arguments.count)"
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            appendInterpolation(value.description)
        }
    }
}

/// A text for people in their language. A text without a translation is English.
///
/// - Parameter context: tells apart two meanings that are one word in English and two words in another language. It
///   follows the key after a `|`.
package func tr(_ phrase: Phrase, context: String? = nil) -> String {
    guard DisplayLanguage.isTranslating else { return phrase.english }
    let key = context.map { "\(phrase.key)|\($0)" } ?? phrase.key
    guard let translation = DisplayLanguage.translation(key) else { return phrase.english }
    return phrase.arguments.isEmpty ? translation : Blanks.filled(translation, phrase.arguments)
}

/// Marks a text that is formed here in English, for programs and people, and is translated at the surface of a person
/// (``Wire/told(_:)``).
package func sent(_ text: String) -> String { text }

/// The numbered blanks of a translation. A `~` after one asks for the dative plural of German: `von %1~` makes "von 3
/// Nächten" of "3 Nächte".
package enum Blanks {
    package static func filled(_ text: String, _ arguments: [String]) -> String {
        var filled = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "%") {
            filled += rest[..<mark]
            let after = rest.index(after: mark)
            let place = after < rest.endIndex ? rest[after].wholeNumberValue : nil
            if let place, place > 0, place <= arguments.count {
                filled += arguments[place - 1]
                rest = rest[rest.index(after: after)...]
                if rest.first == "~" {
                    if isPlural(arguments[place - 1]) { filled += "n" }
                    rest = rest.dropFirst()
                }
            } else {
                filled += "%"
                rest = rest[after...]
            }
        }
        return filled + rest
    }

    /// Returns true for a count above one with a noun that takes an n in the dative.
    private static func isPlural(_ counted: String) -> Bool {
        guard let first = counted.first, first.isNumber, !counted.hasPrefix("1 ") else { return false }
        return counted.hasSuffix("e") || counted.hasSuffix("er") || counted.hasSuffix("el")
    }
}
