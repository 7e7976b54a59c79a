internal import DoseTapDomain

/// What a decision has to see is read from the log first, where memory does not hold it.
extension Engine {
    /// The night a check-in names.
    func load(night name: String, into diary: inout Diary) async throws(EngineFailure) {
        guard name.utf8.count <= 64 else { return }
        if let date = try? SessionDate(text: name) {
            let found = try await asking { try await self.parts.store.sessions(on: date) }
            return diary.merge(found.compactMap(Session.init(events:)))
        }
        let found = try await asking { try await self.parts.store.session(named: name) }
        if let session = found.flatMap(Session.init(events:)) { diary.merge([session]) }
    }

    /// The night or the pre-sleep log an entry belongs to.
    func load(entry id: EventID, into diary: inout Diary) async throws(EngineFailure) {
        guard !diary.sessions.contains(where: { $0.entry(id) != nil }),
            !diary.preSleepLogs.contains(where: { $0.id == id })
        else { return }
        let found = try await asking { try await self.parts.store.session(named: id.text) }
        if let session = found.flatMap(Session.init(events:)) { return diary.merge([session]) }
        let events = try await asking { try await self.parts.store.preSleepLog(id) }
        if let log = PreSleepLog(events: events) { diary.merge(preSleep: [log]) }
    }

    /// What the newest action was about: it may lie in a night that memory has let go of.
    func loadNewestAction(into diary: inout Diary) async throws(EngineFailure) {
        guard let action = diary.recentActions.last else { return }
        if action.entityType == .preSleep {
            try await load(entry: EventID(action.entityID), into: &diary)
        } else if let session = action.sessionID, diary.session(session) == nil {
            try await load(night: session.text, into: &diary)
        }
    }

    /// The pre-sleep logs a save at an old time may go on with.
    func loadPreSleep(near instant: Instant, into diary: inout Diary) async throws(EngineFailure) {
        let span = (instant - PreSleepLog.reach)...(instant + PreSleepLog.reach)
        let found = try await asking { try await self.parts.store.preSleepLogs(around: span) }
        diary.merge(preSleep: found.compactMap(PreSleepLog.init(events:)))
    }
}
