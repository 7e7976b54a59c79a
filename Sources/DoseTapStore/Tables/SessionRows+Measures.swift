import DoseTapDomain

extension SessionRows {
    /// What is measured of a night.
    static func nightMeasures(_ session: Session) -> TableRow {
        let sleep = session.sleepDiary
        return TableRow(
            .nightMeasures,
            [
                session.id.text, session.date.text, NightOutcome(session).rawValue,
                session.interval?.wholeMilliseconds, session.nightScore, sleep.timeInBedMinutes,
                sleep.sleepOnsetLatencyMinutes, sleep.wakeAfterSleepOnsetMinutes, sleep.awakenings,
                sleep.totalSleepMinutes, sleep.sleepEfficiencyPercent,
            ])
    }
}
