public import DoseTapDomain
public import DoseTapEngine

/// Runs programs of the person's own when something is recorded: those in `hooks.d/<event>/`.
///
/// Nothing waits for a hook but the next one: events are taken at once and wait in a bounded queue.
public actor HooksPlugin: Plugin {
    /// As shown by `dosetap plugins`.
    public static nonisolated let manifest = PluginManifest(
        id: "hooks", summary: "runs the programs in hooks.d when something is recorded", capabilities: [.reads],
        settings: ["privacy.details"])

    /// What is older is no news: after a long while off nothing is told again.
    static let mostAge: Duration = .minutes(5)
    /// Events that wait; one that finds no place is passed over.
    static let mostWaiting = 64

    private let hooks: HookRunner
    private let desktop: Desktop
    private let context: PluginContext
    private var queue: [StoredEvent] = []
    private var worker: Task<Void, Never>?

    /// Runs where the host runs.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { hooks.unownedExecutor }

    init(_ hooks: HookRunner, context: PluginContext, desktop: Desktop) {
        self.hooks = hooks
        self.context = context
        self.desktop = desktop
    }

    /// Takes it, and comes back at once.
    public func receive(_ event: StoredEvent) async throws {
        guard queue.count < Self.mostWaiting else {
            await context.complain("more happened than hooks could keep up with: some were not run")
            return
        }
        queue.append(event)
        if worker == nil { worker = Task { await self.work() } }
    }

    /// Never asked for.
    public func deadline(_ due: Deadline) async throws {}

    /// What is running has a moment left; what waits is not begun.
    public func stop() async {
        queue = []
        let (worker, hooks) = (worker, hooks)
        await withTaskCancellationHandler {
            await worker?.value
        } onCancel: {
            Task(executorPreference: hooks.runner.loop) { await hooks.stop() }
        }
    }

    private func work() async {
        while !queue.isEmpty { await run(queue.removeFirst()) }
        worker = nil
    }

    private func run(_ stored: StoredEvent) async {
        let event = stored.event
        guard let status = await context.status(), status.at - event.occurredAt <= Self.mostAge else { return }
        var date: SessionDate?
        if let session = event.sessionID { date = await context.date(of: session) }
        if case .reminderFired(let payload) = event.payload {
            // What was answered while others ran must not ring any more.
            guard let session = event.sessionID, let date else { return }
            let due = Deadline(
                item: ReminderPlan.Item(id: payload.reminder, due: payload.due), session: session, date: date,
                windowCloses: status.windowCloses ?? payload.due, fired: event.effectiveAt)
            guard await context.isStanding(due) else { return }
        }
        let line = HookLine(
            stored, date: date, phase: await context.phase(), showsDetails: desktop.preferences.showsDetails)
        let outcome = await hooks.run(event.type.rawValue, line)
        if outcome.count > 0 { await context.complain(outcome.failures.last) }
    }
}
