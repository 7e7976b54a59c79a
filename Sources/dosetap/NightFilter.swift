internal import DoseTapDomain

/// Kinds of nights to look for.
enum NightFilter: String, Sendable, CaseIterable {
    case onTime = "on-time"
    case early
    case late
    case skipped
    /// Dose 1 was taken, dose 2 neither taken nor skipped, and the night is over.
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
        case .onTime: night.onTime == true
        case .early: night.onTime == false && (night.intervalMinutes ?? 0) < 150
        case .late: night.onTime == false && (night.intervalMinutes ?? 0) >= 240
        case .skipped: night.dose2Skipped
        case .missed: night.dose1 != nil && night.dose2 == nil && !night.dose2Skipped && night.end != nil
        case .sleptThrough: night.outcome == .sleptThrough
        case .extra: night.extraDoses > 0
        case .snoozed: night.snoozeCount > 0
        case .open: night.end == nil
        }
    }
}
