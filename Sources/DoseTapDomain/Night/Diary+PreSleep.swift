extension Diary {
    /// The standing log with an id.
    func preSleepLog(_ id: EventID) -> PreSleepLog? { preSleepLogs.first { $0.id == id && $0.isStanding } }

    /// The standing log that a save at an instant goes on with: the nearest within reach.
    func preSleepLog(near instant: Instant) -> PreSleepLog? {
        func distance(_ log: PreSleepLog) -> Duration { max(log.at - instant, instant - log.at) }
        return preSleepLogs.filter { $0.isStanding && distance($0) <= PreSleepLog.reach }
            .min { distance($0) < distance($1) }
    }

    /// The standing logs that belong to a loaded session.
    public func preSleepLogs(of session: Session) -> [PreSleepLog] {
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        return preSleepLogs.filter { $0.isStanding && $0.link(among: starts) == session.id }
    }

    /// The loaded session of an event: for a pre-sleep log the one it belongs to.
    public func session(of event: Event) -> Session? {
        guard event.entityType == .preSleep else { return event.sessionID.flatMap { session($0) } }
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        return preSleepLogs.first { $0.id.text == event.entityID }?.link(among: starts).flatMap { session($0) }
    }

    /// The event that recorded a standing entry of a loaded session, or a loaded pre-sleep log.
    func entry(of event: Event) -> Event? {
        let id = EventID(event.entityID)
        guard event.entityType != .preSleep else { return preSleepLog(id)?.event }
        return event.sessionID.flatMap { session($0) }?.entry(id)
    }

    /// Adds logs that were loaded; those already here stay as they are.
    public mutating func merge(preSleep loaded: [PreSleepLog]) {
        for log in loaded where !preSleepLogs.contains(where: { $0.id == log.id }) { add(log) }
    }

    /// Takes up an event about a log; one that is not loaded stays so.
    mutating func takeUp(preSleep event: Event) {
        let id = EventID(event.entityID)
        if let place = preSleepLogs.firstIndex(where: { $0.id == id }) {
            if let log = PreSleepLog(events: preSleepLogs[place].events + [event]) { preSleepLogs[place] = log }
        } else if let log = PreSleepLog(events: [event]) {
            add(log)
        }
    }

    /// Logs are kept in the order in which they were begun.
    private mutating func add(_ log: PreSleepLog) {
        let place = preSleepLogs.firstIndex { $0.id.text > log.id.text } ?? preSleepLogs.endIndex
        preSleepLogs.insert(log, at: place)
    }
}
