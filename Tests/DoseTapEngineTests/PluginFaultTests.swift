import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import Testing

/// K1: a fault of a plugin has no effect outside the plugin.
@Suite struct PluginFaultTests {
    private struct Broken: Error {}

    /// Lets the loop turn many times. Work that waits for nothing ends within a few turns.
    private func turns(_ bench: NightBench) async { for _ in 0..<200 { _ = await bench.host.reports() } }

    private func report(of bench: NightBench) async throws -> PluginReport {
        try #require(await bench.host.reports().first { $0.manifest.id == "scripted" })
    }

    @Test func `K1: a plugin that hangs is given up after its budget, seen, and called again when it came back`()
        async throws
    {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.script { _ in await gate.pass() }
        try await bench.submit(.logDose(.dose1))
        try await gate.arrivals.wait(count: 1)
        #expect(try await report(of: bench).state == .running)
        bench.clock.advance(by: .seconds(20) - .milliseconds(1))
        await bench.host.timeCame()
        #expect(try await report(of: bench).state == .running)
        bench.clock.advance(by: .milliseconds(1))
        await bench.host.timeCame()
        await turns(bench)
        let hanging = try await report(of: bench)
        #expect(hanging.state == .hanging && hanging.lastError == PluginFailure.hanging.description)
        try await bench.submit(.skipDose2)
        try await bench.bystander.received.wait(count: 3)
        await turns(bench)
        bench.clock.advance(by: .minutes(1))
        await bench.host.timeCame()
        #expect(bench.plugin.received.elements.map(\.sequence) == [1])
        await bench.plugin.script { _ in }
        gate.open()
        let received = try await bench.plugin.received.wait(count: 4)
        #expect(received.map(\.sequence) == [1, 1, 2, 3])
        #expect(try await report(of: bench).state == .running)
        await bench.stop()
    }

    @Test func `K1: setting the clock makes no wait longer and no budget shorter`() async throws {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.script { _ in await gate.pass() }
        try await bench.submit(.logDose(.dose1))
        try await gate.arrivals.wait(count: 1)
        bench.clock.step(by: .hours(3))
        await bench.host.timeCame()
        #expect(try await report(of: bench).state == .running)
        bench.clock.step(by: .zero - .hours(6))
        bench.clock.advance(by: .seconds(20))
        await bench.host.timeCame()
        #expect(try await report(of: bench).state == .hanging)
        let again = bench.clock.now + .seconds(1)
        try await bench.retry.armings.wait { $0.last == again }
        gate.open()
        await bench.stop()
    }

