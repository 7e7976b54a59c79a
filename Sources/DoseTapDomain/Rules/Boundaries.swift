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
