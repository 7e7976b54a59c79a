import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import Testing

@Suite struct PluginHostTests {
    private struct Broken: Error {}

    private func report(_ id: String, of bench: NightBench) async throws -> PluginReport {
        try #require(await bench.host.reports().first { $0.manifest.id == id })
    }

    @Test func `every plugin receives every event, in order`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(170))
        try await bench.submit(.logDose(.dose2))
        let log = try await bench.log()
        let scripted = try await bench.plugin.received.wait(count: log.count)
        let bystander = try await bench.bystander.received.wait(count: log.count)
        #expect(scripted == log)
        #expect(bystander == log)
        await bench.stop()
    }

    @Test func `after a clean stop a plugin goes on where it was`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        await bench.stop()
        #expect(bench.plugin.stops.elements.count == 1)
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        try await later.submit(.skipDose2)
        let received = try await later.plugin.received.wait(count: 1)
        #expect(received.map(\.event.type) == [.doseSkipped])
        await later.stop()
    }

    @Test func `after a crash a plugin receives again what followed the last stored cursor`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        await bench.awaitCursor(2)
        try await bench.submit(.skipDose2)
        try await bench.plugin.received.wait(count: 3)
        #expect(bench.store.commits.last?.cursors["scripted"] == 2)
        try await bench.crash()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let received = try await later.plugin.received.wait(count: 1)
        #expect(received.map(\.sequence) == [3])
        await later.stop()
    }

    @Test func `a plugin that has never run reads the log from its beginning`() async throws {
        var setup = NightBench.Setup()
        setup.pluginEnabled = false
        let bench = try await NightBench.open(setup)
        for _ in 0..<40 {
            try await bench.submit(.logDose(.dose1))
            try await bench.submit(.skipDose2)
            try await bench.submit(.undo)
            try await bench.advance(by: .hours(24))
        }
        let log = try await bench.log()
        #expect(log.count > 64)
        #expect(bench.plugin.received.elements.isEmpty)
        #expect(try await report("scripted", of: bench).state == .disabled)
        #expect(await bench.host.set("scripted", enabled: true))
        let received = try await bench.plugin.received.wait(count: log.count)
        #expect(received == log)
        #expect(await bench.host.set("nobody", enabled: true) == false)
        await bench.stop()
    }

    @Test func `a plugin that fails gets the same event again after a growing wait, and holds nobody up`() async throws
    {
        let bench = try await NightBench.open()
        await bench.plugin.script { event in if event.sequence == 2 { throw Broken() } }
        let start = bench.clock.now
        try await bench.submit(.logDose(.dose1))
        try await bench.bystander.received.wait(count: 2)
        let waits = [1, 2, 4, 8, 16, 32, 64, 128, 256, 300]
        for (attempt, seconds) in waits.enumerated() {
            let due = bench.clock.now + .seconds(seconds)
            try await bench.retry.armings.wait { $0.last == due }
            let now = try await report("scripted", of: bench)
            #expect(now.state == .retrying && now.failures == attempt + 1 && now.cursor == 1 && now.lag == 1)
            #expect(now.lastError.contains("Broken"))
            bench.clock.advance(to: due)
            if attempt < 9 { await bench.host.timeCame() }
        }
        try await bench.submit(.skipDose2)
        try await bench.bystander.received.wait(count: 3)
        #expect(bench.plugin.received.elements.map(\.sequence) == [1] + Array(repeating: 2, count: 10))

        await bench.plugin.script { _ in }
        await bench.host.timeCame()
        let received = try await bench.plugin.received.wait(count: 13)
        #expect(received.suffix(2).map(\.sequence) == [2, 3])
        let now = try await report("scripted", of: bench)
        #expect(now.state == .running && now.failures == 0 && now.lastError.isEmpty)
        #expect(bench.clock.now > start)
        await bench.stop()
    }

    @Test func `K1: a plugin that hangs slows no dose down, and no stop`() async throws {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.script { _ in await gate.pass() }
        try await bench.submit(.logDose(.dose1))
        try await gate.arrivals.wait(count: 1)
        try await bench.submit(.skipDose2)
        try await bench.bystander.received.wait(count: 3)
        await bench.engine.stop()
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let received = try await later.plugin.received.wait(count: 3)
        #expect(received.map(\.sequence) == [1, 2, 3])
        await later.stop()
        gate.open()
        bench.loop.stop()
    }

    @Test func `a plugin that is at an event when another log begins goes on in that one from its place`() async throws
    {
        let gate = Gate()
        let bench = try await NightBench.open()
        await bench.plugin.script { event in if event.sequence == 2 { await gate.pass() } }
        try await bench.submit(.logDose(.dose1))
        try await gate.arrivals.wait(count: 1)
        await bench.host.begin(at: 1)
        gate.open()
        try await bench.submit(.skipDose2)
        let received = try await bench.plugin.received.wait(count: 4)
        #expect(received.map(\.sequence) == [1, 2, 2, 3])
        await bench.stop()
    }

    @Test func `a plugin switched off receives nothing, switched on again it catches up`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        #expect(await bench.host.set("scripted", enabled: false))
        try await bench.submit(.skipDose2)
        try await bench.bystander.received.wait(count: 3)
        #expect(bench.plugin.received.elements.count == 2)
        #expect(try await report("scripted", of: bench).lag == 1)
        #expect(await bench.host.set("scripted", enabled: true))
        let received = try await bench.plugin.received.wait(count: 3)
        #expect(received.map(\.sequence) == [1, 2, 3])
        await bench.stop()
    }

    @Test func `a disabled plugin is not told reminders, one without the capability neither`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        _ = await bench.host.set("scripted", enabled: false)
        try await bench.advance(by: .minutes(151))
        #expect(bench.plugin.told.elements.isEmpty)
        #expect(try await bench.types().last == .reminderFired)
        await bench.stop()
    }

    @Test func `a plugin switched on in the middle of a window is told what stands, and nothing that was answered`()
        async throws
    {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        _ = await bench.host.set("scripted", enabled: false)
        try await bench.advance(by: .minutes(166))
        _ = await bench.host.set("scripted", enabled: true)
        let told = try await bench.plugin.told.wait(count: 1)
        #expect(told.map(\.item.id) == [.alarm] && told.first?.lateness == .zero)
        _ = await bench.host.set("scripted", enabled: false)
        try await bench.submit(.snooze)
        _ = await bench.host.set("scripted", enabled: true)
        try await bench.advance(by: .minutes(6))
        let items = try await bench.plugin.told.wait(count: 2).map(\.item.id)
        // The switch, the timer or both tell the reminder, so it comes at least once.
        #expect(items.first == .alarm && items.dropFirst().allSatisfy { $0 == .preAlarm }, "\(items)")
        await bench.stop()
    }

    @Test func `a proposal of a plugin meets everyone's rules`() async throws {
        let bench = try await NightBench.open()
        let options = CommandOptions(surface: .plugin)
        let early = await failure { try await bench.context.propose(.logDose(.dose2), options) }
        #expect(early?.reason == .dose1Required)
        let first = try await bench.context.propose(.logDose(.dose1), options)
        let second = await failure { try await bench.context.propose(.logDose(.dose2), options) }
        #expect(second?.confirmations == [.early])
        _ = try await bench.context.propose(.skipDose2, options)
        let undone = try await bench.context.propose(.undo, options)
        #expect(undone.type == "action_undone")
        var amendment = options
        amendment.at = first.timestamp - .minutes(5)
        let amended = try await bench.context.propose(.amend(first.eventID), amendment)
        #expect(amended.target == first.eventID)
        await bench.engine.published()
        #expect(bench.timer.armed == first.timestamp + .minutes(145))
        let short = EventID(String(first.eventID.text.prefix(30)))
        _ = try await bench.context.propose(.delete(short), options)
        #expect(await bench.context.status()?.window.phase == .noDose1)
        let log = try await bench.log()
        #expect(log.allSatisfy { $0.event.surface == .plugin || $0.event.type == .sessionOpened })
        await bench.stop()
    }

    @Test func `a context without an engine proposes nothing`() async throws {
        let context = PluginContext(ScriptedPlugin.manifest, engine: nil, host: nil)
        #expect(await failure { try await context.propose(.undo, CommandOptions(surface: .plugin)) } == .stopping)
        #expect(await context.status() == nil)
    }

    @Test func `what was found when the store was opened is told, shown and recorded once`() async throws {
        var setup = NightBench.Setup()
        setup.findings = ["the store is older than it was"]
        setup.restored = StoreRestored(expectedSequence: 9, foundSequence: 0, finding: "older")
        let bench = try await NightBench.open(setup)
        #expect(try await bench.types() == [.storeRestored])
        #expect(await bench.engine.status(at: nil).warnings.map(\.message) == setup.findings)
        #expect(await bench.engine.health == "warning")
        try await bench.observer.changes.wait { changes in
            changes.contains { if case .finding("the store is older than it was") = $0 { true } else { false } }
        }
        await bench.stop()
    }
}
