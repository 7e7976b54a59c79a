public import DoseTapDomain

/// One timer; arming replaces what was armed.
public protocol DeadlineTimer: Sendable {
    /// Fires once at the instant, never before; at once when it has passed.
    ///
    /// - Throws: when it cannot be armed: then nothing will fire.
    func arm(at instant: Instant) async throws
    /// Fires once for what comes next, never before it; it may fire before that, so that what remains is read anew.
    ///
    /// - Parameter clock: the clocks at which the wait begins.
    /// - Throws: when it cannot be armed: then nothing will fire.
    func arm(_ next: NextDue, _ clock: ClockReading) async throws
    /// Fires no more.
    func disarm() async
}

extension DeadlineTimer {
    /// By the wall clock alone.
    public func arm(_ next: NextDue, _ clock: ClockReading) async throws {
        if let at = next.at(clock.wall) { try await arm(at: at) } else { await disarm() }
    }
}
