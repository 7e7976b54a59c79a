import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import SDBus
import Testing

@Suite struct CommitTests {
    @Test func `the reply waits for the commit, a question does not`() async throws {
        let bench = try await NightBench.open()
        let gate = Gate()
        bench.store.hold(at: gate)
        let answered = Recorder<Receipt>()
        let command = Task { answered.append(try await bench.submit(.logDose(.dose1))) }
        try await gate.arrivals.wait(count: 1)

        #expect(await bench.phase() == .noDose1)
        #expect(answered.elements.isEmpty)

        gate.open()
        try await command.value
        #expect(answered.elements.first?.phase == .beforeWindow)
        #expect(await bench.phase() == .beforeWindow)
        await bench.stop()
    }

    @Test func `commands are handled in the order received`() async throws {
        let bench = try await NightBench.open()
        let gate = Gate()
        bench.store.hold(at: gate)
        let order = Recorder<String>()
        let first = Task(executorPreference: bench.loop) {
            let receipt = try await bench.engine.submit(.logDose(.dose1), CommandOptions(surface: .cli))
            order.append(receipt.type)
        }
        try await gate.arrivals.wait(count: 1)
        // The loop runs what it is given in order, so the three are in the queue in this order.
        let rest = Task(executorPreference: bench.loop) {
            await withTaskGroup(of: Void.self) { group in
                for command in [NightCommand.skipDose2, .undo, .logFinalWake] {
                    group.addTask {
                        var options = CommandOptions(surface: .cli)
                        options.confirmations = [.windowUnresolved]
                        let receipt = try? await bench.engine.submit(command, options)
                        order.append(receipt?.type ?? "failed")
                    }
                }
            }
        }
        gate.open()
        try await first.value
        await rest.value
        #expect(order.elements == ["dose1", "dose2_skipped", "action_undone", "wake_final"])
        #expect(
            try await bench.types() == [
                .sessionOpened, .doseRecorded, .doseSkipped, .actionUndone, .finalWakeRecorded,
            ])
        await bench.stop()
    }

    @Test func `a full mailbox answers busy and records nothing`() async throws {
        let bench = try await NightBench.open()
        let gate = Gate()
        bench.store.hold(at: gate)
        let first = Task { try await bench.submit(.logDose(.dose1)) }
        try await gate.arrivals.wait(count: 1)
        let results = Recorder<EngineFailure?>()
        let over = 5
        let rest = Task(executorPreference: bench.loop) {
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<(Engine.mailboxBound + over) {
                    group.addTask {
                        do {
                            _ = try await bench.engine.submit(.snooze, CommandOptions(surface: .cli))
                            results.append(nil)
                        } catch { results.append(error as? EngineFailure) }
                    }
                }
            }
        }
        let busy = try await results.wait(count: over)
        #expect(busy == Array(repeating: .busy, count: over))
        gate.open()
        _ = try await first.value
        await rest.value
        #expect(results.elements.count == Engine.mailboxBound + over)
        #expect(results.elements.count { $0 == .busy } == over)
        #expect(results.elements.count { $0?.reason == .phase } == Engine.mailboxBound)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }

    @Test func `observers are told in the order of the log, after the commit`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.submit(.skipDose2)
        try await bench.observer.changes.wait { $0.count >= 4 }
        #expect(bench.observer.recorded == [.sessionOpened, .doseRecorded, .doseSkipped])
        #expect(bench.observer.phases == [.beforeWindow, .completed])
        await bench.stop()
    }

    @Test func `a refusal is told and leaves no trace in the log`() async throws {
        let bench = try await NightBench.open()
        let refused = await failure { try await bench.submit(.logDose(.dose2)) }
        #expect(refused?.reason == .dose1Required)
        try await bench.observer.changes.wait(count: 1)
        #expect(
            bench.observer.changes.elements.contains { change in
                if case .declined(.logDose(.dose2), .refused(.dose1Required, _), .cli, nil) = change {
                    true
                } else {
                    false
                }
            })
        #expect(try await bench.log().isEmpty)
        await bench.stop()
    }

    @Test func `a dry run says what would be recorded and records nothing`() async throws {
        let bench = try await NightBench.open()
        let receipt = try await bench.submit(.logDose(.dose1)) { $0.dryRun = true }
        #expect(receipt.dryRun && receipt.type == "dose1" && receipt.phase == .beforeWindow)
        #expect(try await bench.log().isEmpty)
        #expect(bench.timer.armed == nil)
        await bench.stop()
    }

    @Test func `after the stop a command is refused and the timer is silent`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        await bench.engine.stop()
        #expect(await failure { try await bench.submit(.skipDose2) } == .stopping)
        #expect(bench.timer.armed == nil)
        await bench.deadline()
        #expect(bench.timer.armed == nil)
        bench.loop.stop()
    }
}
