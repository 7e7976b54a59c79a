internal import DoseTapDomain
internal import DoseTapText

/// The words of the command line as they were given, for facts that are needed before or beside the parsing.
struct CommandLineWords: Sendable {
    /// Everything after the program's name.
    let words: [String]

    init(_ words: [String]) { self.words = words }

    /// The options, up to `--`.
    private var beforeTerminator: ArraySlice<String> { words.prefix { $0 != "--" } }

    /// True if errors are printed as JSON, even those of the command line itself.
    var wantsJSON: Bool { beforeTerminator.contains("--json") || (try? Settings.flag("DOSETAP_JSON")) == true }

    /// Returns true if an option was given, with its value behind it or behind a `=`.
    func names(_ option: String) -> Bool { beforeTerminator.contains { $0 == option || $0.hasPrefix(option + "=") } }

    /// The option with the time of an entry, as it was typed; nil without one, and if it was typed twice.
    var time: String? {
        var found: [String] = []
        var given = beforeTerminator
        while let word = given.popFirst() {
            if ["--at", "--ago"].contains(word), let value = given.popFirst() {
                found.append("\(word) \(Self.quoted(value))")
            } else if word.hasPrefix("--at=") || word.hasPrefix("--ago=") {
                found.append(Self.quoted(word))
            }
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The time that blanks parted into words, as in `--at yesterday 23:10`: the time as it should be typed, and the line
    /// with that time in one word. Nil if no words make up a time.
    var partedTime: (quoted: String, line: String)? {
        let given = Array(beforeTerminator)
        for (place, word) in given.enumerated() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let option = parts.first, ["--at", "--ago"].contains(option) else { continue }
            let first = parts.count > 1 ? place : place + 1
            guard given.indices.contains(first) else { continue }
            let value = parts.count > 1 ? parts[1] : given[first]
            let more = Array(given.dropFirst(first + 1).prefix { !$0.hasPrefix("-") }.prefix(Self.mostWordsOfTime))
            for count in more.indices.map({ $0 + 1 }).reversed() {
                let time = ([value] + more.prefix(count)).joined(separator: " ")
                guard Self.isTime(time, option) else { continue }
                var line = words
                line.replaceSubrange(first...first + count, with: [parts.count > 1 ? "\(option)=\(time)" : time])
                return ("\(option) \(Self.quoted(time))", CommandLineWords(line).again(adding: []))
            }
        }
        return partedSleep
    }

    /// The start and the end of `sleep add`, which are words of their own.
    private var partedSleep: (quoted: String, line: String)? {
        guard let verbIndex, verb == "sleep", wordAfterVerb == "add" else { return nil }
        let first = verbIndex + 2
        let given = Array(words.dropFirst(first).prefix { !$0.hasPrefix("-") }.prefix(2 * (1 + Self.mostWordsOfTime)))
        for count in given.indices.dropFirst() {
            let times = [given.prefix(count), given.dropFirst(count)].map { $0.joined(separator: " ") }
            guard given.count > 2, times.allSatisfy({ Self.isTime($0, "--at") }) else { continue }
            var line = words
            line.replaceSubrange(first..<first + given.count, with: times)
            let parted = times.filter { $0.contains(" ") }.map(Self.quoted).joined(separator: " ")
            return (parted, CommandLineWords(line).again(adding: []))
        }
        return nil
    }

    /// The most words behind the first one of a time: `12 Nov 2026 at 10:30 pm`.
    private static let mostWordsOfTime = 5

    private static func isTime(_ text: String, _ option: String) -> Bool {
        option == "--ago" ? (try? TimeExpression.parseDuration(text)) != nil : (try? TimeExpression(text)) != nil
    }

    /// The first word that is no option.
    var verb: String? { verbIndex.map { words[$0] } }

    private var verbIndex: Int? {
        var index = 0
        while index < words.count {
            let word = words[index]
            if word == "--" { return nil }
            if !word.hasPrefix("-") { return index }
            index += GlobalChoices.options.contains(word) ? 2 : 1
        }
        return nil
    }

    /// The word right behind the verb; nil if it is an option.
    var wordAfterVerb: String? {
        verbIndex.map { words.dropFirst($0 + 1) }?.first.flatMap { $0.hasPrefix("-") ? nil : $0 }
    }

    /// Everything but the verb.
    var withoutVerb: [String] {
        var rest = words
        if let verbIndex { rest.remove(at: verbIndex) }
        return rest
    }

    /// Refuses a word that is no verb, and names the nearest verb.
    func checkVerb() throws(Failure) {
        // A shell that asks the parser for completions gives no verb.
        guard let verb, !words.contains(where: { $0.hasPrefix("--generate-completion-script") }),
            words.first?.hasPrefix("---completion") != true
        else { return }
        if verb == "log", let (dose, line) = doseInTwoWords {
            throw .usage(tr("A dose is one word: \(dose)."), hint: line)
        }
        let known = DoseTap.verbs.map(\.name)
        guard !known.contains(verb), verb != "help" else { return }
        // People try these words for a dose. The nearest verb by letters, 'wake', would end their night. Only the dose
        // that was typed is named.
        if ["take", "taken", "took", "dose", "dose1", "dose2", "dose-1", "dose-2", "d1", "d2", "extra"].contains(
            verb.lowercased())
        {
            let doses = Set(words.compactMap(Self.dose))
            let hint = doses.count == 1 ? doses.first.map { "dosetap log \($0)" } : nil
            throw .usage(
                tr("There is no verb '\(verb)': a dose is logged with 'log'."), hint: hint ?? "dosetap log --help")
        }
        // 'water' is near 'wake', too.
        if let event = SleepEventCatalogue.standard.type(named: verb), event.word != SleepEventWord.finalWake,
            let place = verbIndex
        {
            var line = words
            line.insert("log", at: place)
            throw .usage(
                tr("There is no verb '\(verb)': a sleep event is logged with 'log'."),
                hint: CommandLineWords(line).again(adding: []))
        }
        throw .unknown(tr("verb"), verb, known: known, command: "dosetap", help: "dosetap --help")
    }

    /// The dose of `dose 2`, typed in place of `dose2`, and the corrected line.
    private var doseInTwoWords: (dose: String, line: String)? {
        guard let place = words.firstIndex(where: { $0.lowercased() == "dose" }), words.indices.contains(place + 1),
            ["1", "2"].contains(words[place + 1]), let dose = Self.dose(words[place + 1])
        else { return nil }
        var line = words
        line.replaceSubrange(place...place + 1, with: [dose])
        return (dose, CommandLineWords(line).again(adding: []))
    }

    /// The dose that a word names, in any of its spellings.
    private static func dose(_ word: String) -> String? {
        switch word.lowercased().filter({ $0 != "-" && $0 != "_" && $0 != " " }) {
        case "dose1", "d1", "1": "dose1"
        case "dose2", "d2", "2": "dose2"
        case "extra", "extradose": "extra"
        default: nil
        }
    }

    /// True if the line was to record something of the night. With a key it may have been recorded before.
    var isEntry: Bool {
        if words.contains(where: { $0 == "--key" || $0.hasPrefix("--key=") }) { return false }
        return switch verb {
        case "log", "skip", "snooze", "wake", "checkin", "presleep": true
        case "med": wordAfterVerb == "take"
        default: knownVerb == nil && namesDose
        }
    }

    /// True if a dose is named.
    var namesDose: Bool { words.contains { Self.dose($0) != nil } }

    /// Returns the same command for another dose, without `--confirm`: a confirmation holds for the dose that was
    /// typed.
    func again(loggingDose other: String) -> String {
        let verb = verbIndex ?? 0
        let place = words.indices.first { $0 > verb && Self.dose(words[$0]) != nil }
        var line = words
        if let place { line[place] = Self.dose(other) ?? other }
        return CommandLineWords(line).again(adding: [], dropping: "--confirm")
    }

    /// The verb, if there is one of that name.
    var knownVerb: String? { verb.flatMap { verb in DoseTap.verbs.contains { $0.name == verb } ? verb : nil } }

    /// Returns the same command with `right` in place of the only word that matches `wrong` in any spelling, also
    /// before a `=`; nil if no word matches, or more than one.
    func again(replacing wrong: String, by right: String) -> String? {
        let known = SleepEventWord.normalised(wrong)
        func isIt(_ word: Substring) -> Bool { word == wrong || SleepEventWord.normalised(String(word)) == known }
        func parts(_ word: String) -> [Substring] {
            word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let places = words.indices.filter { isIt(words[$0][...]) || parts(words[$0]).first.map(isIt) == true }
        guard places.count == 1, let place = places.first else { return nil }
        var line = words
        let rest = parts(words[place])
        line[place] = isIt(words[place][...]) ? right : right + "=" + (rest.count > 1 ? String(rest[1]) : "")
        return CommandLineWords(line).again(adding: [])
    }

    /// Returns the same command with an option before a word that stood alone.
    func again(naming word: String, _ option: String) -> String {
        var line = words
        if let place = line.firstIndex(of: word) { line.insert(option, at: place) }
        return CommandLineWords(line).again(adding: [])
    }

    /// Returns the same command with more words, fit to be pasted into a shell. Flags that only change the look are
    /// left out.
    ///
    /// - Parameter dropped: an option that is left out with its value.
    func again(adding more: [String], dropping dropped: String? = nil) -> String {
        var options: [String] = []
        var given = beforeTerminator
        while let word = given.popFirst() {
            if let dropped, word == dropped {
                _ = given.popFirst()
            } else if !GlobalChoices.flags.contains(word), dropped.map({ word.hasPrefix($0 + "=") }) != true {
                options.append(word)
            }
        }
        let rest = words.dropFirst(beforeTerminator.count)
        return (["dosetap"] + options + more + rest).map(Self.quoted).joined(separator: " ")
    }

    /// The options for the service, its store and the zone, which a further command has to repeat.
    private var address: [String] {
        var found: [String] = []
        var given = beforeTerminator
        while let word = given.popFirst() {
            if GlobalChoices.options.contains(word) {
                found += [word] + [given.popFirst()].compactMap { $0 }
            } else if GlobalChoices.options.contains(where: { word.hasPrefix($0 + "=") }) {
                found.append(word)
            }
        }
        return found.map(Self.quoted)
    }

    /// Adds this line's address to each command in a text, so that the command asks the same service and store.
    ///
    /// - Parameter text: a text of the program, never words of a person. Lines made by `again` are left as they are.
    func addressed(_ text: String) -> String {
        let address = address
        guard !address.isEmpty, !GlobalChoices.options.contains(where: { text.contains(" \($0)") }) else { return text }
        return text.split(separator: "dosetap ", omittingEmptySubsequences: false).enumerated().map { part in
            guard part.offset > 0 else { return String(part.element) }
            let verb = part.element.prefix { $0.isLetter || $0 == "-" }
            let isVerb = DoseTap.verbs.contains { $0.name == verb } && !part.element.hasSuffix("--help")
            return "dosetap " + (isVerb ? address.joined(separator: " ") + " " : "") + part.element
        }.joined()
    }

    /// The command line of this process.
    private static var own: CommandLineWords { CommandLineWords(Array(CommandLine.arguments.dropFirst())) }

    /// Adds the address in the command line of this process.
    static func addressed(_ text: String) -> String { own.addressed(text) }

    /// The options of this process that each further command has to repeat; mostly none.
    static var address: String { own.address.joined(separator: " ") }

    /// Returns a word quoted for a POSIX shell.
    static func quoted(_ word: String) -> String { ShellWord.quoted(word) }
}
