public import DoseTapDomain

/// An error as it crosses the contract: a kind that scripts switch over, a sentence for people, the next step.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds; the raw value ends the D-Bus error name.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case requiresConfirmation = "RequiresConfirmation"
        case refused = "Refused"
        case notFound = "NotFound"
        case nothingToDo = "NothingToDo"
        case invalidInput = "InvalidInput"
        case readOnly = "ReadOnly"
        case noSpace = "NoSpace"
        case storeUnavailable = "StoreUnavailable"
        case outcomeUnknown = "OutcomeUnknown"
        case locked = "Locked"
        case busy = "Busy"
        case `internal` = "Internal"

        /// The `kind` of the CLI's JSON.
        public var word: String {
            switch self {
            case .requiresConfirmation: "requires_confirmation"
            case .refused: "refused"
            case .notFound: "not_found"
            case .nothingToDo: "nothing_to_do"
            case .invalidInput: "invalid_input"
            case .readOnly: "read_only"
            case .noSpace: "no_space"
            case .storeUnavailable: "store_unavailable"
            case .outcomeUnknown: "outcome_unknown"
            case .locked: "locked"
            case .busy: "busy"
            case .internal: "internal"
            }
        }

        /// The CLI's exit code.
        public var exitCode: Int32 {
            switch self {
            case .nothingToDo: 2
            case .notFound: 3
            case .requiresConfirmation: 4
            case .refused: 5
            case .invalidInput: 64
            case .readOnly, .noSpace, .storeUnavailable, .outcomeUnknown, .locked, .busy, .internal: 1
            }
        }
    }

    /// The kind.
    public var kind: Kind
    /// What and why, one sentence.
    public var message: String
    /// What scripts need: `confirmations`, `minutes_to_open`, `reason`, `hint` …
    public var details: JSONObject

    /// - Parameter hint: the exact next command or step.
    public init(_ kind: Kind, _ message: String, hint: String? = nil, details: JSONObject = JSONObject()) {
        self.kind = kind
        self.message = message
        self.details = details
        if let hint { self.details["hint"] = .string(hint) }
    }

    /// The next step.
    public var hint: String? { details["hint"]?.stringValue }

    /// The command that records it all the same, once the person is sure; never a next step.
    public var confirmWith: String? { details["confirm_with"]?.stringValue }

    /// The whole D-Bus error name.
    public var busName: String { Contract.errorPrefix + kind.rawValue }

    /// The kind and the sentence.
    public var description: String { "\(kind.rawValue): \(message)" }

    /// The open questions, with `requiresConfirmation`.
    public var confirmations: [Confirmation] {
        guard case .array(let words)? = details["confirmations"] else { return [] }
        return words.compactMap { $0.stringValue.flatMap(Confirmation.init(rawValue:)) }
    }

    /// The CLI's error object.
    public var json: JSONValue {
        var error = JSONObject()
        error["kind"] = .string(kind.word)
        for key in ["confirmations", "reason"] { error[key] = details[key] }
        error["message"] = .string(message)
        for entry in details where error[entry.key] == nil { error[entry.key] = entry.value }
        var object = JSONObject()
        object["error"] = .object(error)
        return .object(object)
    }
}
