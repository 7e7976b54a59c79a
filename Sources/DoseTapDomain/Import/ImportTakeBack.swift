/// Takes back what one import brought and what still stands of it, by events (R29.12): nights that it began are as if
/// they had never been, unless a person has added something to them since.
public struct ImportTakeBack: Sendable {
    private var maker: EventMaker
    private let id: EventID
    /// The events that the import brought.
    private let brought: Set<EventID>
    private var fact: ImportRecorded
    private var events: [Event] = []
    private var changes: [SessionChange] = []

    /// - Parameters:
    ///   - import: the event about it.
    ///   - brought: the events of its transaction.
    public init(_ import: Event, _ source: String, brought: Set<EventID>, _ scene: ImportScene) {
        id = `import`.id
        self.brought = brought
        maker = EventMaker(context: scene.context, newest: scene.newest, ids: IdentifierGenerator())
        (maker.surface, maker.origin) = (.importer, .file)
        fact = ImportRecorded(source: source, takesBack: id)
    }

    /// Takes back what it brought into a night.
    public mutating func take(_ session: Session) {
        let undone = session.events.undoneIDs
        var own = session.events.filter { brought.contains($0.id) && !undone.contains($0.id) }
        let isOthers =
            session.timedEntries.contains { !brought.contains($0.event.id) }
            || session.events.contains { event in
                if case .entry = event.payload {
                    !brought.contains(event.id) && !undone.contains(event.id)
                } else {
                    false
                }
            }
        let began = own.contains { if case .sessionOpened = $0.payload { true } else { false } }
        if began, isOthers {
            // The person's own entries need their night.
            own.removeAll { $0.entityType == .session }
        }
        let entries = Set(session.timedEntries.map(\.event.id))
        for event in own where entries.contains(event.id) { count(event) }
        // Medicines of the night are entries of their own.
        let ids = own.filter { !$0.entityType.isStandalone }.map(\.id)
        guard !ids.isEmpty else { return }
        let event = undo(ids, .session, about: session.id.text, session.id)
        changes.append(SessionChange(id: session.id, before: session, after: session.appending([event])))
        fact.nights += 1
        fact.from = min(fact.from ?? session.date, session.date)
        fact.to = max(fact.to ?? session.date, session.date)
    }

    /// Takes back an entry that is no part of a night's fold.
    public mutating func take(_ entry: StandaloneEntry) {
        let undone = entry.events.undoneIDs
        let own = entry.events.filter { brought.contains($0.id) && !undone.contains($0.id) }
        guard !own.isEmpty else { return }
        if entry.isActive { count(entry.event) }
        _ = undo(own.map(\.id), entry.entity, about: entry.id.text, nil)
    }

    /// - Returns: what is to be recorded; no events where nothing of it stands.
    public mutating func finish() -> ImportPlan {
        guard !events.isEmpty else { return ImportPlan(rows: [], fact: fact) }
        fact.events = events.count
        let last = maker.event(
            .importRecorded(fact), .store, about: ImportRecorded.entity, nil, at: maker.occurredAt)
        return ImportPlan(rows: [], fact: fact, events: events + [last], changes: changes)
    }

    private mutating func undo(
        _ ids: [EventID], _ entity: EntityType, about: String, _ session: SessionID?
    ) -> Event {
        let payload = ActionUndone(action: id, events: ids, request: Request())
        let event = maker.event(.actionUndone(payload), entity, about: about, session, at: maker.occurredAt)
        events.append(event)
        return event
    }

    private mutating func count(_ event: Event) { fact.counts[event.entityType.rawValue, default: 0] += 1 }
}
