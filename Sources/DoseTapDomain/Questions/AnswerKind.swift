/// The kinds of answers to a question.
public enum AnswerKind: Hashable, Sendable {
    /// A whole number within a range, in steps from its lower end.
    case whole(ClosedRange<Int>, step: Int = 1, unit: String = "")
    /// A number within a range.
    case decimal(ClosedRange<Double>, unit: String)
    /// Yes or no.
    case yesNo
    /// One code of a set.
    case choice([Choice])
    /// Any codes of a set.
    case choices([Choice])
    /// Words of the person's own, up to so many Unicode scalars.
    case text(scalars: Int)
    /// A moment, not after the answer and not long before it.
    case instant
    /// The places that hurt, and how they hurt: see ``PainEntry``.
    case pains

    /// One code of a set.
    public struct Choice: Hashable, Sendable {
        /// The code as stored and sent.
        public let code: String
        /// The number for which the code stands, e.g. minutes; nil for other codes.
        public let number: Int?

        init(_ code: String, _ number: Int? = nil) {
            self.code = code
            self.number = number
        }
    }

    /// The wire word.
    public var word: String {
        switch self {
        case .whole: "integer"
        case .decimal: "number"
        case .yesNo: "boolean"
        case .choice: "choice"
        case .choices: "choices"
        case .text: "text"
        case .instant: "instant"
        case .pains: "pains"
        }
    }

    /// The code set, empty for kinds that have none.
    public var choices: [Choice] {
        switch self {
        case .choice(let choices), .choices(let choices): choices
        case .whole, .decimal, .yesNo, .text, .instant, .pains: []
        }
    }

    static func codes(_ codes: String...) -> [Choice] { codes.map { Choice($0) } }
}

extension AnswerKind {
    /// The time by which a moment may lie before the answer.
    static let remembers: Duration = .hours(48)

    /// Returns a value as it is stored; nil for null and for an empty text.
    ///
    /// - Throws: ``AnswerFault``, naming the nearest valid value.
    func checked(_ value: JSONValue, _ key: String, at moment: Instant) throws(AnswerFault) -> JSONValue? {
        if value.isNull || value == "" { return nil }
        switch self {
        case .whole(let range, let step, let unit): return try Self.whole(value, key, range, step, unit)
        case .decimal(let range, let unit): return try Self.decimal(value, key, range, unit)
        case .yesNo:
            guard value.boolValue != nil else {
                throw AnswerFault(key, sent("\(Self.shown(value)) is neither true nor false"))
            }
            return value
        case .choice(let choices):
            guard let text = value.stringValue else {
                throw AnswerFault(key, sent("\(Self.shown(value)) is no code; known: \(Self.list(choices))"))
            }
            return .string(try Self.code(text, key, choices))
        case .choices(let choices): return try Self.codes(value, key, choices)
        case .text(let scalars): return try Self.text(value, key, scalars)
        case .instant: return try Self.instant(value, key, moment)
        case .pains: return try PainEntry.checked(value, key)
        }
    }

    private static func whole(
        _ value: JSONValue, _ key: String, _ range: ClosedRange<Int>, _ step: Int, _ unit: String
    ) throws(AnswerFault) -> JSONValue {
        let (low, high) = (range.lowerBound, range.upperBound)
        guard let number = value.integerValue else {
            let what =
                unit.isEmpty
                ? sent("\(shown(value)) is no whole number from \(low) to \(high)")
                : sent("\(shown(value)) is no whole number from \(low) to \(high) \(unit)")
            throw AnswerFault(key, what)
        }
        guard let number = Int(exactly: number), range.contains(number) else {
            let nearest = number < Int64(low) ? low : high
            let what =
                unit.isEmpty
                ? sent("\(number) is outside \(low) to \(high); the nearest is \(nearest)")
                : sent("\(number) is outside \(low) to \(high) \(unit); the nearest is \(nearest)")
            throw AnswerFault(key, what)
        }
        let beyond = (number - low) % step
        guard beyond == 0 else {
            throw AnswerFault(
                key,
                sent(
                    "\(number) is no step of \(step); the nearest are \(number - beyond) and \(number - beyond + step)")
            )
        }
        return .integer(Int64(number))
    }

