/// Reads the command lines of every night without the parser of arguments, which takes longer to get ready than the
/// service to answer.
///
/// Whatever is not wholly plain here is left to the parser: help, complaints and rare forms have one place.
enum FastPath {
    /// The invocation of a plain line.
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
