/// The `why --json` object, also what D-Bus `Why` answers.
extension Explanation {
    /// Keys as in `Config/schemas/v1/why.json`.
    public var json: JSONObject {
        var object = JSONObject()
        object["event"] = .object(event.json)
        object["sequence"] = sequence.map(JSONValue.integer) ?? .null
        object["entity_type"] = .string(entityType)
        object["session_id"] = sessionID.map { .string($0.text) } ?? .null
        object["session_date"] = sessionDate.map { .string($0.text) } ?? .null
        object["time_zone"] = .string(timeZone)
        object["sender"] = process?.sender.map(JSONValue.string) ?? .null
        object["pid"] = process?.processID.map { .integer(Int64($0)) } ?? .null
        object["comm"] = process?.command.map(JSONValue.string) ?? .null
        object["phase"] = phase.map { .string($0.rawValue) } ?? .null
        object["elapsed_s"] = elapsedSeconds.map(JSONValue.integer) ?? .null
        object["confirmations"] = .array(answers.map { .string($0.rawValue) })
        object["rules"] = .array(
            rules.map { .object(JSONObject([("rule", .string($0.rule)), ("text", .string($0.text))])) })
        object["standing"] = .string(standing.rawValue)
        object["cause"] = cause.map { .object($0.json) } ?? .null
        object["consequences"] = .array(consequences.map { .object($0.json) })
        object["corrections"] = .array(corrections.map { .object($0.json) })
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("explanation", json)
        event = try NightRecord.Entry(reader.nested("event"))
        sequence = try reader.optionalInteger("sequence").map { Int64($0) }
        entityType = try reader.string("entity_type")
        sessionID = try reader.optionalString("session_id").map(SessionID.init)
        sessionDate = try reader.value("session_date") == nil ? nil : reader.date("session_date")
        timeZone = try reader.string("time_zone")
        let origin = Origin(
            sender: try reader.optionalString("sender"),
            processID: try reader.optionalInteger("pid").flatMap(Int32.init(exactly:)),
            command: try reader.optionalString("comm"))
        process = origin == Origin() ? nil : origin
        phase = try reader.optionalWord("phase")
        elapsedSeconds = try reader.optionalInteger("elapsed_s").map { Int64($0) }
        answers = try reader.list("confirmations").compactMap { $0.stringValue.flatMap(Confirmation.init(rawValue:)) }
        rules = []
        for value in try reader.list("rules") {
            let note = try PayloadReader("rule", json: value)
            rules.append(RuleNote(try note.string("rule"), try note.string("text")))
        }
        standing = try reader.word("standing")
        cause = nil
        if let entry = try reader.optionalNested("cause") { cause = try NightRecord.Entry(entry) }
        consequences = try Self.entries("consequences", reader)
        corrections = try Self.entries("corrections", reader)
    }

    private static func entries(
        _ key: String, _ reader: PayloadReader
    ) throws(PayloadError) -> [NightRecord.Entry] {
        var entries: [NightRecord.Entry] = []
        for value in try reader.list(key) { entries.append(try NightRecord.Entry(PayloadReader(key, json: value))) }
        return entries
    }
}
