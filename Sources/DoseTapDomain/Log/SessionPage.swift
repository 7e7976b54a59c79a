/// Which nights to list.
public struct SessionQuery: Hashable, Sendable {
    /// Only sessions that began at or after this; nil is from the first.
    public var from: Instant?
    /// Only sessions that began before this; nil is up to the newest.
    public var to: Instant?
    /// At most this many, 1–1,000; the newest come first.
    public var limit: Int
    /// Where the page before ended; empty for the first page.
    public var cursor: String
    /// Only sessions that have a sleep event of this type; nil is all.
    public var event: String?
    /// Only sessions of these dates.
    public var dates: NightSpan
    /// Only sessions of any of these kinds; none is all.
    public var kinds: Set<NightKind>

    /// Memberwise.
    public init(
        from: Instant? = nil, to: Instant? = nil, limit: Int = 30, cursor: String = "", event: String? = nil,
        dates: NightSpan = NightSpan(), kinds: Set<NightKind> = []
    ) {
        self.from = from
        self.to = to
        self.limit = limit
        self.cursor = cursor
        self.event = event
        self.dates = dates
        self.kinds = kinds
    }
}

/// One page of nights, newest first.
public struct SessionPage: Hashable, Sendable {
    /// The nights.
    public var nights: [NightSummary]
    /// The cursor of the next page; empty after the last.
    public var next: String

    /// Memberwise.
    public init(nights: [NightSummary], next: String) {
        self.nights = nights
        self.next = next
    }
}
