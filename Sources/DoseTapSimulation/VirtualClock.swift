public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// Manual clocks and zones: the wall clock with or without the counter, and true time, which no machine knows.
public final class VirtualClock: SystemEnvironment {
    private struct State {
        /// True time: never set, slewed or paused.
        var unset: Instant
        /// Lead of the wall clock over true time.
        var ahead: Duration = .zero
        /// The gain of the wall clock in millionths; positive is fast.
        var slew: Int64 = 0
        var counter: Int64
        var bootID: String
        var isSynchronised = true
        /// Last change of the clocks without a notification, by the counter.
        var changed: Int64?
        var zone: Zone
        var zones: [String: Zone]

        var wall: Instant { unset + ahead }
    }

    private let state: Mutex<State>

    /// Fixed, as on one machine.
    public let deviceID = "00000000-0000-7000-8000-00000000d0d0"

    /// - Parameters:
    ///   - wall: the wall clock, right and synchronised.
    ///   - zone: the zone in force.
    public init(_ wall: Instant, zone: Zone = .utc) {
        state = Mutex(
            State(
                unset: wall, counter: 3_600_000_000, bootID: "b0000000-0000-4000-8000-000000000001", zone: zone,
                zones: [zone.identifier: zone]))
    }

    public var now: Instant { state.withLock(\.wall) }

    /// True time: a clock that was never set, on a machine that was never paused.
    public var unset: Instant { state.withLock(\.unset) }

    /// Lead of the wall clock over true time.
    public var stepped: Duration { state.withLock(\.ahead) }

    public func clock() -> ClockReading {
        state.withLock {
            ClockReading(
                wall: $0.wall, counterMicroseconds: $0.counter, bootID: $0.bootID, isSynchronised: $0.isSynchronised)
        }
    }

    public func zone() -> Zone { state.withLock(\.zone) }

    /// Returns the first zone and those of ``travel(to:)``; nil for others.
    public func zone(named identifier: String) -> Zone? { state.withLock { $0.zones[identifier] } }

    /// Moves true time and the counter by the duration, the wall clock also by its slew.
    public func advance(by duration: Duration) {
        state.withLock { state in
            let milliseconds = duration.wholeMilliseconds
            state.unset += duration
            state.ahead += .microseconds(milliseconds * state.slew / 1_000)
            state.counter += milliseconds * 1_000
        }
    }

    /// Moves time until the wall clock shows an instant, or a little more if that clock is slewed.
    public func advance(to instant: Instant) { advance(by: unset(whenWallShows: instant) - unset) }

    /// Returns the true time when the wall clock will show an instant, or a little more if that clock is slewed.
    func unset(whenWallShows instant: Instant) -> Instant {
        let (wall, slew, unset) = state.withLock { ($0.wall, $0.slew, $0.unset) }
        guard slew != 0 else { return unset + (instant - wall) }
        let (missing, fast) = ((instant - wall).wholeMilliseconds, 1_000_000 + slew)
        return unset + .milliseconds((missing * 1_000_000 + fast - 1) / fast)
    }

    /// Returns the wall clock after a duration, if nobody sets it.
    public func wall(after duration: Duration) -> Instant {
        state.withLock { $0.wall + duration + .microseconds(duration.wholeMilliseconds * $0.slew / 1_000) }
    }

    /// Sets the wall clock; no time passes. A clock set by hand is no longer synchronised, as in the kernel. A clock
    /// set by a time service is.
    public func step(by duration: Duration, synchronised: Bool = false) {
        state.withLock { state in
            state.ahead += duration
            if duration != .zero || synchronised { state.isSynchronised = synchronised }
        }
    }

    /// Starts or stops a time service. The wall clock is not set.
    public func setSynchronised(_ isSynchronised: Bool) {
        state.withLock { state in
            state.isSynchronised = isSynchronised
            state.changed = state.counter
        }
    }

    /// The counter at the last change of the clocks without a notification by the kernel.
    ///
    /// - Returns: nil if there was none since `counter`; `counter` itself while the wall clock is slewed.
    func unseen(since counter: Int64) -> Int64? {
        state.withLock { state in
            if let changed = state.changed, changed >= counter { return changed }
            return state.slew == 0 ? nil : counter
        }
    }

