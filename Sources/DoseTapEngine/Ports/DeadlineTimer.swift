public import DoseTapDomain

/// One absolute timer on the wall clock; arming replaces what was armed.
public protocol DeadlineTimer: Sendable {
    /// Fires once at the instant, never before; at once when it has passed.
    func arm(at instant: Instant) async
    /// Fires no more.
    func disarm() async
}
