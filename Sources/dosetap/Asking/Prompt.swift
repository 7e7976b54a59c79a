internal import DoseTapDomain
internal import DoseTapText

/// One screen of an interview: shows the question, reads the keys, prints the answer.
struct Prompt {
    private let screen: Screen
    private let interview: Interview
    private let heading: String
    /// The answers; nil takes an answer back.
    private(set) var answers: [(key: String, value: JSONValue?)] = []
    /// True if an answer was given by its own key or words. Enter alone and a skip do not count.
    private(set) var isTouched = false

    init(_ screen: Screen, number: Int, of count: Int, _ interview: Interview) {
        self.screen = screen
        self.interview = interview
        heading = "\(number)/\(count)"
    }

    private var item: Questionnaire.Item { screen.items[0] }

    private var title: String { item.group.map(QuestionText.title) ?? screen.text.prompt }

    /// Asks until the screen is answered or left.
    mutating func ask(_ terminal: RawTerminal) -> Interview.Step {
        let text = screen.text
        let unit: String = if case .whole(_, _, let unit) = item.kind { unit } else { "" }
        let question = InterviewText.heading(
            title, unit: unit, hint: text.hint)
        Output.ask("\n\(heading)  \(question)\n")
        if terminal.readsLines { return typed(terminal) }
        switch screen.style {
        case .key(let choices): return oneKey(choices, terminal)
        case .several(let choices): return severalKeys(choices, terminal)
        case .line(let letters): return line(letters, terminal)
        }
    }

    // MARK: One key

    private typealias Choice = (key: Character, value: JSONValue, label: String)

    private mutating func oneKey(_ choices: [Choice], _ terminal: RawTerminal) -> Interview.Step {
        let active = interview.active(item)
        let shown = choices.map { choice in
            let key = choice.value == active ? "[\(choice.key)]" : "\(choice.key)"
            // A label such as "2 or 3" begins with its key already.
            if choice.key.isNumber, choice.label.first == choice.key { return key + choice.label.dropFirst() }
            return choice.label.isEmpty ? key : "\(key) \(choice.label)"
        }
        show(shown)
        Output.ask("  > ")
        while true {
            switch terminal.key() {
            case .enter:
                say(active.map { label($0, choices) } ?? "-")
                return .next
            case .character(let letter):
                if let choice = choices.first(where: { Self.means($0, Character(letter.lowercased())) }) {
                    isTouched = true
                    answers = [(item.key, choice.value)]
                    say(label(choice.value, choices))
                    return .next
                }
                if let step = move(letter) { return step }
            case .backspace: return back()
            case .escape: return skip()
            case .stop: return stop()
            case .clear, .other: break
            }
        }
    }

    /// Returns true if a key answers with a choice. The key y means yes in every language.
    private static func means(_ choice: Choice, _ key: Character) -> Bool {
        choice.key == key || key == "y" && choice.value.boolValue == true
    }

    /// Returns true if typed words answer with a choice: its key, its label or its code. Yes and no are known in every language.
    private static func means(_ choice: Choice, words: String) -> Bool {
        if let number = choice.value.integerValue { return String(number) == words }
        if let isYes = choice.value.boolValue, YesOrNo.isYes(words) == isYes { return true }
        return [String(choice.key), choice.label.lowercased(), choice.value.stringValue].contains(words)
    }

    private func label(_ value: JSONValue, _ choices: [Choice]) -> String {
        guard let choice = choices.first(where: { $0.value == value }), value.integerValue == nil else {
            return value.stringValue ?? value.description
        }
        return choice.label
    }

    // MARK: Several keys

