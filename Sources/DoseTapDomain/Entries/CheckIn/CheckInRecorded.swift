/// A morning check-in was saved, or the one of the night was changed.
public struct CheckInRecorded: Hashable, Sendable {
    /// All answers, the defaults of what was not answered included.
    public var answers: Answers
    /// The questions that were really answered.
    public var given: [String]
    /// The check-in that these answers replace; nil for the first one of its night.
    public var amends: EventID?
    /// The night as the caller named it.
    public var night: String?
    /// What the surface said.
    public var request: Request

    /// Memberwise.
    public init(answers: Answers, given: [String], amends: EventID?, night: String?, request: Request) {
        self.answers = answers
        self.given = given
        self.amends = amends
        self.night = night
        self.request = request
    }
}

extension CheckInRecorded {
    func write(into object: inout JSONObject) {
        object["answers"] = .object(answers.values)
        object["given"] = .array(given.map(JSONValue.string))
        object["amends"] = amends.map { .string($0.text) }
        object["night"] = night.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            answers: try Answers(reader), given: try reader.strings("given"),
            amends: try reader.optionalEventID("amends"), night: try reader.optionalString("night"),
            request: try reader.request())
    }
}
