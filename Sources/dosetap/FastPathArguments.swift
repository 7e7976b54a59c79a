/// The words of one verb, sorted into flags, options and the rest; nil for everything that is not plain.
struct FastPathArguments: Sendable {
    // Arrays: the few words are compared before a set of them is made.
    private var flags: [String] = []
    private var options: [(name: String, value: String)] = []
    /// Values of `--confirm`, the one option that may come more than once.
    private(set) var confirmations: [String] = []
    /// What is no option.
    private(set) var arguments: [String] = []

    /// - Parameters:
    ///   - flags: known besides those of all verbs.
    ///   - options: that take a value, likewise.
    ///   - arguments: how many there have to be.
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
