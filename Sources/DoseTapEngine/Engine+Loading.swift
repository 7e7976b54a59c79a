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

    /// The night an entry belongs to, and the entry itself where it is no part of that.
    func load(entry id: EventID, into diary: inout Diary) async throws(EngineFailure) {
        guard !diary.sessions.contains(where: { $0.entry(id) != nil }),
            !diary.preSleepLogs.contains(where: { $0.id == id }), !diary.medications.contains(where: { $0.id == id })
        else { return }
        try await loadInventory(about: id, into: &diary)
        guard !diary.inventory.contains(where: { $0.id == id }) else { return }
        let found = try await asking { try await self.parts.store.session(named: id.text) }
        if let session = found.flatMap(Session.init(events:)) {
            diary.merge([session])
            if session.entry(id) != nil { return }
        }
        let preSleep = try await asking { try await self.parts.store.events(about: id, .preSleep) }
        if let log = PreSleepLog(events: preSleep) { return diary.merge(preSleep: [log]) }
        let events = try await asking { try await self.parts.store.events(about: id, .medication) }
        if let entry = MedicationEntry(events: events) { diary.merge(medications: [entry]) }
    }

    /// The medicines that one taken or moved to an old time may be too near to.
    func loadMedications(near instant: Instant, into diary: inout Diary) async throws(EngineFailure) {
        let reach = MedicationEntry.reach
        let scope = MedicationScope.around((instant - reach)...(instant + reach))
        let found = try await asking { try await self.parts.store.medications(scope) }
        diary.merge(medications: found.compactMap(MedicationEntry.init(events:)))
    }

    /// What the newest action was about: it may lie in a night that memory has let go of.
    func loadNewestAction(into diary: inout Diary) async throws(EngineFailure) {
        guard let action = diary.recentActions.last else { return }
        if [.preSleep, .medication, .inventory].contains(action.entityType) {
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
