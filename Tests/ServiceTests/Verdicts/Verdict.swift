import DoseTapContract
import DoseTapDomain
import DoseTapEngine

/// What the rules say to an act, whichever surface brings it.
enum Verdict: Hashable, Sendable {
    case allowed
    case asks([Confirmation])
    case refused(BlockReason)
    case invalid
    case notFound
    case nothingToDo
    /// None of these; what it was.
    case other(String)

    /// What a plugin gets.
    init(_ failure: EngineFailure) {
        switch failure {
        case .command(.needsConfirmation(let question)): self = .asks(question.confirmations)
        case .command(.refused(let reason, _)): self = .refused(reason)
        case .command(.invalidInput), .command(.unknown): self = .invalid
        case .command(.notFound): self = .notFound
        case .command(.nothingToDo): self = .nothingToDo
        case .store, .busy, .stopping: self = .other("\(failure)")
        }
    }

    /// What a caller on the bus gets.
    init(_ error: ServiceError) {
        self.init(
            kind: error.kind, confirmations: error.confirmations, reason: error.details["reason"]?.stringValue,
            otherwise: "\(error)")
    }

    /// What a script gets from the command line: the exit code and the object.
    init(exit code: Int32, output: String) {
        guard let answer = try? JSONValue.parse(output.hasSuffix("\n") ? String(output.dropLast()) : output) else {
            self = .other("exit \(code): \(output)")
            return
        }
        guard let error = answer["error"] else {
            self = code == 0 && answer["dry_run"] == true ? .allowed : .other("exit \(code): \(output)")
            return
        }
        let kind = ServiceError.Kind.allCases.first { $0.word == error["kind"]?.stringValue }
        guard let kind, kind.exitCode == code else {
            self = .other("exit \(code): \(output)")
            return
        }
        let asked = (error["confirmations"]?.arrayValue ?? []).compactMap(\.stringValue)
        self.init(
            kind: kind, confirmations: asked.compactMap(Confirmation.init), reason: error["reason"]?.stringValue,
            otherwise: output)
    }

    private init(
        kind: ServiceError.Kind, confirmations: [Confirmation], reason: String?, otherwise: String
    ) {
        switch kind {
        case .requiresConfirmation: self = .asks(confirmations)
        case .refused: self = reason.flatMap(BlockReason.init).map(Verdict.refused) ?? .other(otherwise)
        case .invalidInput: self = .invalid
        case .notFound: self = .notFound
        case .nothingToDo: self = .nothingToDo
        case .readOnly, .noSpace, .storeUnavailable, .outcomeUnknown, .locked, .busy, .internal:
            self = .other(otherwise)
        }
    }
}
