internal import DoseTapDomain

/// Kinds of nights to look for.
enum NightFilter: String, Sendable, CaseIterable {
    case onTime = "on-time"
    case early
    case late
    /// By the person, not by the clock.
    case skipped
    /// Dose 2 was expected and not had, and nobody decided that: slept through, or nothing says what became of it.
    case missed
    case sleptThrough = "slept-through"
    case extra
    case snoozed
    case open

    /// The kind a word means.
    ///
    /// - Throws: ``Failure`` with the nearest one.
    static func named(_ word: String) throws(Failure) -> NightFilter {
        let plain = String(word.lowercased().map { $0 == "_" || $0 == " " ? "-" : $0 })
        if let filter = NightFilter(rawValue: plain) { return filter }
        throw .unknown(
            "kind of night", word, known: allCases.map(\.rawValue), command: "dosetap history --only",
            help: "dosetap history --help")
    }

    /// Whether a night is of the kind.
    func holds(_ night: NightSummary) -> Bool {
        switch self {
        case .onTime: night.outcome == .onTime
        case .early: night.outcome == .early
        case .late: night.outcome == .late
        case .skipped: night.outcome == .skipped
        case .missed: night.outcome == .missed || night.outcome == .sleptThrough
        case .sleptThrough: night.outcome == .sleptThrough
        case .extra: night.extraDoses > 0
        case .snoozed: night.snoozeCount > 0
        case .open: night.end == nil
        }
    }
}
