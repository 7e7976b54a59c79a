/// The error of a JSON object that lacks a required value: a payload column, or an answer of the service.
public struct PayloadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the object: an event type, or the name of an answer.
    public let what: String
    /// The key that is missing or malformed; empty for the whole.
    public let key: String

    public var description: String {
        key.isEmpty ? "the \(what) is no object" : "the \(what) has no valid '\(key)'"
    }
}

/// Strict reader of one object: a value of the wrong kind is an error, never a default.
struct PayloadReader {
    private let what: String
    private let object: JSONObject

    init(_ what: String, json: JSONValue) throws(PayloadError) {
        guard case .object(let object) = json else { throw PayloadError(what: what, key: "") }
        self.init(what, object)
    }

    init(_ what: String, _ object: JSONObject) {
        self.what = what
        self.object = object
    }

    func fault(_ key: String) -> PayloadError { PayloadError(what: what, key: key) }

    func value(_ key: String) -> JSONValue? {
        switch object[key] {
        case .null?, nil: nil
        case let value?: value
        }
    }

    /// - Parameter place: the likely place of the key; afterwards the place behind the found one.
    func value(_ key: String, from place: inout Int) -> JSONValue? {
        switch object.value(of: key, from: &place) {
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

    /// Returns false if the key is missing.
    func flag(_ key: String) throws(PayloadError) -> Bool { value(key) == nil ? false : try bool(key) }

    func optionalInteger(_ key: String) throws(PayloadError) -> Int? {
        guard let value = value(key) else { return nil }
        return try required(key, value.integerValue.flatMap(Int.init(exactly:)))
    }

    func integer(_ key: String) throws(PayloadError) -> Int { try required(key, optionalInteger(key)) }

    func optionalNumber(_ key: String) throws(PayloadError) -> Double? {
        guard let value = value(key) else { return nil }
        return try required(key, value.doubleValue)
    }

    func number(_ key: String) throws(PayloadError) -> Double { try required(key, optionalNumber(key)) }

    func optionalInstant(_ key: String) throws(PayloadError) -> Instant? {
        guard let value = value(key) else { return nil }
        return try required(key, value.instantValue)
    }

    func instant(_ key: String) throws(PayloadError) -> Instant { try required(key, optionalInstant(key)) }

    func date(_ key: String) throws(PayloadError) -> SessionDate {
        do { return try SessionDate(text: try string(key)) } catch { throw fault(key) }
    }

    func channel(_ key: String) throws(PayloadError) -> ReminderChannel {
        try required(key, ReminderChannel(try string(key)))
    }

    func channels(_ key: String) throws(PayloadError) -> [ReminderChannel] {
        var channels: [ReminderChannel] = []
        for text in try strings(key) { channels.append(try required(key, ReminderChannel(text))) }
        return channels
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
        var ids: [EventID] = []
        for value in try list(key) { ids.append(EventID(try required(key, value.stringValue))) }
        return ids
    }

    func strings(_ key: String) throws(PayloadError) -> [String] {
        var texts: [String] = []
        for value in try list(key) { texts.append(try required(key, value.stringValue)) }
        return texts
    }

    func object(_ key: String) throws(PayloadError) -> JSONObject { try required(key, value(key)?.objectValue) }

    func nested(_ key: String) throws(PayloadError) -> PayloadReader {
        guard let value = value(key) else { throw fault(key) }
        return try PayloadReader(what, json: value)
    }

    func optionalNested(_ key: String) throws(PayloadError) -> PayloadReader? {
        value(key) == nil ? nil : try nested(key)
    }

    func list(_ key: String) throws(PayloadError) -> [JSONValue] {
        guard case .array(let values)? = value(key) else { throw fault(key) }
        return values
    }

    func optionalWord<Word: RawRepresentable>(_ key: String) throws(PayloadError) -> Word?
    where Word.RawValue == String {
        value(key) == nil ? nil : try word(key)
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
        return Request(
            at: try reader.optionalInstant("at"), isAgo: try reader.flag("ago"),
            confirmations: confirmations)
    }

    func request() throws(PayloadError) -> Request { try required("request", optionalRequest()) }
}
