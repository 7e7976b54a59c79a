/// Reads the amount of a dose: `2.25g`, `2250mg` or `2250` (milligrams).
enum Amount {
    /// Whole milligrams.
    ///
    /// - Throws: ``Failure``; millilitres are refused, for without a concentration nobody knows what they hold.
    static func milligrams(_ text: String) throws(Failure) -> UInt32 {
        let letters = text.lowercased().filter { !$0.isWhitespace }
        let number = letters.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
        let unit = String(letters.dropFirst(number.count))
        switch unit {
        case "", "mg": return try whole(number, thousandfold: false, text)
        case "g": return try whole(number, thousandfold: true, text)
        case "ml", "l":
            throw .usage(
                "An amount in mL cannot be recorded: the concentration is not known.", hint: "--amount 2250mg")
        default: throw wrong(text)
        }
    }

    /// The number in milligrams, exactly: a fraction of a milligram is a slip.
    private static func whole(_ number: Substring, thousandfold: Bool, _ text: String) throws(Failure) -> UInt32 {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && !$0.contains(",") }) else {
            throw wrong(text)
        }
        var digits = String(parts[0])
        var fraction = parts.count == 2 ? String(parts[1]) : ""
        while fraction.hasSuffix("0") { fraction.removeLast() }
        let places = thousandfold ? 3 : 0
        guard fraction.count <= places else {
            throw .usage("'\(text.prefix(40))' is no whole number of milligrams.", hint: "--amount 2250mg")
        }
        digits += fraction + String(repeating: "0", count: places - fraction.count)
        guard let value = UInt32(digits), value > 0 else { throw wrong(text) }
        return value
    }

    private static func wrong(_ text: String) -> Failure {
        .usage(
            "'\(text.prefix(40))' is no amount: write for example 2.25g, 2250mg or 2250 (mg).",
            hint: "--amount 2250mg")
    }
}
