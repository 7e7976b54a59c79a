internal import DoseTapDomain
public import SDBus

/// Errors on the wire: the name, the sentence, and the details as `sa{sv}`.
extension ServiceError {
    /// As the reply of a method. Its sentence ends with what a client needs that sees nothing else of an error, such as
    /// `[confirm: early]` or `[reason: dose1_required]`.
    public var busError: BusError {
        BusError(
            name: busName, message: message + tail,
            details: VariantEntries(WireCoding.variants(details, Schemas.errorDetails)))
    }

    /// A reply of the service; nil when the error is not the service's own.
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
