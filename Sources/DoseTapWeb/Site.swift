internal import DoseTapDomain
internal import NIOCore

/// What is served, and to whom. Everything of it runs on one loop.
final class Site {
    /// Most connections at a time.
    static let mostConnections = 64
    /// Most of them that wait for changes.
    static let mostListeners = 16
    /// How long events of the record are gathered into one change.
    private static let gathering = TimeAmount.milliseconds(200)

    private var admission: Admission
    private let loop: any EventLoop
    private let idle: TimeAmount
    /// Asks `dosetap` for something.
    private let ask: (WebMessage.Request) -> Void
    /// Ends the program.
    private let end: @Sendable () -> Void
    private var connections: Set<ObjectIdentifier> = []
    /// Those that wait for the one page that is being made.
    private var waiting: [Connection] = []
    /// A page is being made, also where nobody waits for it any more.
    private var isBeingMade = false
    /// Something was recorded since that was begun.
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

    /// Whether one more connection is let in; it then counts until it is left.
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
            // Only who gets the address has used it.
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

    /// A page is made, or why there is none.
    func made(_ answer: Answer) {
        isBeingMade = false
        // Who waits has maybe asked because of what is not on this page.
        if isStale, !waiting.isEmpty { return make() }
        let connections = waiting
        waiting = []
        for connection in connections { connection.send(answer) }
    }

    /// Something was recorded.
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

    /// Somebody looks.
    private func use() {
        idling?.cancel()
        let end = end
        idling = loop.scheduleTask(in: idle) { end() }
    }
}
