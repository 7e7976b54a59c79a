extension Zone {
    /// The first moment strictly after `instant` at which the local clock reaches or jumps past `time`.
    ///
    /// A time that a jump leaves out counts at the jump, a repeated one at its first pass; days that never existed are
    /// stepped over. ``Instant/max`` where the calendar ends first.
    public func next(_ time: ClockTime, strictlyAfter instant: Instant) -> Instant {
        let today = date(at: instant)
        // More than tomorrow, because clocks put back may repeat the time of today, and days may be missing.
        for days in 0...7 {
            if let moment = first(time, of: today.adding(days: days)), moment > instant { return moment }
        }
        return .max
    }
}
