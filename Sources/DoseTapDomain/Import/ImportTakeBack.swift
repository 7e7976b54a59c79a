/// Takes back by events what one import brought and what still stands of it (R29.12). Nights that the import began are as
/// if they had never been, unless a person has added something to them since. Entries stay that a person corrected, or
/// that a person's entry leans on. A night that was over stays over.
public struct ImportTakeBack: Sendable {
    private var maker: EventMaker
    private let id: EventID
    /// The events that the import brought.
    private let brought: Set<EventID>
    private var fact: ImportRecorded
    private var events: [Event] = []
    private var changes: [SessionChange] = []

    /// - Parameters:
    ///   - import: the event of the import.
    ///   - brought: the events of its transaction.
    public init(_ import: Event, _ source: String, brought: Set<EventID>, _ scene: ImportScene) {
        id = `import`.id
        self.brought = brought
        maker = EventMaker(context: scene.context, newest: scene.newest, ids: IdentifierGenerator())
        (maker.surface, maker.origin) = (.importer, .file)
        fact = ImportRecorded(source: source, takesBack: id)
    }

    /// Takes back the entries that the import brought into a night.
    public mutating func take(_ session: Session) {
        let undone = session.events.undoneIDs
        var own = session.events.filter { brought.contains($0.id) && !undone.contains($0.id) }
        let (amended, deleted) = corrected(in: session, undone)
        let kept = active(amended, in: session)
        own.removeAll { kept.contains($0.id) }
        let isOthers =
            session.timedEntries.contains { kept.contains($0.event.id) }
            || session.timedEntries.contains { !brought.contains($0.event.id) }
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
        // A deleted entry stays deleted, also if the file comes again.
        if !began || isOthers { own.removeAll { deleted.contains($0.id) } }
        let entries = Set(session.timedEntries.map(\.event.id))
        for event in own where entries.contains(event.id) && !event.payload.followsFromTime { count(event) }
        // Medicines of the night are entries of their own.
        let ids = own.filter { !$0.entityType.isStandalone }.map(\.id)
        guard !ids.isEmpty else { return }
        let event = undo(ids, .session, about: session.id.text, session.id)
        changes.append(
            SessionChange(id: session.id, before: session, after: ended(session.appending([event]), session)))
        fact.nights += 1
        fact.from = min(fact.from ?? session.date, session.date)
        fact.to = max(fact.to ?? session.date, session.date)
    }

    /// Returns the entries of the import that a person has amended since, and those that a person has deleted.
    private func corrected(
        in session: Session, _ undone: Set<EventID>
    ) -> (amended: Set<EventID>, deleted: Set<EventID>) {
        var (amended, deleted): (Set<EventID>, Set<EventID>) = ([], [])
        for event in session.events where !brought.contains(event.id) && !undone.contains(event.id) {
            switch event.payload {
            case .entryAmended(let change): amended.insert(change.target)
            case .entryDeleted(let deletion): deleted.insert(deletion.target)
            case .checkinRecorded(let saved): if let before = saved.amends { amended.insert(before) }
            default: break
            }
        }
        return (amended.intersection(brought), deleted.intersection(brought))
    }

    /// Returns the entries of the import that stay: those that a person has amended, and the doses without which a
    /// person's dose or skip would be without ground.
    private func active(_ amended: Set<EventID>, in session: Session) -> Set<EventID> {
        var kept = amended
        func stays(_ id: EventID) -> Bool { !brought.contains(id) || kept.contains(id) }
        for (kind, others) in [(DoseKind.dose2, [DoseKind.extra]), (.dose1, [.dose2, .extra])] {
            let isNeeded =
                session.doses.contains { others.contains($0.kind) && stays($0.id) }
                || kind == .dose1 && session.skips.contains { !$0.isAutomatic && stays($0.id) }
            if isNeeded { kept.formUnion(session.doses.filter { $0.kind == kind }.map(\.id)) }
        }
        return kept.intersection(brought)
    }

    /// Ends a night that was over and that the undo would open: the boundaries of time are recorded with the undo.
    private mutating func ended(_ after: Session?, _ before: Session) -> Session? {
        guard !before.isOpen, var night = after, night.isOpen else { return after }
        func take(_ more: [Event]) {
            events += more
            night = night.appending(more) ?? night
        }
        take(CommandHandler.boundaries(night, &maker, cause: nil))
        if night.isOpen {
            let boundary = Boundaries.Boundary(
                at: before.end ?? before.start, due: NextDue(wall: maker.context.now), kind: .closed(.backfilled))
            take([maker.event(boundary, night, cause: nil)])
        }
        return night
    }

    /// Takes back an entry that is no part of a night's fold.
    public mutating func take(_ entry: StandaloneEntry) {
        let undone = entry.events.undoneIDs
        let own = entry.events.filter { brought.contains($0.id) && !undone.contains($0.id) }
        // An entry stays if a person has added something to it since.
        let isOnes = entry.events.allSatisfy { brought.contains($0.id) || undone.contains($0.id) }
        guard isOnes, !own.isEmpty else { return }
        if entry.isActive { count(entry.event) }
        _ = undo(own.map(\.id), entry.entity, about: entry.id.text, nil)
    }

    /// - Returns: the plan to record; it has no events if nothing of the import stands.
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
