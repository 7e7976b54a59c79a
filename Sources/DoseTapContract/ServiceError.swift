public import DoseTapDomain

/// An error as it crosses the contract: a kind that scripts switch over, a sentence for people, and facts. Which command
/// comes next is no part of it: each surface has its own.
public struct ServiceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Of the domain, so that who writes the sentences knows it, too.
    public typealias Kind = ErrorKind

    /// What scripts switch over.
    public var kind: Kind
    /// What and why, one sentence.
    public var message: String
    /// The facts.
    public var details: JSONObject

    /// - Parameter details: by the keys of ``DoseTapDomain/Schemas/errorDetails``.
    public init(_ kind: Kind, _ message: String, details: JSONObject = JSONObject()) {
        self.kind = kind
        self.message = message
        self.details = details
    }

    /// An option that is not known, or has a value that it does not take; the facts name what it may be.
    public init(_ message: String, option: String, known: [String] = []) {
        self.init(.invalidInput, message, details: ["option": .string(String(option.prefix(40)))])
        if !known.isEmpty { details["known"] = .array(known.map(JSONValue.string)) }
    }

    /// The whole D-Bus error name.
    public var busName: String { Contract.errorPrefix + kind.rawValue }

    /// The kind and the sentence.
    public var description: String { "\(kind.rawValue): \(message)" }

    /// The open questions, with `requiresConfirmation`.
    public var confirmations: [Confirmation] {
        guard case .array(let words)? = details["confirmations"] else { return [] }
        return words.compactMap { $0.stringValue.flatMap(Confirmation.init(rawValue:)) }
    }
}
