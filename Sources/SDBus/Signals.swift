internal import CSystemd

extension Connection {
    /// The most unread signals that a sequence keeps; beyond it the oldest are dropped.
    private static let mostUnread = 4096

    /// Signals as a sequence that ends with the connection. The match is in force when this returns, and removed when
    /// the sequence is dropped or its task cancelled. Of unread signals the newest 4096 are kept.
    public func signals(_ match: SignalMatch) async throws(BusError) -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Signal.self,
            bufferingPolicy: .bufferingNewest(Self.mostUnread)
        )
        let identifier = try await subscribe(
            match,
            handler: { continuation.yield($0) },
            onEnd: { continuation.finish() }
        )
        continuation.onTermination = { [core, loop] _ in
            // Later: the termination may come from inside the callback.
            loop.executeLater { core.subscriptions.remove(identifier)?.end() }
        }
        return stream
    }

    /// Calls a handler on the loop for every signal, until ``unsubscribe(_:)`` or the end of the connection.
    /// - Returns: The number that ``unsubscribe(_:)`` takes.
    @discardableResult
    public func subscribe(
        _ match: SignalMatch,
        handler: @escaping @Sendable (Signal) -> Void,
        onEnd: @escaping @Sendable () -> Void = {}
    ) async throws(BusError) -> UInt64 {
        let subscription = Subscription(core: core, limits: .replies, handler: handler, onEnd: onEnd)
        let identifier = core.nextIdentifier()
        try core.install(subscription, rule: match.rule)
        core.subscriptions.append(subscription, number: identifier)
        if isPeer { return identifier }  // nobody to answer
        if let error = await withUnsafeContinuation({ subscription.installed.wait($0) }) {
            core.subscriptions.remove(identifier)?.end()
            throw error
        }
        return identifier
    }

    public func unsubscribe(_ identifier: UInt64) {
        core.subscriptions.remove(identifier)?.end()
    }
}

/// A signal that was received.
public struct Signal: Sendable, Hashable {
    /// The unique name of the sender, nil with a peer.
    public let sender: String?
    public let path: ObjectPath
    public let interface: String
    public let member: String
    public let arguments: [Variant]

    /// The arguments with the expected types, such as `(String, UInt32).self`; nil if their types are others.
    public func decode<each Value: DBusValue>(_: (repeat each Value).Type) -> (repeat each Value)? {
        unpack(arguments, as: repeat (each Value).self)
    }
}

/// A selection of signals; a member that is nil matches everything.
public struct SignalMatch: Sendable, Hashable {
    /// A unique or well-known name; leave it out with a peer.
    public var sender: String?
    public var path: ObjectPath?
    public var interface: String?
    public var member: String?
    /// The first argument, if it is a string.
    public var firstArgument: String?

    public init(
        sender: String? = nil,
        path: ObjectPath? = nil,
        interface: String? = nil,
        member: String? = nil,
        firstArgument: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.firstArgument = firstArgument
    }

    /// The rule in the bus's own syntax.
    var rule: String {
        var parts = ["type='signal'"]
        let keys = [
            ("sender", sender), ("path", path?.rawValue), ("interface", interface), ("member", member),
            ("arg0", firstArgument),
        ]
        for (key, value) in keys {
            guard let value else { continue }
            // A quote ends the quoted part, an escaped quote follows, and a new quoted part begins.
            let quoted = value.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
            parts.append("\(key)='\(quoted)'")
        }
        return parts.joined(separator: ",")
    }
}

/// A match on signals, userdata of its callback. Lives on the loop's thread.
final class Subscription {
    private let core: BusCore
    private let handler: @Sendable (Signal) -> Void
    private let onEnd: @Sendable () -> Void
    private let limits: InputLimits
    var slot: BusSlot?
    /// The bus's answer to the match: nil when it is in force.
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
        // A signal out of bounds or broken is dropped, as it has no reply.
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
                    // The refusal is handled here: sd-bus's own answer to a refused match is to close the connection.
                    return 1
                },
                Unmanaged.passUnretained(subscription).toOpaque()
            ),
            "match \(rule)"
        )
        if let slot { subscription.slot = BusSlot(slot, loop: loop, context: subscription) }
    }
}
