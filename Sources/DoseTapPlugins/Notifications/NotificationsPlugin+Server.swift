internal import DoseTapDomain
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// The finding and the loss of the server.
extension NotificationsPlugin {
    /// The session bus was reached; nil: the bus has gone.
    func reached(_ bus: (any NotificationBus)?) {
        self.bus = bus
        lose()
        guard let bus else { return say(.absent, "the bus has gone") }
        mayAsk = true
        Task { await self.listen(to: bus) }
    }

    /// Listens first and asks second, so that no change is missed. The question does not start a server that is not
    /// running; the first reminder does.
    private func listen(to bus: any NotificationBus) async {
        do throws(BusError) {
            try await bus.listen {
                [weak self] owner in
                self?.assumeIsolated { $0.ownerChanged(to: owner) }
            } _: {
                [weak self] sender, news in
                self?.assumeIsolated { $0.heard(news, from: sender) }
            }
        } catch { return fail(.absent, error.description) }
        if self.bus === bus { ask(starts: false) }
    }

    private func ownerChanged(to new: String) {
        guard new != owner ?? "" else { return }
        lose()
        guard !new.isEmpty else { return fail(.absent, "its name has no owner") }
        owner = new
        failure = nil
        // The refusal of an earlier server says nothing about the new one.
        if trouble != nil { trouble = .absent }
        mayAsk = true
        ask(starts: false)
    }

    /// Forgets the server and its notifications. If only the bus has gone, the notifications may still be there; the next
    /// connection shows that.
    private func lose() {
        owner = nil
        identity = nil
        server = nil
        acquainted = nil
        known = [:]
        pressed = []
        for place in places.keys { places[place]?.forget() }
    }

    /// Asks the server for its capabilities; the server is used once it has answered.
    ///
    /// - Parameter starts: true if the bus may start a server.
    func ask(starts: Bool) {
        guard let bus, !isAsking else { return }
        isAsking = true
        mayAsk = false
        Task {
            var found: NotificationServer?
            var failure: BusError?
            do throws(BusError) {
                found = try await bus.ask(starts: starts)
            } catch { failure = error }
            self.isAsking = false
            guard self.bus === bus else { return self.ask(starts: false) }
            if let found { await self.use(found) }
            if let failure { await self.missed(failure, on: bus, starts: starts) }
        }
    }

    private func use(_ found: NotificationServer) async {
        // Another server has taken its place in the meantime and has to be asked.
        if let owner, owner != found.owner { return ask(starts: false) }
        if owner == nil { failure = nil }
        owner = found.owner
        server = found
        acquainted = found
        // The server may have been asked twice, by its name and by its coming.
        let isNews = identity != found.identity || trouble != nil
        if identity == nil { adopt(from: found) }
        if case .refusing = trouble {} else if isNews { work(found) }
        await settle()
    }

    /// Records that the server works, as far as can be known.
    func work(_ server: NotificationServer) {
        trouble = nil
        journal.send(
            .notificationsAvailable,
            JournalText.shown(by: server.title, hasButtons: server.capabilities.contains(.actions)),
            [("DOSETAP_SERVER", server.title)], .info)
    }

    private func missed(_ error: BusError, on bus: any NotificationBus, starts: Bool) async {
        // The name changed its owner during the question.
        if owner != nil, mayAsk { return ask(starts: false) }
        if !starts, owner == nil, await bus.canBeStarted() {
            mayAsk = true
            return await settle()
        }
        // A server that does not answer or cannot be started shows nothing.
        failure = error.description.journalText
        fail(.absent, error.description)
    }

    /// Records that the server does not work. After a pause it is asked again, before anything else is sent to it.
    func fail(_ trouble: Trouble, _ why: String) {
        server = nil
        mayAsk = false
        say(trouble, why)
        Task { await self.settle() }
    }

    private func say(_ trouble: Trouble, _ why: String) {
        let isKnown = self.trouble != nil
        self.trouble = trouble
        guard !isKnown else { return }
        let why = why.journalText
        journal.send(
            .notificationsUnavailable, JournalText.notShown(why), [("DOSETAP_REASON", why)],
            .warning)
    }
}
