internal import CSystemd

/// Who may call what a connection serves, and how much of it at once.
///
/// It holds for methods and properties alike and is asked before anything of a call is read. A peer has no sender and is
/// not asked: who holds the other end of the socket was given it.
public struct CallPolicy: Sendable {
    let admits: @Sendable (Credentials) -> Bool
    let refusal: BusError
    let callsPerSender: Int
    let callsOfAll: Int
    let patience: Duration
    let overload: BusError

    /// - Parameters:
    ///   - callsPerSender: How many calls of one sender may wait or run.
    ///   - callsOfAll: How many calls of all senders together may.
    ///   - patience: How long the bus may take to say who a sender is.
    ///   - overload: The answer to one more.
    ///   - refusal: The answer to a caller that is not let in.
    ///   - admits: Judges what the bus says of a caller. One of whom it says nothing, because it is gone or the bus does
    ///     not answer, is refused without being judged.
    public init(
        callsPerSender: Int = 64, callsOfAll: Int = 4096, patience: Duration = .seconds(15),
        overload: BusError = BusError(name: BusError.Name.limitsExceeded, message: "too many calls wait"),
        refusal: BusError = BusError(name: BusError.Name.accessDenied, message: "the caller is not let in"),
        admits: @escaping @Sendable (Credentials) -> Bool
    ) {
        self.callsPerSender = callsPerSender
        self.callsOfAll = callsOfAll
        self.patience = patience
        self.overload = overload
        self.refusal = refusal
        self.admits = admits
    }
}

/// One who calls, as long as it is remembered. Lives on the loop's thread.
final class CallSender {
    /// What the bus says of it; nil while it is being asked.
    fileprivate(set) var credentials: Credentials?
    fileprivate var isAdmitted = false
    /// Calls that wait, run, or are held until the bus has answered.
    fileprivate var calls = 0
    fileprivate var held: [IncomingCall] = []
}

/// Keeps who has called, and lets calls in. Lives on the loop's thread.
final class CallDesk {
    /// How many senders are remembered before those without a call are forgotten.
    private static let fewestKept = 512
    private var senders: [String: CallSender] = [:]
    private var forgettingAt = CallDesk.fewestKept
    private var calls = 0
    var policy: CallPolicy?

    /// Answers a call: at once where its sender is known, else as soon as the bus has said who that is. A call keeps its
    /// place among those of its sender.
    func receive(_ call: IncomingCall) {
        guard let policy, let name = call.senderName else { return call.answer() }
        tidyAfterCrowd(call.core.loop)
        let sender = senders[name] ?? welcome(name, call.connection, policy.patience)
        guard calls < policy.callsOfAll, sender.calls < policy.callsPerSender else {
            return call.refuse(overload: policy.overload)
        }
        calls += 1
        sender.calls += 1
        call.sender = sender
        if sender.credentials == nil { sender.held.append(call) } else { settle(call, sender, policy) }
    }

    /// Whether the bus is being asked who somebody is.
    var isAsking: Bool { senders.values.contains { $0.credentials == nil } }

    /// A call that was counted has come to its end.
    func end(_ sender: CallSender) {
        calls -= 1
        sender.calls -= 1
    }

    private func forgetSilent() {
        senders = senders.filter { $0.value.calls > 0 || $0.value.credentials == nil }
        forgettingAt = max(Self.fewestKept, 2 * senders.count)
    }

    /// So many calls make a crowd.
    private static let crowd = 256
    private static let few = 16
    private static let quiet: Duration = .milliseconds(250)
    private var callsOfCrowd = 0
    private var isTidying = false
    private var quietTimer: LoopTimer?

    /// What a crowd of calls needed is given back to the system once the calls have become fewer: what was freed lies in
    /// holes, which the allocator keeps by itself.
    private func tidyAfterCrowd(_ loop: EventLoop) {
        callsOfCrowd += 1
        guard callsOfCrowd >= Self.crowd, !isTidying else { return }
        isTidying = true
        let desk = LoopConfined(Weak(desk: self))
        quietTimer = quietTimer ?? LoopTimer(on: loop, clock: .boottime) { _ in desk.value.desk?.tidy() }
        waitForQuiet()
    }

    private struct Weak {
        weak var desk: CallDesk?
    }

    private func waitForQuiet() {
        callsOfCrowd = 0
        quietTimer?.assumeIsolated { timer in try? timer.arm(after: Self.quiet) }
    }

    private func tidy() {
        // What is freed later would stay.
        guard callsOfCrowd < Self.crowd, calls < Self.few else { return waitForQuiet() }
        isTidying = false
        forgetSilent()
        csd_give_memory_back()
    }

    private func settle(_ call: IncomingCall, _ sender: CallSender, _ policy: CallPolicy) {
        if sender.isAdmitted { call.answer() } else { call.refuse(policy.refusal) }
    }

    private func welcome(_ name: String, _ connection: Connection, _ patience: Duration) -> CallSender {
        if senders.count >= forgettingAt { forgetSilent() }
        let sender = CallSender()
        senders[name] = sender
        let question = LoopConfined((desk: self, sender: sender))
        connection.loop.start {
            let credentials = try? await connection.credentials(of: name, within: patience)
            question.value.desk.learn(credentials, of: question.value.sender, name)
        }
        return sender
    }

    private func learn(_ credentials: Credentials?, of sender: CallSender, _ name: String) {
        guard let policy else { return }
        sender.isAdmitted = credentials.map(policy.admits) ?? false
        sender.credentials = credentials ?? Credentials()
        // What the bus did not know is asked again with the next call.
        if credentials == nil { senders[name] = nil }
        let held = sender.held
        sender.held = []
        for call in held { settle(call, sender, policy) }
    }
}
