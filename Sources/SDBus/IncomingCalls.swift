internal import CSystemd

/// The callers that a connection serves, and the number of their calls at once.
///
/// The policy holds for methods and properties and is applied before anything of a call is read. A peer has no sender
/// and is not judged: the holder of the other end of the socket was given that end.
public struct CallPolicy: Sendable {
    let admits: @Sendable (Credentials) -> Bool
    let refusal: BusError
    let callsPerSender: Int
    let callsOfAll: Int
    let timeout: Duration
    let overload: BusError

    /// - Parameters:
    ///   - callsPerSender: The most calls of one sender that wait or run.
    ///   - callsOfAll: The most calls of all senders together.
    ///   - timeout: The time limit for the bus to say who a sender is.
    ///   - overload: The answer to a call beyond these numbers.
    ///   - refusal: The answer to a caller that is not let in.
    ///   - admits: Judges the bus's answer about a caller. A caller without an answer, because the caller is gone or
    ///     the bus does not answer, is refused without being judged.
    public init(
        callsPerSender: Int = 64, callsOfAll: Int = 4096, timeout: Duration = .seconds(15),
        overload: BusError = BusError(name: BusError.Name.limitsExceeded, message: "too many calls wait"),
        refusal: BusError = BusError(name: BusError.Name.accessDenied, message: "the caller is not let in"),
        admits: @escaping @Sendable (Credentials) -> Bool
    ) {
        self.callsPerSender = callsPerSender
        self.callsOfAll = callsOfAll
        self.timeout = timeout
        self.overload = overload
        self.refusal = refusal
        self.admits = admits
    }
}

/// A caller, as long as it is remembered. Lives on the loop's thread.
final class CallSender {
    /// Nil while the bus is being asked.
    fileprivate(set) var credentials: Credentials?
    fileprivate var isAdmitted = false
    /// Calls that wait, run, or are held until the bus has answered.
    fileprivate var calls = 0
    fileprivate var held: [IncomingCall] = []
}

/// Remembers callers and admits their calls. Lives on the loop's thread.
final class CallDesk {
    /// Number of senders kept before those without a call are forgotten.
    private static let fewestKept = 512
    private var senders: [String: CallSender] = [:]
    private var forgettingAt = CallDesk.fewestKept
    private var calls = 0
    var policy: CallPolicy?

    /// Answers a call: at once if its sender is known, else as soon as the bus has named the sender. A call keeps its
    /// place among those of its sender.
    func receive(_ call: IncomingCall) {
        guard let policy, let name = call.senderName else { return call.answer() }
        tidyAfterCrowd(call.core.loop)
        let sender = senders[name] ?? welcome(name, call.connection, policy.timeout)
        guard calls < policy.callsOfAll, sender.calls < policy.callsPerSender else {
            return call.refuse(overload: policy.overload)
        }
        calls += 1
        sender.calls += 1
        call.sender = sender
        if sender.credentials == nil { sender.held.append(call) } else { settle(call, sender, policy) }
    }

    /// Calls that wait or run, also those of a peer, who has no sender.
    fileprivate(set) var open = 0
    /// The promise for a waiter, kept when the last of these calls ends.
    var settled: LoopPromise<Void>?

    /// True if the bus is being asked about a sender.
    var isAsking: Bool { senders.values.contains { $0.credentials == nil } }

    /// Ends a call, which is counted for its sender if it has one.
    func end(_ sender: CallSender?) {
        open -= 1
        if open == 0 { settled.take()?.resolve(()) }
        guard let sender else { return }
        calls -= 1
        sender.calls -= 1
    }

    private func forgetSilent() {
        senders = senders.filter { $0.value.calls > 0 || $0.value.credentials == nil }
        forgettingAt = max(Self.fewestKept, 2 * senders.count)
    }

    /// Number of calls after which memory is given back.
    private static let crowd = 256
    private static let few = 16
    private static let idleTime: Duration = .milliseconds(250)
    private var callsOfCrowd = 0
    private var isTidying = false
    private var idleTimer: LoopTimer?

    /// Gives the memory of a crowd of calls back to the system once the calls have become fewer: the allocator keeps
    /// freed memory that lies between used blocks.
    private func tidyAfterCrowd(_ loop: EventLoop) {
        callsOfCrowd += 1
        guard callsOfCrowd >= Self.crowd, !isTidying else { return }
        isTidying = true
        let desk = LoopConfined(Weak(desk: self))
        idleTimer = idleTimer ?? LoopTimer(on: loop, clock: .boottime) { _ in desk.value.desk?.tidy() }
        waitUntilIdle()
    }

    private struct Weak {
        weak var desk: CallDesk?
    }

    private func waitUntilIdle() {
        callsOfCrowd = 0
        idleTimer?.assumeIsolated { timer in try? timer.arm(after: Self.idleTime) }
    }

    private func tidy() {
        // Memory freed later would stay.
        guard callsOfCrowd < Self.crowd, calls < Self.few else { return waitUntilIdle() }
        isTidying = false
        forgetSilent()
        csd_give_memory_back()
    }

    private func settle(_ call: IncomingCall, _ sender: CallSender, _ policy: CallPolicy) {
        if sender.isAdmitted { call.answer() } else { call.refuse(policy.refusal) }
    }

    private func welcome(_ name: String, _ connection: Connection, _ timeout: Duration) -> CallSender {
        if senders.count >= forgettingAt { forgetSilent() }
        let sender = CallSender()
        senders[name] = sender
        let question = LoopConfined((desk: self, sender: sender))
        connection.loop.start {
            let credentials = try? await connection.credentials(of: name, within: timeout)
            question.value.desk.learn(credentials, of: question.value.sender, name)
        }
        return sender
    }

