/// What can be answered to a question.
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
    /// Where it hurts and how: see ``PainEntry``.
    case pains

    /// One code of a set.
    public struct Choice: Hashable, Sendable {
        /// As stored and sent.
        public let code: String
        /// Its number where it counts as one, e.g. minutes.
        public let number: Int?

        init(_ code: String, _ number: Int? = nil) {
            self.code = code
            self.number = number
        }
    }

    /// Wire word.
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
