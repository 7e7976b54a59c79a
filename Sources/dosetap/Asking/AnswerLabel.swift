internal import DoseTapDomain

/// Answers as people read them.
enum AnswerLabel {
    /// One answer; the code itself where it has no label.
    static func text(_ value: JSONValue, _ item: Questionnaire.Item?) -> String {
        switch value {
        case .null: "-"
        case .bool(let value): value ? "yes" : "no"
        case .integer(let number): "\(number)\(unit(item))"
        case .number(let number): "\(number)\(unit(item))"
        case .string(let text): item?.kind.choices.first { $0.code == text }?.label ?? text
        case .instant(let instant): instant.iso8601
        case .array(let values): values.map { self.text($0, item) }.joined(separator: ", ")
        case .object(let object): object.map { self.text($0.value, nil) }.joined(separator: " ")
        }
    }

    private static func unit(_ item: Questionnaire.Item?) -> String {
        switch item?.kind {
        case .whole(_, _, let unit), .decimal(_, let unit): unit.isEmpty ? "" : " \(unit)"
        default: ""
        }
    }
}
