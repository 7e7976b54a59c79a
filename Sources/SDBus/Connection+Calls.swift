internal import CSystemd

/// A call that waits for its reply; lives on the loop.
final class PendingCall {
    private let decode: (borrowing MessageReader) throws(BusError) -> Void
    private var completion: ((Result<Void, BusError>) -> Void)?
    var slot: OpaquePointer?
    let id: UInt64
    unowned let connection: Connection

    init(
        id: UInt64, connection: Connection, decode: @escaping (borrowing MessageReader) throws(BusError) -> Void
    ) {
        self.id = id
        self.connection = connection
        self.decode = decode
    }

    func onFinish(_ completion: @escaping (Result<Void, BusError>) -> Void) { self.completion = completion }

    func received(_ message: OpaquePointer) {
        if sd_bus_message_is_method_error(message, nil) > 0 {
            finish(.failure(BusError(reply: message)))
            return
        }
        do throws(BusError) {
            try decode(MessageReader(pointer: message, limits: .trusting))
            finish(.success(()))
        } catch { finish(.failure(error)) }
    }

    func finish(_ result: Result<Void, BusError>) {
        let slot = slot
        self.slot = nil
        sd_bus_slot_unref(slot)
        let completion = completion
        self.completion = nil
        completion?(result)
    }
}

extension BusError {
    /// The error of an error reply, body `s` or `sa{sv}`.
    init(reply message: OpaquePointer) {
        let error = sd_bus_message_get_error(message)
        let name = error?.pointee.name.map { String(cString: $0) } ?? "org.freedesktop.DBus.Error.Failed"
        let text = error?.pointee.message.map { String(cString: $0) } ?? ""
        self.init(name: name, message: text, errno: max(0, sd_bus_message_get_errno(message)))
        sd_bus_message_rewind(message, 1)
        let reader = MessageReader(pointer: message, limits: .trusting)
        if sd_bus_message_has_signature(message, "sa{sv}") > 0, (try? String.read(from: reader)) != nil {
            details = (try? [String: Variant].read(from: reader)) ?? [:]
        }
    }
}

extension Connection {
    /// Calls a method and waits for its reply.
    ///
    /// - Parameters:
    ///   - destination: bus name; nil peer-to-peer.
    ///   - type: what the reply holds; `DBusVoid` for nothing. Use ``DBusTuple`` for several values.
    ///   - timeout: nil is the library's 25 s.
    /// - Throws: the error reply, or ``BusError`` for a timeout, a cancellation or a lost connection.
    public func call<each Argument: DBusValue, Reply: DBusReply>(
        _ destination: String?, _ path: ObjectPath, _ interface: String, _ member: String,
        _ arguments: repeat each Argument, returning type: Reply.Type, timeout: Duration? = nil
    ) async throws(BusError) -> Reply {
        let message = try newCall(destination, path, interface, member)
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(pointer: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        return try await perform(message, timeout: timeout)
    }

    /// Calls a method and asks for no reply.
    public func send<each Argument: DBusValue>(
        _ destination: String?, _ path: ObjectPath, _ interface: String, _ member: String,
        _ arguments: repeat each Argument
    ) throws(BusError) {
        let message = try newCall(destination, path, interface, member)
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(pointer: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        try check(sd_bus_message_set_expect_reply(message, 0), "sd_bus_message_set_expect_reply")
        try check(sd_bus_send(live(), message, nil), "sending")
    }

    /// Emits a signal.
    public func emit<each Argument: DBusValue>(
        _ path: ObjectPath, _ interface: String, _ member: String, _ arguments: repeat each Argument
    ) throws(BusError) {
        var message: OpaquePointer?
        try check(sd_bus_message_new_signal(live(), &message, path.text, interface, member), "signal \(member)")
        guard let message else { throw .disconnected }
        defer { sd_bus_message_unref(message) }
        let writer = MessageWriter(pointer: message)
        for argument in repeat each arguments { try argument.append(to: writer) }
        try check(sd_bus_send(live(), message, nil), "sending")
    }

    private func newCall(
        _ destination: String?, _ path: ObjectPath, _ interface: String, _ member: String
    ) throws(BusError) -> OpaquePointer {
        var message: OpaquePointer?
        let result = sd_bus_message_new_method_call(
            try live(), &message, destination, path.text, interface, member)
        try check(result, "calling \(interface).\(member)")
        guard let message else { throw .disconnected }
        return message
    }

    private func perform<Reply: DBusReply>(
        _ message: OpaquePointer, timeout: Duration?
    ) async throws(BusError) -> Reply {
        lastCall += 1
        let id = lastCall
        var reply: Reply?
        let call = PendingCall(id: id, connection: self) { reader throws(BusError) in
            reply = try Reply.read(reply: reader)
        }
        let microseconds = timeout.map { UInt64(max(1, min(1e15, $0 / .microseconds(1))).rounded(.up)) } ?? 0
        let result = sd_bus_call_async(
            try live(), &call.slot, message,
            { message, userdata, _ in
                guard let userdata, let message else { return 0 }
                let call = Unmanaged<PendingCall>.fromOpaque(userdata).takeUnretainedValue()
                nonisolated(unsafe) let reply = message
                nonisolated(unsafe) let pending = call
                // The callback runs on the loop, the connection's own executor.
                call.connection.assumeIsolated { connection in
                    connection.pending[pending.id] = nil
                    pending.received(reply)
                }
                return 0
            }, Unmanaged.passUnretained(call).toOpaque(), microseconds)
        try check(result, "calling")
        pending[id] = call
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, BusError>, Never>) in
                if Task.isCancelled {
                    pending[id] = nil
                    call.finish(.success(()))
                    continuation.resume(returning: .failure(.cancelled))
                } else {
                    call.onFinish { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            Task(executorPreference: loop) { await self.cancel(id) }
        }
        try outcome.get()
        guard let reply else { throw .disconnected }
        return reply
    }

    private func cancel(_ id: UInt64) {
        pending.removeValue(forKey: id)?.finish(.failure(.cancelled))
    }
}
