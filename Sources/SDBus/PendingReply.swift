internal import CSystemd
internal import Glibc

/// How a call ended. No `Result`: its generic metadata costs a short-lived client more than the call.
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
    /// Default of the D-Bus world for an answer.
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

    /// Gives up on a call.
    func cancel(_ identifier: UInt64) {
        loop.preconditionIsolated()
        pending.remove(identifier)?
            .finish(.failure(.cancelled))
    }
}
