extension JSONParser {
    /// A string; the position is at its opening quote.
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
        // Runs between escapes are checked one by one: the place of a fault is that of the source.
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

    /// An escape; the position is at its backslash.
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

    /// Four digits of the escape that began at `start`.
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
