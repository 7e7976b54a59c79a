import DoseTapDomain
@testable import DoseTapStore
import Foundation
import GRDB
import Testing

@Suite struct GivingWayTests {
    /// An actor on the store's thread that lists its jobs in the order they ran.
    private actor Worker {
        private let thread: StoreThread
        private(set) var done: [String] = []

        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ thread: StoreThread) { self.thread = thread }

        func wait(_ semaphore: DispatchSemaphore, _ started: DispatchSemaphore) {
            started.signal()
            semaphore.wait()
        }

        func work(_ name: String) { done.append(name) }
    }

    private static func wait(_ semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func `jobs run in the order in which they came, what gives way after all others`() async throws {
        let thread = try StoreThread.start()
        defer { thread.stop() }
        let worker = Worker(thread)
        let (hold, held) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let first = Task { await worker.wait(hold, held) }
        Self.wait(held)
        var tasks: [Task<Void, Never>] = []
        // Each immediate task runs at once until it waits in the thread's queue.
        for number in 1...4 {
            tasks.append(Task.immediate(priority: .utility) { await worker.work("question \(number)") })
            tasks.append(Task.immediate(priority: .medium) { await worker.work("dose \(number)") })
        }
        hold.signal()
        await first.value
        for task in tasks { await task.value }
        #expect(
            await worker.done == (1...4).map { "dose \($0)" } + (1...4).map { "question \($0)" })
    }

    /// Begins a question that never ends by itself, and returns once the store works on it.
    private static func askEndlessly(_ store: Store) async throws -> Task<Int?, any Error> {
        let began = DispatchSemaphore(value: 0)
        try await store.add(
            DatabaseFunction("began", argumentCount: 0) { _ in
                began.signal()
                return 1
            })
        let endless =
            "WITH RECURSIVE n(x) AS (SELECT began() UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        let question = Task.immediate(priority: .utility) { try await store.value(Int.self, endless) }
        wait(began)
        return question
    }

    @Test func `a long question is broken off for a dose`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let question = try await Self.askEndlessly(store)
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        await #expect(throws: StoreError.self) { try await question.value }
        #expect(try await store.check().isSound)
    }

    @Test func `a question that nobody waits for any more is broken off`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let question = try await Self.askEndlessly(store)
        question.cancel()
        await #expect(performing: { try await question.value }, throws: { ($0 as? StoreError)?.code == .interrupted })
    }

    @Test func `a rebuild that gives way has changed nothing, and can be begun anew`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<20 { for batch in try nights.night() { _ = try await store.commit(batch) } }
        let before = try await store.check()
        for _ in 0..<10 {
            let rebuild = Task(priority: .utility) { () -> StoreError.Code? in
                do {
                    _ = try await store.rebuild()
                    return nil
                } catch { return (error as? StoreError)?.code }
            }
            await store.ping()
            let code = await rebuild.value
            #expect(code == nil || code == .interrupted)
        }
        #expect(try await store.check() == before)
    }

    @Test func `looking at the store keeps no queue each time`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        _ = try await store.check()
        let kept = ClosedQueues.count
        for _ in 0..<20 {
            _ = try await store.check()
            _ = try await store.rebuild()
        }
        // Other tests of this process may close stores meanwhile, but not twenty.
        #expect(ClosedQueues.count - kept < 20)
    }
}

@Suite struct StoreThreadTests {
    actor Probe {
        private let thread: StoreThread
        private(set) var order: [Int] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ thread: StoreThread) { self.thread = thread }

        /// While this function runs on the thread, all jobs pile up behind it and are taken as one batch.
        func pile(_ count: Int) -> [Task<Void, Never>] {
            (0..<count).map { number in Task { note(number) } }
        }

        private func note(_ number: Int) { order.append(number) }
    }

    @Test func `what is handed to the store's thread in one batch is done in the order of handing over`() async throws {
        let thread = try StoreThread.start()
        defer { thread.stop() }
        let probe = Probe(thread)
        for task in await probe.pile(50) { await task.value }
        #expect(await probe.order == Array(0..<50))
    }
}
