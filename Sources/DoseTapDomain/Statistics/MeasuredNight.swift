/// A night in a line with what the sleep logState measures of it.
public struct MeasuredNight: Hashable, Sendable {
    /// The night.
    public var night: NightSummary
    /// The measures.
    public var sleep: SleepDiary

    /// Memberwise.
    public init(night: NightSummary, sleep: SleepDiary) {
        self.night = night
        self.sleep = sleep
    }

    /// Sums up a session.
    public init(_ session: Session) { self.init(night: NightSummary(session), sleep: session.sleepDiary) }
}

/// One page of measured nights, newest first.
public struct MeasuredPage: Hashable, Sendable {
    /// The nights.
    public var nights: [MeasuredNight]
    /// The cursor of the next page; empty after the last.
    public var next: String

    /// Memberwise.
    public init(nights: [MeasuredNight], next: String) {
        self.nights = nights
        self.next = next
    }
}
