public import DoseTapDomain

/// Loads from the log what a decision needs and memory does not hold.
extension Engine {
    /// Loads the night of a check-in.
    func load(night name: String, into logState: inout LogState) async throws(EngineFailure) {
        guard name.utf8.count <= 64 else { return }
        if let date = try? SessionDate(text: name) {
            let found = try await asking { try await self.parts.store.sessions(on: date) }
            return logState.merge(found.compactMap(Session.init(events:)))
        }
        let found = try await asking { try await self.parts.store.session(named: name) }
        if let session = found.flatMap(Session.init(events:)) { logState.merge([session]) }
    }

    /// Loads the night of an entry, and the entry itself if it is not part of a night.
    func load(entry id: EventID, into logState: inout LogState) async throws(EngineFailure) {
        guard !logState.sessions.contains(where: { $0.entry(id) != nil }) else { return }
        try await load(standalone: id, into: &logState)
        guard !logState.standalone.contains(where: { $0.id == id }) else { return }
        let found = try await asking { try await self.parts.store.session(named: id.text) }
        if let session = found.flatMap(Session.init(events:)) { logState.merge([session]) }
    }

    /// Loads a standalone entry with all events about it, even if it was deleted.
    func load(standalone id: EventID, into logState: inout LogState) async throws(EngineFailure) {
        var known = logState.standalone.first { $0.id == id }
        if known == nil {
            known = StandaloneEntry(events: try await asking { try await self.parts.store.events(about: id) })
        }
        guard let known else { return }
        logState.merge([known])
        if known.refersToOthers { logState.merge(try await entries([known.entity], .about(id))) }
    }

    /// Returns the active standalone entries of a scope.
    func entries(_ kinds: [EntityType], _ scope: EntryScope) async throws(EngineFailure) -> [StandaloneEntry] {
        try await asking { try await self.parts.store.entries(kinds, scope) }.compactMap(StandaloneEntry.init(events:))
    }

    /// Loads the entry of the newest action, which may be in a night no longer in memory.
    func loadNewestAction(into logState: inout LogState) async throws(EngineFailure) {
        guard let action = logState.newestAction else { return }
        if action.entityType.isStandalone {
            try await load(standalone: EventID(action.entityID), into: &logState)
        } else if let session = action.sessionID, logState.session(session) == nil {
            try await load(night: session.text, into: &logState)
        }
    }

    /// Loads the entries of a kind around an old time.
    func load(
        _ kind: EntityType, within reach: Duration, of instant: Instant, into logState: inout LogState
    ) async throws(EngineFailure) {
        logState.merge(try await entries([kind], .around((instant - reach)...(instant + reach))))
    }
}

/// The stock, as a whole and for a command.
extension Engine {
    /// Returns the stock, the time it lasts, and the poured cups. The stock is in memory as long as nothing has changed.
    public func inventory() async throws(EngineFailure) -> Inventory {
        let context = context()
        let date = logState.presentDate(context)
        let ledger = try await ledger(on: date)
        return Inventory(ledger, at: context.now, on: date, logState)
    }

    private func ledger(on date: SessionDate) async throws(EngineFailure) -> StockLedger {
        let recent = SessionDate(date.civil.adding(days: -StockLedger.nightsLookedAt))
        if let known = ledger, known.recent == recent { return known.ledger }
        let (regimens, before) = (logState, lastSequence)
        let found = try await asking {
            try await self.parts.store.stock(recent: recent) { regimens.prescribedMedicine(on: $0) }
        }
        // Events recorded in the meantime are not in the ledger that was found.
        if lastSequence == before { ledger = (recent, found) }
        return found
    }

