internal import DoseTapDomain
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// Runs the hooks of an event in turn and reports failures to the journal.
actor HookRunner {
    /// The results of the hooks of one event.
    struct Outcome: Hashable, Sendable {
        /// The number of hooks found.
        var count = 0
        /// The failures, a sentence each.
        var failures: [String] = []
        /// The files and folders that are not run, a sentence each.
        var refusals: [String] = []

        /// True if fewer hooks failed than were found.
        var hasWorked: Bool { failures.count < count }
    }

    nonisolated let runner: ProgramRunner
    private let folders: HookFolders
    private let journal: any JournalSink
    /// The refusals that were already reported.
    private var said: Set<HookFolders.Refusal> = []
    private static let mostSaid = 256
    private var runs: [ObjectIdentifier: ProgramRun] = [:]
    private var isStopping = false

    nonisolated var unownedExecutor: UnownedSerialExecutor { runner.loop.asUnownedSerialExecutor() }

    init(_ environment: PluginEnvironment) {
        runner = environment.programs
        folders = HookFolders(roots: environment.folders.hooks)
        journal = environment.journal
    }

    /// Runs the hooks of an event as its folders are now; each gets the line.
    ///
    /// - Parameters:
    ///   - limit: the time that each hook may take.
    ///   - isTrue: asked before each hook, for the line may be out of date by then.
    func run(
        _ event: String, _ line: HookLine, limit: Duration = Program.usualLimit,
        while isTrue: @Sendable () async -> Bool = { true }
    ) async -> Outcome {
        let found = folders.find(event)
        for refusal in found.refused { refuse(refusal, event) }
        var outcome = Outcome(count: found.hooks.count)
        outcome.refusals = found.refused.map { sent("\($0.path) is not run: \($0.reason)") }
        for path in found.hooks {
            guard await isTrue(), !isStopping else { break }
            let run = await runner.start(Program(purpose: "hook", path: path, input: .bytes(line.bytes), limit: limit))
            runs[ObjectIdentifier(run)] = run
            let result = await run.finished()
            runs[ObjectIdentifier(run)] = nil
            guard !result.isSuccess else { continue }
            outcome.failures.append(result.complaint(of: path))
            // A hook that was stopped on purpose is not reported.
            guard result.end != .stopped else { continue }
            journal.send(
                .hookFailed, JournalText.hookFailed(path.journalText, result.complaint),
                [
                    ("DOSETAP_HOOK", path), ("DOSETAP_REASON", "\(result.end)"), ("DOSETAP_OUTPUT", result.output),
                    ("DOSETAP_EVENT", event),
                ], .warning)
        }
        return outcome
    }

    /// Ends the running hooks and starts no more.
    func stop() async {
        isStopping = true
        await end()
    }

    func end() async { for run in runs.values { await run.kill() } }

    /// Returns the hooks that an event has now.
    func find(_ event: String) -> HookFolders.Found { folders.find(event) }

    /// Returns true if one of these events has a hook now.
    func hasAny(_ events: [String]) -> Bool { folders.hasAny(events) }

    /// Reports the number of events whose hooks were not run, because the events were too old.
    func passedOver(_ count: Int) {
        journal.send(
            .hookFailed,
            JournalText.hooksPassedOver(count),
            [("DOSETAP_REASON", "too old"), ("DOSETAP_COUNT", "\(count)")], .warning)
    }

    private func refuse(_ refusal: HookFolders.Refusal, _ event: String) {
        guard said.count < Self.mostSaid, said.insert(refusal).inserted else { return }
        journal.send(
            .hookRefused, JournalText.hookRefused(refusal.path.journalText, refusal.reason),
            [("DOSETAP_HOOK", refusal.path), ("DOSETAP_REASON", refusal.reason), ("DOSETAP_EVENT", event)], .warning)
    }
}