    @Test func `a reminder that a plugin fails to tell is told again as long as it stands`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        await bench.plugin.scriptReminders { _ in throw Broken() }
        try await bench.advance(by: .minutes(150))
        try await bench.plugin.told.wait(count: 1)
        for (index, seconds) in [1, 2, 4].enumerated() {
            let due = bench.clock.now + .seconds(seconds)
            try await bench.retry.armings.wait { $0.last == due }
            #expect(try await report(of: bench).state == .retrying)
            bench.clock.advance(to: due)
            if seconds == 4 { await bench.plugin.scriptReminders { _ in } }
            await bench.host.timeCame()
            try await bench.plugin.told.wait(count: index + 2)
        }
        #expect(Set(bench.plugin.told.elements).count == 1)
        #expect(try await report(of: bench).state == .running)
        #expect(try await bench.types().count { $0 == .reminderFired } == 1)
        await bench.stop()
    }

    @Test func `E7: a reminder that a plugin failed to tell is not told again after the dose`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        await bench.plugin.scriptReminders { _ in throw Broken() }
        try await bench.advance(by: .minutes(150))
        let due = bench.clock.now + .seconds(1)
        try await bench.retry.armings.wait { $0.last == due }
        try await bench.submit(.logDose(.dose2))
        try await bench.plugin.received.wait(count: try await bench.log().count)
        await turns(bench)
        bench.clock.advance(by: .minutes(1))
        await bench.host.timeCame()
        #expect(try await report(of: bench).state == .running)
        #expect(bench.plugin.told.elements.count == 1)
        await bench.stop()
    }

    @Test func `K1: a plugin that floods waits behind a dose, and is let propose only so much`() async throws {
        let bench = try await NightBench.open()
        let gate = Gate()
        bench.store.hold(at: gate)
        let refusals = Recorder<String>()
        let context = bench.context
        let flood = (0..<40).map { number in
            Task(executorPreference: bench.loop) {
                var options = CommandOptions(surface: .cli)
                options.note = "\(number)"
                do { _ = try await context.propose(.logSleepEvent("noise"), options) } catch {
                    refusals.append("\(error)")
                }
            }
        }
        // Nine of the twenty proposals that a plugin may make at once are accepted: one is recorded, and eight wait.
        // The other thirty-one are refused.
        try await refusals.wait(count: 31)
        let dose = Task(executorPreference: bench.loop) { try await bench.submit(.logDose(.dose1)) }
        _ = await bench.engine.health
        gate.open()
        _ = try await dose.value
        for task in flood { await task.value }
        let log = try await bench.log().map(\.event)
        #expect(log.prefix(3).map(\.type) == [.sessionOpened, .sleepEventRecorded, .doseRecorded])
        #expect(log.count { $0.type == .sleepEventRecorded } == 9)
        #expect(log.filter { $0.type == .sleepEventRecorded }.allSatisfy { $0.surface == .plugin })
        #expect(refusals.elements.count { $0 == PluginFailure.tooManyProposals.description } == 20)
        #expect(refusals.elements.count { $0 == "busy" } == 11)
        await #expect(throws: PluginFailure.tooManyProposals) {
            try await context.propose(.undo, CommandOptions(surface: .plugin))
        }
        bench.clock.advance(by: .seconds(3))
        _ = try await context.propose(.undo, CommandOptions(surface: .plugin))
        await bench.stop()
    }

    @Test func `K1: a plugin that never stops asking keeps nobody from the loop`() async throws {
        let bench = try await NightBench.open()
        let context = bench.context
        let spinning = Task(executorPreference: bench.loop) {
            while !Task.isCancelled {
                _ = try? await context.propose(.snooze, CommandOptions(surface: .plugin))
            }
        }
        try await bench.submit(.logDose(.dose1))
        try await bench.bystander.received.wait(count: 2)
        spinning.cancel()
        await spinning.value
        await bench.stop()
    }

    @Test func `K1: a plugin that does not stop holds up the end of the service by a second`() async throws {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.scriptStop { await gate.pass() }
        let stop = Task { await bench.engine.stop() }
        try await gate.arrivals.wait(count: 1)
        let due = bench.clock.now + .seconds(1)
        try await bench.retry.armings.wait { $0.last == due }
        bench.clock.advance(to: due)
        await bench.host.timeCame()
        _ = await stop.value
        gate.open()
        bench.loop.stop()
    }

    @Test func `K1: a call that the end of the service gives up arms no timer again`() async throws {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.script { _ in await gate.pass() }
        try await bench.submit(.logDose(.dose1))
        try await gate.arrivals.wait(count: 1)
        await bench.engine.stop()
        await turns(bench)
        #expect(try await report(of: bench).state == .retrying)
        #expect(bench.retry.armed == nil)
        gate.open()
        bench.loop.stop()
    }

    @Test func `K1: a plugin that waits for itself is given up, and nobody else waits for it`() async throws {
        let bench = try await NightBench.open()
        let own = Gate()
        let context = bench.context
        // The plugin waits for its own event, which it would be given only after its return.
        await bench.plugin.script { event in
            guard event.sequence == 1 else { return own.open() }
            _ = try await context.propose(.logSleepEvent("lights_out"), CommandOptions(surface: .plugin))
            await own.pass()
        }
        try await bench.submit(.logDose(.dose1))
        try await own.arrivals.wait(count: 1)
        let commits = try await bench.log().count
        try await bench.bystander.received.wait(count: commits)
        bench.clock.advance(by: .seconds(20))
        await bench.host.timeCame()
        #expect(try await report(of: bench).state == .hanging)
        try await bench.advance(by: .minutes(150))
        #expect(try await bench.plugin.told.wait(count: 1).map(\.item.id) == [.windowOpen])
        try await bench.submit(.logDose(.dose2))
        #expect(bench.plugin.received.elements.map(\.sequence) == [1])
        own.open()
        await bench.stop()
    }

    @Test func `R7.15 the check-in's reminder takes nothing from an alarm that a plugin failed to tell`() async throws {
        var setup = NightBench.Setup()
        setup.start = NightBench.evening + .minutes(344)
        let bench = try await NightBench.open(setup)
        try await bench.submit(.logDose(.dose1))
        await bench.plugin.scriptReminders { due in if due.item.id == .alarm { throw Broken() } }
        try await bench.advance(by: .minutes(165))
        let again = bench.clock.now + .seconds(1)
        try await bench.retry.armings.wait { $0.last == again }
        await bench.plugin.scriptReminders { _ in }
        try await bench.advance(by: .minutes(1))
        let before = try await bench.plugin.told.wait { $0.last?.item.id == .checkIn }.count
        await bench.host.timeCame()
        #expect(try await bench.plugin.told.wait(count: before + 1).last?.item.id == .alarm)
        await bench.stop()
    }

    @Test func `a plugin tries one channel at a time`() async throws {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.scriptTests { _ in await gate.pass() }
        let first = Task { try await bench.host.test("lamp") }
        try await gate.arrivals.wait(count: 1)
        await #expect(throws: PluginFailure.beingTested) { try await bench.host.test("lamp") }
        gate.open()
        #expect(try await first.value)
        #expect(try await bench.host.test("lamp"))
        await bench.stop()
    }

    @Test func `a channel is tried by the plugin that has it, if that is on`() async throws {
        let bench = try await NightBench.open()
        #expect(await bench.host.channels == ["lamp"])
        await #expect(throws: PluginFailure.noChannel("lamp")) { try await bench.host.test("lamp") }
        #expect(try await bench.host.test("siren") == false)
        _ = await bench.host.set("scripted", enabled: false)
        #expect(try await bench.host.test("lamp") == false)
        await bench.stop()
    }
}

