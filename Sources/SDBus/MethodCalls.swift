internal import CSystemd
internal import Glibc

extension Connection {
    /// Calls a method and waits for its answer.
    ///
    /// - Parameters:
    ///   - destination: A bus name; nil with a peer.
    ///   - path: The object.
    ///   - interface: The interface of the member.
    ///   - member: The method's name.
    ///   - arguments: The arguments, in order.
    ///   - returning: The types of the answer, such as `(String, UInt32).self` or `Void.self`.
    ///   - timeout: The time limit; 25 seconds unless said otherwise.
    ///   - autoStart: True if the bus may start the destination.
    ///   - limits: Bounds of the answer; ``InputLimits/replies`` unless said otherwise.
    /// - Throws: ``BusError``: the error reply, or `Timeout`, `Disconnected`, `Cancelled`, `InvalidSignature`; the
    ///   limits' own if the answer goes beyond them.
    @discardableResult
    public nonisolated func call<each Argument: DBusValue, each Result: DBusValue>(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: repeat each Argument,
        returning: (repeat each Result).Type,
        timeout: Duration? = nil,
        autoStart: Bool = true,
        limits: InputLimits = .replies
    ) async throws(BusError) -> (repeat each Result) {
        // A pack's tuple does not count as Sendable when actors are left and entered; a struct of it does.
        try await ask(
            Target(destination: destination, path: path, interface: interface, member: member, autoStart: autoStart),
            DBusStruct(repeat each arguments),
            returning: DBusStruct<repeat each Result>.self,
            timeout: timeout,
            limits: limits
        ).fields
    }

    private struct Target: Sendable {
        let destination: String?
        let path: ObjectPath
        let interface: String
        let member: String
        let autoStart: Bool
    }

    private func ask<each Argument: DBusValue, each Result: DBusValue>(
        _ target: Target,
        _ arguments: DBusStruct<repeat each Argument>,
        returning: DBusStruct<repeat each Result>.Type,
        timeout: Duration?,
        limits: InputLimits
    ) async throws(BusError) -> DBusStruct<repeat each Result> {
        let message = try makeCall(
            target.destination, target.path, target.interface, target.member, autoStart: target.autoStart
        )
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(raw: message)
        for argument in repeat each arguments.fields { try argument.append(to: writer) }
        let reply = try await perform(message, timeout: timeout)
        return try reply.decode(repeat (each Result).self, limits: limits)
    }

    /// Calls a method and returns the answer's values, whatever their types.
    public func callAny<each Argument: DBusValue>(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: repeat each Argument
    ) async throws(BusError) -> [Variant] {
        let message = try makeCall(destination, path, interface, member, autoStart: true)
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(raw: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        let reply = try await perform(message, timeout: nil)
        return try reply.decodeAny(limits: .replies)
    }

    /// Calls a method without asking for an answer.
    public func send<each Argument: DBusValue>(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: repeat each Argument
    ) throws(BusError) {
        let message = try makeCall(destination, path, interface, member, autoStart: true)
        defer { sd_bus_message_unref(message) }
        try check(sd_bus_message_set_expect_reply(message, 0), "expect no answer")
        let writer = MessageWriter(raw: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        try check(sd_bus_send(core.openBus(), message, nil), "send \(member)")
    }

    /// Emits a signal as a broadcast.
    public func emit<each Argument: DBusValue>(
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: repeat each Argument
    ) throws(BusError) {
        let bus = try core.openBus()
        var message: OpaquePointer?
        try check(
            sd_bus_message_new_signal(bus, &message, path.rawValue, interface, member),
            "make the signal \(interface).\(member) at \(path)"
        )
        guard let message else { throw BusError.disconnected }
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(raw: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        try check(sd_bus_send(bus, message, nil), "emit \(member)")
    }

    public func property<Value: DBusValue>(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ name: String,
        as _: Value.Type,
        timeout: Duration? = nil
    ) async throws(BusError) -> Value {
        let value = try await call(
            destination,
            path,
            "org.freedesktop.DBus.Properties",
            "Get",
            interface,
            name,
            returning: (Variant).self,
            timeout: timeout
        )
        guard let typed = value.as(Value.self) else {
            throw BusError(
                name: BusError.Name.invalidSignature,
                message: "\(name) has the type \"\(value.contentSignature)\", expected was \"\(Value.signature)\""
            )
        }
        return typed
    }

    private func makeCall(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        autoStart: Bool
    ) throws(BusError) -> OpaquePointer {
        let bus = try core.openBus()
        var message: OpaquePointer?
        try check(
            sd_bus_message_new_method_call(bus, &message, destination, path.rawValue, interface, member),
            "make the call \(interface).\(member) to \(destination ?? "the peer") at \(path)"
        )
        guard let message else { throw BusError.disconnected }
        if !autoStart { sd_bus_message_set_auto_start(message, 0) }
        return message
    }

    private func perform(_ message: OpaquePointer, timeout: Duration?) async throws(BusError) -> ReceivedMessage {
        let core = core
        let identifier = core.nextIdentifier()
        // To sd-bus 0 means its default.
        let microseconds = timeout.map { max(1, $0.microseconds) } ?? BusCore.defaultTimeout
        let outcome = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                // Through self: a closure that does not capture the actor would run on the default executor.
                self.core.send(message, identifier: identifier, timeout: microseconds, continuation: continuation)
                if Task.isCancelled { self.core.cancel(identifier) }
            }
        } onCancel: {
            core.loop.execute { core.cancel(identifier) }
        }
        switch outcome {
        case .answer(let message): return message
        case .failure(let error): throw error
        }
    }
}

extension ReceivedMessage {
    func decodeAny(limits: InputLimits) throws(BusError) -> [Variant] {
        let reader = MessageReader(raw: raw, limits: limits)
        var values: [Variant] = []
        while let value = try Variant.readAny(from: reader) { values.append(value) }
        return values
    }
}

/// The end of a call. The type is no `Result`: its generic metadata costs a short-lived client more than the call.
enum CallOutcome: Sendable {
    case answer(ReceivedMessage)
    case failure(BusError)
}

/// A call that waits for its answer; lives in ``BusCore/pending`` and on the loop's thread.
final class PendingReply {
    var slot: OpaquePointer?
    private let identifier: UInt64
    private let core: BusCore
    /// On CLOCK_MONOTONIC, in microseconds; `UInt64.max` for never.
    private let deadline: UInt64
    private var continuation: UnsafeContinuation<CallOutcome, Never>?