    private mutating func severalKeys(
        _ choices: [(key: Character, code: String, label: String)], _ terminal: RawTerminal
    ) -> Interview.Step {
        show(choices.map { "\($0.key) \($0.label)" })
        Output.ask("  \(InterviewText.severalKeys)\n")
        var chosen = activeCodes
        let before = chosen
        show(chosen, choices)
        while true {
            switch terminal.key() {
            case .enter:
                if chosen != before { answer(chosen) }
                show(chosen, choices, isWhole: true)
                say("")
                return .next
            case .character(let letter):
                if let choice = choices.first(where: { $0.key == Character(letter.lowercased()) }) {
                    isTouched = true
                    if !chosen.insert(choice.code).inserted { chosen.remove(choice.code) }
                    show(chosen, choices)
                } else if let step = move(letter) {
                    return step
                }
            case .backspace: return back()
            case .escape: return skip()
            case .stop: return stop()
            case .clear, .other: break
            }
        }
    }

    /// Shows the chosen labels in place of the last ones, cut to one row: one row alone can be written anew.
    private func show(
        _ codes: Set<String>, _ choices: [(key: Character, code: String, label: String)], isWhole: Bool = false
    ) {
        let text = codes.isEmpty ? InterviewText.none : labels(codes, choices)
        let width = interview.context.terminal.columns - 6
        Output.ask("\r\u{1B}[K  > " + (isWhole || text.count <= width ? text : String(text.prefix(width - 4)) + " ..."))
    }

    private var activeCodes: Set<String> {
        if item.group != nil { return Set(screen.items.filter { interview.active($0) == true }.map(\.key)) }
        return Set(interview.active(item)?.arrayValue?.compactMap(\.stringValue) ?? [])
    }

    private func labels(_ codes: Set<String>, _ choices: [(key: Character, code: String, label: String)]) -> String {
        choices.filter { codes.contains($0.code) }.map(\.label).joined(separator: ", ")
    }

    private mutating func answer(_ codes: Set<String>) {
        if item.group != nil {
            answers = screen.items.map { ($0.key, .bool(codes.contains($0.key))) }
        } else {
            let ordered = item.kind.choices.map(\.code).filter(codes.contains)
            answers = [(item.key, .array(ordered.map(JSONValue.string)))]
        }
    }

    // MARK: A line

    private mutating func line(_ letters: Bool, _ terminal: RawTerminal) -> Interview.Step {
        let active = interview.active(item)
        let kept = active.map { "[\(SafeText.line(AnswerLabel.text($0, item, in: screen.kind)))] " } ?? ""
        var text = ""
        // The letters b and s belong to a text, so other keys do their work.
        if letters { Output.ask("  \(InterviewText.lineKeys)\n") }
        Output.ask("  \(kept)> ")
        while true {
            switch terminal.key() {
            case .enter:
                guard !text.isEmpty else {
                    say(active == nil ? "-" : "")
                    return .next
                }
                do {
                    answers = [(item.key, try read(text))]
                    isTouched = true
                    say("")
                    return .next
                } catch {
                    Output.ask("\n  \(SafeText.line(Self.sentence(error)))\n  > ")
                    text = ""
                }
            case .character(let letter):
                if text.isEmpty, !letters, let step = move(letter) { return step }
                text.append(letter)
                Output.ask(SafeText.line(String(letter)))
            case .backspace:
                guard let last = text.popLast() else { return back() }
                Output.ask(String(repeating: "\u{8} \u{8}", count: SafeText.line(String(last)).count))
            case .clear:
                text = ""
                Output.ask("\r\u{1B}[K  > ")
            case .escape: return skip()
            case .stop: return stop()
            case .other: break
            }
        }
    }

    private func read(_ text: String) throws -> JSONValue? {
        let value = try item.value(typed: text) { words throws(Failure) in
            try TimeReading(interview.context).unasked(words)
        }
        return try item.checked(value, at: interview.context.now)
    }

    private static func sentence(_ error: any Error) -> String {
        switch error {
        case let failure as Failure: Wire.told(failure.message)
        case let fault as AnswerFault: Wire.told(fault.description)
        default: "\(error)"
        }
    }

    // MARK: By lines

