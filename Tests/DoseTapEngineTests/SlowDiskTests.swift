import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

/// A flush that takes long or never ends, during the reminders of a night.
@Suite struct SlowDiskTests {
    /// Fires the timer and does not wait for the work that it starts, as on the service's loop.
    private func fire(_ bench: NightBench, at instant: Instant) async throws -> Task<Void, Never> {
        bench.clock.advance(to: instant)
        let armings = bench.timer.armings.elements.count
        let firing = Task(executorPreference: bench.loop) { await bench.engine.deadlineReached() }
        try await bench.timer.armings.wait { $0.count > armings }
        return firing
    }

    private func fired(_ bench: NightBench) async throws -> [ReminderID] {
        try await bench.log().compactMap { stored in
            if case .reminderFired(let payload) = stored.event.payload { payload.reminder } else { nil }
        }
    }

    @Test func `B6, R7.17: a flush that never ends makes no reminder later than 250 ms`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        let gate = Gate()
        bench.store.hold(at: gate)
        var firings = [try await fire(bench, at: dose1 + .minutes(150))]
        try await gate.arrivals.wait(count: 1)
        #expect(bench.timer.armed == dose1 + .minutes(160))

        // The record of the first reminder is not on the disk. The second reminder waits for it, but no longer than 250
        // ms.
        firings.append(try await fire(bench, at: dose1 + .minutes(160)))
        #expect(bench.timer.armed == dose1 + .minutes(160) + .milliseconds(250))
        firings.append(try await fire(bench, at: dose1 + .minutes(160) + .milliseconds(250)))
        try await bench.plugin.told.wait(count: 2)
        for minutes in [165, 167, 169, 171, 176, 181] {
            firings.append(try await fire(bench, at: dose1 + .minutes(minutes)))
        }
        let told: [ReminderID] = [
            .windowOpen, .preAlarm, .alarm, .followup1, .followup2, .followup3, .alarmRepeat, .alarmRepeat,
        ]
        try await bench.plugin.told.wait(count: told.count)
        #expect(bench.plugin.told.elements.map(\.item.id) == told)
        #expect(bench.plugin.told.elements.allSatisfy { $0.lateness <= .milliseconds(250) })
        #expect(try await bench.log().count == 2)
        #expect(await bench.engine.health == "unavailable")
        let warnings = await bench.engine.status(at: nil).warnings
        #expect(warnings.contains { $0.message.contains("the disk does not answer") })

