internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// The steps that bring the screen to the wanted state.
extension NotificationsPlugin {
    /// Takes a place's next step.
    func advance(_ place: Place) async {
        // A notification that cannot be shown yet waits; an untrue one goes in any case.
        if places[place]?.isWaiting == true, server == nil {
            if let id = places[place]?.retract() { await clear(id) }
            return
        }
        switch places[place]?.next() {
        case nil: break
        case .close(let id): await clear(id)
        case .show(let showing, let replacing, let ticket):
            guard let bus, let server else { return places[place]?.failed(ticket) ?? () }
            bus.show(
                showing.content, of: showing.due, replacing: replacing, sound: settings[Self.soundName], on: server
            ) { [weak self] answer in
                self?.assumeIsolated { $0.answered(answer, place, ticket, by: server.owner) }
            }
        }
    }

    /// Closes a notification, then writes the file. In the other order, a crash could leave a notification nobody knows.
    private func clear(_ id: UInt32) async {
        await withdraw(id)
        keep()
    }

    /// Closes a notification at the server.
    func withdraw(_ id: UInt32) async {
        guard let bus, owner != nil else { return }
        await bus.close(id, on: acquainted)
    }

    private func answered(_ answer: NotificationServer.Answer, _ place: Place, _ ticket: UInt64, by server: String) {
        // The answer of an earlier server is of no use.
        guard server == owner else { return }
        switch answer {
        case .shown(let id):
            failure = nil
            guard let result = places[place]?.answered(ticket, id: id) else { return }
            if let showing = result.shown { remember(showing, id) }
            keep()
            Task { await self.shown(result.shown?.due, in: place, stale: result.stale) }
        case .failed(let why):
            places[place]?.failed(ticket)
            failure = why.journalText
            fail(.refusing, why)
        case .overdue:
            failure = sent("it does not answer")
            if places[place]?.overdue(ticket) == true { fail(.refusing, sent("it does not answer")) }
        }
    }

    private func shown(_ due: DueReminder?, in place: Place, stale: UInt32?) async {
        if case .refusing = trouble, let server { work(server) }
        if let stale { await withdraw(stale) }
        // While the service stops, only this place takes its next step.
        if isStopping { await advance(place) } else { await settle() }
        let last = delivered[place]
        guard let due, due.item != last?.item || due.session != last?.session else { return }
        delivered[place] = due
        try? await engine.delivered(due, by: Self.channel)
    }

    func remember(_ showing: Showing, _ id: UInt32) {
        if known.count >= Self.mostKnown, let oldest = known.min(by: { $0.value.made < $1.value.made }) {
            known[oldest.key] = nil
        }
        known[id] = showing
        pressed.remove(id)
    }

    /// Takes note that somebody else closed a notification, which acknowledges nothing. A notification that was closed by
    /// its press comes back if the press changed nothing.
    func closed(_ id: UInt32) {
        let isPressed = pressed.remove(id) != nil
        for place in places.keys {
            if let gone = places[place]?.closed(id), case .reminder(let item, _) = gone.subject, !isPressed {
                dismissed[place] = item
            }
        }
        keep()
    }
}

/// The person's presses on notifications, and their closing.
extension NotificationsPlugin {
    /// Takes news of a notification. News of a sender that does not own the server's name is ignored.
    func heard(_ news: NotificationNews, from sender: String) {
        guard sender == owner else { return }
        switch news {
        case .pressed(let id, let key): pressed(id, key)
        case .closed(let id): closed(id)
        case .garbage: ignore("", "garbage")
        }
    }

    /// Runs the action of a press. Some servers tell every client of every press: an unknown id is another client's.
    private func pressed(_ id: UInt32, _ key: String) {
        guard let showing = known[id] else { return }
        if key == NotificationAction.notTaken.rawValue, showing.offers(.notTaken) { return declined(showing) }
        guard let action = NotificationAction(rawValue: key), let request = showing.request(action) else {
            return ignore(key, "no such button")
        }
        pressed.insert(id)
        Task { await self.run(action, request.command, request.confirmations, of: showing) }
    }

    /// The person said no: the question goes, nothing is recorded, and the reminders go on.
    private func declined(_ showing: Showing) {
        guard places[.answer]?.wanted?.subject == showing.subject else { return }
        places[.answer]?.want(nil)
        Task { await self.settle() }
    }

    /// Proposes the command of a press. The engine judges it like every command, by the night as it is now.
    private func run(
        _ action: NotificationAction, _ command: Command, _ confirmations: [Confirmation], of showing: Showing
    ) async {
        guard await engine.status()?.sessionID == showing.session else {
            ignore(action.rawValue, "the night is over")
            return await answer(
                nil, DisplayLanguage.addressingPerson { NotificationContent(refusal: NotificationText.nightIsOver) },
                showing.session)
        }
        var options = CommandOptions(surface: .notification)
        options.confirmations = Set(confirmations)
        options.isClockRight = action.isClockRight
        options.key = showing.key(action)
        // The newest entry may be another one by then.
        if command == .undo { options.undoes = showing.undoes }
        do {
            let receipt = try await engine.propose(command, options)
            if !receipt.duplicate { await confirm(receipt, of: command, showing.session) }
        } catch { await declined(command, error, showing.session) }
    }

