internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// The message and the exit code of a command that did not do what it was asked, for a person or a script.
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
    /// The next command where the hint is a list of words to choose from.
    private var help: String?
    /// The command that records it all the same. It is never the next step and is told apart from that step.
    var confirmWith: String?
    /// Further keys of the JSON object.
    var details = JSONObject()
    /// True if message and hint are on one line.
    var isOneLine = false
    /// The line that was typed: commands in the message ask the same service.
    private var line: CommandLineWords?
    /// True if an entry was refused. Half asleep, a person may take words about the night for a receipt.
    var isRefusedEntry = false

    /// A time zone that cannot be used.
    ///
    /// - Parameter name: as the person wrote it.
    static func zone(_ name: String, _ fault: SystemFault) -> Failure {
        fault.code == .unknownZone
            ? .usage(ErrorText.unknownZone(String(name.prefix(100))), hint: ErrorText.zoneNames)
            : .usage(Wire.told(fault.message), hint: fault.hint.map(Wire.told))
    }

    /// Wrong usage or input.
    static func usage(_ message: String, hint: String? = nil) -> Failure {
        Failure(.invalidInput, message, hint: hint)
    }

    /// A time that blanks parted into words of the line; nil if no words make up a time.
    static func partedTime(_ line: CommandLineWords) -> Failure? {
        line.partedTime.map { parted in
            Failure.usage(
                tr("A time with a blank needs quotes: \(parted.quoted)."),
                hint: parted.line)
        }
    }

    /// A word that is not known, with the nearest known ones.
    ///
    /// - Parameter ending: what follows the word in the command.
    static func unknown(
        _ what: String, _ word: String, known: [String], command: String, ending: String = "", help: String
    ) -> Failure {
        let nearest = Suggestions.to(word, in: known)
        let choices = known.count <= 10 ? known : []
        var failure = Failure.usage(
            ErrorText.unknown(what, String(word.prefix(60)), nearest: nearest, known: choices), hint: help)
        if let choice = ErrorText.choice(nearest.map { "\(command) \($0)\(ending)" }) { failure.hint = choice }
        failure.details["word"] = .string(word)
        if !nearest.isEmpty { failure.details["nearest"] = .array(nearest.map(JSONValue.string)) }
        return failure
    }

    /// Returns the failure with a next command: the typed line with the known word in place of the wrong one, so that
    /// no time and no amount gets lost; else the help.
    func completed(_ line: CommandLineWords) -> Failure {
        var failure = self
        failure.hint = hint.map(line.addressed)
        failure.confirmWith = confirmWith.map(line.addressed)
        failure.line = line
        let help = "dosetap\(line.knownVerb.map { " \($0)" } ?? "") --help"
        if isChoice { failure.help = help }
        guard exitCode == Code.usage else { return failure }
        failure.isRefusedEntry = failure.isRefusedEntry || line.isEntry
        if let word = details["word"]?.stringValue, let hint, !isChoice,
            let nearest = details["nearest"]?.arrayValue?.compactMap(\.stringValue), let last = nearest.last,
            hint.hasSuffix(last) || hint.contains("\(last)=")
        {
            let lines = nearest.compactMap { line.again(replacing: word, by: $0) }
            // Of several lines with a dose none is offered: who is half asleep takes the first.
            let isOffered = lines.count == nearest.count && (lines.count == 1 || !line.namesDose)
            if isOffered, let again = ErrorText.choice(lines) { failure.hint = again }
        }
        if hint == nil { failure.hint = help }
        return failure
    }

    /// The answer of the service as a failure, with the next command.
    ///
    /// - Parameters:
    ///   - command: the command that the service was asked to record.
    ///   - moments: for times as they are typed.
    init(_ error: ServiceError, to command: Command? = nil, moments: Moments = Moments(zone: .utc)) {
        self.init(
            error.kind, ErrorText.typed(error.message),
            hint: ErrorText.next(after: error.kind, error.details, to: command, moments: moments),
            details: error.details)
        let fault = error.details["fault"]?.stringValue.flatMap(StoreError.Code.init(rawValue:))
        isRefusedEntry = command != nil && (error.kind == .refused || fault.map(Self.unopened.contains) ?? false)
    }

    /// The faults of a record that is not opened. Such a record takes no entry, and nothing is kept for later.
    private static let unopened: Set<StoreError.Code> = [
        .keyLocked, .keyWrong, .noCipher, .newer, .foreign, .unreadable, .altered,
    ]

    /// A failure of a kind of the contract.
    init(_ kind: ErrorKind, _ message: String, hint: String? = nil, details: JSONObject = JSONObject()) {
        self.init(exitCode: kind.exitCode, kind: kind.word, message: message, hint: hint, details: details)
    }

    /// The service cannot be asked, or gave no answer.
    static func unreachable(_ told: ErrorText.Message, details: JSONObject = JSONObject()) -> Failure {
        Failure(
            exitCode: Code.unreachable, kind: "unreachable", message: told.sentence, hint: told.next, details: details,
            isOneLine: true)
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
        error["message"] = .string(addressed(message))
        if let hint { error["hint"] = .string(hint) }
        if let confirmWith { error["confirm_with"] = .string(confirmWith) }
        for entry in details where error[entry.key] == nil { error[entry.key] = entry.value }
        return .object(["error": .object(error)])
    }

    /// Returns the text for a person, with the fault in red if colours can be shown.
    func text(_ terminal: Terminal) -> String {
        let said = "dosetap: \(SafeText.line(addressed(Wire.told(message))))"
        func fault(_ text: String) -> String { terminal.paintError(terminal.fittedErrors(text), .red) }
        guard let hint else { return fault(said) + unrecorded + apart }
        if isChoice {
            return fault(said + tr(" Known: \(SafeText.line(String(hint.dropFirst(7))))")) + unrecorded
                + (help.map { "\n  \(CommandLead.next)\($0)" } ?? "")
        }
        let line = SafeText.line(hint)
        return isOneLine && terminal.errorColumns == nil
            ? "\(said) \(CommandLead.attempt)\(line)"
            : "\(fault(said))\(unrecorded)\n  \(CommandLead.next)\(line)\(apart)"
    }

    /// Returns a message whose commands have the options of the typed line. Only the message of a question or a refusal has commands
    /// of the program, and no words of the person.
    private func addressed(_ message: String) -> String {
        let isAddressed = [ErrorKind.requiresConfirmation, .refused].contains { $0.exitCode == exitCode }
        return isAddressed ? line?.addressed(message) ?? message : message
    }

    /// True if the hint is a list of words to choose from, which is no command.
    private var isChoice: Bool { hint?.hasPrefix("known: ") == true }

    /// The line that nothing was recorded: below an unasked question, a refused entry, and for a record that is not
    /// opened.
    private var unrecorded: String {
        let isAsked = exitCode == ErrorKind.requiresConfirmation.exitCode && details["would_record"] != nil
        guard isAsked || isRefusedEntry else { return "" }
        return "\n  \(ErrorText.nothingDone(ofRecording: details["would_record"]?.stringValue))"
    }

    /// The line with the command that records it all the same, apart from the next step.
    private var apart: String {
        guard let confirmWith else { return "" }
        let condition = ErrorText.condition(ofRecording: details["would_record"]?.stringValue)
        return "\n  \(condition): \(SafeText.line(confirmWith))"
    }
}

