internal import DoseTapDomain
internal import DoseTapEngine

/// What a night wants of the machine while dose 2 is open: from dose 1 until it is resolved or the window has closed.
struct AwakeNeed: Hashable, Sendable {
    /// What people read who ask why the machine does not sleep. No names, no amounts.
    let why: String
    /// When the machine has to be up again, if it sleeps all the same; whole seconds.
    let wake: Instant?

    /// How long before a reminder the machine is woken: it takes seconds to get up.
    static let lead: Duration = .seconds(10)

    /// Nil when nothing is open.
    init?(_ view: NightView) {
        guard view.isEnabled, let next = view.nextOfWindow, let closes = view.status.windowCloses else {
            return nil
        }
        let now = view.status.at
        if let alarm = view.status.alarm, alarm > now {
            why = "Dose 2 is due at \(view.moments.clock(alarm))"
        } else {
            why = "Dose 2 is due until \(view.moments.clock(closes))"
        }
        wake = [next.due - Self.lead, next.due].map { Instant(seconds: $0.seconds) }.first { $0 > now }
    }
}
