/// The finding about one link of the chain between a reminder and the person.
public struct Finding: Hashable, Sendable {
    /// The state of a link, in the order of what is worth saying; the raw value is the wire word.
    public enum Level: String, Hashable, Sendable, Comparable, CaseIterable {
        /// The link works.
        case green
        /// The link could not be asked.
        case unknown
        /// The link works, but something may get in the way.
        case amber
        /// The link does not work.
        case red

        /// Returns true if the left level is less worth saying.
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
    public private(set) var level: Level
    public private(set) var sentence: String
    /// The remedy; nil for none, and for one that only a newer service knows.
    public private(set) var remedy: Remedy?
    /// True if the service named a remedy that is not known here.
    private var hasNewerRemedy = false
    /// The id of the plugin that the remedy is about.
    public private(set) var plugin: String?
    /// The remedy in the words of a surface, empty for none; nil on D-Bus.
    public var instruction: String?

    public init(id: String, level: Level, sentence: String, remedy: Remedy? = nil, plugin: String? = nil) {
        self.id = id
        self.level = level
        self.sentence = sentence
        self.remedy = remedy
        self.plugin = plugin
    }

    /// True if the finding is said before a night. A hindrance without a remedy is not said, nor is a plugin that was
    /// switched off on purpose: said every night, such findings would hide those that matter.
    var isWorthSaying: Bool {
        level == .red || level == .amber && (remedy != nil || hasNewerRemedy) && remedy != .enablePlugin
    }

    public static let description = RecordDescription(
        "finding", "One link of the chain between a reminder and the person",
        Finding(id: "", level: .green, sentence: "")
    ) { it in
        it.text("id", get: { $0.id }, set: { $0.id = $1 })
        it.word("level", get: { $0.level }, set: { $0.level = $1 })
        it.text("sentence", get: { $0.sentence }, set: { $0.sentence = $1 })
        it.textOrNull(
            "remedy", "what to do, as a person types it, empty for nothing; not on D-Bus", null: .absent,
            get: { $0.instruction }, set: { $0.instruction = $1 })
        // A code that only a newer service knows is noted, and the remedy stays nil.
        it.value(
            "remedy_code", .words { Remedy.allCases.map { $0.rawValue } }, "what to do", null: .absent,
            get: { $0.remedy.map { .string($0.rawValue) } },
            set: { (finding, value) throws(PayloadError) in
                finding.remedy = value?.stringValue.flatMap(Remedy.init(rawValue:))
                finding.hasNewerRemedy = value?.stringValue != nil && finding.remedy == nil
                return true
            })
        it.textOrNull(
            "plugin", "the plugin that the remedy is about", null: .absent, get: { $0.plugin },
            set: { $0.plugin = $1 })
    }

    /// The finding as it is printed and as it travels.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("finding", json))
    }
}

extension Sequence<Finding> {
    /// The finding most worth saying, the first of the worst; nil if no finding is worth saying.
    public var worst: Finding? {
        reduce(nil) { worst, next in
            guard next.isWorthSaying else { return worst }
            return worst.map { next.level > $0.level ? next : $0 } ?? next
        }
    }
}
