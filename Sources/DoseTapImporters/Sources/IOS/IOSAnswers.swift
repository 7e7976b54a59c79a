internal import DoseTapDomain
internal import DoseTapExchange

/// Answers of the app: display words and names of the app, turned into our codes and keys. An answer without a place here is
/// named.
enum IOSAnswers {
    static let note = sent("The app keeps what nobody changed as answered: its defaults come in as answers.")

    /// Display texts of the app in lower case, if they differ from the code by more than case.
    private static let words: [String: String] = [
        "moderately": "moderate", "can't function": "cantFunction", "<5 minutes": "lessThanFive",
        "5-15 minutes": "fiveToFifteen", "15-30 minutes": "fifteenToThirty", "30-60 minutes": "thirtyToSixty",
        ">1 hour": "moreThanHour", "stuffy & runny": "stuffyAndRunny", "coming down with something": "comingDown",
        "apap (auto)": "apap", "cbd/thc": "cbdThc", "<15 min": "lessThanFifteen", "15-30 min": "fifteenToThirty",
        "30-60 min": "thirtyToSixty",
    ]
    /// Names of the app without case and underscores, if they differ from ours.
    private static let morningNames: [String: String] = [
        "painlocations": "pain_areas", "hasheadache": "headache", "ismigraine": "headache_migraine",
        "device": "therapy_device", "compliance": "therapy_compliance", "darkness": "room_darkness",
        "noise": "room_noise", "noiselevel": "room_noise", "roomtemp": "room_temperature",
        "temperature": "room_temperature", "screentimebeforebed": "screen_time", "sleepaidsused": "sleep_aids",
    ]
    private static let preSleepNames: [String: String] = [
        "naptoday": "nap", "screensinbed": "screens", "roomtemp": "room_temperature", "noiselevel": "room_noise",
    ]
    /// Names of values that describe the row and are no answers.
    private static let apart: Set<String> = [
        "id", "sessionid", "sessiondate", "timestamp", "createdat", "createdatutc", "loggedatutc", "submittedatutc",
        "completionstate", "localoffsetminutes", "updatedat",
    ]

    /// Reads a row of `morning_checkins`: one column for each answer, and four columns of JSON.
    static func checkIn(_ row: IOSRow, into writer: inout ImportWriter) throws(ExchangeFault) {
        var said = JSONObject()
        for (column, text) in row.values.sorted(by: { $0.key < $1.key }) {
            guard column.hasSuffix("_json") else {
                said[column] = .string(text)
                continue
            }
            if text.isEmpty { continue }
            guard let parts = (try? JSONValue.parse(text))?.objectValue else {
                try writer.notTaken("\(row.place), \(column)", sent("it is no JSON object"))
                continue
            }
            for part in parts where said[part.key] == nil { said[part.key] = part.value }
        }
        try morning(row, said, "timestamp", row.night, into: &writer)
    }

    static func morning(
        _ row: IOSRow, _ said: JSONObject, _ time: String, _ night: SessionDate?, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        guard let at = try IOSRows.time(row, time, into: &writer) else { return }
        let answers = try answers(.morning, said, morningNames, row, at, into: &writer)
        try writer.entry(
            ImportEntry(
                .checkIn(answers), row: row.place, id: row.id, at: at, offsetMinutes: row.offsetMinutes, night: night))
    }

    static func preSleep(
        _ row: IOSRow, _ said: JSONObject, _ time: String, _ night: SessionDate?, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        guard let at = try IOSRows.time(row, time, into: &writer) else { return }
        let state = row["completion_state", "completionState"] ?? "partial"
        guard let completion = PreSleepCompletion(rawValue: state) else {
            return try writer.notTaken(row.place, sent("its completion_state \(PlainText.quoted(state)) is unknown"))
        }
        let answers = try answers(.preSleep, said, preSleepNames, row, at, into: &writer)
        try writer.entry(
            ImportEntry(
                .preSleep(answers, completion), row: row.place, id: row.id, at: at, offsetMinutes: row.offsetMinutes,
                night: night))
    }

    /// Returns the answers that fit together, in the order of the questions. Every other answer is named.
    private static func answers(
        _ questionnaire: Questionnaire, _ said: JSONObject, _ names: [String: String], _ row: IOSRow, _ at: Instant,
        into writer: inout ImportWriter
    ) throws(ExchangeFault) -> JSONObject {
        var keys: [String: String] = [:]
        for item in questionnaire.items { keys[bare(item.key)] = item.key }
        var given: [String: (name: String, value: JSONValue)] = [:]
        for entry in said {
            let name = bare(entry.key)
            if apart.contains(name) || isEmpty(entry.value) { continue }
            let shown = PlainText.line(entry.key, most: 40)
            if name.contains("caffeine"), name.contains("mg") || name.contains("amount") || name.contains("total") {
                try writer.notTaken("\(row.place), \(shown)", sent("the app asks for ounces here and calls them mg"))
                continue
            }
            guard let key = names[name] ?? keys[name], questionnaire[key] != nil else {
                try writer.notTakenOnce(
                    "\(questionnaire.kind.rawValue)/\(name)", "\(row.place), \(shown)",
                    sent("there is no such question here; it is named once"))
                continue
            }
            if given[key] == nil { given[key] = (shown, entry.value) }
        }
        var answers = JSONObject()
        for item in questionnaire.items {
            guard let said = given[item.key] else { continue }
            var next = answers
            do throws(AnswerFault) {
                next[item.key] = try item.checked(value(said.value, item), at: at)
                _ = try questionnaire.answers(next, at: at)
                answers = next
            } catch {
                try writer.notTaken("\(row.place), \(said.name)", PlainText.line(error.description, most: 200))
            }
        }
        return answers
    }

    private static func isEmpty(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let values): values.isEmpty
        case .object(let object): object.isEmpty
        case .bool, .integer, .number, .instant: false
        }
    }

    private static func bare(_ name: String) -> String { name.lowercased().filter { $0 != "_" } }

    /// Returns a value in the form of the question: codes for words, numbers and truth values for their texts.
    private static func value(_ value: JSONValue, _ item: Questionnaire.Item) -> JSONValue {
        switch item.kind {
        case .choice: return code(value)
        case .choices:
            switch value {
            case .array(let values): return .array(values.map(code))
            case .string: return .array([code(value)])
            case .null, .bool, .integer, .number, .instant, .object: return value
            }
        case .yesNo:
            switch value {
            case 1, "1", "true": return true
            case 0, "0", "false": return false
            default: return value
            }
        case .whole:
            if let text = value.stringValue, let number = Int64(text) { return .integer(number) }
            if let number = value.doubleValue, let whole = Int64(exactly: number) { return .integer(whole) }
            return value
        case .decimal:
            if let text = value.stringValue, let number = Double(text), number.isFinite { return .number(number) }
            return value
        case .text: return value.stringValue.map { .string(PlainText.text($0)) } ?? value
        case .instant, .pains: return value
        }
    }

    private static func code(_ value: JSONValue) -> JSONValue {
        guard let text = value.stringValue else { return value }
        let plain = text.lowercased().map { $0 == "–" ? "-" : $0 == "’" ? "'" : $0 }
        return words[String(plain)].map(JSONValue.string) ?? .string(text)
    }
}
