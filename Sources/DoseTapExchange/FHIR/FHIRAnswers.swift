internal import DoseTapDomain
internal import DoseTapText

/// The check-in and the pre-sleep log as QuestionnaireResponse: the person's answers, without those that count by default.
struct FHIRAnswers {
    let entry: NightRecord.Entry
    let kind: Questionnaire.Kind
    let parts: FHIRParts

    /// - Returns: nil for an entry that is no questionnaire.
    init?(_ entry: NightRecord.Entry, _ parts: FHIRParts) {
        switch EntityType(rawValue: entry.type) {
        case .checkin: kind = .morning
        case .preSleep: kind = .preSleep
        default: return nil
        }
        self.entry = entry
        self.parts = parts
    }

    /// - Parameter isAmended: true if the questionnaire was answered anew.
    func resource(isAmended: Bool) -> JSONObject {
        var resource = parts.resource("QuestionnaireResponse", entry.uuid, status: status(isAmended: isAmended))
        // This resource has a single identifier instead of a list.
        resource["identifier"] = FHIRParts.identifier(entry.uuid)
        resource["questionnaire"] = .string(FHIRCode.questionnaire(kind))
        resource["subject"] = parts.subject
        resource["authored"] = FHIRParts.dateTime(entry.timestamp, offset: entry.offset)
        if !items.isEmpty { resource["item"] = .array(items) }
        return resource
    }

    private func status(isAmended: Bool) -> String {
        switch entry.metadata["completion_state"]?.stringValue.flatMap(PreSleepCompletion.init(rawValue:)) {
        case .partial: "in-progress"
        case .skipped: "stopped"
        case .complete, nil: isAmended ? "amended" : "completed"
        }
    }

    private var items: [JSONValue] {
        guard let answers = entry.metadata["answers"]?.objectValue else { return note }
        let defaults = Set(entry.metadata["defaults"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        let questions = Questionnaire.of(kind)
        return answers.compactMap { answer in
            guard !defaults.contains(answer.key), let question = questions[answer.key] else { return nil }
            return item(question, answer.value)
        } + note
    }

    /// The note that was written beside the questions.
    private var note: [JSONValue] {
        entry.note.map { [["linkId": "note", "answer": [["valueString": .string($0)]]]] } ?? []
    }

    private func item(_ question: Questionnaire.Item, _ value: JSONValue) -> JSONValue? {
        var item: JSONObject = [
            "linkId": .string(question.key),
            "text": .string(QuestionText.of(question.key, in: kind).prompt),
        ]
        if question.kind == .pains {
            let places = (value.arrayValue ?? []).enumerated().compactMap { number, place in
                pain(place, "\(question.key).\(number + 1)")
            }
            guard !places.isEmpty else { return nil }
            item["item"] = .array(places)
        } else {
            let answers = (value.arrayValue ?? [value]).compactMap { Self.answer($0, question.kind) }
            guard !answers.isEmpty else { return nil }
            item["answer"] = .array(answers)
        }
        return .object(item)
    }

    private static func answer(_ value: JSONValue, _ kind: AnswerKind) -> JSONValue? {
        switch kind {
        case .whole: value.integerValue.flatMap { Int32(exactly: $0) }.map { ["valueInteger": .integer(Int64($0))] }
        case .decimal: value.doubleValue.map { ["valueDecimal": .plain($0)] }
        case .yesNo: value.boolValue.map { ["valueBoolean": .bool($0)] }
        case .choice, .choices: value.stringValue.flatMap(code)
        case .text: value.stringValue.flatMap { $0.isEmpty ? nil : ["valueString": .string($0)] }
        case .instant: value.instantValue.map { ["valueDateTime": FHIRParts.dateTime($0, offset: nil)] }
        case .pains: nil
        }
    }

    /// Returns an answer as a coding; nil for a text with white space, which FHIR's codes restrict.
    private static func code(_ text: String) -> JSONValue? {
        guard !text.isEmpty, !text.contains(where: \.isWhitespace) else { return nil }
        return ["valueCoding": FHIRCode.answer(text).coding]
    }

    private func pain(_ value: JSONValue, _ link: String) -> JSONValue? {
        guard let object = value.objectValue else { return nil }
        let parts = object.compactMap { part -> JSONValue? in
            let answers: [JSONValue]
            switch part.value {
            case .integer(let number): answers = [["valueInteger": .integer(number)]]
            case .string(let text):
                answers = part.key == "notes" ? [["valueString": .string(text)]] : Self.code(text).map { [$0] } ?? []
            case .array(let codes): answers = codes.compactMap { $0.stringValue.flatMap(Self.code) }
            case .null, .bool, .number, .instant, .object: answers = []
            }
            return answers.isEmpty ? nil : ["linkId": .string("\(link).\(part.key)"), "answer": .array(answers)]
        }
        return parts.isEmpty ? nil : ["linkId": .string(link), "item": .array(parts)]
    }
}
