public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// Clocks and zones that are moved by hand: the wall clock with or without the counter, and true time, which no machine
/// knows.
public final class VirtualClock: Surroundings {
    private struct State {
        /// True time: never set, slewed or paused.
        var unset: Instant
        /// What the wall clock shows ahead of true time.
        var ahead: Duration = .zero
        /// By how much the wall clock runs fast, in millionths.
        var slew: Int64 = 0
        var counter: Int64
        var bootID: String
        var isSynchronised = true
        /// When something was last done to the clocks that nobody is told of, by the counter.
        var changed: Int64?
        var zone: Zone
        var zones: [String: Zone]

        var wall: Instant { unset + ahead }
    }

    private let state: Mutex<State>

    /// Fixed, as on one machine.
    public let deviceID = "00000000-0000-7000-8000-00000000d0d0"

    /// - Parameters:
    ///   - wall: what the wall clock shows; it is right and synchronised.
    ///   - zone: the zone in force.
    public init(_ wall: Instant, zone: Zone = .utc) {
        state = Mutex(
            State(
                unset: wall, counter: 3_600_000_000, bootID: "b0000000-0000-4000-8000-000000000001", zone: zone,
                zones: [zone.identifier: zone]))
    }

    /// What the wall clock shows.
    public var now: Instant { state.withLock(\.wall) }

    /// True time: what a clock that nobody ever set, on a machine that nobody paused, would show.
    public var unset: Instant { state.withLock(\.unset) }

    /// By how much the wall clock is ahead of true time.
    public var stepped: Duration { state.withLock(\.ahead) }

    /// All clocks.
    public func clock() -> ClockReading {
        state.withLock {
            ClockReading(
                wall: $0.wall, counterMicroseconds: $0.counter, bootID: $0.bootID, isSynchronised: $0.isSynchronised)
        }
    }

    /// The zone in force.
    public func zone() -> Zone { state.withLock(\.zone) }

    /// A zone this machine knows: the one it began in, and those it was moved to.
    public func zone(named identifier: String) -> Zone? { state.withLock { $0.zones[identifier] } }

    /// Time passes: true time and the counter by as much, the wall clock also by what it is slewed.
    public func advance(by duration: Duration) {
        state.withLock { state in
            let milliseconds = duration.wholeMilliseconds
            state.unset += duration
            state.ahead += .microseconds(milliseconds * state.slew / 1_000)
            state.counter += milliseconds * 1_000
        }
    }

    /// Time passes until the wall clock shows an instant, or a little more where it is slewed.
    public func advance(to instant: Instant) { advance(by: unset(whenWallShows: instant) - unset) }

    /// True time when the wall clock will show an instant, or a little more where it is slewed.
    func unset(whenWallShows instant: Instant) -> Instant {
        let (wall, slew, unset) = state.withLock { ($0.wall, $0.slew, $0.unset) }
        guard slew != 0 else { return unset + (instant - wall) }
        let (missing, fast) = ((instant - wall).wholeMilliseconds, 1_000_000 + slew)
        return unset + .milliseconds((missing * 1_000_000 + fast - 1) / fast)
    }

    /// What the wall clock will show after a while, if nobody sets it.
    public func wall(after duration: Duration) -> Instant {
        state.withLock { $0.wall + duration + .microseconds(duration.wholeMilliseconds * $0.slew / 1_000) }
    }

    /// The wall clock is set; no time passes. Set by hand it is synchronised no more, as in the kernel; set by what
    /// synchronises it, it is.
    public func step(by duration: Duration, synchronised: Bool = false) {
        state.withLock { state in
            state.ahead += duration
            if duration != .zero || synchronised { state.isSynchronised = synchronised }
        }
    }

    /// Something has begun, or ceased, to keep the wall clock right; it is not set.
    public func setSynchronised(_ isSynchronised: Bool) {
        state.withLock { state in
            state.isSynchronised = isSynchronised
            state.changed = state.counter
        }
    }

    /// The counter at the last change of the clocks that the kernel announces to nobody.
    ///
    /// - Returns: nil where there was none since `counter`; `counter` itself while the wall clock is slewed.
    func unseen(since counter: Int64) -> Int64? {
        state.withLock { state in
            if let changed = state.changed, changed >= counter { return changed }
            return state.slew == 0 ? nil : counter
        }
    }

    /// The wall clock runs fast from now on, or slow; the counter does not.
    ///
    /// - Parameter slew: in millionths.
    public func slew(_ slew: Int64) {
        state.withLock { state in
            state.slew = slew
            state.changed = state.counter
        }
    }

    /// The machine is virtual and does not run for a while: true time passes, no clock of the machine notices.
    ///
    /// - Parameter isCorrected: its host sets the wall clock right afterwards.
    public func pause(for duration: Duration, isCorrected: Bool) {
        state.withLock { state in
            state.unset += duration
            if !isCorrected { state.ahead -= duration }
            state.changed = state.counter
        }
    }

    /// The machine was started anew: the counter begins anew, and nothing vouches for the wall clock.
    ///
    /// - Parameters:
    ///   - error: by how much the clock that runs while the machine is off was off, too.
    ///   - synchronised: the wall clock is synchronised already.
    public func reboot(clockOff error: Duration = .zero, synchronised: Bool = true) {
        state.withLock { state in
            state.counter = 1_000_000
            state.changed = nil
            state.ahead += error
            state.isSynchronised = synchronised
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