    init(
        identifier: UInt64,
        core: BusCore,
        deadline: UInt64,
        continuation: UnsafeContinuation<CallOutcome, Never>
    ) {
        self.identifier = identifier
        self.core = core
        self.deadline = deadline
        self.continuation = continuation
    }

    /// Gives the caller its result, once.
    func finish(_ outcome: CallOutcome) {
        sd_bus_slot_unref(slot.take())
        continuation.take()?.resume(returning: outcome)
    }

    func receive(_ raw: OpaquePointer) {
        core.pending.remove(identifier)
        let message = ReceivedMessage(raw, loop: core.loop)
        guard var error = message.error else { return finish(.answer(message)) }
        // sd-bus makes the same NoReply for its own timeout and for a connection that ends.
        if error.name == BusError.Name.noReply, let bus = core.bus {
            if sd_bus_is_open(bus) <= 0 {
                error = .disconnected
            } else if csd_clock_microseconds(CLOCK_MONOTONIC) >= deadline {
                error.name = BusError.Name.timeout
            }
        }
        finish(.failure(error))
    }
}

extension BusCore {
    /// The usual D-Bus timeout, 25 s.
    static let defaultTimeout: UInt64 = 25_000_000

    /// Sends a call; the continuation gets its answer.
    func send(
        _ message: OpaquePointer,
        identifier: UInt64,
        timeout: UInt64,
        continuation: UnsafeContinuation<CallOutcome, Never>
    ) {
        loop.preconditionIsolated()
        let now = csd_clock_microseconds(CLOCK_MONOTONIC)
        let (deadline, isOverflowing) = now.addingReportingOverflow(timeout)
        let reply = PendingReply(
            identifier: identifier,
            core: self,
            deadline: isOverflowing ? .max : deadline,
            continuation: continuation
        )
        guard let bus else { return reply.finish(.failure(closeError ?? .disconnected)) }
        let result = sd_bus_call_async(
            bus,
            &reply.slot,
            message,
            { message, userdata, _ in
                if let message, let reply = context(userdata, as: PendingReply.self) { reply.receive(message) }
                return 0
            },
            Unmanaged.passUnretained(reply).toOpaque(),
            timeout
        )
        if result < 0 {
            reply.finish(.failure(BusError(errno: -result, doing: "send a call")))
        } else {
            pending.append(reply, number: identifier)
        }
    }

    func cancel(_ identifier: UInt64) {
        loop.preconditionIsolated()
        pending.remove(identifier)?
            .finish(.failure(.cancelled))
    }
}

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

/// Checks after every round of events whether the output queue is empty.
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
