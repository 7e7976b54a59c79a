/// A questionnaire as data: what can be answered, when it is asked, where it is stored. How it is asked is `QuestionText`.
public struct Questionnaire: Hashable, Sendable {
    /// Which one.
    public let kind: Kind
    /// All questions in the order in which they are asked; what a question depends on comes before it.
    public let items: [Item]

    /// The questionnaires there are; the raw value is the wire word.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// After waking.
        case morning
        /// Before going to sleep.
        case preSleep = "pre_sleep"
    }

    /// One question.
    public struct Item: Hashable, Sendable {
        /// Wire name of the answer, unique in its questionnaire.
        public let key: String
        /// What can be answered.
        public let kind: AnswerKind
        /// What counts when nothing is answered; nil: then it is unknown.
        public let defaultValue: JSONValue?
        /// Asked only when this holds.
        public let condition: Condition?
        /// Where the answer is stored.
        public let place: Place
        /// Yes-or-no questions of one group are asked together.
        public let group: Group?
    }

    /// Questions that are asked together.
    public enum Group: Hashable, Sendable {
        case narcolepsy
    }

    /// When a question is asked: another one has this answer, or has one that is not this.
    public struct Condition: Hashable, Sendable {
        /// The other question.
        public let key: String
        /// Its answer; null stands for none.
        public let value: JSONValue
        /// Whether it has to be this answer, or any other.
        public let isWanted: Bool

        /// Whether the answers so far fulfil it.
        func holds(_ answers: JSONObject) -> Bool {
            guard let answer = answers[key] else { return false }
            return (answer == value) == isWanted
        }
    }

    /// Where an answer is stored.
    public enum Place: Hashable, Sendable {
        /// In the column of the same name.
        case column
        /// As part of the object in a JSON column.
        case part(of: String)
        /// In the log only: the tables have no column for it.
        case log
    }

    /// The question with a key.
    public subscript(key: String) -> Item? { items.first { $0.key == key } }

    /// The questionnaire of a kind.
    public static func of(_ kind: Kind) -> Questionnaire {
        switch kind {
        case .morning: morning
        case .preSleep: preSleep
        }
    }
}

extension Questionnaire.Item {
    static func ask(
        _ key: String, _ kind: AnswerKind, _ defaultValue: JSONValue? = nil,
        if condition: Questionnaire.Condition? = nil, in place: Questionnaire.Place = .column,
        under group: Questionnaire.Group? = nil
    ) -> Questionnaire.Item {
        Questionnaire.Item(
            key: key, kind: kind, defaultValue: defaultValue, condition: condition, place: place, group: group)
    }
}

extension Questionnaire.Condition {
    /// A yes-or-no question was answered with yes.
    static func yes(_ key: String) -> Self { Self(key: key, value: true, isWanted: true) }
    /// A question has this answer.
    static func answer(_ key: String, _ value: JSONValue) -> Self { Self(key: key, value: value, isWanted: true) }
    /// A question has an answer, and another one than this.
    static func anything(_ key: String, but value: JSONValue = "none") -> Self {
        Self(key: key, value: value, isWanted: false)
    }
    /// A question has an answer.
    static func answered(_ key: String) -> Self { Self(key: key, value: .null, isWanted: false) }
}