    private func learn(_ credentials: Credentials?, of sender: CallSender, _ name: String) {
        guard let policy else { return }
        sender.isAdmitted = credentials.map(policy.admits) ?? false
        sender.credentials = credentials ?? Credentials()
        // A sender unknown to the bus is asked about again with the next call.
        if credentials == nil { senders[name] = nil }
        let held = sender.held
        sender.held = []
        for call in held { settle(call, sender, policy) }
    }
}

/// A method call that waits to be answered.
///
/// Unchecked: the mutable members, and ``ReceivedMessage``, are used on the loop's thread only.
final class IncomingCall: @unchecked Sendable {
    let core: BusCore
    let connection: Connection
    let limits: InputLimits
    let senderName: String?
    /// The sender for whom the call is counted.
    var sender: CallSender?
    private let path: ObjectPath
    private let interface: String
    private let member: String
    private let message: ReceivedMessage
    private let handler: (IncomingCall) throws -> Void
    private var isAnswered = false
    private var actionsAfterAnswer: [@Sendable () -> Void] = []

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
        core.desk.open += 1
    }

    deinit {
        let rest = LoopConfined((core.desk, sender))
        core.loop.execute { rest.value.0.end(rest.value.1) }
    }

    var context: CallContext {
        CallContext(
            connection: connection, sender: senderName, path: path, interface: interface, member: member,
            expectsReply: sd_bus_message_get_expect_reply(message.raw) > 0, knownCredentials: sender?.credentials,
            call: self)
    }

    /// Calls the action once the answer is queued, at once if it is.
    fileprivate func whenAnswered(_ action: @escaping @Sendable () -> Void) {
        core.loop.preconditionIsolated()
        if isAnswered { action() } else { actionsAfterAnswer.append(action) }
    }

    private func answered() {
        isAnswered = true
        let actions = actionsAfterAnswer
        actionsAfterAnswer = []
        for action in actions { action() }
    }

    /// Calls the handler.
    func answer() {
        do { try handler(self) } catch { refuse(error) }
    }

    /// The arguments; sd-bus has compared the signature with the method's.
    var reader: MessageReader {
        MessageReader(raw: message.raw, limits: limits)
    }

    /// Answers with values; does nothing when the caller or the bus is gone.
    func reply(_ encode: (MessageWriter) throws(BusError) -> Void) {
        core.loop.preconditionIsolated()
        defer { answered() }
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

    /// Answers that the caller has too many calls waiting, unless many answers wait to be sent already.
    func refuse(overload error: BusError) {
        if let bus = core.bus, queuedWrites(bus) < 16 { refuse(error) }
    }

    func refuse(_ error: any Error) {
        core.loop.preconditionIsolated()
        defer { answered() }
        guard let bus = core.bus, sd_bus_message_get_expect_reply(message.raw) > 0 else { return }
        let known = (error as? BusError) ?? BusError(name: BusError.Name.failed, message: "\(error)")
        if send(known, on: bus) { return }
        // The error's name, text or details could not travel.
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

public struct CallContext: Sendable {
    /// The connection the call came through.
    public let connection: Connection
    /// The caller's unique name, nil with a peer.
    public let sender: String?
    public let path: ObjectPath
    public let interface: String
    public let member: String
    /// True if the caller waits for an answer.
    public let expectsReply: Bool
    /// The bus's answer about the caller, if a ``CallPolicy`` asks; else nil.
    public let knownCredentials: Credentials?
    weak let call: IncomingCall?

    /// Calls an action on the loop once the answer to this call is queued on the connection, also if the answer is an
    /// error or nobody waits for one. A service that ends because of a call sends the answer first this way.
    public func whenAnswered(_ action: @escaping @Sendable () -> Void) {
        guard let call else { return }
        call.core.loop.execute { call.whenAnswered(action) }
    }

    /// The caller's process and user: asked of the bus, or noted by the kernel with a peer.
    public func credentials() async throws(BusError) -> Credentials {
        if let knownCredentials { return knownCredentials }
        guard let sender else { return try await connection.peerCredentials() }
        return try await connection.credentials(of: sender)
    }
}

/// Refuses, before any Swift code runs, the calls of senders who ask for more than the loop has time for: the only way
/// to keep up with a flood. Nobody is refused while the loop keeps up.
///
/// Unchecked: used on the loop's thread only.
final class FloodGuard: @unchecked Sendable {
    private let raw: OpaquePointer
    private var slot: OpaquePointer?

    /// The time without an idle moment of the loop after which calls are refused, in microseconds.
    private static let streak: UInt64 = 20_000
    /// The time for which a sender must be quiet to be let in again, in microseconds.
    private static let pause: UInt64 = 1_000_000

    init(_ bus: OpaquePointer, _ policy: CallPolicy) throws(BusError) {
        let raw = csd_flood_guard_new(
            bus, Self.streak, UInt32(clamping: policy.callsPerSender), Self.pause, policy.overload.name,
            policy.overload.message)
        guard let raw else { throw BusError(errno: ENOMEM, doing: "guard against floods") }
        self.raw = raw
        let result = sd_bus_add_filter(bus, &slot, csd_flood_guard_filter, UnsafeMutableRawPointer(raw))
        guard result >= 0 else {
            csd_flood_guard_free(raw)
            throw BusError(errno: -result, doing: "guard against floods")
        }
    }

    func wasIdle() { csd_flood_guard_idle(raw) }

    var refused: UInt64 { csd_flood_guard_refused(raw) }

    /// Looks at the calls behind a refused one, as long as those are refused too.
    func drain() { csd_flood_guard_drain(raw) }

    deinit {
        sd_bus_slot_unref(slot)
        csd_flood_guard_free(raw)
    }
}
