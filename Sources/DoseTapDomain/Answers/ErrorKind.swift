/// The kinds of errors that scripts switch over; the raw value ends the D-Bus error name.
public enum ErrorKind: String, Hashable, Sendable, CaseIterable {
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
    case timedOut = "TimedOut"
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
        case .timedOut: "timed_out"
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
        case .readOnly, .noSpace, .storeUnavailable, .outcomeUnknown, .locked, .busy, .timedOut, .internal: 1
        }
    }
}
