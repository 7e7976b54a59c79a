internal import CSystemd

/// An event source of a loop, released on the loop's thread.
///
/// Unchecked: both members are constant; the pointer is used on the loop's thread only.
final class LoopSource: @unchecked Sendable {
    let raw: OpaquePointer
    private let loop: EventLoop
    /// What the source's callback gets as userdata; it must outlive the source.
    private let context: AnyObject

    init(_ raw: OpaquePointer, loop: EventLoop, context: AnyObject) {
        self.raw = raw
        self.loop = loop
        self.context = context
    }

    deinit {
        let rest = LoopConfined((raw, context))
        loop.execute {
            // Disabled first: during its own callback the source lives on a little.
            sd_event_source_set_enabled(rest.value.0, Int32(SD_EVENT_OFF))
            sd_event_source_unref(rest.value.0)
        }
    }
}

extension EventLoop {
    /// Makes a source whose callback gets `context`; on the loop's thread only.
    func makeSource<Context: AnyObject>(
        _ context: Context,
        doing: String,
        _ add: (OpaquePointer, inout OpaquePointer?, UnsafeMutableRawPointer) -> Int32
    ) throws(BusError) -> LoopSource {
        preconditionIsolated()
        guard let event = events.value else { throw BusError.disconnected }
        var source: OpaquePointer?
        try check(add(event, &source, Unmanaged.passUnretained(context).toOpaque()), doing)
        guard let source else { throw BusError.invalidArgs(doing) }
        return LoopSource(source, loop: self, context: context)
    }
}

/// The context of a callback, kept alive while the callback runs.
func context<Context: AnyObject>(_ userdata: UnsafeMutableRawPointer?, as _: Context.Type) -> Context? {
    userdata.map { Unmanaged<Context>.fromOpaque($0).takeUnretainedValue() }
}
