internal import DoseTapDomain
internal import DoseTapText

/// The questions asked at once: one question, or the yes-or-no questions of one title.
struct Screen: Equatable {
    let items: [Questionnaire.Item]
    let kind: Questionnaire.Kind

    /// The first question's key, by which the screen is found again.
    var key: String { items[0].key }

    /// The words of the first question.
    var text: QuestionText { .of(key, in: kind) }

    /// The screens for the answers so far.
    static func all(_ questionnaire: Questionnaire, _ given: JSONObject, continuing earlier: Answers) -> [Screen] {
        var screens: [Screen] = []
        for item in questionnaire.asked(given, continuing: earlier) {
            if let group = item.group, let last = screens.last, last.items[0].group == group {
                screens[screens.count - 1] = Screen(items: last.items + [item], kind: questionnaire.kind)
            } else {
                screens.append(Screen(items: [item], kind: questionnaire.kind))
            }
        }
        return screens
    }

    /// Keys for choices, without `b` and `s`: `b` goes back and `s` skips.
    static let letters: [Character] = Array("123456789acdefghijklmnopqrtuvwxyz")

    /// Returns a key for each choice. A number as the key of a choice that begins with another number would mislead: if
    /// each choice begins with a digit of its own, or is none, that digit is the key, else letters are.
    static func keys(_ choices: [(code: String, label: String)]) -> [Character] {
        let labels = choices.map(\.label)
        guard labels.contains(where: { $0.first?.isNumber == true }) else { return letters }
        let digits = choices.map { code, label -> Character in
            let number = label.prefix { $0.isNumber }
            return code == "none" ? "0" : number.count == 1 ? number[number.startIndex] : "-"
        }
        let isClear = Set(digits).count == digits.count && !digits.contains("-")
        return isClear ? digits : letters.filter { !$0.isNumber }
    }

    /// The way a screen is answered.
    enum Style: Equatable {
        /// One key answers.
        case key([(key: Character, value: JSONValue, label: String)])
        /// Keys switch choices on and off, Enter answers.
        case several([(key: Character, code: String, label: String)])
        /// A line that Enter ends.
        case line(letters: Bool)

        static func == (left: Style, right: Style) -> Bool {
            switch (left, right) {
            case (.key, .key), (.several, .several), (.line, .line): true
            default: false
            }
        }
    }

    var style: Style {
        if items.count > 1 || items[0].group != nil {
            return .several(zip(Self.letters, items).map { ($0, $1.key, QuestionText.of($1.key, in: kind).prompt) })
        }
        switch items[0].kind {
        case .yesNo:
            return .key([(InterviewText.yesKey, .bool(true), InterviewText.yes), ("n", .bool(false), InterviewText.no)])
        case .choice(let choices):
            let labelled = labelled(choices)
            return .key(zip(Self.keys(labelled), labelled).map { ($0, .string($1.code), $1.label) })
        case .choices(let choices):
            let labelled = labelled(choices)
            return .several(zip(Self.keys(labelled), labelled).map { ($0, $1.code, $1.label) })
        case .whole(let range, let step, _):
            guard range.count <= 10, step == 1, range.upperBound <= 10 else { return .line(letters: false) }
            return .key(
                range.map { number in
                    (Character(String(number % 10)), .integer(Int64(number)), number == 10 ? "= 10" : "")
                })
        case .decimal: return .line(letters: false)
        case .text, .pains, .instant: return .line(letters: true)
        }
    }

    private func labelled(_ choices: [AnswerKind.Choice]) -> [(code: String, label: String)] {
        choices.map { ($0.code, text.label($0.code)) }
    }
}
