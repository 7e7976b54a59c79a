/// Writes JSON values into one buffer.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private let pretty: Bool
    private var depth = 0

    init(pretty: Bool) {
        self.pretty = pretty
        bytes.reserveCapacity(256)
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let value): append(value ? "true" : "false")
        case .integer(let value): append(String(value))
        case .number(let value): append(value.isFinite ? value.description : "null")
        case .string(let value): write(value)
        case .instant(let value): write(value.iso8601)
        case .array(let values): write(values)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ values: [JSONValue]) {
        guard !values.isEmpty else { return append("[]") }
        append("[")
        depth += 1
        for (index, value) in values.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            write(value)
        }
        depth -= 1
        breakLine()
        append("]")
    }

    private mutating func write(_ object: JSONObject) {
        guard !object.isEmpty else { return append("{}") }
        append("{")
        depth += 1
        for (index, entry) in object.entries.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            write(entry.key)
            append(pretty ? ": " : ":")
            write(entry.value)
        }
        depth -= 1
        breakLine()
        append("}")
    }

    private mutating func write(_ text: String) {
        append("\"")
        defer { append("\"") }
        if text.utf8.allSatisfy(Self.isPlain) { return append(text) }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": append("\\\"")
            case "\\": append("\\\\")
            case "\n": append("\\n")
            case "\r": append("\\r")
            case "\t": append("\\t")
            case "\u{8}": append("\\b")
            case "\u{C}": append("\\f")
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}": escape(scalar)
            case "\u{20}"..."\u{7E}": bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// What most texts are made of, and stands as itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        append("\\u")
        for shift in [12, 8, 4, 0] as [UInt32] {
            let digit = UInt8(truncatingIfNeeded: scalar.value >> shift & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    private mutating func breakLine() {
        guard pretty else { return }
        append("\n")
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
