internal import CSystemd

/// A method call that waits to be answered.
///
/// Unchecked: what is not constant, and ``ReceivedMessage``, is used on the loop's thread only.
final class IncomingCall: @unchecked Sendable {
    let core: BusCore
    let connection: Connection
    let limits: InputLimits
    let senderName: String?
    /// Who is held to account for the call, once it is counted.
    var sender: CallSender?
    private let path: ObjectPath
    private let interface: String
    private let member: String
    private let message: ReceivedMessage
    private let handler: (IncomingCall) throws -> Void

    /// - Parameter handler: Reads the arguments and answers; called once the caller is let in.
    init(
        _ raw: OpaquePointer, core: BusCore, connection: Connection, path: ObjectPath, interface: String,
        member: String, limits: InputLimits, handler: @escaping (IncomingCall) throws -> Void
    ) {
        self.core = core
        self.connection = connection
        self.path = path
        self.interface = interface
        self.member = member
        self.limits = limits
        self.handler = handler
        message = ReceivedMessage(raw, loop: core.loop)
        senderName = sd_bus_message_get_sender(raw).map { String(cString: $0) }
    }

    deinit {
        guard let sender else { return }
        let rest = LoopConfined((core.desk, sender))
        core.loop.execute { rest.value.0.end(rest.value.1) }
    }

    var context: CallContext {
        CallContext(
            connection: connection, sender: senderName, path: path, interface: interface, member: member,
            expectsReply: sd_bus_message_get_expect_reply(message.raw) > 0, knownCredentials: sender?.credentials)
    }

    /// Hands the call to who answers it.
    func answer() {
        do { try handler(self) } catch { refuse(error) }
    }

    /// The arguments; sd-bus has compared the signature with the method's.
    var reader: MessageReader {
        MessageReader(raw: message.raw, limits: limits)
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

    /// Answers that the caller has too much waiting, unless many answers wait to be sent already.
    func refuse(overload error: BusError) {
        if let bus = core.bus, queuedWrites(bus) < 16 { refuse(error) }
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
