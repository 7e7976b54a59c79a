/// A payload column that does not say what its type needs.
public struct PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The event type.
    public let type: EventType
    /// The key that is missing or malformed; empty for the whole.
    public let key: String

    /// What is wrong, in words.
    public var description: String {
        key.isEmpty
            ? "the payload of a \(type.rawValue) event is no object"
            : "the payload of a \(type.rawValue) event has no valid '\(key)'"
    }
}

/// Strict reading of one payload object: a value of the wrong kind is an error, never a default.
struct PayloadReader {
    private let type: EventType
    private let object: JSONObject

    init(type: EventType, json: JSONValue) throws(PayloadError) {
        guard case .object(let object) = json else { throw PayloadError(type: type, key: "") }
        self.type = type
        self.object = object
    }

    private func fault(_ key: String) -> PayloadError { PayloadError(type: type, key: key) }

    private func value(_ key: String) -> JSONValue? {
        switch object[key] {
        case .null?, nil: nil
        case let value?: value
        }
    }

    private func required<Value>(_ key: String, _ value: Value?) throws(PayloadError) -> Value {
        guard let value else { throw fault(key) }
        return value
    }

    func optionalString(_ key: String) throws(PayloadError) -> String? {
        guard let value = value(key) else { return nil }
        return try required(key, value.stringValue)
    }

    func string(_ key: String) throws(PayloadError) -> String { try required(key, optionalString(key)) }

    func bool(_ key: String) throws(PayloadError) -> Bool { try required(key, value(key)?.boolValue) }

    func optionalInteger(_ key: String) throws(PayloadError) -> Int? {
        guard let value = value(key) else { return nil }
        return try required(key, value.integerValue.flatMap(Int.init(exactly:)))
    }

    func integer(_ key: String) throws(PayloadError) -> Int { try required(key, optionalInteger(key)) }

    func optionalInstant(_ key: String) throws(PayloadError) -> Instant? {
        guard let text = try optionalString(key) else { return nil }
        do { return try Instant(iso8601: text) } catch { throw fault(key) }
    }

    func instant(_ key: String) throws(PayloadError) -> Instant { try required(key, optionalInstant(key)) }

    func date(_ key: String) throws(PayloadError) -> SessionDate {
        do { return try SessionDate(text: try string(key)) } catch { throw fault(key) }
    }

    func clockTime(_ key: String) throws(PayloadError) -> ClockTime {
        do { return try ClockTime(text: try string(key)) } catch { throw fault(key) }
    }

    func word<Word: RawRepresentable>(_ key: String) throws(PayloadError) -> Word where Word.RawValue == String {
        try required(key, Word(rawValue: try string(key)))
    }

    func eventID(_ key: String) throws(PayloadError) -> EventID { EventID(try string(key)) }

    func optionalEventID(_ key: String) throws(PayloadError) -> EventID? {
        guard let text = try optionalString(key) else { return nil }
        return EventID(text)
    }

    func eventIDs(_ key: String) throws(PayloadError) -> [EventID] {
        guard case .array(let values)? = value(key) else { throw fault(key) }
        var ids: [EventID] = []
        for value in values { ids.append(EventID(try required(key, value.stringValue))) }
        return ids
    }

    func nested(_ key: String) throws(PayloadError) -> PayloadReader {
        guard let value = value(key) else { throw fault(key) }
        return try PayloadReader(type: type, json: value)
    }

    func optionalRequest() throws(PayloadError) -> Request? {
        guard value("request") != nil else { return nil }
        let reader = try nested("request")
        var confirmations: [Confirmation] = []
        if let given = reader.value("confirm") {
            for value in try required("confirm", given.arrayValue) {
                let word = value.stringValue.flatMap(Confirmation.init(rawValue:))
                confirmations.append(try required("confirm", word))
            }
        }
        return Request(at: try reader.optionalInstant("at"), confirmations: confirmations)
    }

    func request() throws(PayloadError) -> Request { try required("request", optionalRequest()) }
}
