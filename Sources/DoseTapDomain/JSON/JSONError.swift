/// Why and where a text is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
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

    /// What is wrong.
    public let reason: Reason
    /// Where, in bytes from the start.
    public let offset: Int
    /// The line, from 1.
    public let line: Int
    /// The character (Unicode scalar) in the line, from 1.
    public let column: Int

    /// One sentence that says what is wrong and where.
    public var description: String {
        "\(reason.description) at line \(line), column \(column) (byte \(offset))."
    }
}

extension JSONError.Reason: CustomStringConvertible {
    /// What is wrong, the beginning of a sentence.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "The JSON text has more than \(limit) bytes"
        case .tooDeep(let limit): "The JSON text is nested deeper than \(limit) levels"
        case .unexpectedEnd: "The JSON text ends too early"
        case .unexpectedByte(let byte) where (0x21...0x7E).contains(byte):
            "The JSON text has an unexpected \"\(Unicode.Scalar(byte))\""
        case .unexpectedByte(let byte): "The JSON text has an unexpected byte \(byte)"
        case .trailingContent: "Something follows the JSON value"
        case .controlCharacter: "A JSON string has an unescaped control character"
        case .badEscape: "A JSON string has an unknown escape"
        case .loneSurrogate: "A JSON string has half of a surrogate pair"
        case .invalidUTF8: "The JSON text is not valid UTF-8"
        case .badNumber: "The JSON text has a malformed number"
        case .numberOutOfRange: "The JSON text has a number that is too large"
        case .duplicateKey(let key):
            "A JSON object has the key \(JSONValue.string(String(key.prefix(64))).serialized()) twice"
        }
    }
}
