internal import DoseTapDomain

/// Translates sentences of the wire for a person.
///
/// The service answers in English: errors, warnings, findings, notes, cautions. Their codes and facts do not tell which phrases
/// make up a sentence, but each phrase is its own key. So this type finds the phrases again in the English text and translates
/// them. Unknown text stays as it is.
package enum Wire {
    /// Returns the text in the person's language; in English the text itself.
    package static func told(_ text: String) -> String {
        guard DisplayLanguage.isTranslating else { return text }
        return whole(text, depth: 0) ?? sentences(text)
    }

    /// A phrase with blanks, in pieces.
    private struct Form {
        let key: String
        /// The text before, between and after the blanks.
        let pieces: [String]
        let letters: Int

        /// - Parameter isPart: true for a phrase that is put into others, such as ` at %1`: such a phrase begins with a blank.
        init?(_ key: String, isPart: Bool = false) {
            var pieces: [String] = []
            var piece = ""
            var rest = isPart ? key[...] : Wire.trimmed(key)
            while let letter = rest.popFirst() {
                if letter == "%", let digit = rest.first, digit.isNumber {
                    rest.removeFirst()
                    pieces.append(piece)
                    piece = ""
                } else {
                    piece.append(letter)
                }
            }
            pieces.append(piece)
            letters = pieces.reduce(0) { $0 + $1.count { $0.isLetter } }
            // A head such as `off: ` is sure enough with fewer letters.
            let isHead = letters > 2 && pieces[0].hasSuffix(": ")
            // Two blanks without text between them could not be told apart.
            guard pieces.count > 1, isPart ? letters > 1 && key.first == " " : letters > 4 || isHead,
                !pieces.dropFirst().dropLast().contains("")
            else { return nil }
            self.key = key
            self.pieces = pieces
        }

        /// Returns the texts in the blanks; nil if the text is another phrase.
        func arguments(in text: String) -> [String]? {
            guard text.hasPrefix(pieces[0]) else { return nil }
            var arguments: [String] = []
            var rest = text.dropFirst(pieces[0].count)
            for (place, piece) in pieces.enumerated().dropFirst() {
                if place == pieces.count - 1 {
                    guard rest.hasSuffix(piece), rest.count >= piece.count else { return nil }
                    arguments.append(String(rest.dropLast(piece.count)))
                } else {
                    guard let found = rest.firstRange(of: piece) else { return nil }
                    arguments.append(String(rest[..<found.lowerBound]))
                    rest = rest[found.upperBound...]
                }
            }
            return arguments
        }
    }

    /// The forms in the order of their letters, then of the length of their keys, the largest first: a phrase with more text of
    /// its own is a surer match.
    private static let forms: [Form] = German.table.keys.compactMap { $0.contains("|") ? nil : Form($0) }.sorted {
        ($0.letters, $0.key.count, $1.key) > ($1.letters, $1.key.count, $0.key)
    }

    /// The phrases that are put into others.
    private static let parts: [Form] = German.table.keys.compactMap { $0.contains("|") ? nil : Form($0, isPart: true) }

    private static func part(_ text: String, depth: Int) -> String? {
        for form in parts {
            guard let arguments = form.arguments(in: text), let words = DisplayLanguage.translation(form.key) else {
                continue
            }
            return Blanks.filled(words, arguments.map { whole($0, depth: depth + 1) ?? $0 })
        }
        return nil
    }

    private static func whole(_ text: String, depth: Int) -> String? {
        if let found = exact(text) ?? counted(text) ?? dated(text) { return found }
        let found = match(text, depth: depth)
        if let sentence = asSentence(text, surerThan: found?.form, depth: depth) { return sentence }
        guard depth < 3, text.utf8.count < 600 else { return nil }
        if depth > 0, text.first == " ", let found = part(text, depth: depth) { return found }
        guard let found, let words = DisplayLanguage.translation(found.form.key) else {
            return passed(text) ?? ofWork(text, depth: depth)
        }
        return Blanks.filled(String(trimmed(words)), told(found.arguments, in: found.form, depth: depth))
    }

    /// Returns the form with most letters that fits the text.
    private static func match(_ text: String, depth: Int) -> (form: Form, arguments: [String])? {
        guard depth < 3, text.utf8.count < 600 else { return nil }
        let length = text.count
        for form in forms where form.letters <= length {
            guard let arguments = form.arguments(in: text), DisplayLanguage.translation(form.key) != nil else {
                continue
            }
            // A blank with an unknown sentence in it is a wrong match.
            guard arguments.allSatisfy({ !$0.contains(". ") || whole($0, depth: depth + 1) != nil }) else { continue }
            return (form, arguments)
        }
        return nil
    }

    /// Texts before keys of settings and ids of plugins, which stay as they are.
    private static let beforeNames: Set<String> = ["Not in force: ", "the plugin ", "off: ", "; off: "]

    /// Returns the texts of the blanks in the person's language. Text behind a quotation mark was typed by the person and stays
    /// as it is.
    private static func told(_ arguments: [String], in form: Form, depth: Int) -> [String] {
        arguments.enumerated().map { place, argument in
            if form.pieces[place].hasSuffix("'") || beforeNames.contains(form.pieces[place]) { return argument }
            if place == 0, namesQuestion(form), let name = question(argument) { return name }
            return quoted(argument) ?? decimal(argument) ?? whole(argument, depth: depth + 1) ?? argument
        }
    }

    /// True for a form whose first blank is the key of a question.
    private static func namesQuestion(_ form: Form) -> Bool {
        form.pieces[0] == "the answer to " || form.pieces[0] == "it needs "
    }

    /// Returns the question with a key in a word or two; nil for any other text.
    private static func question(_ key: String) -> String? {
        for kind in Questionnaire.Kind.allCases {
            if let item = Questionnaire.of(kind)[key] { return QuestionText.name(of: key, item) }
        }
        return nil
    }

    /// Puts words in the quotation marks of the language: `'mild'`, `'a', 'b'`, `'a' or 'b'`; nil for any other text.
    private static func quoted(_ text: String) -> String? {
        guard text.count > 2 else { return nil }
        let inner = String(text.dropFirst().dropLast())
        if text.first == "“" && text.last == "”" || text.first == "\"" && text.last == "\"" {
            return tr("'\(inner)'", context: "quoted")
        }
        guard text.first == "'", text.last == "'" else { return nil }
        let (mark, joint) = inner.contains("' or '") ? ("' or '", tr(" or ")) : ("', '", ", ")
        let words = inner.split(separator: mark, omittingEmptySubsequences: false).map(String.init)
        guard words.allSatisfy({ !$0.contains("'") }) else { return nil }
        return words.map { tr("'\($0)'", context: "quoted") }.joined(separator: joint)
    }

    /// Returns a decimal number with the decimal mark of the language; nil for any other text.
    private static func decimal(_ text: String) -> String? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isNumber) }) else { return nil }
        return Figure.pointed(text)
    }

    /// Translates a phrase without blanks. A phrase that is put before or behind others begins or ends with a blank in the table.
    private static func exact(_ text: String) -> String? {
        if let found = DisplayLanguage.translation(text) { return found }
        return (DisplayLanguage.translation("\(text) ") ?? DisplayLanguage.translation(" \(text)")).map {
            String(trimmed($0))
        }
    }

    /// Translates a number with its noun.
    private static func counted(_ text: String) -> String? {
        let number = text.prefix { $0.isNumber }
        guard !number.isEmpty, text.dropFirst(number.count).first == " " else { return nil }
        return DisplayLanguage.translation(String(text.dropFirst(number.count + 1))).map { "\(number) \($0)" }
    }

    /// Translates a date behind its weekday: `Thu 2026-11-26`.
    private static func dated(_ text: String) -> String? {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, (try? SessionDate(text: String(words[1]))) != nil else { return nil }
        return DisplayLanguage.translation(String(words[0])).map { "\($0) \(words[1])" }
    }

    /// Translates an elapsed time, alone or behind a clock time: `22:34, 1 h 40 min ago`.
    private static func passed(_ text: String) -> String? {
        for end in [" days ago", " ago"] where text.hasSuffix(end) {
            let parts = text.dropLast(end.count).split(separator: ", ")
            // Any other text is a sentence with such an end.
            guard let length = parts.last, length.first?.isNumber == true, parts.count < 3,
                let words = DisplayLanguage.translation("%1\(end)")
            else { continue }
            return (parts.dropLast().map(String.init) + [Blanks.filled(words, [String(length)])]).joined(
                separator: ", ")
        }
        return nil
    }

    /// Translates what the store says of its work, which is put together of phrases: `making a backup: there is no space left`,
    /// `making a backup (.new-1: Permission denied)`. What the system says stays as it is.
    private static func ofWork(_ text: String, depth: Int) -> String? {
        func known(_ work: Substring) -> String? { whole(String(work), depth: depth + 1) }
        if text.last == ")", let bracket = text.firstRange(of: " ("), !text[bracket.upperBound...].contains(". ") {
            return known(text[..<bracket.lowerBound]).map { "\($0)\(text[bracket.lowerBound...])" }
        }
        if let stop = text.firstRange(of: "; "), let end = exact(String(text[stop.lowerBound...])) {
            return known(text[..<stop.lowerBound]).map { "\($0)\(end)" }
        }
        guard let colon = text.firstRange(of: ": "), let work = exact(String(text[..<colon.lowerBound])) else {
            return nil
        }
        let fault = text[colon.upperBound...]
        if let told = known(fault) { return "\(work): \(told)" }
        // Another sentence behind it is translated for itself.
        return fault.contains(". ") ? nil : "\(work): \(fault)"
    }

    /// Translates a sentence that ``ErrorText`` made of a clause: the rules' clauses begin small and have no stop.
    ///
    /// - Parameter other: a form that fits the whole sentence. The clause's form must not have fewer letters, unless the clause
    ///   is exact.
    private static func asSentence(_ text: String, surerThan other: Form?, depth: Int) -> String? {
        guard depth == 0, text.hasSuffix("."), let first = text.first else { return nil }
        let clause = first.lowercased() + text.dropFirst().dropLast()
        if let other, exact(clause) == nil, match(clause, depth: 1)?.form.letters ?? 0 < other.letters { return nil }
        return whole(clause, depth: 1).map { $0.capitalised + "." }
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return rest
    }

    /// Translates sentence by sentence, the longest known run of sentences first.
    private static func sentences(_ text: String) -> String {
        let parts = split(text)
        var told: [String] = []
        var first = 0
        while first < parts.count {
            let run = (first + 1...parts.count).reversed().first { whole(joined(parts[first..<$0]), depth: 0) != nil }
            let end = run ?? first + 1
            let text = joined(parts[first..<end])
            told.append(whole(text, depth: 0) ?? text)
            first = end
        }
        return told.joined(separator: " ")
    }

    private static func joined(_ parts: ArraySlice<String>) -> String { parts.joined(separator: " ") }

    /// Cuts a text behind a stop and a blank.
    private static func split(_ text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            part += part.isEmpty ? String(word) : " " + word
            if let last = word.last, ".?!;:".contains(last), parts.count < 12 {
                parts.append(part)
                part = ""
            }
        }
        return part.isEmpty ? parts : parts + [part]
    }
}