    /// Makes the wall clock run fast or slow from now on. The counter keeps its rate.
    ///
    /// - Parameter slew: in millionths.
    public func slew(_ slew: Int64) {
        state.withLock { state in
            state.slew = slew
            state.changed = state.counter
        }
    }

    /// Pauses a virtual machine: true time passes, but no clock of the machine.
    ///
    /// - Parameter isCorrected: true if the host corrects the wall clock afterwards.
    public func pause(for duration: Duration, isCorrected: Bool) {
        state.withLock { state in
            state.unset += duration
            if !isCorrected { state.ahead -= duration }
            state.changed = state.counter
        }
    }

    /// Reboots the machine: the counter starts anew.
    ///
    /// - Parameters:
    ///   - error: the error of the hardware clock.
    ///   - synchronised: true if the wall clock is synchronised already.
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

    public func travel(to zone: Zone) {
        state.withLock { state in
            state.zone = zone
            state.zones[zone.identifier] = zone
        }
    }
}

/// A timer that is fired by the code that moves the ``VirtualClock``.
public final class VirtualTimer: DeadlineTimer {
    private struct Armed {
        var wall: Instant?
        /// The counter at arming, and the wait by the counter.
        var counted: (from: Int64, wait: Duration)?
        /// Both as an instant of the wall clock at arming.
        var instant: Instant
    }

    private let current = Mutex<Armed?>(nil)
    private let clock: VirtualClock?
    private let onArming: @Sendable (Instant) -> Void

    /// - Parameters:
    ///   - clock: the clock of the timer. Without one the timer uses the wall clock as of arming.
    ///   - onArming: called with every instant that the timer is armed for, in order.
    public init(clock: VirtualClock? = nil, onArming: @escaping @Sendable (Instant) -> Void = { _ in }) {
        self.clock = clock
        self.onArming = onArming
    }

    /// The instant of the wall clock at which the timer fires if nobody sets that clock; nil when not armed.
    public var armed: Instant? {
        guard let armed = current.withLock(\.self) else { return nil }
        guard let clock else { return armed.instant }
        let now = clock.clock()
        let counted = counter(of: armed, clock).map { clock.wall(after: .microseconds($0 - now.counterMicroseconds)) }
        return [armed.wall, counted].compactMap(\.self).min() ?? armed.instant
    }

    public func arm(_ next: NextDue, _ clock: ClockReading) async {
        guard let instant = next.at(clock.wall) else { return await disarm() }
        let counted = next.counted.map { (clock.counterMicroseconds, $0) }
        current.withLock { $0 = Armed(wall: next.wall, counted: counted, instant: instant) }
        onArming(instant)
    }

    public func disarm() async { current.withLock { $0 = nil } }

    /// Fires if the instant has come. The timer is then no longer armed.
    ///
    /// - Returns: true if the timer fired.
    public func fires(at now: Instant) -> Bool {
        let isDue = if let clock { comes.map { $0 <= clock.unset } ?? false } else { armed.map { $0 <= now } ?? false }
        if isDue { current.withLock { $0 = nil } }
        return isDue
    }

    /// The true time at which the timer fires, if the wall clock is not set before; nil when not armed.
    var comes: Instant? {
        guard let clock, let armed = current.withLock(\.self) else { return nil }
        let (unset, counter) = (clock.unset, clock.clock().counterMicroseconds)
        let counted = self.counter(of: armed, clock).map { unset + .microseconds($0 - counter) }
        return [armed.wall.map(clock.unset(whenWallShows:)), counted].compactMap(\.self).min()
    }

    /// Returns the counter when the timer fires. A wait is read anew at seven eighths of it, and so on. Only the first
    /// of these readings that finds something new is made; the others cost time and change nothing.
    private func counter(of armed: Armed, _ clock: VirtualClock) -> Int64? {
        guard let (from, wait) = armed.counted else { return nil }
        var (passed, left) = (Duration.zero, NextDue(counted: wait))
        if let unseen = clock.unseen(since: from) {
            while let all = left.counted, let part = left.reading.counted, part < all {
                if Self.counter(from, passed + part) > unseen { return Self.counter(from, passed + part) }
                (passed, left.counted) = (passed + part, all - part)
            }
        }
        return Self.counter(from, wait)
    }

    private static func counter(_ from: Int64, _ wait: Duration) -> Int64 {
        (from + (wait.wholeMilliseconds + 1) * 1_000 - 1) / 1_000 * 1_000
    }
}
