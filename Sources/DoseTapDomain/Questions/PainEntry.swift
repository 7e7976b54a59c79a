/// One place that hurts: an object with `area`, `side`, `intensity`, `sensations`, `pattern` and `notes`, or a line of
/// such codes in any order, as people type it: `knee left 4 aching constant`.
public enum PainEntry {
    public static let areas: [AnswerKind.Choice] = AnswerKind.codes(
        "head_face", "neck", "upper_back", "mid_back", "lower_back", "shoulder", "arm_elbow", "wrist_hand",
        "chest_ribs", "abdomen", "hip_glute", "knee", "ankle_foot", "other")
    /// The sides; `na` for a place without sides.
    public static let sides: [AnswerKind.Choice] = AnswerKind.codes("left", "right", "center", "both", "na")
    public static let sensations: [AnswerKind.Choice] = AnswerKind.codes(
        "aching", "sharp", "shooting", "stabbing", "burning", "throbbing", "cramping", "tightness", "radiating",
        "pins_needles", "numbness", "other")
    public static let patterns: [AnswerKind.Choice] = AnswerKind.codes("constant", "intermittent", "unknown")
    public static let intensity = 0...10
    /// The largest number of places.
    static let most = 40

    private static let keys = ["area", "side", "intensity", "sensations", "pattern", "notes"]

    /// Returns a list of entries as it is stored: each place once, with the last entry about it.
    static func checked(_ value: JSONValue, _ key: String) throws(AnswerFault) -> JSONValue? {
        guard let values = value.arrayValue else {
            throw AnswerFault(key, sent("\(AnswerKind.shown(value)) is no list of places such as 'knee left 4 aching'"))
        }
        guard values.count <= most else { throw AnswerFault(key, sent("more than \(most) places")) }
        var entries: [(place: String, entry: JSONObject)] = []
        for value in values {
            let entry: JSONObject
            switch value {
            case .object(let object): entry = try checked(object, key)
            case .string(let line): entry = try checked(try read(line, key), key)
            case .null, .bool, .integer, .number, .instant, .array:
                throw AnswerFault(key, sent("\(AnswerKind.shown(value)) is no place such as 'knee left 4 aching'"))
            }
            let place = "\(entry["area"] ?? .null)|\(entry["side"] ?? .null)"
            entries.removeAll { $0.place == place }
            entries.append((place, entry))
        }
        return .array(entries.map { .object($0.entry) })
    }

    private static func checked(_ given: JSONObject, _ key: String) throws(AnswerFault) -> JSONObject {
        for entry in given where !keys.contains(entry.key) {
            throw .unknown(key, entry.key, among: keys)
        }
        guard let area = given["area"]?.stringValue else {
            throw AnswerFault("\(key).area", sent("it is missing; known: \(areas.map(\.code).joined(separator: ", "))"))
        }
        func part(_ name: String, _ kind: AnswerKind) throws(AnswerFault) -> JSONValue? {
            try kind.checked(given[name] ?? .null, "\(key).\(name)", at: .max)
        }
        var entry = JSONObject()
        entry["area"] = .string(try AnswerKind.code(area, "\(key).area", areas))
        entry["side"] = try part("side", .choice(sides)) ?? "na"
        entry["intensity"] = try part("intensity", .whole(intensity))
        entry["sensations"] = try part("sensations", .choices(sensations))
        entry["pattern"] = try part("pattern", .choice(patterns))
        entry["notes"] = try part("notes", .text(scalars: Bounds.noteScalars))
        return entry
    }

    /// Reads a line of codes.
    private static func read(_ line: String, _ key: String) throws(AnswerFault) -> JSONObject {
        guard line.utf8.count <= 400 else { throw AnswerFault(key, sent("a place has up to 400 characters")) }
        var entry = JSONObject()
        var felt: [JSONValue] = []
        for word in line.split(whereSeparator: \.isWhitespace).map(String.init) {
            if let number = Int64(word) {
                entry["intensity"] = .integer(number)
            } else if let area = meant(word, areas), entry["area"] == nil {
                entry["area"] = .string(area)
            } else if let side = meant(word, sides) {
                entry["side"] = .string(side)
            } else if let sensation = meant(word, sensations) {
                felt.append(.string(sensation))
            } else if let pattern = meant(word, patterns) {
                entry["pattern"] = .string(pattern)
            } else {
                let known = (areas + sides + sensations + patterns).map(\.code)
                throw .unknown(
                    key, word, among: known.enumerated().filter { known.firstIndex(of: $1) == $0 }.map(\.element))
            }
        }
        if !felt.isEmpty { entry["sensations"] = .array(felt) }
        return entry
    }

    private static func meant(_ word: String, _ choices: [AnswerKind.Choice]) -> String? {
        try? AnswerKind.code(word, "", choices)
    }
}
