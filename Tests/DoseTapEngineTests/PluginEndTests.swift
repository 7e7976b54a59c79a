import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport
import SDBus
import Testing

/// What plugins are left with at the end of a life of the service, and what they learn without the log.
@Suite struct PluginEndTests {
    @Test func `a plugin that is not done with an event gets it again after a crash`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.plugin.received.wait(count: 2)
        let dose = bench.plugin.received.elements[1].sequence
        await bench.context.hold(from: dose)
        // A commit takes the cursors along.
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

/// Knows of phases only.
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
