internal import CSystemd
internal import Glibc

extension Connection {
    /// Waits until everything sent is with the kernel, at most the given time.
    public func flush(within limit: Duration = .seconds(2)) async {
        guard let bus = core.bus, queuedWrites(bus) > 0 else { return }
        let context = FlushWait(core: core)
        let deadline = csd_clock_microseconds(CLOCK_MONOTONIC) &+ limit.microseconds
        let timer = try? loop.makeSource(context, doing: "wait for a flush") { event, source, userdata in
            sd_event_add_time(
                event, &source, CLOCK_MONOTONIC, deadline, 1000,
                { _, _, userdata in
                    SDBus.context(userdata, as: FlushWait.self)?.finish()
                    return 0
                }, userdata)
        }
        let post = try? loop.makeSource(context, doing: "wait for a flush") { event, source, userdata in
            sd_event_add_post(
                event, &source,
                { _, userdata in
                    SDBus.context(userdata, as: FlushWait.self)?.look()
                    return 0
                }, userdata)
        }
        guard timer != nil, post != nil else { return }
        // A connection that ends meanwhile sends nothing any more.
        let identifier = core.nextIdentifier()
        let end = LoopConfined(context)
        core.closeHandlers.append({ _ in end.value.finish() }, number: identifier)
        await withUnsafeContinuation { context.finished.wait($0) }
        core.closeHandlers.remove(identifier)
        withExtendedLifetime((timer, post)) {}
    }
}

func queuedWrites(_ bus: OpaquePointer) -> UInt64 {
    var count: UInt64 = 0
    return sd_bus_get_n_queued_write(bus, &count) < 0 ? 0 : count
}

/// Looks after every round of events whether the output queue is empty.
private final class FlushWait {
    let core: BusCore
    let finished = LoopPromise<Void>()

    init(core: BusCore) {
        self.core = core
    }

    func look() {
        if let bus = core.bus, sd_bus_is_open(bus) > 0, queuedWrites(bus) > 0 { return }
        finish()
    }

    func finish() {
        finished.resolve(())
    }
}

extension Duration {
    /// Whole microseconds, rounded up, never negative.
    var microseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        let (whole, isOverflowing) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000)
        if isOverflowing { return .max }
        let (sum, isTooBig) = whole.addingReportingOverflow(
            UInt64((attoseconds + 999_999_999_999) / 1_000_000_000_000)
        )
        return isTooBig ? .max : sum
    }
}
