extension StringProtocol {
    /// Somebody else's words, fit for one line of the journal.
    var journalText: String { journalText(200) }

    /// As ``journalText``, of so many characters.
    func journalText(_ limit: Int) -> String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.prefix(limit).map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
