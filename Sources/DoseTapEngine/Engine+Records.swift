public import DoseTapDomain

/// Looking at single nights.
extension Engine {
    /// The nights a name means: a session date, a session id, or an entry's id or its beginning.
    ///
    /// - Throws: ``EngineFailure``; `invalidInput` for a beginning that entries of several nights have.
    public func records(named name: String) async throws(EngineFailure) -> ShownNights {
        var shown = ShownNights()
        let name = try await nameOrID(name)
        for session in try await nights(named: name) { shown.nights.append(try await record(session)) }
        if let date = try? SessionDate(text: name) {
            for entry in try await entries(EntityType.standalone, .day(date)) {
                // Those that are listed with their night are in it already.
                if shown.nights.isEmpty || !EntityType.shownInNight.contains(entry.entity) { shown.add(entry) }
            }
            return shown
        }
        guard shown.nights.isEmpty else { return shown }
        let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
        guard ids.count <= 1 else { throw .command(Self.ambiguous("entry", name, ids)) }
        guard let id = ids.first,
            let entry = StandaloneEntry(events: try await asking { try await self.parts.store.events(about: id) }),
            entry.isStanding
        else { return shown }
        if let log = PreSleepLog(entry), let session = try await session(of: log) {
            shown.nights = [try await record(session)]
        } else {
            shown.add(entry)
        }
        return shown
    }

    private func session(of log: PreSleepLog) async throws(EngineFailure) -> Session? {
        let span = log.at...(log.at + PreSleepLog.reach)
        let loaded = try await asking { try await self.parts.store.sessions(around: span) }
        var around = Diary()
        around.merge(loaded.compactMap(Session.init(events:)))
        around.merge([log.entry])
        return around.session(of: log.event)
    }

    private func record(_ session: Session) async throws(EngineFailure) -> NightRecord {
        NightRecord(
            session, standalone: try await entries(EntityType.shownInNight, .night(session.id, session.date)),
            regimen: diary.regimen(on: session.date)?.regimen)
    }

    /// All standing regimens, the one set last first, and the one that holds on the present session date.
    public var regimens: (active: RegimenEntry?, date: SessionDate, history: [RegimenEntry]) {
        let date = diary.presentDate(circumstances())
        return (diary.regimen(on: date), date, diary.regimenHistory)
    }

    /// The standing medicines taken last, at most so many.
    public func medications(newest limit: Int) async throws(EngineFailure) -> [NightRecord.Entry] {
        try await entries([.medication], .newest(limit)).map(NightRecord.Entry.init)
    }
}