    /// Loads the item that an action discards or counts, and the nights whose doses may come from it.
    func load(for action: InventoryAction, at: Instant, into logState: inout LogState) async throws(EngineFailure) {
        let id: EventID?
        switch action {
        case .discard(let named): id = named
        case .correct(let draft): id = draft["of"]?.stringValue.flatMap { $0.utf8.count == 36 ? EventID($0) : nil }
        case .addBottle, .pour: id = nil
        }
        guard let id else { return }
        try await load(standalone: id, into: &logState)
        guard let entry = logState.inventory.first(where: { $0.id == id }), case .cup = entry.item,
            entry.at < parts.systemEnvironment.clock().wall - .hours(24)
        else { return }
        let span = entry.at...(entry.at + PreparedCups.reach)
        let sessions = try await asking { try await self.parts.store.sessions(around: span) }
        logState.merge(sessions.compactMap(Session.init(events:)))
        logState.merge(try await entries([.inventory], .around(span)))
    }

    /// Returns the action with whole ids in place of handles.
    func resolved(_ action: InventoryAction, _ options: CommandOptions) async throws -> InventoryAction {
        switch action {
        case .discard(let id): return .discard(try await discarded(id, options))
        case .correct(var draft):
            guard let word = draft["of"]?.stringValue, medicationCatalogue[word] == nil, Handle(word) != nil else {
                return action
            }
            let id = try await full(EventID(word))
            draft["of"] = .string(id.text)
            return .correct(draft)
        case .addBottle, .pour: return action
        }
    }

    /// Returns the item to discard: `last cup` is the last active one. A command right after another discarded cup meets
    /// a question, since it may be the same tap.
    private func discarded(_ name: EventID, _ options: CommandOptions) async throws -> EventID {
        let id = try await full(name)
        guard case .last? = Handle(name.text),
            let entry = logState.inventory.first(where: { $0.id == id && $0.isActive }), case .cup = entry.item
        else { return id }
        let now = context()
        let ready = logState.cups(at: now.now).ready(at: now.now)
        guard !ready.contains(where: { $0.id == id }), let other = ready.last else { return id }
        let gone = logState.inventory.last { $0.isActive && $0.item == .cupDiscarded(id) }
        if let gone, now.clock.elapsed(since: gone.event).magnitude <= Bounds.sameTap,
            !options.confirmations.contains(.duplicate)
        {
            throw CommandFailure.needsConfirmation(
                Question(
                    confirmations: [.duplicate], minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
                    existing: gone.id, existingAt: gone.at, wouldRecord: EntityType.inventory.rawValue, at: now.now))
        }
        return other.id
    }

    /// Adds a warning if more was poured than is on record; the entry itself is never refused.
    func warned(_ receipt: Receipt, of event: Event) async -> Receipt {
        guard let noted: InventoryRecorded = event.payload.recorded(), case .cup(let cup) = noted.item,
            let amount = cup.milligrams, let ledger = try? await ledger(on: logState.presentDate(context()))
        else { return receipt }
        let left = ledger.left(of: cup)
        guard left < amount else { return receipt }
        var receipt = receipt
        receipt.metadata["warning"] = .object(["left_mg": .integer(Int64(left))])
        return receipt
    }
}

extension Event {
    /// True if the event may change the stock of a medicine.
    var changesStock: Bool {
        [.dose, .inventory, .regimen, .session].contains(entityType)
    }
}

/// Entries by handle. Every surface asks here, so that all know the same names.
extension Engine {
    /// The time back to which all nights are in memory.
    static let memory: Duration = .hours(48)
    /// Number of newest nights in which a name is searched.
    private static let namedNights = 14
    /// The greatest distance of these nights from the newest one.
    private static let namedReach: Duration = .hours(24 * 60)
    /// Number of newest actions whose nights are searched for what was recorded last.
    private static let newestActions = 50
    /// The most candidates listed for an ambiguous name.
    private static let told = 4

    /// Returns the whole id of an entry that is named by a handle or by its id.
    ///
    /// - Throws: `notFound`; `invalidInput` for a name of several entries; ``EngineFailure`` of the store.
    func full(_ name: EventID) async throws -> EventID {
        guard let handle = Handle(name.text) else { throw CommandFailure.notFound(name.text) }
        if case .id(let part) = handle {
            guard part.utf8.count < Handle.idLength else { return EventID(part) }
            if part.utf8.count >= Handle.shortestBeginning {
                let found = try await asking { try await self.parts.store.entryIDs(beginning: part) }
                guard found.count <= 1 else { throw Self.ambiguous(part, found) }
                if let found = found.first { return found }
            }
        }
        var logState = logState
        if case .last = handle { try await loadRecordedLast(into: &logState) }
        var found = logState.entries(handle)
        var isKnown = !found.isEmpty
        if case .dose = handle { isKnown = logState.holdsNewestNight(since: handleReach) }
        if !isKnown { found = try await newestNights().entries(handle) }
        guard found.count <= 1 else { throw ambiguous(name.text, found) }
        guard let entry = found.first else { throw CommandFailure.notFound(name.text) }
        return entry.id
    }