    private static func decimal(
        _ value: JSONValue, _ key: String, _ range: ClosedRange<Double>, _ unit: String
    ) throws(AnswerFault) -> JSONValue {
        let (low, high) = (JSONValue.plain(range.lowerBound), JSONValue.plain(range.upperBound))
        guard let number = value.doubleValue, number.isFinite else {
            throw AnswerFault(key, sent("\(shown(value)) is no number from \(low) to \(high) \(unit)"))
        }
        guard range.contains(number) else {
            throw AnswerFault(
                key,
                sent(
                    "\(value) is outside \(low) to \(high) \(unit); the nearest is \(number < range.lowerBound ? low : high)"
                )
            )
        }
        return .plain(number)
    }

    private static func codes(_ value: JSONValue, _ key: String, _ choices: [Choice]) throws(AnswerFault) -> JSONValue?
    {
        guard let values = value.arrayValue else {
            throw AnswerFault(key, sent("\(shown(value)) is no list of codes; known: \(list(choices))"))
        }
        var given: Set<String> = []
        for value in values {
            guard let text = value.stringValue else {
                throw AnswerFault(key, sent("\(shown(value)) is no code; known: \(list(choices))"))
            }
            given.insert(try code(text, key, choices))
        }
        guard !given.contains("none") || given.count == 1 else {
            throw AnswerFault(key, sent("'none' stands alone or not at all"))
        }
        return .array(choices.map(\.code).filter(given.contains).map(JSONValue.string))
    }

    /// Returns the code that a text means; case, blanks, hyphens and underscores do not matter.
    static func code(_ text: String, _ key: String, _ choices: [Choice]) throws(AnswerFault) -> String {
        if let exact = choices.first(where: { $0.code == text }) { return exact.code }
        let bare = bare(text)
        guard !bare.isEmpty, let choice = choices.first(where: { self.bare($0.code) == bare }) else {
            throw .unknown(key, text, among: choices.map(\.code))
        }
        return choice.code
    }

    private static func bare(_ text: String) -> String {
        guard text.utf8.count <= 64 else { return "" }
        return String(text.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" })
    }

    private static func list(_ choices: [Choice]) -> String { choices.map(\.code).joined(separator: ", ") }

    static func text(_ value: JSONValue, _ key: String, _ scalars: Int) throws(AnswerFault) -> JSONValue? {
        guard let text = value.stringValue else { throw AnswerFault(key, sent("\(shown(value)) is no text")) }
        guard text.unicodeScalars.count <= scalars else {
            throw AnswerFault(key, sent("it is longer than \(scalars) characters"))
        }
        guard !text.unicodeScalars.contains(where: \.isControlOrBidirectional) else {
            throw AnswerFault(key, sent("it holds a control or text-direction character"))
        }
        let trimmed = text.trimmingBlanks
        return trimmed.isEmpty ? nil : .string(trimmed)
    }

    private static func instant(_ value: JSONValue, _ key: String, _ moment: Instant) throws(AnswerFault) -> JSONValue {
        guard let instant = value.instantValue else {
            throw AnswerFault(key, sent("\(shown(value)) is no instant such as \(moment.iso8601)"))
        }
        guard instant <= moment + Bounds.future else {
            throw AnswerFault(key, sent("the time lies in the future; the latest is the moment of the answer"))
        }
        guard instant >= moment - remembers else {
            throw AnswerFault(
                key,
                sent("the time is too long ago; the earliest is \(remembers.wholeSeconds / 3_600) h before the answer"))
        }
        return .instant(instant)
    }

    /// Returns a value from outside as a sentence names it.
    static func shown(_ value: JSONValue) -> String {
        switch value {
        case .string(let text): AnswerFault.shown(text)
        case .instant(let instant): AnswerFault.shown(instant.iso8601)
        case .null, .bool, .integer, .number: value.description
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension JSONValue {
    /// A JSON number, as an integer if the number is whole.
    public static func plain(_ number: Double) -> JSONValue {
        Int64(exactly: number).map(JSONValue.integer) ?? .number(number)
    }
}

extension StringProtocol {
    /// The text without blanks and line ends around it.
    var trimmingBlanks: String {
        let head = drop { $0.isWhitespace }
        return String(head.reversed().drop { $0.isWhitespace }.reversed())
    }
}