/// The state of plugins after the service ends, and the phases that a plugin gets without reading the log.
@Suite struct PluginEndTests {
    @Test func `a plugin that is not done with an event gets it again after a crash`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        let dose = bench.plugin.received.elements[1].sequence
        await bench.context.hold(from: dose)
        // A commit also stores the cursors.
        try await bench.submit(.logSleepEvent("water"))
        try await bench.submit(.logSleepEvent("bathroom"))
        try await bench.crash()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let again = try await later.plugin.received.wait(count: 3)
        #expect(again.first?.sequence == dose)
        #expect(await later.context.isOld(again[0]))
        try await later.submit(.skipDose2)
        let skip = try await later.plugin.received.wait { $0.contains { $0.event.type == .doseSkipped } }
        let last = try #require(skip.last)
        #expect(await later.context.isOld(last) == false)
        await later.stop()
    }

    @Test func `a plugin that does not read the log learns of a phase that an event brought`() async throws {
        var setup = NightBench.Setup()
        let deaf = Recorder<Bool>()
        setup.plugins = { bench in [DeafPlugin(on: bench.loop, phases: deaf)] }
        let bench = try await NightBench.open(setup)
        try await bench.submit(.logDose(.dose1))
        try await deaf.wait(count: 1)
        try await bench.submit(.skipDose2)
        try await deaf.wait(count: 2)
        await bench.stop()
    }
}

/// A plugin that gets phases only.
private actor DeafPlugin: Plugin {
    static nonisolated let manifest = PluginManifest(id: "deaf", summary: "reads nothing", capabilities: [])
    private let executor: any SerialExecutor
    private let phases: Recorder<Bool>
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(on executor: any SerialExecutor, phases: Recorder<Bool>) {
        self.executor = executor
        self.phases = phases
    }

    func receive(_ event: StoredEvent) async throws {}
    func reminderDue(_ due: DueReminder) async throws {}
    func phaseChanged() async { phases.append(true) }
    func stop() async {}
}