    /// Each answer stands on a line of its own, and a line answers.
    private mutating func typed(_ terminal: RawTerminal) -> Interview.Step {
        tellByLines()
        while true {
            // A braille display shows this line alone.
            Output.ask("\(heading) \(title) > ")
            guard let line = terminal.line() else { return stop() }
            let words = line.split { $0 == " " || $0 == "\t" }
            let text = words.joined(separator: " ")
            if text.isEmpty { return .next }
            if case .line(letters: true) = screen.style {
                if text == InterviewText.textBack { return back() }
                if text == InterviewText.textSkip { return skip() }
            } else if words.count == 1, text.count == 1, let letter = text.first, let step = move(letter) {
                return step
            }
            do {
                try take(text)
                isTouched = true
                return .next
            } catch { Output.ask("\(SafeText.line(Self.sentence(error)))\n") }
        }
    }

    private func tellByLines() {
        var lines: [String] = []
        var now: String?
        switch screen.style {
        case .key(let choices):
            let bare = choices.filter { $0.label.isEmpty || $0.value.integerValue != nil }
            if bare.count == choices.count, let first = choices.first, let last = choices.last {
                lines = [InterviewText.range("\(first.value)", "\(last.value)")]
            } else {
                lines = choices.map { "\($0.key)  \($0.label)" }
            }
            now = interview.active(item).map { label($0, choices) }
        case .several(let choices):
            lines = choices.map { "\($0.key)  \($0.label)" } + [InterviewText.severalLine]
            now = activeCodes.isEmpty ? nil : labels(activeCodes, choices)
        case .line(let letters):
            if letters { lines = [InterviewText.textLine] }
            now = interview.active(item).map { AnswerLabel.text($0, item, in: screen.kind) }
        }
        lines += now.map { [InterviewText.now(SafeText.line($0))] } ?? []
        for line in lines { Output.ask("\(interview.context.terminal.fittedErrors(line))\n") }
    }

    /// Takes a line as the answer. A choice is known by its key or by its words.
    private mutating func take(_ text: String) throws {
        let lower = text.lowercased()
        switch screen.style {
        case .key(let choices):
            guard let choice = choices.first(where: { Self.means($0, words: lower) }) else {
                throw Failure.usage(InterviewText.noAnswer(text))
            }
            answers = [(item.key, choice.value)]
        case .several(let choices):
            let words = lower.split { $0 == " " || $0 == "," }.map(String.init)
            // Commas alone answer nothing.
            guard !words.isEmpty else { throw Failure.usage(InterviewText.noAnswer(text)) }
            var codes: Set<String> = []
            for word in choices.contains(where: { $0.label.lowercased() == lower }) ? [lower] : words {
                let found = choices.first { [String($0.key), $0.code, $0.label.lowercased()].contains(word) }
                if found == nil, words.count == 1, InterviewText.isNone(word) { break }
                guard let found else { throw Failure.usage(InterviewText.noAnswer(word)) }
                codes.insert(found.code)
            }
            answer(codes)
        case .line: answers = [(item.key, try read(text))]
        }
    }

    // MARK: Moving

    private mutating func move(_ letter: Character) -> Interview.Step? {
        switch letter {
        case "b", "B": back()
        case "s", "S": skip()
        default: nil
        }
    }

    private func back() -> Interview.Step {
        say(InterviewText.back)
        return .back
    }

    /// Takes back the earlier answers to this screen and goes on.
    private mutating func skip() -> Interview.Step {
        answers = screen.items.map { ($0.key, nil) }
        say(InterviewText.skipped)
        return .next
    }

    private func stop() -> Interview.Step {
        say("")
        return .stop
    }

    private func say(_ text: String) { Output.ask("\(text)\n") }

    /// Prints the choices. A key stays beside its label.
    private func show(_ choices: [String]) {
        var line = ""
        for choice in choices {
            if !line.isEmpty, line.count + choice.count + 4 > interview.context.terminal.columns {
                Output.ask("\(line)\n")
                line = ""
            }
            line += "  \(choice)"
        }
        Output.ask("\(line)\n")
    }
}
