package import DoseTapDomain

/// Answers in words for people.
package enum AnswerLabel {
    /// Returns one answer; the code itself if it has no label.
    package static func text(_ value: JSONValue, _ item: Questionnaire.Item?, in kind: Questionnaire.Kind) -> String {
        switch value {
        case .null: "-"
        case .bool(let value): value ? InterviewText.yes : InterviewText.no
        case .integer(let number): "\(number)\(unit(item))"
        case .number(let number): "\(Figure.pointed("\(number)"))\(unit(item))"
        case .string(let text): label(text, item, kind) ?? text
        case .instant(let instant): instant.iso8601
        case .array(let values): values.map { self.text($0, item, in: kind) }.joined(separator: ", ")
        case .object(let object): object.map { self.text($0.value, nil, in: kind) }.joined(separator: " ")
        }
    }

    /// Returns a value in the form of `--set`, as a person types it.
    package static func code(_ value: JSONValue) -> String {
        if let isYes = value.boolValue { return isYes ? InterviewText.yes : InterviewText.no }
        return value.stringValue ?? value.description
    }

    /// Returns the possible answers in the form of `--set`.
    package static func range(_ kind: AnswerKind) -> String {
        switch kind {
        case .whole(let range, let step, let unit):
            let steps = step == 1 ? "" : tr(", in steps of \(step)")
            let words = unit.isEmpty ? "" : " \(Words.answer(unit))"
            return tr("\(range.lowerBound) to \(range.upperBound)\(words)\(steps)")
        case .decimal(let range, let unit):
            let (low, high) = (JSONValue.plain(range.lowerBound), JSONValue.plain(range.upperBound))
            return tr(
                "\(Figure.pointed(low.description)) to \(Figure.pointed(high.description)) \(Words.answer(unit))")
        case .yesNo: return tr("yes or no")
        case .choice(let choices): return choices.map(\.code).joined(separator: " | ")
        case .choices(let choices): return tr("any of ") + choices.map(\.code).joined(separator: ", ")
        case .text(let scalars): return tr("text, up to \(scalars) characters")
        case .instant: return tr("a time")
        case .pains: return tr("places such as 'knee left 4 aching', with commas between")
        }
    }

    /// Returns the possible answers to each question, and its default.
    package static func questions(_ questionnaire: Questionnaire, _ columns: Int) -> [String] {
        let rows = questionnaire.items.map { item in
            let shownDefault = item.defaultValue.map { "  [\(code($0))]" } ?? ""
            return (item.key, "\(range(item.kind))\(shownDefault)")
        }
        return Page.rows(rows, columns: columns)
    }

    private static func label(_ code: String, _ item: Questionnaire.Item?, _ kind: Questionnaire.Kind) -> String? {
        guard let item, item.kind.choices.contains(where: { $0.code == code }) else { return nil }
        return QuestionText.of(item.key, in: kind).label(code)
    }

    private static func unit(_ item: Questionnaire.Item?) -> String {
        switch item?.kind {
        case .whole(_, _, let unit), .decimal(_, let unit): unit.isEmpty ? "" : " \(Words.answer(unit))"
        default: ""
        }
    }
}
