import Testing

@testable import DoseTapStore

@Suite struct StoreThreadTests {
    actor Probe {
        private let thread: StoreThread
        private(set) var order: [Int] = []
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

        init(_ thread: StoreThread) { self.thread = thread }

        /// While this runs on the thread, all jobs pile up behind it and are taken as one batch.
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
