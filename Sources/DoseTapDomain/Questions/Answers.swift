/// Checked answers to one questionnaire, in the order of its questions.
public struct Answers: Hashable, Sendable {
    /// The answers by their keys; what is unknown is not there.
    public let values: JSONObject

    init(checked values: JSONObject) { self.values = values }

    /// Nothing is answered.
    public static let none = Answers(checked: JSONObject())

    /// Whether nothing is answered.
    public var isEmpty: Bool { values.isEmpty }

    /// One answer.
    public subscript(key: String) -> JSONValue? { values[key] }

    /// The answers to be shown: moments as such, also those read from the log.
    var json: JSONValue {
        var values = values
        for entry in values where Questionnaire.preSleep[entry.key]?.kind == .instant {
            if let instant = entry.value.instantValue { values[entry.key] = .instant(instant) }
        }
        return .object(values)
    }

    /// A whole number that was answered.
    /// No question takes more than a million; a number beyond it, in a log that was altered, counts as unknown.
    func number(_ key: String) -> Int? {
        values[key]?.integerValue.flatMap { (-1_000_000...1_000_000).contains($0) ? Int($0) : nil }
    }

    /// Whether a yes-or-no question was answered with yes.
    func isYes(_ key: String) -> Bool { values[key]?.boolValue == true }
}

extension Answers {
    /// Reads answers back from the log: they were checked when they came in, by the questions of that time.
    init(_ reader: PayloadReader) throws(PayloadError) { values = try reader.object("answers") }
}
