/// What was found about one link of the chain between a reminder and the person.
public struct Finding: Hashable, Sendable {
    /// How well it is; the raw value is the wire word. In order of what is worth saying.
    public enum Level: String, Hashable, Sendable, Comparable, CaseIterable {
        /// It works.
        case green
        /// It could not be asked.
        case unknown
        /// It works, but something may get in the way.
        case amber
        /// It does not work.
        case red

        /// Whether it is less worth saying.
        public static func < (left: Level, right: Level) -> Bool { left.order < right.order }

        private var order: Int {
            switch self {
            case .green: 0
            case .unknown: 1
            case .amber: 2
            case .red: 3
            }
        }
    }

    /// The link, a short word that stays.
    public let id: String
    /// How well it is.
    public let level: Level
    /// What was found.
    public let sentence: String
    /// What to do about it; empty for nothing.
    public let remedy: String

    /// Memberwise.
    public init(id: String, level: Level, sentence: String, remedy: String = "") {
        self.id = id
        self.level = level
        self.sentence = sentence
        self.remedy = remedy
    }

    /// As it is printed and as it travels.
    public var json: JSONObject {
        var object = JSONObject()
        object["id"] = .string(id)
        object["level"] = .string(level.rawValue)
        object["sentence"] = .string(sentence)
        object["remedy"] = .string(remedy)
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) { try self.init(PayloadReader("finding", json)) }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            id: try reader.string("id"), level: try reader.word("level"), sentence: try reader.string("sentence"),
            remedy: try reader.string("remedy"))
    }
}

extension Sequence<Finding> {
    /// What is most worth saying, the first of the worst; nil when everything is green or unknown. What gets in the way
    /// but leaves nothing to be done is not said: said every night, it would hide what matters.
    public var worst: Finding? {
        reduce(nil) { worst, next in
            guard next.level == .red || next.level == .amber && !next.remedy.isEmpty else { return worst }
            return worst.map { next.level > $0.level ? next : $0 } ?? next
        }
    }
}
