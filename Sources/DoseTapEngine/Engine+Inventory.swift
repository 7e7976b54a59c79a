public import DoseTapDomain

/// The stock: what a command has to see of it, and what there is.
extension Engine {
    /// What there is, how long it lasts, which cups stand ready. From memory, as long as nothing has changed it.
    public func inventory() async throws(EngineFailure) -> Inventory {
        let circumstances = circumstances()
        let date = diary.presentDate(circumstances)
        let ledger = try await ledger(on: date)
        return Inventory(ledger, at: circumstances.now, on: date, diary.regimen(on: date)?.regimen)
    }

    private func ledger(on date: SessionDate) async throws(EngineFailure) -> StockLedger {
        let recent = SessionDate(date.civil.adding(days: -StockLedger.nightsLookedAt))
        if let known = ledger, known.recent == recent { return known.ledger }
        let (regimens, before) = (diary, lastSequence)
        let found = try await asking {
            try await self.parts.store.stock(recent: recent) { regimens.prescribedMedicine(on: $0) }
        }
        // What was recorded in the meantime is not in it.
        if lastSequence == before { ledger = (recent, found) }
        return found
    }

    /// What is thrown away or counted, and whether a dose was drunk from it.
    func load(for action: InventoryAction, at: Instant, into diary: inout Diary) async throws(EngineFailure) {
        let id: EventID?
        switch action {
        case .discard(let named): id = named
        case .correct(let draft): id = draft["of"]?.stringValue.flatMap { $0.utf8.count == 36 ? EventID($0) : nil }
        case .addBottle, .pour: id = nil
        }
        guard let id else { return }
        try await load(standalone: id, into: &diary)
        guard let entry = diary.inventory.first(where: { $0.id == id }), case .cup = entry.item,
            entry.at < parts.surroundings.clock().wall - .hours(24)
        else { return }
        let span = entry.at...(entry.at + PreparedCups.reach)
        let sessions = try await asking { try await self.parts.store.sessions(around: span) }
        diary.merge(sessions.compactMap(Session.init(events:)))
        diary.merge(try await entries([.inventory], .around(span)))
    }

    /// The action with whole ids in place of handles.
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

    /// What is thrown away: `last cup` is the last one that stands. Right after another cup that is asked about, since it
    /// may be the same tap.
    private func discarded(_ name: EventID, _ options: CommandOptions) async throws -> EventID {
        let id = try await full(name)
        guard case .last? = Handle(name.text),
            let entry = diary.inventory.first(where: { $0.id == id && $0.isStanding }), case .cup = entry.item
        else { return id }
        let now = circumstances()
        let ready = diary.cups(at: now.now).ready(at: now.now)
        guard !ready.contains(where: { $0.id == id }), let other = ready.last else { return id }
        let gone = diary.inventory.last { $0.isStanding && $0.item == .cupDiscarded(id) }
        if let gone, now.clock.elapsed(since: gone.event).magnitude <= Bounds.sameTap,
            !options.confirmations.contains(.duplicate)
        {
            throw CommandFailure.needsConfirmation(
                Question(
                    confirmations: [.duplicate], minutesToOpen: nil, limitMilligrams: nil, sumMilligrams: nil,
                    standing: gone.id, standingAt: gone.at, wouldRecord: EntityType.inventory.rawValue, at: now.now))
        }
        return other.id
    }

    /// The receipt of a cup tells where more was poured than is on record; honest logging is never refused.
    func warned(_ receipt: Receipt, of event: Event) async -> Receipt {
        guard let noted: InventoryRecorded = event.payload.recorded(), case .cup(let cup) = noted.item,
            let amount = cup.milligrams, let ledger = try? await ledger(on: diary.presentDate(circumstances()))
        else { return receipt }
        let left = ledger.left(of: cup)
        guard left < amount else { return receipt }
        var receipt = receipt
        receipt.metadata["warning"] = .object(["left_mg": .integer(Int64(left))])
        return receipt
    }
}

extension Event {
    /// Whether what there is of a medicine may be another after it.
    var changesStock: Bool {
        [.dose, .inventory, .regimen, .session].contains(entityType)
    }
}
