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
        guard !diary.sessions.contains(where: { $0.entry(id) != nil }) else { return }
        try await load(standalone: id, into: &diary)
        guard !diary.standalone.contains(where: { $0.id == id }) else { return }
        let found = try await asking { try await self.parts.store.session(named: id.text) }
        if let session = found.flatMap(Session.init(events:)) { diary.merge([session]) }
    }

    /// An entry that is no part of a session's fold, with all that is said of it, also where it was deleted since.
    func load(standalone id: EventID, into diary: inout Diary) async throws(EngineFailure) {
        var known = diary.standalone.first { $0.id == id }
        if known == nil {
            known = StandaloneEntry(events: try await asking { try await self.parts.store.events(about: id) })
        }
        guard let known else { return }
        diary.merge([known])
        if known.refersToOthers { diary.merge(try await entries([known.entity], .about(id))) }
    }

    /// The standing entries of a scope that are no part of a session's fold.
    func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws(EngineFailure) -> [StandaloneEntry] {
        try await asking { try await self.parts.store.entries(kinds, scope) }.compactMap(StandaloneEntry.init(events:))
    }

    /// What the newest action was about: it may lie in a night that memory has let go of.
    func loadNewestAction(into diary: inout Diary) async throws(EngineFailure) {
        guard let action = diary.recentActions.last else { return }
        if action.entityType.isStandalone {
            try await load(standalone: EventID(action.entityID), into: &diary)
        } else if let session = action.sessionID, diary.session(session) == nil {
            try await load(night: session.text, into: &diary)
        }
    }

    /// The entries of a kind that one at a time of long ago may meet.
    func load(
        _ kind: EntityType, within reach: Duration, of instant: Instant, into diary: inout Diary
    ) async throws(EngineFailure) {
        diary.merge(try await entries([kind], .around((instant - reach)...(instant + reach))))
    }
}
