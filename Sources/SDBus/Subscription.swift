internal import CSystemd

/// A match on signals: the callback's context. Lives on the loop's thread.
final class Subscription {
    private let core: BusCore
    private let handler: @Sendable (Signal) -> Void
    private let onEnd: @Sendable () -> Void
    private let limits: InputLimits
    var slot: BusSlot?
    /// What the bus said to the match: nil when it is in force.
    let installed = LoopPromise<BusError?>()

    init(
        core: BusCore,
        limits: InputLimits,
        handler: @escaping @Sendable (Signal) -> Void,
        onEnd: @escaping @Sendable () -> Void
    ) {
        self.core = core
        self.limits = limits
        self.handler = handler
        self.onEnd = onEnd
    }

    func receive(_ raw: OpaquePointer) {
        let text = { (value: UnsafePointer<CChar>?) in value.map { String(cString: $0) } }
        // Out of bounds or broken: nobody is there to be told.
        let message = ReceivedMessage(raw, loop: core.loop)
        guard let path = text(sd_bus_message_get_path(raw)), sd_bus_message_rewind(raw, 1) >= 0,
            let arguments = try? message.decodeAny(limits: limits)
        else { return }
        handler(
            Signal(
                sender: text(sd_bus_message_get_sender(raw)),
                path: ObjectPath(path),
                interface: text(sd_bus_message_get_interface(raw)) ?? "",
                member: text(sd_bus_message_get_member(raw)) ?? "",
                arguments: arguments
            )
        )
    }

    func end() {
        slot = nil
        installed.resolve(core.closeError ?? .disconnected)
        onEnd()
    }
}

extension BusCore {
    func install(_ subscription: Subscription, rule: String) throws(BusError) {
        var slot: OpaquePointer?
        try check(
            sd_bus_add_match_async(
                openBus(),
                &slot,
                rule,
                { message, userdata, _ in
                    if let message { context(userdata, as: Subscription.self)?.receive(message) }
                    return 0
                },
                { message, userdata, _ in
                    guard let message, let subscription = context(userdata, as: Subscription.self) else { return 0 }
                    if sd_bus_message_is_method_error(message, nil) > 0 {
                        let text = sd_bus_message_get_error(message)?.pointee.message.map { String(cString: $0) }
                        subscription.installed.resolve(
                            BusError(name: BusError.Name.failed, message: text ?? "the bus refused the match")
                        )
                    } else {
                        subscription.installed.resolve(nil)
                    }
                    // Handled: sd-bus's own answer to a refused match is to close the connection.
                    return 1
                },
                Unmanaged.passUnretained(subscription).toOpaque()
            ),
            "match \(rule)"
        )
        if let slot { subscription.slot = BusSlot(slot, loop: loop, context: subscription) }
    }
}
