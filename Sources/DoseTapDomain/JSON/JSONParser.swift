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

    /// Returns the error for the byte at the position.
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

extension JSONParser {
    /// Reads a number; the position is at its sign or first digit.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = skip("-")
        let firstDigit = position
        // The value is counted down, because the smallest integer has no positive counterpart.
        var value: Int64 = 0
        var fits = true
        while let digit = digit() {
            let (tens, tooMany) = value.multipliedReportingOverflow(by: 10)
            let (sum, tooLow) = tens.subtractingReportingOverflow(Int64(digit))
            fits = fits && !tooMany && !tooLow
            value = sum
        }
        guard position > firstDigit else { throw next == nil ? unexpected() : error(.badNumber) }
        guard bytes[firstDigit] != UInt8(ascii: "0") || position == firstDigit + 1 else {
            throw error(.badNumber, at: firstDigit)
        }
        if next != UInt8(ascii: "."), next.map({ $0 | 0x20 }) != UInt8(ascii: "e"), fits {
            if isNegative { return value == 0 ? .number(-0.0) : .integer(value) }
            if value > .min { return .integer(-value) }
        }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("+") { _ = skip("-") }
            try digits()
        }
        return .number(try double(bytes[start..<position], at: start))
    }

    private func double(_ text: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> Double {
        // The form was checked above, so the standard library's reader sees only JSON numbers.
        guard let value = Double(String(decoding: text, as: UTF8.self)) else { throw error(.badNumber, at: start) }
        guard value.isFinite else { throw error(.numberOutOfRange, at: start) }
        return value
    }

    private mutating func digits() throws(JSONError) {
        let start = position
        while digit() != nil {}
        guard position > start else { throw next == nil ? unexpected() : error(.badNumber) }
    }

    private mutating func digit() -> UInt8? {
        guard let byte = next, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        position += 1
        return byte - UInt8(ascii: "0")
    }
}

extension JSONParser {
    /// Reads a string; the position is at its opening quote.
    mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 { position += 1 }
        if next == UInt8(ascii: "\"") {
            let text = try text(bytes[start..<position], at: start)
            position += 1
            return text
        }
        return try stringWithEscapes(from: start)
    }

    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var buffer: [UInt8] = []
        // Runs between escapes are checked one by one, so that the place of a fault is that of the source.
        var runStart = start
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                try validate(bytes[runStart..<position])
                buffer.append(contentsOf: bytes[runStart..<position])
                position += 1
                return String(decoding: buffer, as: UTF8.self)
            case UInt8(ascii: "\\"):
                try validate(bytes[runStart..<position])
                buffer.append(contentsOf: bytes[runStart..<position])
                buffer.append(contentsOf: UTF8.encode(try escape()) ?? UTF8.encodedReplacementCharacter)
                runStart = position
            case 0..<0x20: throw error(.controlCharacter)
            default: position += 1
            }
        }
        throw unexpected()
    }

    private func text(_ slice: ArraySlice<UInt8>, at start: Int) throws(JSONError) -> String {
        guard let text = String(validating: slice, as: UTF8.self) else {
            try validate(slice)
            throw error(.invalidUTF8, at: start)
        }
        return text
    }

    /// Throws at the first byte that is not UTF-8.
    private func validate(_ slice: ArraySlice<UInt8>) throws(JSONError) {
        guard !slice.allSatisfy({ $0 < 0x80 }) else { return }
        var decoder = UTF8()
        var iterator = slice.makeIterator()
        var offset = slice.startIndex
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): offset += UTF8.width(scalar)
            case .emptyInput: return
            case .error: throw error(.invalidUTF8, at: offset)
            }
        }
    }

    /// Reads an escape; the position is at its backslash.
    private mutating func escape() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        guard let letter = next else { throw unexpected() }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try unicodeEscape(from: start)
        default: throw error(.badEscape, at: start)
        }
    }

    private mutating func unicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
        let first = try hexadecimal(from: start)
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, skip("\\"), skip("u") else { throw error(.loneSurrogate, at: start) }
        let second = try hexadecimal(from: start)
        guard (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw error(.loneSurrogate, at: start) }
        return scalar
    }

    /// Reads four digits of the escape that began at `start`.
    private mutating func hexadecimal(from start: Int) throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw unexpected() }
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw error(.badEscape, at: start)
            }
            value = value << 4 | UInt32(digit)
            position += 1
        }
        return value
    }
}
