public import DoseTapDomain
public import SDBus

/// An error as it crosses the contract: a kind that scripts switch over, a sentence for people, and facts. The command that
/// comes next is no part of the error: each surface has its own.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind is a type of the domain, so that the writer of the sentences knows it, too.
    public typealias Kind = ErrorKind

    /// The kind of error, for scripts.
    public var kind: Kind
    /// The fault and its cause in one sentence.
    public var message: String
    public var details: JSONObject

    /// - Parameter details: by the keys of ``DoseTapDomain/Schemas/errorDetails``.
    public init(_ kind: Kind, _ message: String, details: JSONObject = JSONObject()) {
        self.kind = kind
        self.message = message
        self.details = details
    }

    /// An unknown option, or an option with a value that it does not take; the facts name the accepted ones.
    public init(_ message: String, option: String, known: [String] = []) {
        self.init(.invalidInput, message, details: ["option": .string(String(option.prefix(40)))])
        if !known.isEmpty { details["known"] = .array(known.map(JSONValue.string)) }
    }

    /// An option that the call does not have.
    ///
    /// - Parameter known: the options that it has.
    public static func unknown(option: String, known: [String]) -> ServiceError {
        ServiceError("Unknown option '\(option.prefix(40))'.", option: option, known: known)
    }

    /// An option with a value of another type.
    ///
    /// - Parameter expected: the type on the bus, and what the value means if that needs to be said.
    public static func wrongType(option: String, expected: String) -> ServiceError {
        ServiceError("Option '\(option)' has the wrong type: expected \(expected).", option: option)
    }

    /// The whole D-Bus error name.
    public var busName: String { Contract.errorPrefix + kind.rawValue }

    /// The kind and the sentence.
    public var description: String { "\(kind.rawValue): \(message)" }

    /// The open questions of a `requiresConfirmation` error.
    public var confirmations: [Confirmation] {
        guard case .array(let words)? = details["confirmations"] else { return [] }
        return words.compactMap { $0.stringValue.flatMap(Confirmation.init(rawValue:)) }
    }
}

/// Outcomes of the rules and the store, as codes and facts. The sentence comes from the code that writes for people.
extension ServiceError {
    /// - Parameter command: the command to record something, if there was one.
    public init(_ failure: CommandFailure, _ command: Command?, sentence: String) {
        switch failure {
        case .needsConfirmation(let question):
            self.init(.requiresConfirmation, sentence, details: Self.facts(question))
        case .refused(let reason, let refusal):
            self.init(.refused, sentence, details: Self.facts(reason, refusal, command))
        case .invalidInput: self.init(.invalidInput, sentence)
        case .unknown(let unknown):
            var facts: JSONObject = ["word": .string(unknown.word)]
            if !unknown.nearest.isEmpty { facts["nearest"] = .array(unknown.nearest.map(JSONValue.string)) }
            self.init(.invalidInput, sentence, details: facts)
        case .notFound(let name):
            self.init(.notFound, sentence, details: ["name": .string(String(name.prefix(64)))])
        case .nothingToDo(_, let night):
            var facts = JSONObject()
            facts["session_date"] = night.map { .string($0.text) }
            self.init(.nothingToDo, sentence, details: facts)
        }
    }

    /// - Parameter kept: the entry is held in memory until the store takes it.
    public init(_ error: StoreError, kept: Bool, sentence: String) {
        var facts = JSONObject()
        let kind: Kind
        switch error.code {
        case .noSpace: kind = .noSpace
        case .readOnly: kind = .readOnly
        case .outcomeUnknown: kind = .outcomeUnknown
        case .locked: kind = .locked
        case .damaged, .unreadable, .newer, .foreign, .unavailable, .altered, .keyLocked, .keyUnkept, .keyWrong,
            .noCipher:
            kind = .storeUnavailable
            facts["fault"] = .string(error.code.rawValue)
            if error.code == .altered { facts["statement"] = .string(error.underlying) }
        case .keyTaken:
            kind = .invalidInput
            facts["option"] = "key"
        case .unfit:
            kind = .invalidInput
            facts["option"] = "file"
            if !error.underlying.isEmpty { facts["fault"] = .string(error.underlying) }
        case .interrupted, .changed: kind = .busy
        case .stalled: kind = .timedOut
        case .internal: kind = .internal
        }
        if kept { facts["kept"] = .bool(true) }
        self.init(kind, sentence, details: facts)
    }

