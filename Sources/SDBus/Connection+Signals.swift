internal import CSystemd

/// Which signals to listen to; what is nil matches anything.
public struct SignalMatch: Hashable, Sendable {
    /// Bus name of the sender; leave it nil peer-to-peer.
    public var sender: String?
    /// Object path.
    public var path: ObjectPath?
    /// Interface.
    public var interface: String?
    /// Member.
    public var member: String?

    /// Memberwise.
    public init(
        sender: String? = nil, path: ObjectPath? = nil, interface: String? = nil, member: String? = nil
    ) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
    }

    var rule: String {
        var rule = "type='signal'"
        if let sender { rule += ",sender='\(sender)'" }
        if let path { rule += ",path='\(path.text)'" }
        if let interface { rule += ",interface='\(interface)'" }
        if let member { rule += ",member='\(member)'" }
        return rule
    }

    var isSafe: Bool {
        let parts = [sender, path?.text, interface, member].compactMap(\.self)
        return parts.allSatisfy { !$0.contains("'") && $0.utf8.count < 256 }
    }
}

/// A signal that was received.
public struct ReceivedSignal: Hashable, Sendable {
    /// Unique name of the sender; nil peer-to-peer.
    public let sender: String?
    /// Object path.
    public let path: ObjectPath
    /// Interface.
    public let interface: String
    /// Member.
    public let member: String
    /// What it carries.
    public let body: [Variant]
}

/// A subscription; lives on the loop.
final class Subscription {
    let continuation: AsyncStream<ReceivedSignal>.Continuation
    var slot: OpaquePointer?

    init(_ continuation: AsyncStream<ReceivedSignal>.Continuation) { self.continuation = continuation }

    func end() {
        sd_bus_slot_unref(slot)
        slot = nil
        continuation.finish()
    }

    func received(_ message: OpaquePointer) {
        let reader = MessageReader(pointer: message, limits: MessageLimits())
        var body: [Variant] = []
        do throws(BusError) {
            while try !reader.isAtEnd() { body.append(try Variant.readContent(from: reader, depth: 1)) }
        } catch { return }
        func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        continuation.yield(
            ReceivedSignal(
                sender: sd_bus_message_get_sender(message).map { String(cString: $0) },
                path: ObjectPath(text(sd_bus_message_get_path(message))),
                interface: text(sd_bus_message_get_interface(message)),
                member: text(sd_bus_message_get_member(message)), body: body))
    }
}

extension Connection {
    /// Signals from now on; listening ends with the stream, the stream ends with the connection. At most 1,024 wait
    /// to be taken, older ones are dropped first.
    public func signals(_ match: SignalMatch) throws(BusError) -> AsyncStream<ReceivedSignal> {
        guard match.isSafe else { throw .invalidArguments("a match holds a quote or is too long") }
        let (stream, continuation) = AsyncStream.makeStream(
            of: ReceivedSignal.self, bufferingPolicy: .bufferingNewest(1_024))
        let subscription = Subscription(continuation)
        let result = sd_bus_add_match_async(
            try live(), &subscription.slot, match.rule,
            { message, userdata, _ in
                guard let message, let userdata else { return 0 }
                Unmanaged<Subscription>.fromOpaque(userdata).takeUnretainedValue().received(message)
                return 0
            }, nil, Unmanaged.passUnretained(subscription).toOpaque())
        try check(result, "listening")
        lastCall += 1
        let id = lastCall
        subscriptions[id] = subscription
        continuation.onTermination = { [loop] _ in
            Task(executorPreference: loop) { await self.unsubscribe(id) }
        }
        return stream
    }

    private func unsubscribe(_ id: UInt64) { subscriptions.removeValue(forKey: id)?.end() }
}
