internal import CSystemd
internal import Glibc

/// Calls its handler on the loop at one instant, never early.
///
/// A due timer takes its turn with messages, descriptors and signals (``EventLoop``): a flood of messages makes it late
/// by one message at most, and a timer armed for the past again and again does not delay the others.
public actor LoopTimer {
    public enum Clock: Sendable {
        /// `CLOCK_REALTIME`: since 1970 UTC, moves when the clock is set.
        case realtime
        /// `CLOCK_BOOTTIME`: since boot, time asleep included.
        case boottime

        var identifier: clockid_t {
            switch self {
            case .realtime: CLOCK_REALTIME
            case .boottime: CLOCK_BOOTTIME
            }
        }
    }

    public nonisolated let loop: EventLoop
    public nonisolated let clock: Clock
    private let context: TimerContext
    private var source: LoopSource?

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    /// - Parameters:
    ///   - loop: The loop that calls the handler.
    ///   - clock: The clock of the instants.
    ///   - handler: Called on the loop with the instant that was asked for, once per arming.
    public init(on loop: EventLoop, clock: Clock, handler: @escaping @Sendable (UInt64) -> Void) {
        self.loop = loop
        self.clock = clock
        context = TimerContext(handler: handler)
    }

    /// Replaces the instant; one in the past fires at once.
    public func arm(at microseconds: UInt64) throws(BusError) {
        context.instant.value = microseconds
        if let source {
            // A timer that was due and still is keeps its turn. sd-event would take it for a new one, behind all
            // others.
            if isWaitingForItsTurn(source), microseconds <= csd_clock_microseconds(clock.identifier) { return }
            do throws(BusError) {
                try check(sd_event_source_set_time(source.raw, microseconds), "set a timer")
                try check(sd_event_source_set_enabled(source.raw, Int32(SD_EVENT_ONESHOT)), "arm a timer")
            } catch {
                // The next arming makes a new source.
                self.source = nil
                throw error
            }
            return
        }
        let identifier = clock.identifier
        // The accuracy is 1 µs: sd-event's default of 250 ms makes timers late by up to that.
        source = try loop.makeSource(context, doing: "make a timer") { event, source, userdata in
            sd_event_add_time(
                event, &source, identifier, microseconds, 1,
                { _, _, userdata in
                    SDBus.context(userdata, as: TimerContext.self)?.fire()
                    return 0
                }, userdata)
        }
    }

    /// Replaces the instant by now plus a duration.
    public func arm(after duration: Duration) throws(BusError) {
        let (instant, isTooFar) = csd_clock_microseconds(clock.identifier).addingReportingOverflow(
            duration.microseconds)
        try arm(at: isTooFar ? .max : instant)
    }

    private func isWaitingForItsTurn(_ source: LoopSource) -> Bool {
        var state: Int32 = 0
        return sd_event_source_get_enabled(source.raw, &state) > 0 && sd_event_source_get_pending(source.raw) > 0
    }

    public func disarm() {
        if let source { sd_event_source_set_enabled(source.raw, Int32(SD_EVENT_OFF)) }
    }
}

private final class TimerContext: Sendable {
    let instant = LoopConfined<UInt64>(0)
    private let handler: @Sendable (UInt64) -> Void

    init(handler: @escaping @Sendable (UInt64) -> Void) {
        self.handler = handler
    }

    func fire() { handler(instant.value) }
}
