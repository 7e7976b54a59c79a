internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// What a person or a script is told when a command did not do what it was asked, and the exit code.
struct Failure: Error, Sendable {
    /// The exit codes that have no kind of the contract.
    enum Code {
        static let failed: Int32 = 1
        static let usage: Int32 = 64
        static let unreachable: Int32 = 6
    }

    let exitCode: Int32
    /// The word scripts switch over.
    let kind: String
    var message: String
    var hint: String?
    /// The command that records it all the same: never the next step, told apart from it.
    var confirmWith: String?
    /// Further keys of the JSON object.
    var details = JSONObject()
    /// Message and hint on one line.
    var isOneLine = false

    /// Wrong usage or input.
    static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(exitCode: Code.usage, kind: ServiceError.Kind.invalidInput.word, message: message, hint: hint)
    }

    /// A word that is not known, with the nearest one that is.
    static func unknown(
        _ what: String, _ word: String, known: [String], command: String, help: String
    ) -> Failure {
        let nearest = NearestWords.to(word, in: known)
        let all = known.count <= 10 ? " Known: \(known.joined(separator: ", "))." : ""
        let meant = nearest.isEmpty ? all : " Did you mean " + nearest.map { "'\($0)'" }.joined(separator: " or ") + "?"
        var failure = Failure.usage("There is no \(what) '\(word.prefix(60))'.\(meant)", hint: help)
        // Only one word can be meant, then it is worth a command; of two somebody has to choose.
        if nearest.count == 1 { failure.hint = "\(command) \(nearest[0])" }
        failure.details["word"] = .string(word)
        if !nearest.isEmpty { failure.details["nearest"] = .array(nearest.map(JSONValue.string)) }
        return failure
    }

    /// The same with a next command: the line as it was typed, with the one word that is known in place of the wrong one,
    /// so that no time and no amount gets lost; else what helps.
    func completed(_ line: CommandLineWords) -> Failure {
        var failure = self
        failure.hint = hint.map(line.addressed)
        failure.confirmWith = confirmWith.map(line.addressed)
        // A question or a refusal names commands of its own, and no words of the person.
        if [ServiceError.Kind.requiresConfirmation, .refused].contains(where: { $0.exitCode == exitCode }) {
            failure.message = line.addressed(message)
        }
        guard exitCode == Code.usage else { return failure }
        if let word = details["word"]?.stringValue, let nearest = details["nearest"]?.arrayValue, nearest.count == 1,
            let right = nearest[0].stringValue, let hint, !hint.hasPrefix("known: "),
            hint.hasSuffix(right) || hint.contains("\(right)="),
            let again = line.again(replacing: word, by: right)
        {
            failure.hint = again
        }
        if hint == nil { failure.hint = "dosetap\(line.knownVerb.map { " \($0)" } ?? "") --help" }
        return failure
    }

    /// What the service answered.
    init(_ error: ServiceError) {
        self.init(
            exitCode: error.kind.exitCode, kind: error.kind.word, message: error.message, hint: error.hint,
            details: error.details)
        confirmWith = error.confirmWith
    }

    init(
        exitCode: Int32, kind: String, message: String, hint: String? = nil, details: JSONObject = JSONObject(),
        isOneLine: Bool = false
    ) {
        self.exitCode = exitCode
        self.kind = kind
        self.message = message
        self.hint = hint
        self.details = details
        self.isOneLine = isOneLine
    }

    /// The error object of the JSON contract.
    var json: JSONValue {
        var error = JSONObject()
        error["kind"] = .string(kind)
        for key in ["confirmations", "reason"] { error[key] = details[key] }
        error["message"] = .string(message)
        if let hint { error["hint"] = .string(hint) }
        if let confirmWith { error["confirm_with"] = .string(confirmWith) }
        let own = ["hint", "confirm_with"]
        for entry in details where error[entry.key] == nil && !own.contains(entry.key) {
            error[entry.key] = entry.value
        }
        return .object(["error": .object(error)])
    }

    /// What a person reads: the fault in red where that can be shown.
    func text(_ terminal: Terminal) -> String {
        let said = "dosetap: \(SafeText.line(message))"
        func fault(_ text: String) -> String { terminal.paintError(terminal.fittedErrors(text), .red) }
        guard let hint else { return fault(said) + apart }
        // Words to choose from are no command.
        if hint.hasPrefix("known: ") { return fault(said + " Known: " + SafeText.line(String(hint.dropFirst(7)))) }
        let line = SafeText.line(hint)
        return isOneLine && terminal.errorColumns == nil
            ? said + " Try: " + line : fault(said) + "\n  Next: " + line + apart
    }

    /// The command that records it all the same, apart from the next step.
    private var apart: String {
        guard let confirmWith else { return "" }
        let condition =
            switch details["would_record"]?.stringValue {
            case EventType.actionUndone.rawValue?: "Only if it was not taken"
            case let word? where !Self.isTaken(word): "Only if that is right"
            default: "Only if it was really taken"
            }
        return "\n  \(condition): \(SafeText.line(confirmWith))"
    }

    /// Whether what would be recorded is something that is taken.
    private static func isTaken(_ word: String) -> Bool {
        DoseKind(rawValue: word) != nil || MedicationCatalogue.standard[word] != nil
    }
}
