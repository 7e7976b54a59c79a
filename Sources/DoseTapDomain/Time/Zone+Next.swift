extension Zone {
    /// The first moment strictly after `instant` at which the local clock reaches or jumps past `time`.
    ///
    /// A time that a jump leaves out counts at the jump, a repeated one at its first pass; days that never existed are
    /// stepped over. ``Instant/max`` where the calendar ends first.
    public func next(_ time: ClockTime, strictlyAfter instant: Instant) -> Instant {
        let today = date(at: instant)
        // The day before, for clocks that were just put back over midnight; later ones for days without this moment.
        for days in -1...7 {
            if let moment = first(time, of: today.adding(days: days)), moment > instant { return moment }
        }
        return .max
    }
}
