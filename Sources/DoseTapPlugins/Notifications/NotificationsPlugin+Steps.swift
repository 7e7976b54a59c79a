internal import DoseTapDomain
internal import DoseTapEngine

/// The steps by which the screen comes to what it should show.
extension NotificationsPlugin {
    /// Takes a place's next step.
    func advance(_ place: Place) async {
        // What cannot be shown yet waits; what must go, goes in any case.
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

    /// Takes away what stood in a place. In this order: what is forgotten before it is gone would be nobody's after a crash.
    private func clear(_ id: UInt32) async {
        await withdraw(id)
        keep()
    }

    /// Takes something away.
    func withdraw(_ id: UInt32) async {
        guard let bus, owner != nil else { return }
        await bus.close(id, on: acquainted)
    }

    private func answered(_ answer: NotificationServer.Answer, _ place: Place, _ ticket: UInt64, by server: String) {
        // What another server said, before it went, is of no use.
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
            failure = "it does not answer"
            if places[place]?.overdue(ticket) == true { fail(.refusing, "it does not answer") }
        }
    }

    private func shown(_ due: Deadline?, in place: Place, stale: UInt32?) async {
        if case .refusing = trouble, let server { work(server) }
        if let stale { await withdraw(stale) }
        // What was on its way when the service began to stop.
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

    /// A notification was closed by whomever but us: that acknowledges nothing. One that went with its press comes back
    /// where the press changed nothing.
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
