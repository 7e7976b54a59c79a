package import DoseTapDomain
package import DoseTapEngine

/// Shows reminders on the desktop, with buttons that record what the person did.
///
/// The wanted screen follows from the night alone and is worked out anew after every event. The server is brought to it
/// in steps, and nobody waits for a step. A reminder therefore goes when it no longer holds, whoever resolved it, and
/// comes back after an undo. A server that comes late or hangs gets the screen that is wanted by then.
package actor NotificationsPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "notifications", summary: sent("shows reminders on the desktop, with buttons"),
        capabilities: [.reads, .proposes, .notifies, .reminders], channels: [channel],
        settings: [soundName.row, ServiceSettings.details.row])

    /// Sound of urgent notifications.
    package static nonisolated let soundName = Setting(
        "notifications.sound_name", .soundName, default: "alarm-clock-elapsed",
        "Sound of urgent notifications, by its name in the desktop's theme; empty for none.",
        manual: "The sound of urgent notifications, by its name in the sound theme of the desktop; empty for no sound.")

    /// The channel of a delivery, on record.
    static let channel = "notification"

    /// The reason why reminders are not shown.
    enum Trouble: Sendable {
        /// No server answers.
        case absent
        /// The server answers, but does not show reminders. The server counts as working once it has shown one.
        case refusing
    }

    /// A place on the screen.
    enum Place: String, Sendable, CaseIterable {
        case reminder
        case checkIn
        /// The question or the answer after a press.
        case answer
        /// The effect of a set clock on the time since dose 1, until the next reminder tells it.
        case clock
    }

    package nonisolated let environment: PluginEnvironment

    var places: [Place: NotificationSlot] = [
        .reminder: NotificationSlot(), .checkIn: NotificationSlot(), .answer: NotificationSlot(),
        .clock: NotificationSlot(),
    ]
    /// The last notifications by their ids from the present server. A withdrawn notification may still be pressed.
    var known: [UInt32: Showing] = [:]
    /// The ids of notifications whose button was pressed; some servers close a notification after a press.
    var pressed: Set<UInt32> = []
    /// The reminder that the host told last, for each place.
    private var notified: [Place: DueReminder] = [:]
    /// The reminder that the person closed, for each place. It is not acknowledged; the next reminder is shown again.
    var dismissed: [Place: ReminderPlan.Item] = [:]
    private var isStale = false
    private var isSettling = false
    var isStopping = false

    var bus: (any NotificationBus)?
    /// The server's unique name on the bus.
    var owner: String?
    /// The server whose ids stand in the file; nil until the server was asked.
    var identity: String?
    /// The server; nil until it has told its capabilities, and while it does not work.
    var server: NotificationServer?
    /// The last known data of the server that owns the name, whether or not the server works.
    var acquainted: NotificationServer?
    var isAsking = false
    /// True if a server that does not work may be tried: once for every reason to.
    var mayAsk = true
    /// True while the host is asked to wake this plugin for a later try.
    private var isRetrying = false
    /// The present trouble; reported once.
    var trouble: Trouble?
    /// The reason why the last notification or test was not shown; nil after a success, or with another server.
    var failure: String?
    /// The reminder shown last in each place, whose delivery is on record.
    var delivered: [Place: DueReminder] = [:]
    /// The id of a test on the screen, which must not stand over an alarm.
    var test: UInt32?
    /// The file of the shown notifications, for the next process; nil without a runtime folder.
    let file: ShownFile?
    /// The content written to the file last.
    var written: ShownFile.Content?
    /// True once the fault of an unusable file was reported.
    var isForgetful = false

    /// The pause before a server that does not work is tried again.
    static let retryAfter: Duration = .seconds(60)
    static let mostKnown = 16

    package init(environment: PluginEnvironment) {
        self.environment = environment
        file = environment.folders.runtime.map { ShownFile(in: $0) }
        environment.desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.notifications) }
        }
    }

    // MARK: From the host

    /// Brings the screen up to date after an event.
    package func receive(_ event: StoredEvent) async throws {
        if case .actionUndone = event.event.payload { dismissed = [:] }
        // The event settles a question that was asked before.
        if let asked = places[.answer]?.wanted, asked.session == event.event.sessionID,
            asked.made < event.event.occurredAt,
            event.event.payload.settlesQuestions || asked.isOver(event.event.payload)
        {
            places[.answer]?.want(nil)
        }
        if case .clockStepped(let stepped) = event.event.payload { await showClockChange(stepped, event.event) }
        if await engine.isLastAtHand(event) { await settle() }
    }

    /// Shows a change of the clock once. A change that is certain and moves no time is not shown.
    private func showClockChange(_ stepped: ClockStepped, _ event: Event) async {
        guard !stepped.suspect, let elapsed = stepped.elapsed, let session = event.sessionID,
            let view = await engine.view()
        else { return }
        let isTold = !elapsed.isCertain || stepped.byMilliseconds != 0
        let showing = Showing(
            subject: .clock(event.id), session: session,
            content: DisplayLanguage.addressingPerson { NotificationContent(stepped, event, view.moments) }, due: nil,
            made: view.status.at)
        places[.clock]?.want(isTold ? showing : nil)
        mayAsk = mayAsk || isTold
    }

    package func reminderDue(_ due: DueReminder) async throws {
        let place: Place = due.item.id.isOfWindow ? .reminder : .checkIn
        let last = notified[place]
        if due.item.due >= last?.item.due ?? .min || due.session != last?.session { notified[place] = due }
        // A reminder that is told again, after it was told before its time, counts as neither closed nor on record.
        if dismissed[place] == due.item { dismissed[place] = nil }
        if delivered[place]?.item == due.item { delivered[place] = nil }
        mayAsk = true
        if let test = test.take() { await withdraw(test) }
        await settle()
    }

    /// A clock that was set may close the window, and open it again.
    package func phaseChanged() async { await settle() }

    /// Tries a server again that did not work.
    package func woken() async throws {
        isRetrying = false
        mayAsk = true
        await settle()
    }

    /// The plugin was switched on or off. A plugin that is off leaves nothing on the screen.
    package func switched(on: Bool) async {
        if !on { places[.answer]?.want(nil) }
        // The host has forgotten an agreed try, too.
        isRetrying = false
        mayAsk = true
        await settle()
    }

    /// Takes the notifications away, for buttons that nobody answers would be worse than none. A reminder of an open window
    /// stays, without buttons; the next process takes it over.
    package func stop() async {
        isStopping = true
        let parting = await engine.view(notified: notified[.reminder]).flatMap(parting)
        for place in places.keys {
            places[place]?.want(place == .reminder ? parting : nil)
            await advance(place)
        }
    }

    private func parting(_ view: NightView) -> Showing? {
        guard server != nil, places[.reminder]?.wanted != nil, let due = view.active,
            view.status.at < due.windowCloses
        else { return nil }
        let showsDetails = settings[ServiceSettings.details]
        return Showing(
            subject: .parting(due.item), session: due.session,
            content: DisplayLanguage.addressingPerson {
                NotificationContent(parting: due, view, showsDetails: showsDetails)
            },
            due: nil,
            made: view.status.at)
    }

    // MARK: The screen

    /// Brings the screen to the present state of the night.
    func settle() async {
        isStale = true
        guard !isSettling else { return }
        isSettling = true
        while isStale, !isStopping {
            isStale = false
            let view = await engine.view(notified: notified[.reminder], notified[.checkIn])
            guard let view, !isStopping else { break }
            want(view.active, view, in: .reminder)
            want(view.checkIn, view, in: .checkIn)
            if let asked = places[.answer]?.wanted, case .question = asked.subject,
                asked.session != view.status.sessionID || !view.isEnabled
            {
                places[.answer]?.want(nil)
            }
            if view.active != nil || !view.isEnabled || !view.status.isDose2Open
                || places[.clock]?.wanted?.session != view.status.sessionID
            {
                places[.clock]?.want(nil)
            }
            if needsServer { await seekServer() }
            // A notification wanted before the stop is not shown after it.
            guard !isStopping else { break }
            for place in places.keys { await advance(place) }
        }
        isSettling = false
    }

    private func want(_ active: DueReminder?, _ view: NightView, in place: Place) {
        let isWanted = view.isEnabled && active?.item != dismissed[place]
        places[place]?.want(isWanted ? active.map { showing($0, view) } : nil)
    }

    private var needsServer: Bool { server == nil && places.values.contains(where: \.isWaiting) }

    private func seekServer() async {
        guard bus != nil, !isAsking else { return }
        if mayAsk { return ask(starts: true) }
        guard !isRetrying else { return }
        isRetrying = true
        await engine.wake(after: Self.retryAfter)
    }

    private func showing(_ due: DueReminder, _ view: NightView) -> Showing {
        let showsDetails = settings[ServiceSettings.details]
        return Showing(
            subject: .reminder(due.item, isCertain: view.status.window.isCertain), session: due.session,
            content: DisplayLanguage.addressingPerson { NotificationContent(due, view, showsDetails: showsDetails) },
            due: due,
            made: view.status.at)
    }

    /// Shows the content in answer to a press.
    ///
    /// - Parameter undoes: the entry that the undo button takes back.
    func answer(
        _ subject: Showing.Subject?, _ content: NotificationContent, _ session: SessionID, undoes: EventID? = nil
    ) async {
        guard let view = await engine.view() else { return }
        places[.answer]?.want(
            Showing(
                subject: subject ?? .answer(content), session: session, content: content, due: nil,
                made: view.status.at, undoes: undoes))
        mayAsk = true
        await settle()
    }
}

extension EventPayload {
    /// True if the event settles a question that was asked before, or would change the question.
    fileprivate var settlesQuestions: Bool {
        switch self {
        case .sessionClosed, .doseRecorded, .doseSkipped, .snoozeRecorded, .checkinRecorded, .entryAmended,
            .entryDeleted, .actionUndone:
            true
        default: false
        }
    }
}
