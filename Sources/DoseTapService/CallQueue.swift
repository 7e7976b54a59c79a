internal import DoseTapContract
internal import DoseTapDomain
internal import SDBus

/// Runs callers' work one piece at a time, in turn by sender: a sender with much work delays the others by one piece at most. A
/// queue with places runs that many pieces at once and refuses further ones.
///
/// The same question of several callers is asked once while it waits. A question whose callers have all left the bus is
/// cancelled, also while it is being answered.
actor CallQueue {
    private typealias Outcome = Result<any Sendable, any Error>

    /// One piece of work and its waiting callers.
    private final class Piece {
        let topic: String?
        let work: @Sendable () async throws -> any Sendable
        var waiting: [(sender: String?, continuation: CheckedContinuation<Outcome, Never>)] = []

        init(_ topic: String?, _ work: @escaping @Sendable () async throws -> any Sendable) {
            self.topic = topic
            self.work = work
        }
    }

    /// A sender that is watched for leaving the bus while it waits here.
    private final class Watch {
        var calls = 0
        var subscription: UInt64?
    }

    private let loop: EventLoop
    private let priority: TaskPriority
    /// Senders with waiting work, the next first; no list is empty.
    private var lines: [(sender: String?, pieces: [Piece])] = []
    private var topics: [String: Piece] = [:]
    private var running: [(number: UInt64, piece: Piece, task: Task<Void, Never>)] = []
    private var number: UInt64 = 0
    /// Number of pieces at once. Nil is one piece, and the others wait.
    private let places: Int?
    private var watches: [String: Watch] = [:]

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// Time limit for sending an answer before the next question is begun.
    private static let timeout: Duration = .seconds(1)

    /// - Parameters:
    ///   - priority: of the work; work below the default gives way to doses and reminders in the store.
    ///   - places: number of pieces at once; a further piece is refused as `Busy`. Nil is one piece, and the others wait.
    init(on loop: EventLoop, priority: TaskPriority, places: Int? = nil) {
        self.loop = loop
        self.priority = priority
        self.places = places
    }

    /// Runs work in the sender's turn.
    ///
    /// - Parameters:
    ///   - topic: name of the question. Callers with the same topic share one answer; the work begins after all of them asked.
    ///   - isWatched: true if the work is cancelled when all its callers have left.
    ///   - isQuestion: true if the answer is the only effect of the work. The work is then not run for a caller without a
    ///     reply.
    func perform<Answer: Sendable>(
        _ context: CallContext, topic: String? = nil, isWatched: Bool = false, isQuestion: Bool = false,
        _ work: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        guard context.expectsReply || !isQuestion else { throw CancellationError() }
        let watched = isWatched ? context.sender : nil
        if let watched { watch(watched, context.connection) }
        let connection = context.connection
        let outcome = await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
            self.add(context.sender, continuation, topic) {
                // A long answer is made after the one before it was sent; otherwise both would delay the answer to a
                // dose.
                if isQuestion { await connection.flush(within: Self.timeout) }
                return try await work()
            }
        }
        if let watched { await unwatch(watched, context.connection) }
        guard let answer = try outcome.get() as? Answer else {
            throw ServiceError(.internal, "The service answered another question.")
        }
        return answer
    }

    private func add(
        _ sender: String?, _ continuation: CheckedContinuation<Outcome, Never>, _ topic: String?,
        _ work: @escaping @Sendable () async throws -> any Sendable
    ) {
        if let places, running.count >= places {
            let busy = ServiceError(.busy, sent("The service does as many of these as it can at once: \(places)."))
            return continuation.resume(returning: .failure(busy))
        }
        if let topic, let same = topics[topic] { return same.waiting.append((sender, continuation)) }
        let piece = Piece(topic, work)
        piece.waiting = [(sender, continuation)]
        if let topic { topics[topic] = piece }
        if let line = lines.firstIndex(where: { $0.sender == sender }) {
            lines[line].pieces.append(piece)
        } else {
            lines.append((sender, [piece]))
        }
        startNext()
    }

    private func startNext() {
        guard running.count < places ?? 1, !lines.isEmpty else { return }
        var line = lines.removeFirst()
        let piece = line.pieces.removeFirst()
        if !line.pieces.isEmpty { lines.append(line) }
        if let topic = piece.topic { topics[topic] = nil }
        let work = piece.work
        number += 1
        let task = Task(executorPreference: loop.preference, priority: priority) { [number] in
            let outcome: Outcome
            do { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            await self.end(number, outcome)
        }
        running.append((number, piece, task))
    }

    private func end(_ number: UInt64, _ outcome: Outcome) {
        guard let index = running.firstIndex(where: { $0.number == number }) else { return }
        let waiting = running.remove(at: index).piece.waiting
        startNext()
        for one in waiting { one.continuation.resume(returning: outcome) }
    }

    // MARK: Senders that leave

    private func watch(_ sender: String, _ connection: Connection) {
        if let watch = watches[sender] { return watch.calls += 1 }
        let watch = Watch()
        watch.calls = 1
        watches[sender] = watch
        Task(executorPreference: loop.preference) { await self.listen(for: sender, connection) }
    }

    private func listen(for sender: String, _ connection: Connection) async {
        let match = SignalMatch(
            sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged", firstArgument: sender)
        let subscription = try? await connection.subscribe(match) { [loop] _ in
            Task(executorPreference: loop.preference) { await self.left(sender) }
        }
        guard let watch = watches[sender], watch.subscription == nil else {
            if let subscription { await connection.unsubscribe(subscription) }
            return
        }
        watch.subscription = subscription
        // The sender may have left before the match was in force.
        if (try? await connection.owner(of: sender)) == nil { left(sender) }
    }

    private func unwatch(_ sender: String, _ connection: Connection) async {
        guard let watch = watches[sender] else { return }
        watch.calls -= 1
        guard watch.calls == 0 else { return }
        watches[sender] = nil
        if let subscription = watch.subscription { await connection.unsubscribe(subscription) }
    }

    private func left(_ sender: String) {
        var gone: [CheckedContinuation<Outcome, Never>] = []
        func isWanted(_ piece: Piece) -> Bool {
            gone += piece.waiting.filter { $0.sender == sender }.map(\.continuation)
            piece.waiting.removeAll { $0.sender == sender }
            if piece.waiting.isEmpty, let topic = piece.topic, topics[topic] === piece { topics[topic] = nil }
            return !piece.waiting.isEmpty
        }
        lines = lines.compactMap { line in
            let pieces = line.pieces.filter(isWanted)
            return pieces.isEmpty ? nil : (line.sender, pieces)
        }
        for one in running where !isWanted(one.piece) { one.task.cancel() }
        for continuation in gone { continuation.resume(returning: .failure(CancellationError())) }
    }
}

/// The queues of callers. Doses, reminders and their deliveries go before all of them: at most one command is in progress, and
/// questions give way in the store.
struct CallQueues: Sendable {
    /// Calls that record something.
    let commands: CallQueue
    /// Questions to the store.
    let questions: CallQueue
    /// Calls that look at the machine or change settings.
    let machine: CallQueue
    /// Calls that read or write a caller's file, which may hang.
    let files: CallQueue
    /// Calls that stream into a caller's descriptor, at the pace of its reader.
    let streams: CallQueue

    init(on loop: EventLoop) {
        commands = CallQueue(on: loop, priority: .medium)
        questions = CallQueue(on: loop, priority: .utility)
        machine = CallQueue(on: loop, priority: .utility)
        files = CallQueue(on: loop, priority: .utility)
        streams = CallQueue(on: loop, priority: .utility, places: 3)
    }
}
