extension JSONValue {
    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// The truth value, nil if this is something else.
    public var boolValue: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }

    /// The exact integer, nil if this is something else.
    public var integerValue: Int64? {
        if case .integer(let value) = self { value } else { nil }
    }

    /// The number, an integer included, nil if this is something else.
    public var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .null, .bool, .string, .instant, .array, .object: nil
        }
    }

    /// The text, nil if this is something else.
    public var stringValue: String? {
        switch self {
        case .string(let value): value
        case .instant(let value): value.iso8601
        case .null, .bool, .integer, .number, .array, .object: nil
        }
    }

    /// The instant, also one written as text; nil if this is something else.
    public var instantValue: Instant? {
        switch self {
        case .instant(let value): value
        case .string(let text): try? Instant(iso8601: text)
        case .null, .bool, .integer, .number, .array, .object: nil
        }
    }

    /// The values, nil if this is no array.
    public var arrayValue: [JSONValue]? {
        if case .array(let value) = self { value } else { nil }
    }

    /// The named values, nil if this is no object.
    public var objectValue: JSONObject? {
        if case .object(let value) = self { value } else { nil }
    }

    /// The value of `key`, nil if this is no object or has no such key.
    public subscript(key: String) -> JSONValue? { objectValue?[key] }
}

extension JSONValue {
    /// A number, or null.
    static func orNull(_ number: Int64?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

    /// An instant, or null.
    static func orNull(_ instant: Instant?) -> JSONValue { instant.map(JSONValue.instant) ?? .null }
}