/// Failures between this program and the service.
extension Failure {
    /// - Parameters:
    ///   - error: what a call threw.
    ///   - context: for the next command.
    init(_ error: any Error, _ context: Context) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ServiceError: self.init(error)
        case let error as BusError: self = .init(bus: error, context)
        case let error as Unanswered:
            // The bus waits for a service whose folders cannot be made, which the manager tries again and again.
            self =
                Self.crash(context, mayHaveActed: error.mayHaveActed)
                ?? .unreachable(
                    ErrorText.unanswered(seconds: error.limit.components.seconds, mayHaveActed: error.mayHaveActed))
        case let error as PayloadError:
            let told = ErrorText.otherVersion(unread: "\(error)")
            self.init(.internal, told.sentence, hint: told.next)
        default:
            self.init(
                .internal, tr("Something went wrong: \(String(describing: error))."),
                hint: ErrorText.next(after: .internal, [:], to: nil, moments: Moments(zone: .utc)))
        }
    }

    private init(bus error: BusError, _ context: Context) {
        switch error.name {
        case BusError.Name.unknownMethod, BusError.Name.unknownInterface, BusError.Name.unknownObject,
            BusError.Name.invalidArgs, BusError.Name.invalidSignature:
            let told = ErrorText.otherVersion(unknown: error.message)
            self.init(.internal, told.sentence, hint: told.next)
        case BusError.Name.inconsistentMessage:
            self.init(
                exitCode: Code.failed, kind: ErrorKind.invalidInput.word,
                message: tr("This cannot be sent to the service: \(error.message). Remove it and try again."))
        case BusError.Name.timeout, BusError.Name.noReply:
            let crash = error.name == BusError.Name.noReply ? Self.crash(context, mayHaveActed: true) : nil
            self = crash ?? .unreachable(ErrorText.noReply(error.message))
        default:
            if let failure = Self.crash(context, mayHaveActed: false) {
                self = failure
                return
            }
            let bus = context.bus == .system ? "system" : "session"
            let hasUnit = Self.hasUnit(context)
            // sd_booted(3)
            let hasManager = hasUnit || access("/run/systemd/system", F_OK) == 0
            let withoutBus = context.line.again(adding: ["--bus", "none"], dropping: "--bus")
            if error.name == BusError.Name.serviceUnknown, !hasUnit {
                self = .unreachable(
                    ErrorText.notInstalled(bus: bus, withoutBus: withoutBus, hasManager: hasManager),
                    details: ["bus_error": .string(error.message)])
            } else {
                self = .unreachable(
                    ErrorText.unreached(bus: bus, error.message, withoutBus: withoutBus, hasManager: hasManager))
            }
        }
    }

    /// Returns the failure of a service that ends again and again; nil if it does not, or if nobody knows.
    private static func crash(_ context: Context, mayHaveActed: Bool) -> Failure? {
        guard case .bus(let address) = ServiceLink.Route(context), let unit = ServiceUnit.ask(address),
            unit.keepsEnding
        else { return nil }
        let told = ErrorText.crashes(
            restarts: Int(unit.restarts), result: unit.result, mayHaveActed: mayHaveActed && unit.hasRun,
            last: ServiceUnit.lastLine)
        return .unreachable(
            told, details: ["restarts": .integer(Int64(unit.restarts)), "result": .string(unit.result)])
    }

    /// Returns true if the service manager has loaded the service.
    private static func hasUnit(_ context: Context) -> Bool {
        guard case .bus(let address) = ServiceLink.Route(context) else { return false }
        return ServiceUnit.ask(address) != nil
    }
}
