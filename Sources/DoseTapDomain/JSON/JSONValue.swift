/// A JSON value, RFC 8259.
///
/// Numbers written without fraction and exponent that fit are exact integers, all others doubles.
/// Two values are equal when they are written alike: `1` and `1.0` differ, as do objects in another order.
public enum JSONValue: Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number without fraction and exponent.
    case integer(Int64)
    /// Any other number. What is not finite is written as `null`, JSON has no text for it.
    case number(Double)
    /// A text.
    case string(String)
    /// A text too: an instant as ``Instant/iso8601``. What is read is never this.
    case instant(Instant)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// Whether both are written alike.
    public static func == (lhs: JSONValue, rhs: JSONValue) -> Bool {
        switch (lhs, rhs) {
        case (.null, .null): true
        case (.bool(let lhs), .bool(let rhs)): lhs == rhs
        case (.integer(let lhs), .integer(let rhs)): lhs == rhs
        case (.number(let lhs), .number(let rhs)): lhs == rhs
        case (.array(let lhs), .array(let rhs)): lhs == rhs
        case (.object(let lhs), .object(let rhs)): lhs == rhs
        default: lhs.stringValue.map { $0 == rhs.stringValue } ?? false
        }
    }

    /// Feeds the value to `hasher`.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string, .instant: hasher.combine(stringValue)
        case .array(let values): hasher.combine(values)
        case .object(let object): hasher.combine(object)
        }
    }
}