    private static func facts(_ question: Question) -> JSONObject {
        var facts = JSONObject()
        facts["confirmations"] = .array(question.confirmations.map { .string($0.rawValue) })
        // With one dose too many no further dose is due, so no window opens.
        facts["minutes_to_open"] = question.isOneTooMany ? nil : question.minutesToOpen.map { .integer(Int64($0)) }
        facts["limit_mg"] = question.limitMilligrams.map { .integer(Int64($0)) }
        facts["sum_mg"] = question.sumMilligrams.map { .integer(Int64($0)) }
        facts["standing_id"] = question.existing.map { .string($0.text) }
        facts["standing_at"] = question.existingAt.map(JSONValue.instant)
        add(question.endedNight, to: &facts)
        if let elapsed = question.elapsed {
            facts["elapsed_s"] = .integer(elapsed.shorter.wholeSeconds)
            facts["elapsed_most_s"] = .integer(elapsed.longer.wholeSeconds)
            facts["elapsed_by_clock_s"] = .integer(elapsed.byWall.wholeSeconds)
        }
        if let since = question.sinceExisting {
            facts["since_standing_s"] = .integer(since.shorter.wholeSeconds)
            facts["since_standing_most_s"] = .integer(since.longer.wholeSeconds)
        }
        facts["window_closed"] = question.windowClosed.map(JSONValue.instant)
        facts["time_zone"] = question.zone.map { .string($0.identifier) }
        facts["would_record"] = .string(question.wouldRecord)
        facts["at"] = .instant(question.at)
        if question.isNamed { facts["time_named"] = .bool(true) }
        return facts
    }

    private static func facts(_ reason: BlockReason, _ refusal: Refusal, _ command: Command?) -> JSONObject {
        var facts = JSONObject()
        facts["reason"] = .string(reason.rawValue)
        facts["phase"] = refusal.phase.map { .string($0.rawValue) }
        facts["standing_id"] = refusal.existing.map { .string($0.text) }
        facts["standing_at"] = refusal.existingAt.map(JSONValue.instant)
        facts["handle"] = refusal.handle.map(JSONValue.string)
        facts["retry_at"] = refusal.again.map(JSONValue.instant)
        facts["remaining_s"] = refusal.secondsLeft.map(JSONValue.integer)
        facts["alarm_time"] = refusal.alarm.map(JSONValue.instant)
        facts["time_zone"] = refusal.zone.map { .string($0.identifier) }
        facts["record_as"] = dose(command, reason, refusal).map { .string($0.rawValue) }
        if refusal.isNapOpen { facts["nap_open"] = .bool(true) }
        add(refusal.endedNight, to: &facts)
        if refusal.isAutomatic, reason == .alreadySkipped {
            // A skip of the night counts from the time at which time alone recorded it, less the grace after the window.
            facts["window_closed"] = refusal.existingAt.map { .instant(Session.windowClosed(sleptThrough: $0)) }
        }
        return facts
    }

    /// Returns the dose as which a refused dose that was really taken can be recorded.
    private static func dose(_ command: Command?, _ reason: BlockReason, _ refusal: Refusal) -> DoseKind? {
        switch (command, reason) {
        case (.logDose(.dose1), .dose1AlreadyTaken) where refusal.awaitsDose2: .dose2
        case (.logDose(.dose1), .dose1AlreadyTaken) where refusal.isExtra: .extra
        case (.logDose(.extra), .order) where refusal.awaitsDose2: .dose2
        case (.logDose, .dose1Required) where refusal.endedNight != nil: .dose1
        default: nil
        }
    }

    private static func add(_ night: RegistrationPolicy.EndedNight?, to facts: inout JSONObject) {
        guard let night else { return }
        facts["session_date"] = .string(night.date.text)
        facts["night_ended"] = .instant(night.end)
    }
}

/// Errors on the wire: the name, the sentence, and the details as `sa{sv}`.
extension ServiceError {
    /// The error as the reply of a method. The sentence ends with a tag, such as `[confirm: early]` or `[reason:
    /// dose1_required]`, for a client that sees nothing else of an error.
    public var busError: BusError {
        BusError(
            name: busName, message: message + tail,
            details: VariantEntries(WireCoding.variants(details, Schemas.errorDetails)))
    }

    /// Reads a reply of the service; nil if the error is not the service's own.
    public init?(_ error: BusError) {
        guard error.name.hasPrefix(Contract.errorPrefix) else { return nil }
        let word = String(error.name.dropFirst(Contract.errorPrefix.count))
        guard let kind = Kind(rawValue: word) else { return nil }
        self.init(kind, error.message, details: WireCoding.object(error.details.dictionary))
        if !tail.isEmpty, message.hasSuffix(tail) { message.removeLast(tail.count) }
    }

    private var tail: String {
        let words = confirmations.map(\.rawValue)
        if !words.isEmpty { return " [confirm: \(words.joined(separator: " "))]" }
        return details["reason"]?.stringValue.map { " [reason: \($0)]" } ?? ""
    }
}
