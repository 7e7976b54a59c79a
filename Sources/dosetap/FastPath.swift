/// Reads the command lines of every night without the parser of arguments. The parser takes longer to get ready than
/// the service to answer.
///
/// Every line that is not wholly plain is left to the parser: help, complaints and rare forms have one place.
enum FastPath {
    /// Returns the invocation of a plain line; nil if the parser has to read the line.
    static func invocation(_ line: CommandLineWords) -> Invocation? {
        let words = line.withoutVerb
        switch line.verb {
        case nil:
            return FastPathArguments(words).map { Invocation(global: $0.global) { try Tonight.perform($0) } }
        case "status":
            return FastPathArguments(words, flags: ["--follow"], options: ["--at", "--format"]).map { words in
                Invocation(global: words.global) { context in
                    try StatusVerb.perform(
                        context, at: words.value("--at"), follow: words.has("--follow"),
                        format: words.value("--format"))
                }
            }
        case "tonight":
            return FastPathArguments(words).map { words in
                Invocation(global: words.global) { try Follower(context: $0, format: nil, isBig: true).run() }
            }
        case "reminders":
            // The parser knows no option whose value may be left out.
            guard let place = words.firstIndex(of: "--test"),
                place + 1 == words.count || words[place + 1].hasPrefix("-")
            else { return nil }
            let rest = words.enumerated().filter { $0.offset != place }.map(\.element)
            return FastPathArguments(rest).map { words in
                Invocation(global: words.global) { try RemindersVerb.listChannels($0) }
            }
        case "log":
            return FastPathArguments(recording: words, options: ["--amount"], arguments: 1).map { words in
                Invocation(global: words.global) { context in
                    try LogVerb.perform(
                        context, event: words.arguments[0], amount: words.value("--amount"), words.recording)
                }
            }
        case "skip":
            return FastPathArguments(recording: words, options: ["--reason"]).map { words in
                Invocation(global: words.global) { context in
                    try SkipVerb.perform(context, reason: words.value("--reason"), words.recording)
                }
            }
        case "snooze":
            return FastPathArguments(recording: words).map { words in
                Invocation(global: words.global) { try SnoozeVerb.perform($0, words.recording) }
            }
        case "wake":
            return FastPathArguments(recording: words).map { words in
                Invocation(global: words.global) { try WakeVerb.perform($0, words.recording) }
            }
        case "history":
            return FastPathArguments(words, options: ["--nights"]).flatMap { words in
                var choices = HistoryChoices()
                if let text = words.value("--nights") {
                    guard let nights = Int(text) else { return nil }
                    choices.nights = nights
                }
                return Invocation(global: words.global) { [choices] in try HistoryVerb.perform($0, choices) }
            }
        case "stats":
            return FastPathArguments(words, flags: ["--intervals"]).map { words in
                Invocation(global: words.global) { context in
                    try StatsVerb.perform(context, StatsChoices(intervals: words.has("--intervals")))
                }
            }
        default: return nil
        }
    }
}

/// The words of one verb, sorted into flags, options and the rest; nil for everything that is not plain.
struct FastPathArguments: Sendable {
    // Arrays: comparing a few words takes less time than making a set.
    private var flags: [String] = []
    private var options: [(name: String, value: String)] = []
    /// Values of `--confirm`, the one option that may come more than once.
    private(set) var confirmations: [String] = []
    /// The words that are no options.
    private(set) var arguments: [String] = []

    /// - Parameters:
    ///   - flags: the flags besides those of all verbs.
    ///   - options: the options that take a value, besides those of all verbs.
    ///   - arguments: the number of arguments that there have to be.
    init?(_ words: [String], flags: [String] = [], options: [String] = [], arguments count: Int = 0) {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("-") else {
                arguments.append(word)
                continue
            }
            if flags.contains(word) || GlobalChoices.flags.contains(word) {
                guard !has(word) else { return nil }
                self.flags.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard options.contains(parts[0]) || GlobalChoices.options.contains(parts[0]),
                let value = parts.count == 2 ? parts[1] : rest.popFirst(), parts.count == 2 || !value.hasPrefix("-")
            else { return nil }
            if parts[0] == "--confirm" {
                confirmations.append(value)
            } else {
                guard self.value(parts[0]) == nil else { return nil }
                self.options.append((parts[0], value))
            }
        }
        guard arguments.count == count else { return nil }
    }

    func has(_ flag: String) -> Bool { flags.contains(flag) }

    func value(_ option: String) -> String? { options.first { $0.name == option }?.value }

    var global: GlobalChoices {
        GlobalChoices(
            json: has("--json"), timeZone: value("--time-zone"), bus: value("--bus"), store: value("--store"),
            plain: has("--plain"), quiet: has("--quiet"))
    }
}

/// The options of all recording verbs.
extension FastPathArguments {
    init?(recording words: [String], options: [String] = [], arguments count: Int = 0) {
        self.init(
            words, flags: ["--dry-run"],
            options: options + ["--at", "--ago", "--confirm", "--note", "--key"], arguments: count)
    }

    var recording: RecordingChoices {
        RecordingChoices(
            at: value("--at"), ago: value("--ago"), confirm: confirmations, note: value("--note"),
            key: value("--key"), dryRun: has("--dry-run"))
    }
}

/// A command line that was read: the options that every verb has, and the work.
struct Invocation: Sendable {
    let global: GlobalChoices
    let work: @Sendable (Context) throws -> Void

    /// - Throws: ``Failure``, or what the parser of arguments throws.
    func run() throws { try work(try Context(global)) }
}
