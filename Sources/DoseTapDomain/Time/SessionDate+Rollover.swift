extension SessionDate {
    /// The key of `instant`: the local date whose rollover hour the clock of `zone` last reached or jumped past.
    ///
    /// On every ordinary day the previous date before the rollover hour and the same date from it on. Where a civil day
    /// never existed (Pacific/Apia, 2011-12-30) the last one that did.
    ///
    /// - Parameter rolloverHour: Hour of the local clock, held within 0 to 23; 18 if nobody chose another.
    public static func key(of instant: Instant, in zone: Zone, rolloverHour: Int) -> SessionDate {
        let hour = Int64(ClockTime(hour: rolloverHour).hour)
        var second = instant.seconds
        var segment = zone.table.segment(at: second)
        // Backwards through the stretches without a jump; two of them hold a day in any real zone.
        for _ in 0..<32 {
            let shown = second + segment.offset
            let day = (shown - hour * 3600).flooredQuotient(86_400)
            guard segment.start > Int64.min, day * 86_400 + hour * 3600 - segment.offset < segment.start else {
                return SessionDate(CivilDate(daysSinceEpoch: Int(day)))
            }
            // The hour was not reached since the jump, so what the jump passed decides, then what came before.
            let before = zone.table.segment(at: segment.start - 1)
            let landed = segment.start + segment.offset
            let left = segment.start + before.offset
            let passed = [landed.flooredQuotient(86_400), (left - 1).flooredQuotient(86_400)]
                .first { (left...Swift.max(left, landed)).contains($0 * 86_400 + hour * 3600) && left < landed }
            if let passed { return SessionDate(CivilDate(daysSinceEpoch: Int(passed))) }
            second = segment.start - 1
            segment = before
        }
        return SessionDate(CivilDate(daysSinceEpoch: Int((second + segment.offset).flooredQuotient(86_400))))
    }
}
