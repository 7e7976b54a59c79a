package import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// Runs programs of the person's own when something is recorded: those in `hooks.d/<event>/`.
///
/// Nothing waits for a hook but the next one: events are taken at once and wait in a bounded queue.
package actor HooksPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "hooks", summary: sent("runs the programs in hooks.d when something is recorded"), capabilities: [.reads],
        settings: [ServiceSettings.details.row])

    /// What is older is no news: after a long while off nothing is told again.
    static let mostAge: Duration = .minutes(5)
    /// Events that wait; one that finds no place is passed over.
    static let mostWaiting = 64

    package nonisolated let environment: PluginEnvironment
    private let hooks: HookRunner
    private var hasLooked = false
    private var queue: [StoredEvent] = []
    private var running: StoredEvent?
    private var isStopping = false
    private var worker: Task<Void, Never>?
    /// Events that had hooks and were too old.
    private var passedOver = 0
    /// What went wrong last, by the event.
    private var failures: [String: String] = [:]

    package init(environment: PluginEnvironment) {
        self.environment = environment
        hooks = HookRunner(environment)
    }

    /// Takes it, and comes back at once.
    package func receive(_ event: StoredEvent) async throws {
        reportUnknownFolders()
        guard queue.count < Self.mostWaiting else {
            await engine.complain("more happened than hooks could keep up with: some were not run")
            return
        }
        queue.append(event)
        // Taken is not done: after a crash it comes again.
        await holdOn()
        if worker == nil { worker = Task { await self.work() } }
    }

    /// The oldest event whose hooks have not been run; what an end of the service leaves to the next.
    private func holdOn() async { await engine.hold(from: (running ?? queue.first)?.sequence) }

    /// What is running has a moment left; what waits is not begun, and comes again with the next start.
    package func stop() async {
        isStopping = true
        let (worker, hooks) = (worker, hooks)
        await withTaskCancellationHandler {
            await worker?.value
        } onCancel: {
            Task(executorPreference: hooks.runner.loop.preference) { await hooks.stop() }
        }
    }

    /// Says once which folders are named after no event: whoever made them waits in vain.
    private func reportUnknownFolders() {
        guard !hasLooked else { return }
        hasLooked = true
        for path in HookEvents.unknownFolders(in: environment.folders.hooks) {
            let name = String(path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...])
            let nearest = Suggestions.to(name, in: HookEvents.all)
            journal.send(
                .hookFolderUnknown, JournalText.unknownHookFolder(path.journalText, nearest),
                [("DOSETAP_HOOK", path), ("DOSETAP_NEAREST", nearest.joined(separator: ", "))], .notice)
        }
    }

    private func work() async {
        while !queue.isEmpty, !isStopping {
            let next = queue.removeFirst()
            running = next
            await run(next)
            running = nil
            await holdOn()
        }
        worker = nil
        // Taken before anything is waited for: another worker may begin meanwhile.
        let count = passedOver
        passedOver = 0
        if count > 0 { await hooks.passedOver(count) }
    }

    private func run(_ stored: StoredEvent) async {
        let event = stored.event
        let type = event.type.rawValue
        let found = await hooks.find(type)
        // Most people have none: then nothing else is asked.
        guard found != HookFolders.Found(), let status = await engine.status() else { return }
        guard let age = await engine.age(of: event), age <= Self.mostAge else {
            if !found.hooks.isEmpty { passedOver += 1 }
            return
        }
        var date: SessionDate?
        if let session = event.sessionID { date = await engine.date(of: session) }
        var due: DueReminder?
        if case .reminderFired(let payload) = event.payload {
            guard let session = event.sessionID, let date else { return }
            due = DueReminder(
                item: ReminderPlan.Item(id: payload.reminder, due: payload.due), session: session, date: date,
                windowCloses: status.windowCloses ?? payload.due, fired: event.effectiveAt)
        }
        let line = HookLine(
            stored, date: date, phase: await engine.phase(), due: await engine.shownDue(of: stored),
            isCertain: status.window.isCertain, showsDetails: settings[ServiceSettings.details])
        let outcome = await hooks.run(type, line) { [engine, due] in
            // What was answered while others ran must not ring any more.
            if let due { await engine.isActive(due) } else { true }
        }
        guard outcome.count > 0 else { return }
        failures[type] = outcome.failures.last
        await engine.complain(failures[type] ?? failures.values.min())
    }
}

/// What a hook reads: one line of JSON, version 1. Neutral unless details may be shown.
struct HookLine: Sendable {
    /// Keys and values in order.
    private(set) var object: JSONObject

    /// Bytes of a line; details that do not fit are left out.
    static let mostBytes = 64 * 1024

    private init(event: String, date: SessionDate?, phase: Phase?, text: String) {
        object = ["v": .integer(1), "event": .string(event)]
        object["session_date"] = date.map { .string($0.text) }
        object["phase"] = phase.map { .string($0.rawValue) }
        object["text"] = .string(text)
    }

    /// An event of the log.
    ///
    /// - Parameters:
    ///   - due: when the reminder it is about, if any, is due by the present wall clock.
    ///   - isCertain: whether it is certain how long dose 1 is ago.
    ///   - showsDetails: whether names, amounts and notes may be shown.
    init(
        _ stored: StoredEvent, date: SessionDate?, phase: Phase?, due: Instant?, isCertain: Bool, showsDetails: Bool
    ) {
        let event = stored.event
        self.init(event: event.type.rawValue, date: date, phase: phase, text: Self.text(event, isCertain: isCertain))
        object["id"] = .string(event.id.text)
        object["seq"] = .integer(stored.sequence)
        object["effective_at"] = .instant(event.effectiveAt)
        if let item = event.payload.reminder { add(item.id, due ?? item.due) }
        guard showsDetails else { return }
        var details = event.payload.json(origin: nil)
        // As beside it, by the present wall clock.
        if let due, event.payload.reminder != nil, case .object(var fields) = details {
            fields["due"] = .instant(due)
            details = .object(fields)
        }
        if details.serializedBytes().count < Self.mostBytes - 4_096 { object["details"] = details }
    }

    /// A rung of the alarm.
    ///
    /// - Parameter event: `alarm` or `partner`.
    init(_ event: String, _ due: DueReminder, phase: Phase?, text: String) {
        self.init(event: event, date: due.date, phase: phase, text: text)
        object["session_id"] = .string(due.session.text)
        add(due.item.id, due.shownDue)
        object["window_closes"] = .instant(due.windowCloses)
    }

    /// A test of a rung: nothing is due.
    init(testOf event: String) {
        self.init(event: event, date: nil, phase: nil, text: DisplayLanguage.addressingPerson { SpokenText.test })
        object["test"] = .bool(true)
    }

    private mutating func add(_ reminder: ReminderID, _ due: Instant) {
        object["reminder"] = .string(reminder.rawValue)
        object["due"] = .instant(due)
        object["urgency"] = .string(reminder.urgency.rawValue)
    }

    /// The line, with its end.
    var bytes: [UInt8] { JSONValue.object(object).serializedBytes() + [UInt8(ascii: "\n")] }

    /// Neutral words that may appear on any screen.
    private static func text(_ event: Event, isCertain: Bool) -> String {
        if case .reminderFired(let payload) = event.payload {
            return DisplayLanguage.addressingPerson { ReminderText.spoken(payload.reminder, isCertain: isCertain) }
        }
        return SpokenText.recorded(event.type)
    }
}
