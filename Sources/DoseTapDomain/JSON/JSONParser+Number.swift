extension JSONParser {
    /// A number; the position is at its sign or first digit.
    mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        let isNegative = skip("-")
        let firstDigit = position
        // Counted down, because the smallest integer has no positive counterpart.
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
