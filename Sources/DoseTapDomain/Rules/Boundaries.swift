/// What time alone does to a session (R2): the next boundary and the events it leaves.
public enum Boundaries {
    /// One thing that happens to an open session at an instant.
    public struct Boundary: Hashable, Sendable {
        /// When by the wall clock; for a slept-through night its place after dose 1.
        public let at: Instant
        /// When it is noticed.
        public let due: NextDue
        /// What happens.
        public let kind: Kind
    }

    /// What happens at a boundary.
    public enum Kind: Hashable, Sendable {
        case sleptThrough
        case closed(TerminalState)
    }

    /// The next boundary of a session; nil when nothing is left to happen to it.
    public static func next(of session: Session, zone: Zone, now: ClockReading) -> Boundary? {
        if session.hasUnresolvedWindow, let dose1 = session.dose1, let elapsed = session.elapsed(now: now) {
            let at = dose1.at + DoseWindow.sleptThrough
            return Boundary(
                at: at, due: NextDue(counted: DoseWindow.sleptThrough - elapsed.shorter), kind: .sleptThrough)
        }
        guard session.isOpen else { return nil }
        // A window that was unresolved then put the closing off until it was resolved.
        let resolved = (session.doses.map(\.wall) + session.skips.map(\.wall)).max() ?? .min
        if let checkIn = session.checkIn {
            return Boundary(
                at: max(checkIn.wall, resolved, session.start), due: NextDue(wall: .min),
                kind: .closed(.checkinCompleted))
        }
        let rule = closing(start: session.start, rules: session.rules, zone: zone)
        let at = max(rule.at, resolved)
        return Boundary(at: at, due: NextDue(wall: at), kind: .closed(rule.state))
    }

    /// The earlier of the two closing rules for a session begun at an instant.
    static func closing(start: Instant, rules: NightRules, zone: Zone) -> (at: Instant, state: TerminalState) {
        let missed = zone.next(rules.wake, strictlyAfter: start) + .hours(rules.checkInCutoffHours)
        let prep = zone.next(rules.prep, strictlyAfter: start)
        return missed <= prep ? (missed, .incompleteMissedCheckin) : (prep, .incompletePrepRollover)
    }
}

/// What comes next: after a wait that the counter counts, or at an instant of the wall clock, whichever is first.
public struct NextDue: Hashable, Sendable {
    /// How long to wait by the counter; nothing of it left is now.
    public var counted: Duration?
    /// When by the wall clock.
    public var wall: Instant?

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
