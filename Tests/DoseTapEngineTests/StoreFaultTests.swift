import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct StoreFaultTests {
    @Test(arguments: [StoreError.Code.noSpace, .readOnly])
    func `B3, B4: what the disk does not take is kept, told, reminded of, and written later`(
        code: StoreError.Code
    ) async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(code))
        let first = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "k" } }
        #expect(first?.store?.code == code)
        #expect(first?.store?.kept == true)

        let status = await bench.engine.status(at: nil)
        #expect(status.window.phase == .beforeWindow)
        #expect(status.warnings.contains { $0.message.contains("2 events are not yet safe on disk") })
        #expect(await bench.engine.health == code.rawValue)

        bench.clock.advance(by: .minutes(1))
        let again = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "k" } }
        #expect(again?.store?.code == code && again?.store?.kept == true)

        let dose1 = try #require(status.dose1)
        try await bench.advance(to: dose1 + .minutes(166))
        #expect(bench.plugin.told.elements.map(\.item.id) == [.windowOpen, .preAlarm, .alarm])
        #expect(bench.plugin.told.elements.allSatisfy { $0.lateness == .zero })
        #expect(try await bench.log().isEmpty)

        bench.store.fail(nil)
        try await bench.advance(by: .minutes(2))
        let types = try await bench.types()
        #expect(
            types == [
                .sessionOpened, .doseRecorded, .reminderFired, .reminderFired, .reminderFired, .reminderFired,
            ])
        #expect(await bench.engine.health == "ok")
        #expect(await bench.engine.status(at: nil).warnings.isEmpty)
        let receipt = try await bench.submit(.logDose(.dose1)) { $0.key = "k" }
        #expect(receipt.duplicate)
        #expect(try await bench.types() == types)
        #expect(try await bench.store.verify().isSound)
        #expect(try await bench.store.check().isSound)
        try await bench.plugin.received.wait(count: types.count)
        #expect(bench.plugin.received.elements.map(\.sequence) == Array(1...Int64(types.count)))
        await bench.stop()
    }

    @Test func `kept entries are written with the next command that the store takes, in order`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.noSpace))
        _ = await failure { try await bench.submit(.logDose(.dose1)) }
        try await bench.advance(by: .minutes(20))
        _ = await failure { try await bench.submit(.skipDose2) }
        #expect(await bench.phase() == .completed)
        bench.store.fail(nil)
        let receipt = try await bench.submit(.logFinalWake)
        #expect(receipt.phase == .finalizing)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded, .doseSkipped, .finalWakeRecorded])
        try await bench.observer.changes.wait { changes in
            changes.contains { if case .recovered(3) = $0 { true } else { false } }
        }
        await bench.stop()
    }

    @Test func `kept entries are written at the stop`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.readOnly))
        _ = await failure { try await bench.submit(.logDose(.dose1)) }
        bench.store.fail(nil)
        await bench.stop()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(await later.phase() == .beforeWindow)
        await later.stop()
    }

    @Test func `B1: a failed flush that landed is found in the log, with its reminders`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.unknownButLanded)
        let answer = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "k" } }
        #expect(answer?.store?.code == .outcomeUnknown && answer?.store?.kept == false)
        #expect(bench.store.reopenings == 1)
        #expect(await bench.phase() == .beforeWindow)
        #expect(bench.timer.armed == bench.clock.now + .minutes(150))
        try await bench.plugin.received.wait(count: 2)
        try await bench.observer.changes.wait { $0.count >= 3 }
        #expect(bench.observer.recorded == [.sessionOpened, .doseRecorded])

        bench.store.fail(nil)
        let receipt = try await bench.submit(.logDose(.dose1)) { $0.key = "k" }
        #expect(receipt.duplicate)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        try await bench.submit(.skipDose2)
        #expect(await bench.engine.health == "ok")
        await bench.stop()
    }

    @Test func `B1: a failed flush that was lost leaves nothing, and the key records anew`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.unknownAndLost)
        let answer = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "k" } }
        #expect(answer?.store?.code == .outcomeUnknown)
        #expect(await bench.phase() == .noDose1)
        #expect(bench.timer.armed == nil)
        bench.store.fail(nil)
        let receipt = try await bench.submit(.logDose(.dose1)) { $0.key = "k" }
        #expect(!receipt.duplicate)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }

    @Test func `R20.8 while nobody knows what the log holds no answer is certain`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.unknownButLanded)
        bench.store.failReopening(true)
        _ = await failure { try await bench.submit(.logDose(.dose1)) }
        let unknown = await bench.engine.status(at: nil)
        #expect(unknown.dose1 == nil && !unknown.isCertain)
        #expect(try NightStatus(json: unknown.json) == unknown)
        bench.store.fail(nil)
        bench.store.failReopening(false)
        await bench.engine.deadlineReached()
        let known = await bench.engine.status(at: nil)
        #expect(known.dose1 == bench.clock.now && known.isCertain)
        await bench.stop()
    }

    @Test func `R20.9 an event kept in memory is explained too`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.noSpace))
        _ = await failure { try await bench.submit(.logSleepEvent("dream")) }
        let unsafe = bench.observer.changes.elements.compactMap { change -> [Event]? in
            if case .unsafe(let events, _) = change { events } else { nil }
        }
        let entry = try #require(unsafe.first?.last)
        let explanation = try await bench.engine.explain(entry.id.text)
        #expect(explanation.sequence == nil && explanation.consequences.map(\.type) == ["session_opened"])
        bench.store.fail(nil)
        await bench.engine.deadlineReached()
        #expect(try await bench.engine.explain(entry.id.text).sequence == 2)
        await bench.stop()
    }

    @Test func `entries kept before a failed flush that landed are in the log once`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.refused(.noSpace))
        _ = await failure { try await bench.submit(.logDose(.dose1)) }
        bench.store.fail(.unknownButLanded)
        _ = await failure { try await bench.submit(.skipDose2) }
        bench.store.fail(nil)
        try await bench.submit(.logFinalWake)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded, .doseSkipped, .finalWakeRecorded])
        #expect(try await bench.store.verify().isSound)
        await bench.stop()
    }

    @Test func `while the file does not open anew nothing is decided on a guess`() async throws {
        let bench = try await NightBench.open()
        bench.store.fail(.unknownButLanded)
        bench.store.failReopening(true)
        _ = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "k" } }
        #expect(bench.timer.armed == bench.clock.now + .seconds(60))
        bench.store.fail(nil)
        bench.clock.advance(by: .seconds(20))
        // The service does not know of dose 1. Without a look at the log it would record a second dose 1.
        let blind = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "other" } }
        #expect(blind?.store?.code == .unavailable)
        bench.store.failReopening(false)
        try await bench.advance(by: .seconds(60))
        #expect(await bench.phase() == .beforeWindow)
        let again = await failure { try await bench.submit(.logDose(.dose1)) { $0.key = "other" } }
        #expect(again?.reason == .dose1AlreadyTaken)
        #expect(try await bench.types() == [.sessionOpened, .doseRecorded])
        await bench.stop()
    }

    @Test(arguments: [
        FaultyStore.Fault.refused(.noSpace), .refused(.readOnly), .refused(.unavailable),
        .refused(.locked), .unknownAndLost, .unknownButLanded,
    ])
    func `reminders go on, each told once, whatever the store does`(fault: FaultyStore.Fault) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        bench.store.fail(fault)
        try await bench.advance(to: dose1 + .minutes(172))
        let told: [ReminderID] = [.windowOpen, .preAlarm, .alarm, .followup1, .followup2, .followup3]
        #expect(bench.plugin.told.elements.map(\.item.id) == told)
        bench.store.fail(nil)
        try await bench.advance(to: dose1 + .minutes(176))
        #expect(bench.plugin.told.elements.map(\.item.id) == told + [.alarmRepeat])
        let fired = try await bench.log().compactMap { stored in
            if case .reminderFired(let payload) = stored.event.payload { payload.reminder } else { nil }
        }
        #expect(fired == told + [.alarmRepeat])
        #expect(await bench.engine.status(at: nil).warnings.isEmpty)
        await bench.stop()
    }

    @Test func `a fault inside the store is no busy loop, and a dose is not blocked by it for ever`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        bench.store.fail(.refused(.internal))
        try await bench.advance(to: dose1 + .minutes(153))
        #expect((1...5).contains(bench.plugin.told.elements.count))
        #expect(Set(bench.plugin.told.elements.map(\.item.id)) == [.windowOpen])
        bench.store.fail(nil)
        #expect(try await bench.submit(.logDose(.dose2)).phase == .completed)
        await bench.stop()
    }
}
