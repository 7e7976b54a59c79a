import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
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

    @Test func `notices go out and the timer is armed although nobody says that the reply has left`() async throws {
        let bench = try await NightBench.open()
        _ = try await bench.engine.submit(.logDose(.dose1), CommandOptions(surface: .cli), awaitsAnswer: true)
        await bench.engine.published()
        #expect(bench.timer.armed != nil)
        #expect(bench.observer.changes.elements.contains { if case .recorded = $0 { true } else { false } })
        let received = try await bench.plugin.received.wait(count: 2)
        #expect(received.map(\.event.payload.type) == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }

    @Test func `the beginning of an id that several have is refused, and the candidates are named`() async throws {
        let bench = try await NightBench.open()
        // Ids that are made within a minute share their first eight characters.
        var doses: [EventID] = []
        for days in [3, 5] {
            let receipt = try await bench.submit(.logDose(.dose1)) { $0.at = bench.clock.now - .hours(24 * days) }
            doses.append(receipt.eventID)
        }
        let beginning = String(doses[0].text.prefix(8))
        #expect(doses[1].text.hasPrefix(beginning))
        let failures = [
            await failure { _ = try await bench.engine.records(named: beginning) },
            await failure { try await bench.submit(.delete(EventID(beginning))) },
            await failure { _ = try await bench.engine.explain(beginning) },
        ]
        for (place, failure) in failures.enumerated() {
            guard case .command(.invalidInput(let text)) = failure else {
                Issue.record("\(place): \(String(describing: failure))")
                continue
            }
            let isNamed = place == 2 ? text.hasSuffix(", …") : doses.allSatisfy { text.contains($0.text) }
            #expect(isNamed, "\(text)")
        }
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
        // The loop keeps the order of its tasks, so the three commands are in the queue in this order.
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
        await #expect(throws: EngineFailure.busy) { try await bench.engine.acknowledge("alarm") }
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
