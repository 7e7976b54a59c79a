/// Reads JSON by recursive descent over bytes, no deeper than the limit.
struct JSONParser {
    let bytes: [UInt8]
    let limits: JSONLimits
    var position = 0

    init(_ bytes: [UInt8], limits: JSONLimits) {
        self.bytes = bytes
        self.limits = limits
    }

    mutating func document() throws(JSONError) -> JSONValue {
        skipBlanks()
        let value = try value(depth: 0)
        skipBlanks()
        guard position == bytes.count else { throw error(.trailingContent) }
        return value
    }

    /// The byte at the position, nil at the end.
    var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    mutating func skip(_ letter: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: letter) else { return false }
        position += 1
        return true
    }

    func error(_ reason: JSONError.Reason, at place: Int? = nil) -> JSONError {
        let offset = place ?? position
        let before = bytes[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        // Continuation bytes of UTF-8 belong to the character before.
        let column = before[lineStart...].reduce(1) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) }
        return JSONError(reason: reason, offset: offset, line: line, column: column)
    }

    /// What is wrong with the byte at the position.
    func unexpected() -> JSONError { error(next.map { .unexpectedByte($0) } ?? .unexpectedEnd) }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard let next else { throw unexpected() }
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): return .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw unexpected()
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        position += 1
        var object = JSONObject()
        skipBlanks()
        if skip("}") { return object }
        while true {
            guard next == UInt8(ascii: "\"") else { throw unexpected() }
            let start = position
            let key = try string()
            skipBlanks()
            guard skip(":") else { throw unexpected() }
            skipBlanks()
            let value = try value(depth: depth)
            guard object.appendIfNew(key, value) else { throw error(.duplicateKey(key), at: start) }
            skipBlanks()
            if skip("}") { return object }
            guard skip(",") else { throw unexpected() }
            skipBlanks()
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        guard depth <= limits.depth else { throw error(.tooDeep(limit: limits.depth)) }
        position += 1
        var values: [JSONValue] = []
        skipBlanks()
        if skip("]") { return values }
        while true {
            values.append(try value(depth: depth))
            skipBlanks()
            if skip("]") { return values }
            guard skip(",") else { throw unexpected() }
            skipBlanks()
        }
    }

    private mutating func literal(_ word: String, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.utf8 {
            guard next == byte else { throw unexpected() }
            position += 1
        }
        return value
    }
}
