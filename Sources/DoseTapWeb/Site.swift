internal import DoseTapDomain
internal import NIOCore

/// Answers the questions of all connections, and tells them of changes. All its code runs on one loop.
final class Site {
    /// Most connections at a time.
    static let mostConnections = 64
    /// Most connections that wait for changes.
    static let mostListeners = 16
    /// The time in which events of the record are gathered into one change.
    private static let gathering = TimeAmount.milliseconds(200)

    private var admission: Admission
    private let loop: any EventLoop
    private let idle: TimeAmount
    /// Asks `dosetap` for something.
    private let ask: (WebMessage.Request) -> Void
    /// Ends the program.
    private let end: @Sendable () -> Void
    private var connections: Set<ObjectIdentifier> = []
    /// The connections that wait for the one page that is being made.
    private var waiting: [Connection] = []
    /// True while a page is being made, even if no connection waits for it any more.
    private var isBeingMade = false
    /// True if something was recorded since that page was begun.
    private var isStale = false
    private var listeners: [Connection] = []
    private var idling: Scheduled<Void>?
    private var pendingNotification: Scheduled<Void>?

    init(
        _ admission: Admission, on loop: any EventLoop, idle: TimeAmount, ask: @escaping (WebMessage.Request) -> Void,
        end: @escaping @Sendable () -> Void
    ) {
        (self.admission, self.loop, self.idle, self.ask, self.end) = (admission, loop, idle, ask, end)
        use()
    }

    /// Returns true if one more connection may enter. A connection counts from `entered` to `left`.
    func hasRoom() -> Bool { connections.count < Self.mostConnections }

    func entered(_ connection: Connection) { connections.insert(ObjectIdentifier(connection)) }

    func left(_ connection: Connection) {
        connections.remove(ObjectIdentifier(connection))
        waiting.removeAll { $0 === connection }
        listeners.removeAll { $0 === connection }
    }

    func answer(_ question: Question, on connection: Connection) {
        switch admission.answer(question) {
        case .failure(let refused): connection.send(.refused(refused.why))
        case .success(.entrance):
            // A HEAD request does not use up the address: its answer has no body that leads on.
            if !connection.isHead {
                admission.use()
                use()
                ask(.entered)
            }
            connection.send(connection.isHead ? Answer() : .entrance(to: admission.path))
        case .success(.frame): connection.send(.frame)
        case .success(.report) where connection.isHead: connection.send(Answer())
        case .success(.report):
            use()
            connection.wait()
            waiting.append(connection)
            guard !isBeingMade else { return }
            make()
        case .success(.changes) where connection.isHead || listeners.count >= Self.mostListeners:
            connection.send(connection.isHead ? .changes : .unavailable("Too many pages are open."))
        case .success(.changes):
            listeners.append(connection)
            connection.begin(.changes)
        }
    }

    private func make() {
        (isBeingMade, isStale) = (true, false)
        ask(.page)
    }

    /// Answers the waiting connections with the page, or with the reason why there is none.
    func made(_ answer: Answer) {
        isBeingMade = false
        // A waiting browser may have asked because of something that is not on this page.
        if isStale, !waiting.isEmpty { return make() }
        let connections = waiting
        waiting = []
        for connection in connections { connection.send(answer) }
    }

    /// Records that something was recorded, and plans one event for the listeners.
    func changed() {
        isStale = isBeingMade
        guard pendingNotification == nil else { return }
        let site = NIOLoopBound(self, eventLoop: loop)
        pendingNotification = loop.scheduleTask(in: Self.gathering) { site.value.notifyListeners() }
    }

    private func notifyListeners() {
        pendingNotification = nil
        for listener in listeners { listener.send(Answer.change) }
    }

    /// Starts the idle time anew.
    private func use() {
        idling?.cancel()
        let end = end
        idling = loop.scheduleTask(in: idle) { end() }
    }
}
