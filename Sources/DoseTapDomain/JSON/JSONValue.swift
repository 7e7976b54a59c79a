/// A JSON value, RFC 8259.
///
/// Numbers written without fraction and exponent that fit are exact integers, all others doubles.
/// Two values are equal if they are written alike: `1` and `1.0` differ, as do objects in another order.
public enum JSONValue: Sendable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent.
    case integer(Int64)
    /// Any other number. A number that is not finite is written as `null`, because JSON has no text for it.
    case number(Double)
    case string(String)
    /// A text, too: an instant as ``Instant/iso8601``. The parser never makes this case.
    case instant(Instant)
    /// Values in order.
    case array([JSONValue])
    /// Named values in order.
    case object(JSONObject)
}

extension JSONValue: Hashable {
    /// True if both are written alike.
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

extension JSONValue {
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
    static func orNull(_ number: Int64?) -> JSONValue { number.map(JSONValue.integer) ?? .null }

    static func orNull(_ instant: Instant?) -> JSONValue { instant.map(JSONValue.instant) ?? .null }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `null`.
    public init(nilLiteral: ()) { self = .null }

    public init(booleanLiteral value: Bool) { self = .bool(value) }

    public init(integerLiteral value: Int64) { self = .integer(value) }

    public init(floatLiteral value: Double) { self = .number(value) }

    public init(stringLiteral value: String) { self = .string(value) }

    /// Values in order.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

    /// Named values in the order given; of a key given twice the last value, at the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}

extension JSONValue {
    /// Reads one JSON value, strictly by RFC 8259, from UTF-8 without a byte order mark.
    ///
    /// - Throws: ``JSONError`` with the place of the first fault; also for keys named twice, half surrogate pairs,
    ///   numbers beyond a double, and a text beyond `limits`.
    public static func parse(
        _ bytes: some Collection<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else {
            throw JSONError(reason: .tooLarge(limit: limits.bytes), offset: limits.bytes, line: 1, column: 1)
        }
        var parser = JSONParser(Array(bytes), limits: limits)
        return try parser.document()
    }

    /// Reads one JSON value from a text, by the same rules as from bytes.
    ///
    /// - Throws: ``JSONError``.
    public static func parse(
        _ text: some StringProtocol, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try parse(text.utf8, limits: limits)
    }
}

extension JSONValue {
    /// The value as JSON text, keys in their order, doubles in the shortest form that reads back the same.
    ///
    /// Control characters and the line separators U+2028 and U+2029 are escaped, so that the text is one line and safe
    /// on a terminal; all else stands as itself.
    ///
    /// - Parameter pretty: Over several lines, indented by two blanks.
    public func serialized(pretty: Bool = false) -> String {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// ``serialized(pretty:)`` as UTF-8.
    public func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// ``serialized(pretty:)`` on one line.
    public var description: String { serialized() }
}

/// The fault of a text that is no JSON, and its place.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
        /// The text has more bytes than the limit.
        case tooLarge(limit: Int)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// The text ends inside a value.
        case unexpectedEnd
        /// A byte that cannot stand here.
        case unexpectedByte(UInt8)
        /// Something follows the value.
        case trailingContent
        /// A control character stands unescaped in a string.
        case controlCharacter
        /// A backslash begins no known escape.
        case badEscape
        /// Half of a surrogate pair stands alone.
        case loneSurrogate
        /// A string is not valid UTF-8.
        case invalidUTF8
        /// A number has a form that JSON does not know, such as a leading zero.
        case badNumber
        /// A number is larger than a double can be.
        case numberOutOfRange
        /// An object names this key twice.
        case duplicateKey(String)
    }

    /// The fault of the text.
    public let reason: Reason
    /// The place of the fault, in bytes from the start.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The character (Unicode scalar) in the line, from 1.
    public let column: Int

    /// One sentence about the fault and its place.
    public var description: String {
        "\(reason.description) at line \(line), column \(column) (byte \(offset))."
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// The fault in words, the beginning of a sentence.
    public var description: String {
        switch self {
        case .tooLarge(let limit): sent("The JSON text has more than \(limit) bytes")
        case .tooDeep(let limit): sent("The JSON text is nested deeper than \(limit) levels")
        case .unexpectedEnd: sent("The JSON text ends too early")
        case .unexpectedByte(let byte) where (0x21...0x7E).contains(byte):
            sent("The JSON text has an unexpected \"\(Unicode.Scalar(byte))\"")
        case .unexpectedByte(let byte): sent("The JSON text has an unexpected byte \(byte)")
        case .trailingContent: sent("Something follows the JSON value")
        case .controlCharacter: sent("A JSON string has an unescaped control character")
        case .badEscape: sent("A JSON string has an unknown escape")
        case .loneSurrogate: sent("A JSON string has half of a surrogate pair")
        case .invalidUTF8: sent("The JSON text is not valid UTF-8")
        case .badNumber: sent("The JSON text has a malformed number")
        case .numberOutOfRange: sent("The JSON text has a number that is too large")
        case .duplicateKey(let key):
            sent("A JSON object has the key \(JSONValue.string(String(key.prefix(64))).serialized()) twice")
        }
    }
}

/// The limits of JSON text; a text beyond a limit is refused.
public struct JSONLimits: Hashable, Sendable {
    /// Longest text, in bytes.
    public let bytes: Int
    /// Deepest nesting of arrays and objects.
    public let depth: Int

    /// One MiB and 64 levels by default. The depth is held to 512 levels, because the parser recurses on the stack.
    public init(bytes: Int = 1 << 20, depth: Int = 64) {
        self.bytes = bytes
        self.depth = Swift.min(depth, 512)
    }

    /// One MiB and 64 levels.
    public static var standard: JSONLimits { JSONLimits() }
}
