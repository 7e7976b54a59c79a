/// Something the person has to read beside an answer.
public struct Warning: Hashable, Sendable {
    /// The subject of a warning; the raw value is the wire word.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No channel can reach the person now.
        case noChannel = "no_channel"
        /// The service ends with this command: no reminder will be told.
        case noService = "no_service"
        /// The service cannot be woken for a reminder.
        case timer
        /// The store does not take events.
        case store
        /// A setting is not in force.
        case settings
        /// The clock was set, or cannot be trusted.
        case clock
        /// Doses of another night are hardly hours old.
        case otherDoses = "other_doses"
        /// Any other finding at the start of the service.
        case finding
    }

    public private(set) var code: Code
    /// The sentence.
    public private(set) var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// True if the warning means that no reminder will be heard.
    public var isSilence: Bool {
        switch code {
        case .noChannel, .noService, .timer: true
        case .store, .settings, .clock, .otherDoses, .finding: false
        }
    }

    public static let description = RecordDescription(
        "warning", "What the person has to read beside an answer, the worst first", Warning(.finding, "")
    ) { it in
        // A code that only a newer service knows becomes a finding.
        it.value(
            "code", .words { Code.allCases.map { $0.rawValue } },
            "no_channel, no_service and timer: no reminder will be heard", get: { .string($0.code.rawValue) },
            set: { (warning, value) throws(PayloadError) in
                warning.code = value?.stringValue.flatMap(Code.init(rawValue:)) ?? .finding
                return value?.stringValue != nil
            })
        it.text("message", get: { $0.message }, set: { $0.message = $1 })
    }

    /// The warning as it is printed and as it travels.
    public var json: JSONObject { Self.description.json(self) }
}

extension PayloadReader {
    /// Reads the warnings of an answer; none if the key is missing.
    func warnings() throws(PayloadError) -> [Warning] {
        guard value("warnings") != nil else { return [] }
        var warnings: [Warning] = []
        for value in try list("warnings") {
            warnings.append(try Warning.description.read(PayloadReader("warning", json: value)))
        }
        return warnings
    }
}

extension [Warning] {
    /// The first warning that no reminder will be heard; nil if none is known.
    public var silence: Warning? { first(where: \.isSilence) }

    /// The warnings as they are printed and as they travel.
    public var json: JSONValue { .array(map { .object($0.json) }) }
}
