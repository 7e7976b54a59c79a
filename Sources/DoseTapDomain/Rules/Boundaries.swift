/// The effects of time alone on a session (R2): the next boundary and its events.
public enum Boundaries {
    /// One change that time alone makes to a session.
    public struct Boundary: Hashable, Sendable {
        /// The time by the wall clock; for a slept-through night the place after dose 1.
        public let at: Instant
        /// The time at which it is noticed.
        public let due: NextDue
        public let kind: Kind
    }

    /// The change at a boundary.
    public enum Kind: Hashable, Sendable {
        case sleptThrough
        case closed(TerminalState)
    }

    /// Returns the next boundary of a session; nil if no further change is to come.
    public static func next(of session: Session, zone: Zone, now: ClockReading) -> Boundary? {
        if session.hasUnresolvedWindow, let dose1 = session.dose1, let elapsed = session.elapsed(now: now) {
            let at = dose1.at + DoseWindow.sleptThrough
            return Boundary(
                at: at, due: NextDue(counted: DoseWindow.sleptThrough - elapsed.shorter), kind: .sleptThrough)
        }
        guard session.isOpen else { return nil }
        // An unresolved window put the closing off until the window was resolved.
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

    /// Returns the earlier of the two closing rules for a session that began at an instant.
    static func closing(start: Instant, rules: NightRules, zone: Zone) -> (at: Instant, state: TerminalState) {
        let missed = zone.next(rules.wake, strictlyAfter: start) + .hours(rules.checkInCutoffHours)
        let prep = zone.next(rules.prep, strictlyAfter: start)
        return missed <= prep ? (missed, .incompleteMissedCheckin) : (prep, .incompletePrepRollover)
    }
}

/// The next due time: after a wait that the counter counts, or at an instant of the wall clock, whichever is first.
public struct NextDue: Hashable, Sendable {
    /// The wait by the counter; zero or less means now.
    public var counted: Duration?
    /// The instant by the wall clock.
    public var wall: Instant?

    public init(counted: Duration? = nil, wall: Instant? = nil) {
        self.counted = counted
        self.wall = wall
    }

    /// True if neither a wait nor an instant is set.
    public var isEmpty: Bool { counted == nil && wall == nil }

    /// Returns the due time by the wall clock, if nobody sets that clock; nil if nothing is due.
    public func at(_ now: Instant) -> Instant? {
        // The wait is rounded up to the resolution of an instant, so that nothing counts as due too early.
        let waits = counted.map { now + ($0 > .zero ? $0 + .milliseconds(1) - .nanoseconds(1) : $0) }
        return [waits, wall].compactMap(\.self).min()
    }

    public func isDue(_ now: Instant) -> Bool { at(now).map { $0 <= now } ?? false }

    /// The longest wait for which even a wall clock slewed by a tenth is only a moment off.
    private static let near: Duration = .seconds(2)

    /// The time of the next reading of the clocks: for a long wait after seven eighths of it, and then anew. A slew of the wall
    /// clock, which nothing reports, brings nothing forward by more than the last eighth.
    public var reading: NextDue {
        NextDue(counted: counted.map { $0 > Self.near ? $0 * 7 / 8 : $0 }, wall: wall)
    }

    /// Returns the earlier wait and the earlier instant.
    public func earlier(_ other: NextDue) -> NextDue {
        NextDue(
            counted: [counted, other.counted].compactMap(\.self).min(),
            wall: [wall, other.wall].compactMap(\.self).min())
    }
}
