internal import CSystemd

/// A slot of a bus, released on the loop's thread before what its callback uses.
///
/// Unchecked: the members are constant; the pointer is used on the loop's thread only.
final class BusSlot: @unchecked Sendable {
    private let raw: OpaquePointer
    private let loop: EventLoop
    private let context: AnyObject

    init(_ raw: OpaquePointer, loop: EventLoop, context: AnyObject) {
        self.raw = raw
        self.loop = loop
        self.context = context
    }

    deinit {
        let rest = LoopConfined((raw, context))
        loop.execute { sd_bus_slot_unref(rest.value.0) }
    }
}
