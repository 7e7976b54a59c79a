/// Returns true if an amount stands in a text by itself. The same digits are found by chance within a time, an id, a
/// hash or a number of bytes.
public func stands(_ amount: String, in text: String) -> Bool {
    text.ranges(of: amount).contains { range in
        let neighbours = [text[..<range.lowerBound].last, text[range.upperBound...].first].compactMap(\.self)
        return !neighbours.contains { $0.isNumber || $0.isHexDigit || $0 == "-" }
    }
}
