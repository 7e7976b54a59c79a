package import DoseTapDomain
package import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// Runs the programs in `hooks.d/<event>/` when an event is recorded.
///
/// Only the next hook waits for a hook: events are taken at once and wait in a bounded queue.
package actor HooksPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "hooks", summary: sent("runs the programs in hooks.d when something is recorded"), capabilities: [.reads],
        settings: [ServiceSettings.details.row])

    /// The greatest age of an event whose hooks are run. After a long while off, old events run no hooks.
    static let mostAge: Duration = .minutes(5)
    /// The most events that wait; a further event is passed over, with a complaint.
    static let mostWaiting = 64

    package nonisolated let environment: PluginEnvironment
    private let hooks: HookRunner
    private var hasLooked = false
    private var queue: [StoredEvent] = []
    private var running: StoredEvent?
    private var isStopping = false
    private var worker: Task<Void, Never>?
    /// The number of events that had hooks and were too old; zero again once reported.
    private var passedOver = 0
    /// The last failure or refusal of the latest run, by the type of event.
    private var failures: [String: String] = [:]

    package init(environment: PluginEnvironment) {
        self.environment = environment
        hooks = HookRunner(environment)
    }

    /// Queues the event and does not wait for its hooks.
    package func receive(_ event: StoredEvent) async throws {
        reportUnknownFolders()
        guard queue.count < Self.mostWaiting else {
            await engine.complain("more happened than hooks could keep up with: some were not run")
            return
        }
        queue.append(event)
        // A queued event is not finished: after a crash it is delivered again.
        await holdOn()
        if worker == nil { worker = Task { await self.work() } }
    }

    /// Names the oldest event whose hooks have not been run; the next start of the service delivers it again.
    private func holdOn() async { await engine.hold(from: (running ?? queue.first)?.sequence) }

    /// Gives the running hooks a moment to end. Waiting events are not begun; the next start delivers them again.
    package func stop() async {
        isStopping = true
        let (worker, hooks) = (worker, hooks)
        await withTaskCancellationHandler {
            await worker?.value
        } onCancel: {
            Task(executorPreference: hooks.runner.loop.preference) { await hooks.stop() }
        }
    }

    /// Reports once the folders that are named after no event, for their files never run.
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
        // The count is taken before the first wait: another worker may begin meanwhile.
        let count = passedOver
        passedOver = 0
        if count > 0 { await hooks.passedOver(count) }
    }

    private func run(_ stored: StoredEvent) async {
        let event = stored.event
        let type = event.type.rawValue
        let found = await hooks.find(type)
        // Most people have no hooks; then the engine is not asked.
        guard found != HookFolders.Found() else {
            if failures.removeValue(forKey: type) != nil { await engine.complain(failures.values.min()) }
            return
        }
        guard let status = await engine.status() else { return }
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
            // A reminder that was answered while other hooks ran must not ring any more.
            if let due { await engine.isActive(due) } else { true }
        }
        failures[type] = outcome.failures.last ?? outcome.refusals.last
        await engine.complain(failures[type] ?? failures.values.min())
    }
}

/// The line of JSON, version 1, that a hook reads. The line is neutral unless details may be shown.
struct HookLine: Sendable {
    /// Keys and values in order.
    private(set) var object: JSONObject

    /// The most bytes of a line; details that do not fit are left out.
    static let mostBytes = 64 * 1024

    private init(event: String, date: SessionDate?, phase: Phase?, text: String) {
        object = ["v": .integer(1), "event": .string(event)]
        object["session_date"] = date.map { .string($0.text) }
        object["phase"] = phase.map { .string($0.rawValue) }
        object["text"] = .string(text)
    }

    /// Makes the line for an event of the log.
    ///
    /// - Parameters:
    ///   - due: the due time of the event's reminder, if any, by the present wall clock.
    ///   - isCertain: true if the time since dose 1 is certain.
    ///   - showsDetails: true if names, amounts and notes may be shown.
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
        // The details give the due time by the present wall clock, like the line itself.
        if let due, event.payload.reminder != nil, case .object(var fields) = details {
            fields["due"] = .instant(due)
            details = .object(fields)
        }
        if details.serializedBytes().count < Self.mostBytes - 4_096 { object["details"] = details }
    }

    /// Makes the line for a rung of the alarm.
    ///
    /// - Parameter event: `alarm` or `partner`.
    init(_ event: String, _ due: DueReminder, phase: Phase?, text: String) {
        self.init(event: event, date: due.date, phase: phase, text: text)
        object["session_id"] = .string(due.session.text)
        add(due.item.id, due.shownDue)
        object["window_closes"] = .instant(due.windowCloses)
    }

    /// Makes the line for a test of a rung, without a reminder.
    init(testOf event: String) {
        self.init(event: event, date: nil, phase: nil, text: DisplayLanguage.addressingPerson { SpokenText.test })
        object["test"] = .bool(true)
    }

    private mutating func add(_ reminder: ReminderID, _ due: Instant) {
        object["reminder"] = .string(reminder.rawValue)
        object["due"] = .instant(due)
        object["urgency"] = .string(reminder.urgency.rawValue)
    }

    /// The bytes of the line, with its newline.
    var bytes: [UInt8] { JSONValue.object(object).serializedBytes() + [UInt8(ascii: "\n")] }

    /// Neutral words that may appear on any screen.
    private static func text(_ event: Event, isCertain: Bool) -> String {
        if case .reminderFired(let payload) = event.payload {
            return DisplayLanguage.addressingPerson { ReminderText.spoken(payload.reminder, isCertain: isCertain) }
        }
        return SpokenText.recorded(event.type)
    }
}
