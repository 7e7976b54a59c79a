extension ImportLine {
    /// The line as an object; instants are microseconds since 1970, as in every object of the service.
    public var json: JSONObject {
        switch self {
        case .header(let header):
            [
                "format": .string(ImportHeader.format), "version": .integer(Int64(ImportHeader.version)),
                "source": .string(header.source), "notes": .array(header.notes.map(JSONValue.string)),
            ]
        case .entry(let entry): entry.json
        case .sleep(let sleep): sleep.json
        case .notTaken(let row, let reason):
            ["kind": "not_taken", "row": .string(row), "reason": .string(reason)]
        case .end(let count):
            [
                "kind": "end", "records": .integer(Int64(count.records)), "not_taken": .integer(Int64(count.notTaken)),
            ]
        }
    }

    /// Reads the object back.
    ///
    /// - Throws: ``PayloadError`` naming the key that is missing or wrong.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("import line", json)
        guard let kind = try reader.optionalString("kind") else {
            guard try reader.string("format") == ImportHeader.format else { throw reader.fault("format") }
            guard try reader.integer("version") == ImportHeader.version else { throw reader.fault("version") }
            self = .header(
                ImportHeader(source: try reader.string("source"), notes: try reader.strings("notes")))
            return
        }
        switch kind {
        case "sleep_record": self = .sleep(try ImportedSleep(reader))
        case "not_taken":
            self = .notTaken(row: try reader.string("row"), reason: try reader.string("reason"))
        case "end":
            self = .end(
                ImportCount(records: try reader.integer("records"), notTaken: try reader.integer("not_taken")))
        default: self = .entry(try ImportEntry(kind, reader))
        }
    }
}

extension ImportLine {
    /// The word of the line's kind; empty for a header.
    public var kind: String { json["kind"]?.stringValue ?? "" }
}

extension ImportEntry {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["kind": .string(what.kind), "row": .string(row)]
        object["id"] = id.map(JSONValue.string)
        object["at"] = .instant(at)
        object["offset_minutes"] = offsetMinutes.map { .integer(Int64($0)) }
        object["night"] = night.map { .string($0.text) }
        switch what {
        case .dose(let kind, let amount):
            object["dose"] = .string(kind.rawValue)
            object["amount_mg"] = amount.map { .integer(Int64($0)) }
        case .skip(let reason): object["reason"] = reason.map(JSONValue.string)
        case .finalWake: break
        case .sleepEvent(let type): object["type"] = .string(type)
        case .checkIn(let answers): object["answers"] = .object(answers)
        case .preSleep(let answers, let completion):
            object["answers"] = .object(answers)
            object["completion_state"] = .string(completion.rawValue)
        case .medication(let id, let amount):
            object["medication_id"] = .string(id)
            object["amount_mg"] = amount.map { .integer(Int64($0)) }
        case .regimen(let said): object["regimen"] = .object(said)
        }
        object["note"] = note.map(JSONValue.string)
        return object
    }

    fileprivate init(_ kind: String, _ reader: PayloadReader) throws(PayloadError) {
        let what: What
        switch kind {
        case "dose":
            what = .dose(try reader.word("dose"), amountMilligrams: try reader.optionalInteger("amount_mg"))
        case "skip": what = .skip(reason: try reader.optionalString("reason"))
        case "final_wake": what = .finalWake
        case "sleep_event": what = .sleepEvent(try reader.string("type"))
        case "check_in": what = .checkIn(try reader.object("answers"))
        case "pre_sleep":
            what = .preSleep(try reader.object("answers"), try reader.word("completion_state"))
        case "medication":
            what = .medication(
                try reader.string("medication_id"), amountMilligrams: try reader.optionalInteger("amount_mg"))
        case "regimen": what = .regimen(try reader.object("regimen"))
        default: throw reader.fault("kind")
        }
        self.init(
            what, row: try reader.string("row"), id: try reader.optionalString("id"), at: try reader.instant("at"),
            offsetMinutes: try reader.optionalInteger("offset_minutes"),
            night: reader.value("night") == nil ? nil : try reader.date("night"),
            note: try reader.optionalString("note"))
    }
}

extension ImportEntry.What {
    /// The word of the line.
    public var kind: String {
        switch self {
        case .dose: "dose"
        case .skip: "skip"
        case .finalWake: "final_wake"
        case .sleepEvent: "sleep_event"
        case .checkIn: "check_in"
        case .preSleep: "pre_sleep"
        case .medication: "medication"
        case .regimen: "regimen"
        }
    }
}

extension ImportedSleep {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["kind": "sleep_record", "row": .string(row)]
        object["id"] = id.map(JSONValue.string)
        object["device"] = device.map(JSONValue.string)
        object["start"] = .instant(start)
        object["end"] = .instant(end)
        object["offset_minutes"] = offsetMinutes.map { .integer(Int64($0)) }
        object["part"] = .string(part.rawValue)
        object["grade"] = .string(grade.rawValue)
        object["source"] = source.map(JSONValue.string)
        object["note"] = note.map(JSONValue.string)
        switch course {
        case .stages(let spans):
            object["stages"] = .array(
                spans.map { .array([.string($0.stage.rawValue), .instant($0.start), .instant($0.end)]) })
        case .durations(let seconds):
            object["durations"] = .object(
                JSONObject(
                    Stage.allCases.compactMap { stage in
                        seconds[stage].map { (stage.rawValue, .integer(Int64($0))) }
                    }))
        }
        return object
    }

    fileprivate init(_ reader: PayloadReader) throws(PayloadError) {
        let course: Course
        if reader.value("stages") != nil {
            var spans: [Span] = []
            for value in try reader.list("stages") {
                guard case .array(let parts) = value, parts.count == 3,
                    let stage = parts[0].stringValue.flatMap(Stage.init), let start = parts[1].instantValue,
                    let end = parts[2].instantValue
                else { throw reader.fault("stages") }
                spans.append(Span(stage, start, end))
            }
            course = .stages(spans)
        } else {
            var seconds: [Stage: Int] = [:]
            for entry in try reader.object("durations").entries {
                guard let stage = Stage(rawValue: entry.key), let count = entry.value.integerValue, count >= 0 else {
                    throw reader.fault("durations")
                }
                seconds[stage] = Int(count)
            }
            course = .durations(seconds)
        }
        self.init(
            row: try reader.string("row"), id: try reader.optionalString("id"),
            device: try reader.optionalString("device"), start: try reader.instant("start"),
            end: try reader.instant("end"), offsetMinutes: try reader.optionalInteger("offset_minutes"),
            part: try reader.word("part"), grade: try reader.word("grade"), course: course)
        source = try reader.optionalString("source")
        note = try reader.optionalString("note")
    }
}
