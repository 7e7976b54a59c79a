public import DoseTapDomain

/// One absolute timer on the wall clock; arming replaces what was armed.
public protocol DeadlineTimer: Sendable {
    /// Fires once at the instant, never before; at once when it has passed.
    ///
    /// - Throws: when it cannot be armed: then nothing will fire.
    func arm(at instant: Instant) async throws
    /// Fires no more.
    func disarm() async
}
