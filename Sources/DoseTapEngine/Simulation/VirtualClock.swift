public import DoseTapDomain
internal import Synchronization

/// Clocks and zones that are moved by hand: the wall clock with or without the time since boot.
public final class VirtualClock: Surroundings {
    private struct State {
        var wall: Instant
        var boot: Int64
        var bootID: String
        var zone: Zone
        var zones: [String: Zone]
        /// By how much the wall clock was set since the beginning.
        var stepped: Duration = .zero
    }

    private let state: Mutex<State>

    /// Fixed, as on one machine.
    public let deviceID = "00000000-0000-7000-8000-00000000d0d0"

    /// - Parameters:
    ///   - wall: what the wall clock shows.
    ///   - zone: the zone in force.
    public init(_ wall: Instant, zone: Zone = .utc) {
        state = Mutex(
            State(
                wall: wall, boot: 3_600_000_000, bootID: "b0000000-0000-4000-8000-000000000001", zone: zone,
                zones: [zone.identifier: zone]))
    }

    /// What the wall clock shows.
    public var now: Instant { state.withLock(\.wall) }

    /// What a clock that nobody ever set would show.
    public var unset: Instant { state.withLock { $0.wall - $0.stepped } }

    /// By how much the wall clock was set since the beginning.
    public var stepped: Duration { state.withLock(\.stepped) }

    /// Both clocks.
    public func clock() -> ClockReading {
        state.withLock { ClockReading(wall: $0.wall, bootMicroseconds: $0.boot, bootID: $0.bootID) }
    }

    /// The zone in force.
    public func zone() -> Zone { state.withLock(\.zone) }

    /// A zone this machine knows: the one it began in, and those it was moved to.
    public func zone(named identifier: String) -> Zone? { state.withLock { $0.zones[identifier] } }

    /// Time passes on both clocks.
    public func advance(by duration: Duration) {
        state.withLock { state in
            state.wall += duration
            state.boot += duration.wholeMilliseconds * 1_000
        }
    }

    /// Time passes on both clocks until the wall clock shows an instant.
    public func advance(to instant: Instant) { advance(by: instant - now) }

    /// The wall clock is set; no time passes.
    public func step(by duration: Duration) {
        state.withLock { state in
            state.wall += duration
            state.stepped += duration
        }
    }

    /// The machine was started anew: time since boot counts from zero.
    public func reboot() {
        state.withLock { state in
            state.boot = 1_000_000
            let boots = (Int(state.bootID.suffix(12)) ?? 0) + 1
            let digits = String(boots)
            state.bootID = "b0000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        }
    }

    /// The machine is in another zone from now on.
    public func travel(to zone: Zone) {
        state.withLock { state in
            state.zone = zone
            state.zones[zone.identifier] = zone
        }
    }
}
