/// Checked answers to one questionnaire, in the order of its questions.
public struct Answers: Hashable, Sendable {
    /// The answers by their keys; an unknown answer has no key.
    public let values: JSONObject

    init(checked values: JSONObject) { self.values = values }

    public static let none = Answers(checked: JSONObject())

    public var isEmpty: Bool { values.isEmpty }

    /// One answer.
    public subscript(key: String) -> JSONValue? { values[key] }

    /// The answers to be shown. Moments are shown as moments, also if they were read from the log.
    var json: JSONValue {
        var values = values
        for entry in values where Questionnaire.preSleep[entry.key]?.kind == .instant {
            if let instant = entry.value.instantValue { values[entry.key] = .instant(instant) }
        }
        return .object(values)
    }

    /// Returns a whole number that was answered. No question takes more than a million; a larger number, in a log that was
    /// altered, counts as unknown.
    func number(_ key: String) -> Int? {
        values[key]?.integerValue.flatMap { (-1_000_000...1_000_000).contains($0) ? Int($0) : nil }
    }

    /// Returns true if a yes-or-no question was answered with yes.
    func isYes(_ key: String) -> Bool { values[key]?.boolValue == true }
}

extension Answers {
    /// Reads answers back from the log. The answers were checked when they came in, by the questions of that time.
    init(_ reader: PayloadReader) throws(PayloadError) { values = try reader.object("answers") }
}

extension Questionnaire.Item {
    /// Returns the value that words typed by a person mean. The value is checked with all others later.
    ///
    /// - Parameter instant: reads a time of the person's own.
    public func value<Failure: Error>(
        typed text: String, instant: (String) throws(Failure) -> Instant
    ) throws(Failure) -> JSONValue {
        let bare = text.trimmingBlanks
        if bare.isEmpty { return .null }
        switch kind {
        case .whole: return Int64(bare).map(JSONValue.integer) ?? .string(bare)
        case .decimal:
            let number = Double(String(bare.map { $0 == "," ? "." : $0 }))
            return number.map(JSONValue.plain) ?? .string(bare)
        case .yesNo:
            switch bare.lowercased() {
            case "y", "yes", "j", "ja", "true", "1", "on": return true
            case "n", "no", "nein", "false", "0", "off": return false
            default: return .string(bare)
            }
        case .choices, .pains:
            let parts = bare.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
            return .array(parts.map(JSONValue.string))
        case .choice, .text: return .string(bare)
        case .instant: return .instant(try instant(bare))
        }
    }
}

/// The reason why answers are not taken. None of the answers is taken then.
public struct AnswerFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in words with the nearest valid value, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ key: String, _ what: String) { description = sent("the answer to \(key): \(what)") }

    /// Returns a word from outside, shortened and on one line.
    static func shown(_ text: String) -> String {
        let safe = text.unicodeScalars.prefix(40).map { $0.isControlOrBidirectional || $0 == "\n" ? "?" : String($0) }
        return "'\(safe.joined())'"
    }

    /// The fault of a word that is none of the known words.
    static func unknown(_ key: String, _ word: String, among known: [String]) -> AnswerFault {
        let list = known.joined(separator: ", ")
        guard let nearest = nearest(word, known) else {
            return AnswerFault(key, sent("\(shown(word)) is none of \(list)"))
        }
        return AnswerFault(key, sent("\(shown(word)) is none of \(list); the nearest is \(nearest)"))
    }

    /// The fault of a question that does not exist.
    static func unknown(question key: String, among known: [String]) -> AnswerFault {
        guard let nearest = nearest(key, known) else { return AnswerFault(sent("there is no question \(shown(key))")) }
        return AnswerFault(sent("there is no question \(shown(key)); the nearest is \(nearest)"))
    }

    private static func nearest(_ word: String, _ known: [String]) -> String? {
        let nearest = Suggestions.to(word, in: known)
        return nearest.isEmpty ? nil : nearest.map { "'\($0)'" }.joined(separator: ", ")
    }
}
