package import DoseTapDomain
package import DoseTapEngine

/// Shows reminders on the desktop, with buttons that record what the person did.
///
/// What should be on the screen follows from the night alone and is worked out anew whenever something happens; the
/// server is brought to it in steps, none of which anybody waits for. So a reminder goes when it no longer holds,
/// whoever resolved it, and comes back when that is undone; a server that comes late or hangs gets what is true then.
package actor NotificationsPlugin: RosterPlugin {
    /// As shown by `dosetap plugins`.
    package static nonisolated let manifest = PluginManifest(
        id: "notifications", summary: sent("shows reminders on the desktop, with buttons"),
        capabilities: [.reads, .proposes, .notifies, .deadlines], channels: [channel],
        settings: [soundName.row, ServiceSettings.details.row])

    /// Sound of urgent notifications.
    package static nonisolated let soundName = Setting(
        "notifications.sound_name", .soundName, default: "alarm-clock-elapsed",
        "Sound of urgent notifications, by its name in the desktop's theme; empty for none.",
        manual: "The sound of urgent notifications, by its name in the sound theme of the desktop; empty for no sound.")

    /// The channel of a delivery, on record.
    static let channel = "notification"

    /// What keeps reminders from being shown.
    enum Trouble: Sendable {
        /// There is no server that answers.
        case absent
        /// It answers, but does not show them: it works again when it has shown one.
        case refusing
    }

    /// A place on the screen.
    enum Place: String, Sendable, CaseIterable {
        case reminder
        case checkIn
        /// What is asked or said after a press.
        case answer
        /// What a clock that was set leaves of the time since dose 1, until the next reminder says so.
        case clock
    }

    package nonisolated let environment: PluginEnvironment

    var places: [Place: NotificationSlot] = [
        .reminder: NotificationSlot(), .checkIn: NotificationSlot(), .answer: NotificationSlot(),
        .clock: NotificationSlot(),
    ]
    /// What the ids of the server at hand stood for, the last few; one that was withdrawn may still be pressed.
    var known: [UInt32: Showing] = [:]
    /// Those whose button was pressed; some servers close them for that.
    var pressed: Set<UInt32> = []
    /// The reminder that was told last, of each place.
    private var notified: [Place: DueReminder] = [:]
    /// The reminder the person closed: not acknowledged, but the next one is early enough.
    var dismissed: [Place: ReminderPlan.Item] = [:]
    private var isStale = false
    private var isSettling = false
    var isStopping = false

    var bus: (any NotificationBus)?
    /// The server's unique name on the bus.
    var owner: String?
    /// Whose ids stand in the file: the server's, once it was asked.
    var identity: String?
    /// The server, once it has said what it can do and as long as it works.
    var server: NotificationServer?
    /// What is known of the server that has the name, whether or not it works.
    var acquainted: NotificationServer?
    var isAsking = false
    /// Whether a server that does not work may be tried: once for every reason to.
    var mayAsk = true
    /// Whether a later try is agreed.
    private var isRetrying = false
    /// What does not work; said once.
    var trouble: Trouble?
    /// Why what was sent last was not shown, a test included; nil when it was, or another server has come since.
    var failure: String?
    /// The reminder of each place that was shown last, on record.
    var delivered: [Place: DueReminder] = [:]
    /// A test that stands on the screen: it must not stand over an alarm.
    var test: UInt32?
    /// What stands on the screen, for the next process; nil where that cannot be kept.
    let file: ShownFile?
    /// What was written into it last.
    var written: ShownFile.Content?
    /// It cannot be used; said once.
    var isForgetful = false

    /// How long a server that does not work is left alone.
    static let retryAfter: Duration = .seconds(60)
    static let mostKnown = 16

    package init(environment: PluginEnvironment) {
        self.environment = environment
        file = environment.folders.runtime.map { ShownFile(in: $0) }
        environment.desktop.follow { [weak self] session in self?.assumeIsolated { $0.reached(session?.notifications) }
        }
    }

    // MARK: From the host

    /// Something happened: the screen follows.
    package func receive(_ event: StoredEvent) async throws {
        if case .actionUndone = event.event.payload { dismissed = [:] }
        // What was asked before it happened is settled by it.
        if let asked = places[.answer]?.wanted, asked.session == event.event.sessionID,
            asked.made < event.event.occurredAt,
            event.event.payload.settlesQuestions || asked.isOver(event.event.payload)
        {
            places[.answer]?.want(nil)
        }
        if case .clockStepped(let stepped) = event.event.payload { await showClockChange(stepped, event.event) }
        if await engine.isLastAtHand(event) { await settle() }
    }

    /// Says once what was done to the clock. What is certain and changes no time is not worth a look.
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
        // Told once more, after it was told before its time, it is not the one that was closed or is on record.
        if dismissed[place] == due.item { dismissed[place] = nil }
        if delivered[place]?.item == due.item { delivered[place] = nil }
        mayAsk = true
        if let test = test.take() { await withdraw(test) }
        await settle()
    }

    /// A clock that was set may close the window, and open it again.
    package func phaseChanged() async { await settle() }

    /// A server that did not work is tried again.
    package func woken() async throws {
        isRetrying = false
        mayAsk = true
        await settle()
    }

    /// It was switched on or off; off, nothing of it stays on the screen.
    package func switched(on: Bool) async {
        if !on { places[.answer]?.want(nil) }
        // What was agreed before is forgotten by the host, too.
        isRetrying = false
        mayAsk = true
        await settle()
    }

    /// Buttons nobody answers would be worse than none: everything is taken away. Only what tells of an open window stays,
    /// without them; the next process takes it over.
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

    /// Brings the screen to what the night is now.
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
            // What was wanted before the end is not put on the screen after it.
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

    /// Says something in answer to a press.
    ///
    /// - Parameter undoes: the entry that its undo takes back.
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
    /// Whether a question that was asked before it is settled, or would be asked differently now.
    fileprivate var settlesQuestions: Bool {
        switch self {
        case .sessionClosed, .doseRecorded, .doseSkipped, .snoozeRecorded, .checkinRecorded, .entryAmended,
            .entryDeleted, .actionUndone:
            true
        default: false
        }
    }
}
