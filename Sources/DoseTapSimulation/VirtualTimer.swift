public import DoseTapDomain
public import DoseTapEngine
internal import Synchronization

/// A timer that fires when whoever moves the ``VirtualClock`` says so.
public final class VirtualTimer: DeadlineTimer {
    private struct Armed {
        var wall: Instant?
        /// What the counter showed when it was armed, and how long it waits by it.
        var counted: (from: Int64, wait: Duration)?
        /// Both as an instant of the wall clock when it was armed.
        var instant: Instant
    }

    private let current = Mutex<Armed?>(nil)
    private let clock: VirtualClock?
    private let onArming: @Sendable (Instant) -> Void

    /// - Parameters:
    ///   - clock: what it counts by; without one it is the wall clock as it was when it was armed.
    ///   - onArming: told of every instant it is armed for, in order.
    public init(clock: VirtualClock? = nil, onArming: @escaping @Sendable (Instant) -> Void = { _ in }) {
        self.clock = clock
        self.onArming = onArming
    }

    /// The instant of the wall clock at which it fires if nobody sets that; nil when it is not armed.
    public var armed: Instant? {
        guard let armed = current.withLock(\.self) else { return nil }
        guard let clock else { return armed.instant }
        let now = clock.clock()
        let counted = counter(of: armed, clock).map { clock.wall(after: .microseconds($0 - now.counterMicroseconds)) }
        return [armed.wall, counted].compactMap(\.self).min() ?? armed.instant
    }

    /// Remembers the instant.
    public func arm(at instant: Instant) async {
        current.withLock { $0 = Armed(wall: instant, counted: nil, instant: instant) }
        onArming(instant)
    }

    /// Remembers both.
    public func arm(_ next: NextDue, _ clock: ClockReading) async {
        guard let instant = next.at(clock.wall) else { return await disarm() }
        let counted = next.counted.map { (clock.counterMicroseconds, $0) }
        current.withLock { $0 = Armed(wall: next.wall, counted: counted, instant: instant) }
        onArming(instant)
    }

    /// Forgets it.
    public func disarm() async { current.withLock { $0 = nil } }

    /// Fires if its instant has come: then it is armed no more.
    ///
    /// - Returns: whether it fired.
    public func fires(at now: Instant) -> Bool {
        let isDue = if let clock { comes.map { $0 <= clock.unset } ?? false } else { armed.map { $0 <= now } ?? false }
        if isDue { current.withLock { $0 = nil } }
        return isDue
    }

    /// When it fires, by a clock that nobody sets, if nobody sets the wall clock before; nil when it is not armed.
    var comes: Instant? {
        guard let clock, let armed = current.withLock(\.self) else { return nil }
        let (unset, counter) = (clock.unset, clock.clock().counterMicroseconds)
        let counted = self.counter(of: armed, clock).map { unset + .microseconds($0 - counter) }
        return [armed.wall.map(clock.unset(whenWallShows:)), counted].compactMap(\.self).min()
    }

    /// What the counter shows when it fires. A wait is read anew at seven eighths of it, and so on; of these readings only
    /// the first one that finds something new is made, the others cost time and change nothing.
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
