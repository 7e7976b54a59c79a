public import DoseTapDomain

/// Looking at single nights.
extension Engine {
    /// What a name means.
    public struct Shown: Sendable {
        /// The nights, with all that belongs to them.
        public var nights: [NightRecord] = []
        /// A pre-sleep log that belongs to none.
        public var preSleep: [NightRecord.Entry] = []
        /// Medicines that belong to none.
        public var medications: [NightRecord.Entry] = []
        /// What was noted of the stock.
        public var inventory: [NightRecord.Entry] = []
    }

    /// The nights a name means: a session date, a session id, or an entry's id or its beginning.
    ///
    /// - Throws: ``EngineFailure``; `invalidInput` for a beginning that entries of several nights have.
    public func records(named name: String) async throws(EngineFailure) -> Shown {
        var shown = Shown()
        let name = try await nameOrID(name)
        for session in try await nights(named: name) { shown.nights.append(try await record(session)) }
        if let date = try? SessionDate(text: name) { shown.inventory = try await inventory(.day(date)) }
        guard shown.nights.isEmpty else { return shown }
        if let date = try? SessionDate(text: name) {
            shown.medications = try await medications(.day(date))
            return shown
        }
        if let entry = try await medication(named: name) {
            shown.medications = [NightRecord.Entry(medication: entry)]
            return shown
        }
        if let entry = try await inventory(named: name) {
            shown.inventory = [NightRecord.Entry(inventory: entry)]
            return shown
        }
        guard let log = try await preSleepLog(named: name) else {
            let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
            if ids.count > 1 { throw .command(Self.ambiguous("entry", name, ids)) }
            return shown
        }
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
        let scope = MedicationScope.night(session.id, session.date)
        let taken = try await asking { try await self.parts.store.medications(scope) }
        return NightRecord(
            session, preSleep: logs.compactMap(PreSleepLog.init(events:)).filter(\.isStanding),
            medications: taken.compactMap(MedicationEntry.init(events:)),
            regimen: diary.regimen(on: session.date)?.regimen)
    }

    /// All standing regimens, the one set last first, and the one that holds on the present session date.
    public var regimens: (active: RegimenEntry?, date: SessionDate, history: [RegimenEntry]) {
        let date = diary.presentDate(circumstances())
        return (diary.regimen(on: date), date, diary.regimenHistory)
    }

    /// The standing medicines of a scope.
    public func medications(_ scope: MedicationScope) async throws(EngineFailure) -> [NightRecord.Entry] {
        let found = try await asking { try await self.parts.store.medications(scope) }
        return found.compactMap(MedicationEntry.init(events:)).map(NightRecord.Entry.init(medication:))
    }

    private func medication(named name: String) async throws(EngineFailure) -> MedicationEntry? {
        let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
        guard ids.count == 1, let id = ids.first else { return nil }
        let events = try await asking { try await self.parts.store.events(about: id, .medication) }
        return MedicationEntry(events: events).flatMap { $0.isStanding ? $0 : nil }
    }

    private func preSleepLog(named name: String) async throws(EngineFailure) -> PreSleepLog? {
        let ids = try await asking { try await self.parts.store.entryIDs(beginning: name) }
        guard ids.count == 1, let id = ids.first else { return nil }
        let events = try await asking { try await self.parts.store.events(about: id, .preSleep) }
        return PreSleepLog(events: events).flatMap { $0.isStanding ? $0 : nil }
    }
}
