internal import DoseTapDomain
internal import DoseTapEngine
internal import SystemdJournal

/// What the person does with a notification.
extension NotificationsPlugin {
    /// News in the server's name: nobody but its owner is believed.
    func heard(_ news: NotificationNews, from sender: String) {
        guard sender == owner else { return }
        switch news {
        case .pressed(let id, let key): pressed(id, key)
        case .closed(let id): closed(id)
        case .garbage: ignore("", "garbage")
        }
    }

    /// Some servers tell everybody of every press: an id that is none of ours is somebody else's.
    private func pressed(_ id: UInt32, _ key: String) {
        guard let showing = known[id] else { return }
        if key == NotificationAction.notTaken.rawValue, showing.offers(.notTaken) { return declined(showing) }
        guard let action = NotificationAction(rawValue: key), let request = showing.request(action) else {
            return ignore(key, "no such button")
        }
        pressed.insert(id)
        Task { await self.run(action, request.command, request.confirmations, of: showing) }
    }

    /// Said no: the question goes, nothing is recorded, and the reminders go on.
    private func declined(_ showing: Showing) {
        guard places[.answer]?.wanted?.subject == showing.subject else { return }
        places[.answer]?.want(nil)
        Task { await self.settle() }
    }

    /// The press goes the way of every command and is judged by the night as it is now.
    private func run(
        _ action: NotificationAction, _ command: Command, _ confirmations: [Confirmation], of showing: Showing
    ) async {
        guard await engine.status()?.sessionID == showing.session else {
            ignore(action.rawValue, "the night is over")
            return await answer(nil, NotificationContent(refusal: "That night is over."), showing.session)
        }
        var options = CommandOptions(surface: .notification)
        options.confirmations = Set(confirmations)
        options.isClockRight = action.isClockRight
        options.key = showing.key(action)
        do {
            let receipt = try await engine.propose(command, options)
            if !receipt.duplicate { await confirm(receipt, of: command, showing.session) }
        } catch { await declined(command, error, showing.session) }
    }

    /// A wrong press must not look like a right one: what it did is said, with the way back.
    private func confirm(_ receipt: Receipt, of command: Command, _ session: SessionID) async {
        guard let view = await engine.view(), let content = NotificationContent(receipt, of: command, view) else {
            return
        }
        await answer(nil, content, session)
    }

    private func declined(_ command: Command, _ error: any Error, _ session: SessionID) async {
        guard let view = await engine.view() else { return }
        guard let failure = error as? EngineFailure else {
            return await answer(nil, NotificationContent(refusal: "Something went wrong."), session)
        }
        if case .command(.needsConfirmation(let question)) = failure {
            let content = NotificationContent(
                question, to: command, view.moments, showsDetails: settings[ServiceSettings.details])
            return await answer(.question(command, question.confirmations, content), content, session)
        }
        await answer(nil, NotificationContent(failure, view.moments), session)
    }

    private func ignore(_ key: String, _ why: String) {
        let key = key.prefix(60).journalText
        tell(
            .notificationIgnored, "A press on a notification was ignored: \(why)",
            [("DOSETAP_ACTION", key), ("DOSETAP_REASON", why)], .notice)
    }
}
