@testable import DoseTapDomain

extension FuzzTarget {
    /// Amounts and concentrations, separated by a line feed.
    static let amounts = FuzzTarget("amounts", longest: 96) { bytes in
        let parts = bytes.text.split(separator: "\n", maxSplits: 1).map(String.init)
        let concentration = parts.last.flatMap { Concentration(text: $0) }
        if let concentration { promise(Concentration(text: concentration.text) == concentration, "a concentration") }
        guard let first = parts.first, let amount = try? Amount(text: first) else { return }
        promise((try? Amount(text: amount.text)) == amount, "an amount does not read back: \(amount.text)")
        if let milligrams = try? amount.milligrams(concentration) { promise(milligrams >= 0, "less than nothing") }
    }
}
