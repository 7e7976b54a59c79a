/// A D-Bus value with its type: what a `v` holds.
///
/// `["at": .uint64(now), "note": .string("x")]` is an `a{sv}`. Values read from a message are complete, to the depth
/// that the reader's limits allow.
public enum Variant: Sendable, Hashable {
    /// `b`
    case bool(Bool)
    /// `y`
    case byte(UInt8)
    /// `n`
    case int16(Int16)
    /// `q`
    case uint16(UInt16)
    /// `i`
    case int32(Int32)
    /// `u`
    case uint32(UInt32)
    /// `x`
    case int64(Int64)
    /// `t`
    case uint64(UInt64)
    /// `d`
    case double(Double)
    /// `s`
    case string(String)
    /// `o`
    case objectPath(ObjectPath)
    /// `g`
    case signature(Signature)
    /// `h`
    case unixFD(UnixFD)
    /// `a…` with the signature of its elements.
    indirect case array(element: String, [Variant])
    /// `a{…}` with the signatures of keys and values.
    indirect case dictionary(key: String, value: String, [Variant: Variant])
    /// `(…)`
    case structure([Variant])
    /// `v`
    indirect case variant(Variant)

    /// Any typed value.
    public init(_ value: some DBusValue) {
        self = value.variant
    }

    /// Signature of the value inside.
    public var contentSignature: String {
        switch self {
        case .bool: Bool.signature
        case .byte: UInt8.signature
        case .int16: Int16.signature
        case .uint16: UInt16.signature
        case .int32: Int32.signature
        case .uint32: UInt32.signature
        case .int64: Int64.signature
        case .uint64: UInt64.signature
        case .double: Double.signature
        case .string: String.signature
        case .objectPath: ObjectPath.signature
        case .signature: Signature.signature
        case .unixFD: UnixFD.signature
        case .array(let element, _): "a" + element
        case .dictionary(let key, let value, _): "a{\(key)\(value)}"
        case .structure(let fields): "(" + fields.map(\.contentSignature).joined() + ")"
        case .variant: "v"
        }
    }
}

extension Variant: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A string.
    public init(stringLiteral value: String) {
        self = .string(value)
    }

    /// A boolean.
    public init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}
