internal import DoseTapDomain

/// Kinds of nights as they are written on the command line.
extension NightKind {
    /// With a hyphen: `on-time`.
    var spelling: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }

    /// The kind a word means.
    ///
    /// - Throws: ``Failure`` with the nearest one.
    static func named(_ word: String) throws(Failure) -> NightKind {
        let plain = String(word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
        if let kind = NightKind(rawValue: plain) { return kind }
        throw .unknown(
            "kind of night", word, known: allCases.map(\.spelling), command: "dosetap history --only",
            help: "dosetap history --help")
    }
}
