public import DoseTapDomain

/// Looking at single nights.
extension Engine {
    /// What a name means.
    public struct Shown: Sendable {
        /// The nights, with all that belongs to them.
        public var nights: [NightRecord] = []
        /// A pre-sleep log that belongs to none.
        public var preSleep: [NightRecord.Entry] = []
    }

    /// The nights a name means: a session date, a session id, or an entry's id or its beginning.
    public func records(named name: String) async throws(EngineFailure) -> Shown {
        var shown = Shown()
        for session in try await nights(named: name) { shown.nights.append(try await record(session)) }
        guard shown.nights.isEmpty, let log = try await preSleepLog(named: name) else { return shown }
        let span = log.at...(log.at + PreSleepLog.reach)
        let loaded = try await asking { try await self.parts.store.sessions(around: span) }
        var around = Diary()
        around.merge(loaded.compactMap(Session.init(events:)))
        around.merge(preSleep: [log])
        if let session = around.session(of: log.event) {
            shown.nights = [try await record(session)]
        } else {
            shown.preSleep = [NightRecord.Entry(preSleep: log)]
        }
        return shown
    }

    private func record(_ session: Session) async throws(EngineFailure) -> NightRecord {
        let logs = try await asking { try await self.parts.store.preSleepLogs(of: session.id) }
        return NightRecord(session, preSleep: logs.compactMap(PreSleepLog.init(events:)).filter(\.isStanding))
    }

    private func preSleepLog(named name: String) async throws(EngineFailure) -> PreSleepLog? {
        let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
        guard ids.count == 1, let id = ids.first else { return nil }
        let events = try await asking { try await self.parts.store.preSleepLog(id) }
        return PreSleepLog(events: events).flatMap { $0.isStanding ? $0 : nil }
    }
}
