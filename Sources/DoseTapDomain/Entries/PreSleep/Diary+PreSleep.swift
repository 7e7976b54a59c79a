extension Diary {
    /// Loaded pre-sleep logs, those undone and deleted included.
    public var preSleepLogs: [PreSleepLog] { standalone.of() }

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

    /// The standing log that is part of a night: its own; where no session is open, the newest of the date that belongs to
    /// no other.
    func preSleepLog(
        of session: Session?, on date: SessionDate, until moment: Instant, _ circumstances: Circumstances
    ) -> PreSleepLog? {
        if let session, let own = preSleepLogs(of: session).last(where: { $0.at <= moment }) { return own }
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        let hour = circumstances.rules.rolloverHour
        return preSleepLogs.last { log in
            log.isStanding && log.at <= moment && log.link(among: starts) == nil
                && SessionDate.key(of: log.at, in: circumstances.zone, rolloverHour: hour) == date
        }
    }

    /// The loaded session of an event: for a pre-sleep log the one it belongs to.
    public func session(of event: Event) -> Session? {
        guard event.entityType == .preSleep else { return event.sessionID.flatMap { session($0) } }
        let starts = sessions.map { (id: $0.id, start: $0.start) }
        return preSleepLogs.first { $0.id.text == event.entityID }?.link(among: starts).flatMap { session($0) }
    }

    /// The event that recorded a standing entry of a loaded session, or a loaded entry that is part of none.
    func entry(of event: Event) -> Event? {
        let id = EventID(event.entityID)
        if event.entityType.isStandalone { return standalone.standing(id)?.event }
        return event.sessionID.flatMap { session($0) }?.entry(id)
    }
}
