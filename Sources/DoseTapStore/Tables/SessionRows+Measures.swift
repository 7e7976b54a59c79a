import DoseTapDomain

extension SessionRows {
    /// What is measured of a night.
    static func nightMeasures(_ session: Session) -> TableRow {
        let sleep = session.sleepDiary
        return TableRow(
            .nightMeasures,
            [
                session.id.text, session.date.text, NightOutcome(session).stored(of: session),
                session.interval?.wholeMilliseconds, session.nightScore, sleep.timeInBedMinutes,
                sleep.sleepOnsetLatencyMinutes, sleep.wakeAfterSleepOnsetMinutes, sleep.awakenings,
                sleep.totalSleepMinutes, sleep.sleepEfficiencyPercent, session.checkIn?.wellness,
            ])
    }
}

/// The tables keep apart what an automatic skip ended and what nothing says anything about; nobody else does.
extension NightOutcome {
    private static let unrecorded = ["slept_through", "missed"]

    /// The words of the table for an outcome.
    var stored: [String] { self == .notRecorded ? Self.unrecorded : [rawValue] }

    /// What an outcome of the table means.
    init?(stored word: String) {
        if Self.unrecorded.contains(word) { self = .notRecorded } else { self.init(rawValue: word) }
    }

    fileprivate func stored(of session: Session) -> String {
        guard self == .notRecorded else { return rawValue }
        return session.skips.contains(where: \.isAutomatic) ? Self.unrecorded[0] : Self.unrecorded[1]
    }
}
