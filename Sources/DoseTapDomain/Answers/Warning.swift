/// Something the person has to read beside an answer.
public struct Warning: Hashable, Sendable {
    /// What it is about; the raw value is the wire word.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No channel can reach the person now.
        case noChannel = "no_channel"
        /// The service ends with this command: nothing will be told.
        case noService = "no_service"
        /// The service cannot be woken for a reminder.
        case timer
        /// The store does not take events.
        case store
        /// A setting is not in force.
        case settings
        /// The clock was set, or cannot be trusted.
        case clock
        /// Anything else that was found as the service started.
        case finding
    }

    /// What it is about.
    public let code: Code
    /// The sentence.
    public let message: String

    /// Memberwise.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Whether it means that no reminder will be heard.
    public var isSilence: Bool {
        switch code {
        case .noChannel, .noService, .timer: true
        case .store, .settings, .clock, .finding: false
        }
    }

    /// As it is printed and as it travels.
    public var json: JSONObject {
        var object = JSONObject()
        object["code"] = .string(code.rawValue)
        object["message"] = .string(message)
        return object
    }

    /// Reads the object back, as a client does. A code of a newer service is a finding.
    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(Code(rawValue: try reader.string("code")) ?? .finding, try reader.string("message"))
    }
}

extension PayloadReader {
    /// The warnings of an answer; none where there is no such key.
    func warnings() throws(PayloadError) -> [Warning] {
        guard value("warnings") != nil else { return [] }
        var warnings: [Warning] = []
        for value in try list("warnings") { warnings.append(try Warning(PayloadReader("warning", json: value))) }
        return warnings
    }
}

extension [Warning] {
    /// What keeps reminders from being heard; nil when nothing does, as far as is known.
    public var silence: Warning? { first(where: \.isSilence) }

    /// As they are printed and as they travel.
    public var json: JSONValue { .array(map { .object($0.json) }) }
}
