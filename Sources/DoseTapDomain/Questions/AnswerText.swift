extension Questionnaire.Item {
    /// The value that words typed by a person mean; it is checked with all others later.
    ///
    /// - Parameter instant: reads a time of the person's own.
    public func value<Failure: Error>(
        typed text: String, instant: (String) throws(Failure) -> Instant
    ) throws(Failure) -> JSONValue {
        let bare = text.trimmingBlanks
        if bare.isEmpty { return .null }
        switch kind {
        case .whole: return Int64(bare).map(JSONValue.integer) ?? .string(bare)
        case .decimal:
            let number = Double(String(bare.map { $0 == "," ? "." : $0 }))
            return number.map(JSONValue.plain) ?? .string(bare)
        case .yesNo:
            switch bare.lowercased() {
            case "y", "yes", "true", "1", "on": return true
            case "n", "no", "false", "0", "off": return false
            default: return .string(bare)
            }
        case .choices, .pains:
            let parts = bare.split(separator: ",").map { String($0).trimmingBlanks }.filter { !$0.isEmpty }
            return .array(parts.map(JSONValue.string))
        case .choice, .text: return .string(bare)
        case .instant: return .instant(try instant(bare))
        }
    }
}
