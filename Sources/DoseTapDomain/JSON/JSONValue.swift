/// A JSON value, RFC 8259.
///
/// Numbers written without fraction and exponent that fit are exact integers, all others doubles.
/// Two values are equal when they are written alike: `1` and `1.0` differ, as do objects in another order.
public enum JSONValue: Hashable, Sendable {
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
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object(JSONObject)
}
