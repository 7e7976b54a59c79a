/// What comes next: after a wait that the counter counts, or at an instant of the wall clock, whichever is first.
public struct NextDue: Hashable, Sendable {
    /// How long to wait by the counter; nothing of it left is now.
    public var counted: Duration?
    /// When by the wall clock.
    public var wall: Instant?

    /// Memberwise.
    public init(counted: Duration? = nil, wall: Instant? = nil) {
        self.counted = counted
        self.wall = wall
    }

    /// Whether there is anything.
    public var isEmpty: Bool { counted == nil && wall == nil }

    /// When that is by the wall clock, unless somebody sets it; nil without anything.
    public func at(_ now: Instant) -> Instant? {
        // Rounded up to what an instant holds: nothing is due before it is.
        let waits = counted.map { now + ($0 > .zero ? $0 + .milliseconds(1) - .nanoseconds(1) : $0) }
        return [waits, wall].compactMap(\.self).min()
    }

    /// Whether it is due.
    public func isDue(_ now: Instant) -> Bool { at(now).map { $0 <= now } ?? false }

    /// Nearer than this even a wall clock slewed by a tenth is only a moment off.
    private static let near: Duration = .seconds(2)

    /// When the clocks have to be read for it: a wait that is far off at seven eighths, and then anew. A wall clock that is
    /// slewed, which nothing tells, brings nothing forward by more than that.
    public var reading: NextDue {
        NextDue(counted: counted.map { $0 > Self.near ? $0 * 7 / 8 : $0 }, wall: wall)
    }

    /// Of two the earlier of each.
    public func earlier(_ other: NextDue) -> NextDue {
        NextDue(
            counted: [counted, other.counted].compactMap(\.self).min(),
            wall: [wall, other.wall].compactMap(\.self).min())
    }
}
