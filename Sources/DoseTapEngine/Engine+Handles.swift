import DoseTapDomain

/// Entries by the names people give them. Every surface asks here, so that each knows the same names.
extension Engine {
    /// How far back all nights are in memory.
    static let memory: Duration = .hours(48)
    /// Among so many of the newest nights a name is looked for.
    private static let namedNights = 14
    /// And so far back from the newest of them at most.
    private static let namedReach: Duration = .hours(24 * 60)
    /// Candidates that an ambiguous name is told with.
    private static let told = 4

    /// The whole id of an entry that is named by a handle or by its id.
    ///
    /// - Throws: `notFound`, `invalidInput` for a name that several entries have; ``EngineFailure`` of the store.
    func full(_ name: EventID) async throws -> EventID {
        guard let handle = Handle(name.text) else { throw CommandFailure.notFound(name.text) }
        if case .id(let part) = handle {
            guard part.utf8.count < Handle.idLength else { return EventID(part) }
            if part.utf8.count >= Handle.shortestBeginning {
                let found = try await asking { try await self.parts.store.entryIDs(beginning: part) }
                guard found.count <= 1 else { throw Self.ambiguous("entry", part, found) }
                if let found = found.first { return found }
            }
        }
        var found = diary.entries(handle)
        var isKnown = !found.isEmpty
        if case .dose = handle { isKnown = diary.holdsNewestNight(since: handleReach) }
        if !isKnown { found = try await newestNights().entries(handle) }
        guard found.count <= 1 else { throw ambiguous(name.text, found) }
        guard let entry = found.first else { throw CommandFailure.notFound(name.text) }
        return entry.id
    }

    /// The entry that a question names by a handle; nil for none.
    ///
    /// - Throws: ``EngineFailure`` for a name that several have.
    func entry(named name: String) async throws(EngineFailure) -> EventID? {
        do { return try await full(EventID(name)) } catch let failure as EngineFailure { throw failure } catch {
            guard let failure = error as? CommandFailure, case .invalidInput = failure else { return nil }
            throw .command(failure)
        }
    }

    /// The id of an entry where a handle names it; other names as they are. `last` is a night where a night is asked for.
    func nameOrID(_ name: String) async throws(EngineFailure) -> String {
        switch Handle(name) {
        case .id(let part) where part.utf8.count >= Handle.shortestBeginning: return name
        case .last(nil), nil: return name
        case .dose, .last, .id: return try await entry(named: name)?.text ?? name
        }
    }

    /// The short name of an entry, for receipts and for what an error proposes.
    func handle(of id: EventID, in diary: Diary) -> String? { diary.handle(of: id, since: handleReach) }

    private var handleReach: Instant { parts.surroundings.clock().wall - Self.memory }

    /// What the newest nights hold, those in memory only included.
    private func newestNights() async throws(EngineFailure) -> Diary {
        let query = SessionQuery(from: nil, to: nil, limit: Self.namedNights, cursor: "")
        let page = try await asking { try await self.parts.store.summaries(query) }
        var newest = diary
        guard let last = page.nights.first?.start, let first = page.nights.last?.start else { return newest }
        let span = (max(first, last - Self.namedReach) - .hours(12))...(last + Self.memory)
        let sessions = try await asking { try await self.parts.store.sessions(around: span) }
        newest.merge(sessions.compactMap(Session.init(events:)))
        // What is in memory whatever its age is there already.
        newest.merge(try await entries(EntityType.standalone, .around(span)))
        return newest
    }

    /// A name that several entries have: the candidates are told with what they are.
    private func ambiguous(_ name: String, _ entries: [NamedEntry]) -> CommandFailure {
        let moments = parts.surroundings.moments
        let told = entries.prefix(Self.told).map { entry in
            "\(entry.id.text) (\(entry.type), \(moments.dateAndClock(entry.at)))"
        }
        let more = entries.count > Self.told ? " and more" : ""
        return .invalidInput("'\(name)' may be more than one entry: \(told.joined(separator: ", "))\(more)")
    }

    /// A refusal with the short name of the entry that stands in the way.
    func named(_ failure: CommandFailure) -> CommandFailure {
        guard case .refused(let reason, var refusal) = failure, let id = refusal.standing else { return failure }
        refusal.handle = handle(of: id, in: diary)
        return .refused(reason, refusal)
    }
}

extension Event {
    /// The entry it records, or the one that it corrects.
    var entry: EventID { EventID(entityID) }
}