    /// Shows the effect of a press, with an undo: a wrong press must not look like a right one.
    private func confirm(_ receipt: Receipt, of command: Command, _ session: SessionID) async {
        guard let view = await engine.view(),
            let content = DisplayLanguage.addressingPerson({ NotificationContent(receipt, of: command, view) })
        else { return }
        await answer(nil, content, session, undoes: receipt.eventID)
    }

    private func declined(_ command: Command, _ error: any Error, _ session: SessionID) async {
        guard let view = await engine.view() else { return }
        guard let failure = error as? EngineFailure else {
            return await answer(
                nil, DisplayLanguage.addressingPerson { NotificationContent(refusal: NotificationText.failed) }, session
            )
        }
        if case .command(.needsConfirmation(let question)) = failure {
            let showsDetails = settings[ServiceSettings.details]
            let content = DisplayLanguage.addressingPerson {
                NotificationContent(question, to: command, view.moments, showsDetails: showsDetails)
            }
            return await answer(.question(command, question.confirmations, content), content, session)
        }
        await answer(nil, DisplayLanguage.addressingPerson { NotificationContent(failure, view.moments) }, session)
    }

    private func ignore(_ key: String, _ why: String) {
        let key = key.prefix(60).journalText
        journal.send(
            .notificationIgnored, JournalText.pressIgnored(why),
            [("DOSETAP_ACTION", key), ("DOSETAP_REASON", why)], .notice)
    }
}

/// The notifications that stay on the screen from one process to the next.
extension NotificationsPlugin {
    /// Takes over the notifications that an earlier process left with this server. A notification that still holds is shown
    /// in their place, the rest goes, and until then a press on them counts.
    func adopt(from server: NotificationServer) {
        identity = server.identity
        written = nil
        do {
            if let content = try file?.read(), content.server == server.identity {
                for entry in content.shown {
                    let showing = Showing(left: entry)
                    places[entry.place]?.adopt(showing, id: entry.id)
                    remember(showing, entry.id)
                }
            }
        } catch { forget(error, JournalText.screenUnknown) }
        keep()
    }

    /// Writes the shown notifications to the file, if they have changed.
    func keep() {
        guard let file, let identity else { return }
        let entries = Place.allCases.compactMap { place in
            places[place]?.shown.map { id, showing in
                ShownFile.Entry(place: place, id: id, session: showing.session, made: showing.made)
            }
        }
        let content = ShownFile.Content(server: identity, shown: entries)
        guard content != written else { return }
        written = content
        do { try file.write(content) } catch {
            forget(error, JournalText.screenForgotten)
        }
    }

    /// Reports once that the file cannot be used. The plugin goes on without it.
    private func forget(_ error: any Error, _ line: (String) -> String) {
        guard !isForgetful else { return }
        isForgetful = true
        let why = "\(error)".journalText
        journal.send(
            JournalEntry(
                message: line(why), priority: .notice,
                fields: [("DOSETAP_REASON", why)]))
    }
}

extension Showing {
    /// Makes a notification that an earlier process showed.
    fileprivate init(left entry: ShownFile.Entry) {
        self.init(
            subject: .left, session: entry.session,
            content: NotificationContent(summary: "", lines: [], urgency: .normal), due: nil, made: entry.made)
    }
}

/// The test of the desktop.
extension NotificationsPlugin {
    /// Shows a test notification, as urgent as an alarm's, and waits for the server's answer.
    package func test(_ channel: String) async throws {
        guard channel == Self.channel else { throw PluginFailure.noChannel(channel) }
        guard let bus else { throw PluginFailure.notWorking(sent("the service is on no bus")) }
        let server: NotificationServer
        do throws(BusError) {
            // The server is asked anew: earlier answers may no longer hold.
            server = try await bus.ask(starts: true)
        } catch {
            failure = error.message.journalText
            throw PluginFailure.notWorking(sent("no notification server: \(error.message.journalText)"))
        }
        let (summary, line) = DisplayLanguage.addressingPerson { NotificationText.test }
        let content = NotificationContent(summary: summary, lines: [line], urgency: .critical)
        let answer = await firstAnswer { [settings] answered in
            bus.show(
                content, of: nil, replacing: 0, sound: settings[Self.soundName], on: server, answered: answered)
        }
        switch answer {
        case .shown(let id):
            test = id
            failure = nil
            journal.send(.channelTested(channel))
        case .failed(let why):
            failure = why.journalText
            throw PluginFailure.notWorking(sent("the notification server refused: \(why.journalText)"))
        case .overdue:
            failure = sent("it does not answer")
            throw PluginFailure.notWorking(sent("the notification server does not answer"))
        }
    }

    /// Returns the first answer; more answers may follow.
    private func firstAnswer(
        _ ask: (@escaping @Sendable (NotificationServer.Answer) -> Void) -> Void
    ) async -> NotificationServer.Answer {
        let (answers, answering) = AsyncStream.makeStream(
            of: NotificationServer.Answer.self, bufferingPolicy: .bufferingOldest(1))
        ask { answering.yield($0) }
        for await answer in answers { return answer }
        return .overdue
    }
}
