/// The unit of an amount; the raw value is the wire word.
public enum AmountUnit: String, Hashable, Sendable, CaseIterable {
    case milligram = "mg"
    case gram = "g"
    case microgram = "mcg"
    case milliliter = "mL"
    case tablet

    /// Creates the unit of a word: `tablets`, `ml` and `µg` are known too; an empty word is milligrams.
    init?(text: some StringProtocol) {
        switch text.lowercased() {
        case "", "mg": self = .milligram
        case "g": self = .gram
        case "mcg", "ug", "µg", "μg": self = .microgram
        case "ml": self = .milliliter
        case "tablet", "tablets", "tab", "tabs": self = .tablet
        default: return nil
        }
    }

    /// True if milligrams follow from the unit only with a known concentration.
    public var needsConcentration: Bool { self == .milliliter || self == .tablet }
}

/// The milligrams in one millilitre or one tablet.
public struct Concentration: Hashable, Sendable {
    /// ``AmountUnit/milliliter`` or ``AmountUnit/tablet``.
    public let unit: AmountUnit
    /// The thousandths of a milligram in one unit, from 1 to 100,000,000 (100 g).
    public let thousandths: Int64

    /// - Returns: nil for a unit that needs no concentration, or a number out of bounds.
    public init?(unit: AmountUnit, thousandths: Int64) {
        guard unit.needsConcentration, (1...100_000_000).contains(thousandths) else { return nil }
        self.unit = unit
        self.thousandths = thousandths
    }

    /// Reads `500mg/mL` or `3 mg/tablet`.
    public init?(text: some StringProtocol) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let unit = AmountUnit(text: parts[1].trimmingBlanks), !parts[1].trimmingBlanks.isEmpty,
            let amount = try? Amount(text: String(parts[0])), let milligrams = amount.thousandthsOfMilligram
        else { return nil }
        self.init(unit: unit, thousandths: milligrams)
    }

    /// `500 mg/mL`.
    public var text: String { "\(Amount.decimal(thousandths)) mg/\(unit.rawValue)" }
}

/// An amount as people write it: a number with up to three decimals, and a unit.
public struct Amount: Hashable, Sendable {
    /// Thousandths of the unit, above 0 and below 10^12.
    public let thousandths: Int64
    public let unit: AmountUnit

    /// The least number that is read without a unit, in thousandths.
    private static let leastBare: Int64 = 20_000
    /// The longest text that is read.
    static let characters = 40

    /// - Returns: nil for zero or too much.
    public init?(thousandths: Int64, unit: AmountUnit) {
        guard (1..<1_000_000_000_000).contains(thousandths) else { return nil }
        self.thousandths = thousandths
        self.unit = unit
    }

    /// Reads `2.25g`, `2250 mg`, `4.5mL`, `2 tablets` or `2250` (milligrams, from 20 on). A comma before one or two digits is a
    /// decimal point; before three it may be one of thousands, and is refused.
    ///
    /// - Throws: ``AmountError`` in words.
    public init(text: String) throws(AmountError) {
        let letters = text.filter { !$0.isWhitespace }
        let written = letters.prefix { ("0"..."9").contains($0) || $0 == "." || $0 == "," }
        let parts = written.split(separator: ",", omittingEmptySubsequences: false)
        let number =
            parts.count == 2 && (1...2).contains(parts[1].count) ? parts.joined(separator: ".") : String(written)
        guard text.unicodeScalars.count <= Self.characters, let thousandths = Self.thousandths(number),
            let unit = AmountUnit(text: letters.dropFirst(number.count)),
            let amount = Amount(thousandths: thousandths, unit: unit)
        else {
            throw AmountError(
                .malformed,
                sent("'\(text.prefix(Self.characters))' is no amount: write for example 2.25g, 2250mg or 4.5mL"))
        }
        // A small bare number means grams to a person who takes an oxybate, and milligrams to others.
        if number.count == letters.count, thousandths % 1_000 != 0 || thousandths < Self.leastBare {
            let small = thousandths % 1_000 == 0 ? Self.decimal(thousandths) : "\(thousandths)"
            throw AmountError(
                .fraction,
                sent(
                    "\(number) what? Give a unit: \(Self.decimal(thousandths))mL, \(Self.decimal(thousandths))g or \(small)mg"
                )
            )
        }
        self = amount
    }

    /// Thousandths of a milligram; nil if a concentration is needed, or if the fraction is too small.
    var thousandthsOfMilligram: Int64? {
        switch unit {
        case .milligram: thousandths
        case .gram: thousandths * 1_000
        case .microgram: thousandths % 1_000 == 0 ? thousandths / 1_000 : nil
        case .milliliter, .tablet: nil
        }
    }

    /// Returns whole milligrams. A weight has to come out even, because a fraction of a milligram is a slip. An amount in
    /// millilitres or tablets is rounded.
    ///
    /// - Throws: ``AmountError``, also for millilitres or tablets without a concentration.
    public func milligrams(_ concentration: Concentration?) throws(AmountError) -> Int {
        guard unit.needsConcentration else {
            guard let fine = thousandthsOfMilligram, fine % 1_000 == 0 else {
                throw AmountError(.fraction, sent("\(text) is no whole number of milligrams"))
            }
            return Int(fine / 1_000)
        }
        guard let concentration, concentration.unit == unit else {
            let each = unit == .tablet ? "tablet" : "mL"
            throw AmountError(
                .noConcentration,
                sent(
                    "\(text) cannot be recorded: no concentration says how many milligrams one \(each) holds; give the amount in mg or g"
                ))
        }
        let (product, overflow) = thousandths.multipliedReportingOverflow(by: concentration.thousandths)
        guard !overflow else { throw AmountError(.malformed, sent("\(text) is too much")) }
        return Int((product + 500_000) / 1_000_000)
    }

    /// `2.25 g`.
    public var text: String { "\(Self.decimal(thousandths)) \(unit.rawValue)" }

    /// Returns thousandths as a decimal number without idle zeros.
    static func decimal(_ thousandths: Int64) -> String {
        var text = "\(thousandths / 1_000)"
        var rest = thousandths % 1_000
        guard rest != 0 else { return text }
        text += "."
        var place: Int64 = 100
        while rest != 0 {
            text += "\(rest / place)"
            rest %= place
            place /= 10
        }
        return text
    }

    /// Returns the thousandths of a plain decimal number; nil for any other text, and for more than three decimals.
    static func thousandths(_ number: some StringProtocol) -> Int64? {
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }),
            parts[0].utf8.count <= 9
        else { return nil }
        var fraction = parts.count == 2 ? String(parts[1]) : ""
        while fraction.hasSuffix("0") { fraction.removeLast() }
        guard fraction.utf8.count <= 3, let whole = Int64(parts[0]) else { return nil }
        fraction += String(repeating: "0", count: 3 - fraction.utf8.count)
        return Int64(fraction).map { whole * 1_000 + $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

/// The reason why a text gives no amount.
public struct AmountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of faults.
    public enum Kind: Hashable, Sendable {
        case malformed
        case fraction
        case noConcentration
    }

    public let kind: Kind
    /// The fault in words, without a full stop.
    public let description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }
}
