internal import CSystemd

/// Refuses the calls of senders who ask for more than the loop has time for, before anything of Swift sees them: the one
/// way not to fall behind a flood. Nobody is refused while the loop keeps up.
///
/// Unchecked: used on the loop's thread only.
final class FloodGuard: @unchecked Sendable {
    private let raw: OpaquePointer
    private var slot: OpaquePointer?

    /// How long the loop must have had no idle moment, microseconds.
    private static let streak: UInt64 = 20_000
    /// How long a sender must be quiet to be let in again, microseconds.
    private static let pause: UInt64 = 1_000_000

    init(_ bus: OpaquePointer, _ policy: CallPolicy) throws(BusError) {
        let raw = csd_flood_guard_new(
            bus, Self.streak, UInt32(clamping: policy.callsPerSender), Self.pause, policy.overload.name,
            policy.overload.message)
        guard let raw else { throw BusError(errno: ENOMEM, doing: "guard against floods") }
        self.raw = raw
        let result = sd_bus_add_filter(bus, &slot, csd_flood_guard_filter, UnsafeMutableRawPointer(raw))
        guard result >= 0 else {
            csd_flood_guard_free(raw)
            throw BusError(errno: -result, doing: "guard against floods")
        }
    }

    /// The loop has nothing to do.
    func wasIdle() { csd_flood_guard_idle(raw) }

    /// How many calls were refused.
    var refused: UInt64 { csd_flood_guard_refused(raw) }

    /// Looks at what lies behind a refused call, as long as that is refused too.
    func drain() { csd_flood_guard_drain(raw) }

    deinit {
        sd_bus_slot_unref(slot)
        csd_flood_guard_free(raw)
    }
}
