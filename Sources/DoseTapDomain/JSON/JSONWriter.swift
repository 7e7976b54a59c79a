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
        bytes.append(UInt8(ascii: "["))
        depth += 1
        for (index, value) in values.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            write(value)
        }
        depth -= 1
        breakLine()
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject) {
        guard !object.isEmpty else { return append("{}") }
        bytes.append(UInt8(ascii: "{"))
        depth += 1
        for (index, entry) in object.entries.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            breakLine()
            write(entry.key)
            bytes.append(UInt8(ascii: ":"))
            if pretty { bytes.append(UInt8(ascii: " ")) }
            write(entry.value)
        }
        depth -= 1
        breakLine()
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func write(_ text: String) { JSONText.append(text, to: &bytes) }

    private mutating func breakLine() {
        guard pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
