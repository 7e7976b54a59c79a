internal import CSystemd

extension Connection {
    /// Calls a method and waits for its answer.
    ///
    /// - Parameters:
    ///   - destination: A bus name; nil with a peer.
    ///   - arguments: The arguments, in order.
    ///   - returning: The types of the answer, such as `(String, UInt32).self` or `Void.self`.
    ///   - timeout: How long to wait; 25 seconds unless said otherwise.
    ///   - autoStart: Whether the bus may start the destination.
    ///   - limits: Bounds of the answer; only what the bus itself bounds unless said otherwise.
    /// - Throws: ``BusError``: the error reply, or `Timeout`, `Disconnected`, `Cancelled`, `InvalidSignature`; the limits'
    ///   own where the answer goes beyond them.
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
        // A pack's tuple does not count as Sendable where actors are left and entered; a struct of it does.
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

    /// Calls a method and gives the answer's values as they come, whatever their types.
    public func callAny<each Argument: DBusValue>(
        _ destination: String?,
        _ path: ObjectPath,
        _ interface: String,
        _ member: String,
        _ arguments: repeat each Argument,
        timeout: Duration? = nil
    ) async throws(BusError) -> [Variant] {
        let message = try makeCall(destination, path, interface, member, autoStart: true)
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(raw: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        let reply = try await perform(message, timeout: timeout)
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

    /// Emits a signal to everyone who listens.
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

    /// Reads a property.
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
    /// All values of the body.
    func decodeAny(limits: InputLimits) throws(BusError) -> [Variant] {
        let reader = MessageReader(raw: raw, limits: limits)
        var values: [Variant] = []
        while let value = try Variant.readAny(from: reader) { values.append(value) }
        return values
    }
}
