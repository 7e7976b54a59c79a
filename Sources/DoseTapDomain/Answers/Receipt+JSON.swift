/// The answer of `log … --json` and of every mutating D-Bus call.
extension Receipt {
    /// Keys as in `Config/schemas/v1/receipt.json`.
    public var json: JSONObject {
        var object = JSONObject()
        object["event_id"] = .string(eventID.text)
        object["type"] = .string(type)
        object["session_id"] = sessionID.map { .string($0.text) } ?? .null
        object["session_date"] = sessionDate.map { .string($0.text) } ?? .null
        object["timestamp"] = .instant(timestamp)
        object["phase"] = .string(phase.rawValue)
        object["dose_index"] = doseIndex.map { .integer(Int64($0)) } ?? .null
        object["metadata"] = .object(metadata)
        object["duplicate"] = .bool(duplicate)
        object["interval_min"] = intervalMinutes.map(JSONValue.integer) ?? .null
        object["time_zone"] = .string(timeZone)
        if let handle { object["handle"] = .string(handle) }
        if let target { object["target"] = .string(target.text) }
        if let corrected { object["corrected"] = .object(corrected.json) }
        for entry in dueTimes?.json ?? [:] { object[entry.key] = entry.value }
        if dryRun { object["dry_run"] = .bool(true) }
        if let readiness { object["readiness"] = .object(readiness.json) }
        object["warnings"] = warnings.json
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("receipt", json)
        var metadata = JSONObject()
        if case .object(let object)? = reader.value("metadata") { metadata = object }
        self.init(
            eventID: try reader.eventID("event_id"), type: try reader.string("type"),
            sessionID: try reader.optionalString("session_id").map(SessionID.init),
            sessionDate: try reader.value("session_date") == nil ? nil : reader.date("session_date"),
            timestamp: try reader.instant("timestamp"), phase: try reader.word("phase"),
            doseIndex: try reader.optionalInteger("dose_index"), metadata: metadata,
            duplicate: try reader.bool("duplicate"),
            intervalMinutes: try reader.optionalInteger("interval_min").map { Int64($0) },
            dryRun: reader.value("dry_run")?.boolValue ?? false, target: try reader.optionalEventID("target"),
            corrected: try reader.optionalNested("corrected").map(CorrectedEntry.init),
            dueTimes: try DueTimes(reader), timeZone: try reader.string("time_zone"))
        handle = try reader.optionalString("handle")
        readiness = try reader.optionalNested("readiness").map { reader throws(PayloadError) in try Finding(reader) }
        warnings = try reader.warnings()
    }
}
