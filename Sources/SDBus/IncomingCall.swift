internal import CSystemd

/// A method call that waits to be answered.
///
/// Unchecked: the members are constant, and ``ReceivedMessage`` is used on the loop's thread only.
final class IncomingCall: @unchecked Sendable {
    let core: BusCore
    let context: CallContext
    let limits: InputLimits
    private let message: ReceivedMessage

    init(_ raw: OpaquePointer, core: BusCore, connection: Connection, member: MemberBox) {
        self.core = core
        limits = member.limits
        message = ReceivedMessage(raw, loop: core.loop)
        context = CallContext(
            connection: connection,
            sender: sd_bus_message_get_sender(raw).map { String(cString: $0) },
            path: member.path,
            interface: member.interface,
            member: member.name
        )
    }

    /// The arguments; sd-bus has compared the signature with the method's.
    var reader: MessageReader {
        MessageReader(raw: message.raw, limits: limits)
    }

    /// Runs on the loop at once, until it first waits for something.
    func start(_ operation: @escaping @Sendable @concurrent () async -> Void) {
        Task.immediate(executorPreference: core.loop) { await operation() }
    }

    /// Answers with values. To a caller or a bus that is gone nothing is said.
    func reply(_ encode: (MessageWriter) throws(BusError) -> Void) {
        core.loop.preconditionIsolated()
        guard let bus = core.bus, sd_bus_message_get_expect_reply(message.raw) > 0 else { return }
        do {
            var answer: OpaquePointer?
            try check(sd_bus_message_new_method_return(message.raw, &answer), "make an answer")
            guard let answer else { return }
            defer { sd_bus_message_unref(answer) }
            try encode(MessageWriter(raw: answer))
            try check(sd_bus_send(bus, answer, nil), "answer")
        } catch {
            refuse(error)
        }
    }

    /// Answers with an error.
    func refuse(_ error: any Error) {
        core.loop.preconditionIsolated()
        guard let bus = core.bus, sd_bus_message_get_expect_reply(message.raw) > 0 else { return }
        let known = (error as? BusError) ?? BusError(name: BusError.Name.failed, message: "\(error)")
        if send(known, on: bus) { return }
        // Its name, text or details could not travel.
        _ = send(BusError(name: BusError.Name.failed, message: "the error could not be encoded"), on: bus)
    }

    private func send(_ error: BusError, on bus: OpaquePointer) -> Bool {
        do {
            var answer: OpaquePointer?
            let result = error.name.withCString { name in
                var plain = sd_bus_error()
                plain.name = name
                return sd_bus_message_new_method_error(message.raw, &answer, &plain)
            }
            try check(result, "make an error")
            guard let answer else { return false }
            defer { sd_bus_message_unref(answer) }
            let writer = MessageWriter(raw: answer)
            try error.message.append(to: writer)
            if !error.details.isEmpty { try error.details.append(to: writer) }
            try check(sd_bus_send(bus, answer, nil), "answer")
            return true
        } catch {
            return core.bus == nil
        }
    }
}
