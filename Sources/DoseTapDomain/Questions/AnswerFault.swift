/// Why answers are not taken; nothing of them is.
public struct AnswerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the nearest valid value; no full stop.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ key: String, _ what: String) { description = "the answer to \(key): \(what)" }

    /// A word from outside, short and on one line.
    static func shown(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(40).map { $0.isControlOrBidirectional || $0 == "\n" ? "?" : String($0) }
        return "'\(safe.joined())'"
    }

    /// A word that is none of those known.
    static func unknown(_ key: String, _ word: String, among known: [String]) -> AnswerFault {
        let nearest = NearestWords.to(word, in: known)
        return AnswerFault(key, "\(shown(word)) is none of \(known.joined(separator: ", "))\(meant(nearest))")
    }

    /// There is no such question.
    static func unknown(question key: String, among known: [String]) -> AnswerFault {
        AnswerFault("there is no question \(shown(key))\(meant(NearestWords.to(key, in: known)))")
    }

    private static func meant(_ nearest: [String]) -> String {
        nearest.isEmpty ? "" : "; the nearest is \(nearest.map { "'\($0)'" }.joined(separator: " or "))"
    }
}
