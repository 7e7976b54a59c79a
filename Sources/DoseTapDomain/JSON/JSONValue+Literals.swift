extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An exact integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }

    /// A double.
    public init(floatLiteral value: Double) { self = .number(value) }

    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Values in order.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Named values in the order given; of a key given twice the last value, at the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