    /// Returns the entry with a handle; nil for none.
    ///
    /// - Throws: ``EngineFailure`` for a name of several entries.
    func entry(named name: String) async throws(EngineFailure) -> EventID? {
        do { return try await full(EventID(name)) } catch let failure as EngineFailure { throw failure } catch {
            guard let failure = error as? CommandFailure, case .invalidInput = failure else { return nil }
            throw .command(failure)
        }
    }

    /// Returns the id of an entry named by a handle, and other names as they are. `last` stays, as the name of a night.
    func nameOrID(_ name: String) async throws(EngineFailure) -> String {
        switch Handle(name) {
        case .id(let part) where part.utf8.count >= Handle.shortestBeginning: return name
        case .last(nil), nil: return name
        case .dose, .last, .id: return try await entry(named: name)?.text ?? name
        }
    }

    /// Returns the handle of an entry, for receipts and for proposals in errors.
    func handle(of id: EventID, in logState: LogState) -> String? { logState.handle(of: id, since: handleReach) }

    private var handleReach: Instant { parts.systemEnvironment.clock().wall - Self.memory }

    /// Loads the nights and entries that the newest actions of the log are about: the last recording may belong to a night
    /// of months ago.
    private func loadRecordedLast(into logState: inout LogState) async throws(EngineFailure) {
        let newest = try await asking { try await self.parts.store.newestActions(limit: Self.newestActions) }
        for event in newest.map(\.event) where !event.isOfDevice {
            if event.entityType.isStandalone {
                try await load(standalone: EventID(event.entityID), into: &logState)
            } else if let session = event.sessionID, logState.session(session) == nil {
                try await load(night: session.text, into: &logState)
            }
        }
    }

    /// Returns the newest nights, including events in memory only.
    private func newestNights() async throws(EngineFailure) -> LogState {
        let query = SessionQuery(from: nil, to: nil, limit: Self.namedNights, cursor: "")
        let page = try await asking { try await self.parts.store.summaries(query) }
        var newest = logState
        guard let last = page.nights.first?.start, let first = page.nights.last?.start else { return newest }
        let span = (max(first, last - Self.namedReach) - .hours(12))...(last + Self.memory)
        let sessions = try await asking { try await self.parts.store.sessions(around: span) }
        newest.merge(sessions.compactMap(Session.init(events:)))
        // Entries that are in memory whatever their age are there already.
        newest.merge(try await entries(EntityType.standalone, .around(span)))
        return newest
    }

    /// Returns the failure for a name of several entries, with the candidates and their kinds.
    private func ambiguous(_ name: String, _ entries: [NamedEntry]) -> CommandFailure {
        let moments = parts.systemEnvironment.moments
        let told = entries.prefix(Self.told).map { entry in
            let night = entry.timeZone.flatMap { parts.systemEnvironment.zone(named: $0) }
            return "\(entry.id.text) (\(entry.type), \(moments.told(in: night).dateAndClock(entry.at)))"
        }
        let named = (told + (entries.count > Self.told ? ["…"] : [])).joined(separator: ", ")
        return .invalidInput(sent("'\(name)' may be more than one entry: \(named)"))
    }

    /// Returns a refusal with the handle of the conflicting entry.
    func named(_ failure: CommandFailure) -> CommandFailure {
        guard case .refused(let reason, var refusal) = failure, let id = refusal.existing else { return failure }
        refusal.handle = handle(of: id, in: logState)
        return .refused(reason, refusal)
    }
}

extension Event {
    /// The entry that the event records or corrects.
    var entry: EventID { EventID(entityID) }
}
