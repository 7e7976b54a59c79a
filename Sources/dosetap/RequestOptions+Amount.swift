internal import DoseTapContract
internal import DoseTapDomain

extension RequestOptions {
    /// Puts in an amount as people write it. What is wrong with it alone is told here; what a millilitre or a tablet
    /// holds the service knows.
    ///
    /// - Throws: ``Failure``: no amount, or no whole number of milligrams.
    mutating func take(amount text: String?, hint: String? = nil) throws(Failure) {
        guard let text else { return }
        do throws(AmountError) {
            let amount = try Amount(text: text)
            if !amount.unit.needsConcentration { _ = try amount.milligrams(nil) }
            self.amount = amount.text
        } catch { throw .usage("\(error).", hint: hint) }
    }
}
