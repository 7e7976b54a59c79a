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
    public private(set) var id: String
    /// How well it is.
    public private(set) var level: Level
    /// What was found.
    public private(set) var sentence: String
    /// What to do about it; empty for nothing.
    public private(set) var remedy: String

    public init(id: String, level: Level, sentence: String, remedy: String = "") {
        self.id = id
        self.level = level
        self.sentence = sentence
        self.remedy = remedy
    }

    /// Its keys, for writing, reading and the JSON Schema.
    public static let description = RecordDescription(
        "finding", "One link of the chain between a reminder and the person",
        Finding(id: "", level: .green, sentence: "")
    ) { it in
        it.text("id", get: { $0.id }, set: { $0.id = $1 })
        it.word("level", get: { $0.level }, set: { $0.level = $1 })
        it.text("sentence", get: { $0.sentence }, set: { $0.sentence = $1 })
        it.text("remedy", "empty for nothing to do", get: { $0.remedy }, set: { $0.remedy = $1 })
    }

    /// As it is printed and as it travels.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("finding", json))
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