        gate.open()
        for firing in firings { await firing.value }
        await bench.engine.published()
        #expect(try await fired(bench) == told)
        #expect(await bench.engine.health == "ok")
        try await bench.advance(to: dose1 + .minutes(186))
        #expect(bench.plugin.told.elements.count == told.count + 1)
        #expect(try await bench.store.check().isSound)
        #expect(try await bench.store.verify().isSound)
        await bench.stop()
    }

    @Test func `B6, R7.17: nor does a command whose flush never ends`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        let gate = Gate()
        bench.store.hold(at: gate)
        let command = Task { try await bench.submit(.logSleepEvent("bathroom")) }
        try await gate.arrivals.wait(count: 1)
        let first = try await fire(bench, at: dose1 + .minutes(150))
        #expect(bench.plugin.told.elements.isEmpty)
        let second = try await fire(bench, at: dose1 + .minutes(150) + .milliseconds(250))
        try await bench.plugin.told.wait(count: 1)
        #expect(bench.plugin.told.elements.map(\.lateness) == [.milliseconds(250)])
        gate.open()
        _ = try await command.value
        await first.value
        await second.value
        await bench.engine.published()
        #expect(
            try await bench.types() == [.sessionOpened, .doseRecorded, .sleepEventRecorded, .reminderFired])
        #expect(await bench.engine.health == "ok")
        await bench.stop()
    }

    @Test(arguments: [false, true])
    func `B6, R7.17: a reminder that is told while an entry waits for the store leaves the log in order`(
        isFull: Bool
    ) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        let gate = Gate()
        bench.store.hold(keysAt: gate)
        let command = Task { try await bench.submit(.logSleepEvent("bathroom")) { $0.key = "slow" } }
        try await gate.arrivals.wait(count: 1)
        let first = try await fire(bench, at: dose1 + .minutes(150))
        let second = try await fire(bench, at: dose1 + .minutes(150) + .milliseconds(250))
        try await bench.plugin.told.wait(count: 1)
        if isFull { bench.store.fail(.refused(.noSpace)) }
        gate.open()
        let receipt = try? await command.value
        #expect((receipt == nil) == isFull)
        bench.store.fail(nil)
        await first.value
        await second.value
        try await bench.advance(to: dose1 + .minutes(155))
        await bench.engine.published()
        let log = try await bench.log().map(\.event)
        #expect(log.contains { $0.type == .reminderFired } && log.contains { $0.type == .sleepEventRecorded })
        let moments = log.map(\.occurredAt)
        #expect(moments == moments.sorted(), "\(log.map(\.type)) \(moments)")
        // A counter that went back would look like a machine that was put back to an earlier state.
        let counters = log.map(\.clock.counterMicroseconds)
        #expect(counters == counters.sorted(), "\(log.map(\.type)) \(counters)")
        #expect(!log.contains { $0.type == .clockStepped })
        let report = try await bench.store.verify()
        #expect(report.isSound, "\(report.findings)")
        #expect(try await bench.store.check().isSound)
        await bench.stop()
    }

    @Test(arguments: [false, true])
    func `E7: nothing is told after the commit of a dose 2 that came in the same moment`(
        hangs: Bool
    ) async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(164))
        let told = bench.plugin.told.elements.count
        let gate = Gate()
        bench.store.hold(at: gate)
        bench.clock.advance(to: dose1 + .minutes(165) - .milliseconds(1))
        let dose2 = Task { try await bench.submit(.logDose(.dose2)) }
        try await gate.arrivals.wait(count: 1)
        var firings = [try await fire(bench, at: dose1 + .minutes(165))]
        if hangs { firings.append(try await fire(bench, at: dose1 + .minutes(165) + .milliseconds(250))) }
        // No receipt of the dose was given yet, so the alarm is still true.
        let alarms = hangs ? 1 : 0
        try await bench.plugin.told.wait(count: told + alarms)
        gate.open()
        #expect(try await dose2.value.phase == .completed)
        for firing in firings { await firing.value }
        // The timer fires once more at the very end.
        await bench.deadline()
        try await bench.advance(to: dose1 + .minutes(241))
        #expect(bench.plugin.told.elements.count == told + alarms)
        let dose = try #require(try await bench.log().last { $0.event.type == .doseRecorded })
        let after = try await bench.log().filter { $0.sequence > dose.sequence }.map(\.event)
        #expect(after.count { $0.type == .reminderFired } == alarms)
        #expect(after.allSatisfy { $0.occurredAt >= dose.event.occurredAt })
        #expect(try await bench.store.check().isSound)
        await bench.stop()
    }

    @Test func `what is told while a dose cannot be written comes after it in the log`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(to: dose1 + .minutes(149))
        let gate = Gate()
        bench.store.hold(at: gate)
        bench.store.fail(.refused(.noSpace))
        let command = Task { await failure { try await bench.submit(.logSleepEvent("water")) } }
        try await gate.arrivals.wait(count: 1)
        let first = try await fire(bench, at: dose1 + .minutes(150))
        let second = try await fire(bench, at: dose1 + .minutes(150) + .milliseconds(250))
        try await bench.plugin.told.wait(count: 1)
        gate.open()
        #expect(await command.value?.store?.kept == true)
        await first.value
        await second.value
        bench.store.fail(nil)
        try await bench.advance(by: .minutes(2))
        #expect(
            try await bench.types() == [.sessionOpened, .doseRecorded, .sleepEventRecorded, .reminderFired])
        #expect(bench.plugin.told.elements.count == 1)
        await bench.stop()
    }

    @Test func `R7.18: a timer that cannot be armed is told, and tried again`() async throws {
        let bench = try await NightBench.open()
        bench.timer.fail(true)
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        #expect(bench.timer.armed == nil)
        #expect(await bench.engine.health == "timer")
        #expect(await bench.engine.status(at: nil).warnings.contains { $0.code == .timer })
        #expect(bench.observer.timerFaults == [true])
        #expect(await failure { try await bench.engine.ping() } != nil)
        bench.timer.fail(false)
        try await bench.engine.ping()
        #expect(bench.timer.armed == dose1 + .minutes(150))
        #expect(await bench.engine.health == "ok")
        await bench.engine.published()
        #expect(bench.observer.timerFaults == [true, false])
        await bench.stop()
    }

    @Test func `a service whose store is silent lives on as long as a window is open`() async throws {
        let bench = try await NightBench.open()
        #expect(await bench.engine.storeIsSilent() == false)
        try await bench.submit(.logDose(.dose1))
        #expect(await bench.engine.storeIsSilent())
        #expect(await bench.engine.health == "unavailable")
        await bench.engine.published()
        try await bench.advance(by: .minutes(2))
        #expect(await bench.engine.health == "ok")
        await bench.stop()
    }
}

extension RecordingObserver {
    /// The states of the timer, as they changed: true when it could not be armed.
    fileprivate var timerFaults: [Bool] {
        changes.elements.compactMap { change in
            if case .timer(let fault) = change { fault != nil } else { nil }
        }
    }
}
