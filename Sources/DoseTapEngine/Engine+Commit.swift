internal import DoseTapDomain
internal import Logging

extension Engine {
    /// Makes events durable, together with earlier ones that could not be written; then notifies observers and plugins.
    ///
    /// When the store has no space or is read-only, the events stay in memory, the night goes on with them, and the
    /// caller is told that they are not yet safe (R21). After a failed flush it is unknown what is on the disk: the
    /// store is opened anew and the log read.
    ///
    /// - Parameters:
    ///   - ownFacts: events of the service, for which no caller waits. They are held already (``hold(_:)``) and are
    ///     kept whatever the store answers: a delivered reminder stays delivered.
    ///   - folded: nights that were folded with these events already.
    func commit(
        _ events: [Event], ownFacts: Bool = false, folded: [Session] = []
    ) async throws(EngineFailure) {
        let news = ownFacts ? [] : inOrder(events)
        // A night that was folded with the earlier moments is folded anew.
        let isMoved = zip(events, news).contains { $0.occurredAt != $1.occurredAt }
        let held = unsafeEvents.count
        let facts = deliveryEvents(after: news)
        let taken = deliveries.count
        let all = unsafeEvents + news + facts
        guard !all.isEmpty else {
            deliveries.removeFirst(taken)
            return
        }
        let (batch, after) = CommitBatch.of(all, on: durable, folded: isMoved ? [] : folded)
        newestInFlight = all.map(\.occurredAt).max()
        defer { newestInFlight = nil }
        let stored: [StoredEvent]
        let cursors = await parts.host.takeCursors()
        do {
            if mustReopen { throw StoreError(code: .unavailable, context: "the store could not be opened again") }
            var batch = batch
            batch.cursors = cursors
            stored = try await parts.store.commit(batch)
        } catch let error as StoreError {
            await parts.host.giveBack(cursors)
            if await goBeside(error) { return try await commit(events, ownFacts: ownFacts) }
            throw await failed(ownFacts ? events : news, error, ownFacts, after: held)
        } catch {
            await parts.host.giveBack(cursors)
            throw await failed(
                ownFacts ? events : news, StoreError(code: .internal, context: "recording", underlying: "\(error)"),
                ownFacts, after: held
            )
        }
        let recovered = ownFacts ? held - events.count : held
        let wasAtFault = fault != nil
        // Events added during the commit wait for the next one.
        unsafeEvents.removeFirst(held)
        deliveries.removeFirst(taken)
        fault = nil
        lastSequence = stored.last?.sequence ?? lastSequence
        beside?.entries += all.count { $0.id.text == $0.entityID && $0.payload.request != nil }
        durable = after
        logState = after.appending(unsafeEvents)
        if all.contains(where: \.changesStock) { ledger = nil }
        forgetOldNights()
        if wasAtFault { notify(.change(.recovered(recovered))) }
        notify(.recorded(all, stored))
        mayBackUp()
        // The recovered events are in the log: their copies outside it are no longer needed.
        if recovered > 0 { await saveKept() }
    }

    /// Raises the moments of events to that of a reminder that was told from memory while their command waited for the
    /// store: the log stays in the order of its moments.
    private func inOrder(_ events: [Event]) -> [Event] {
        guard let newest = unsafeEvents.map(\.occurredAt).max() else { return events }
        return events.map { $0.occurredAt < newest ? $0.recorded(at: newest) : $0 }
    }

    private func failed(
        _ events: [Event], _ error: StoreError, _ ownFacts: Bool, after held: Int
    ) async -> EngineFailure {
        parts.logger.error("the store did not take events", metadata: ["error": "\(error)"])
        switch error.code {
        case .keyTaken, .interrupted, .changed, .stalled, .unfit: return .store(error, kept: false)
        case .internal where !ownFacts:
            // An event that the store rejects would be rejected for ever: it must not block later ones.
            return .store(error, kept: false)
        case .outcomeUnknown:
            fault = error
            let landed = await reload()
            let kept = ownFacts ? events.filter { !landed.contains($0.id) } : []
            if !kept.isEmpty { fault = error }
            notify(unsafe: kept, error)
            await saveKept()
            return .store(error, kept: false)
        case .noSpace, .readOnly, .locked, .damaged, .unreadable, .newer, .foreign, .altered, .unavailable, .keyLocked,
            .keyUnkept, .keyWrong, .noCipher, .internal:
            fault = error
            // A service that runs for one command loses its memory with it.
            guard parts.deliversReminders else {
                if ownFacts { forget(events) }
                notify(unsafe: [], error)
                return .store(error, kept: false)
            }
            // A person's entry cannot be decided as long as the content of the log is unknown.
            let keeps = ownFacts || !mustReopen
            if keeps, !ownFacts {
                // The events stay in the order of the calls: later events come after these.
                unsafeEvents.insert(contentsOf: events, at: held)
                logState = durable.appending(unsafeEvents)
            }
            notify(unsafe: keeps ? events : [], error)
            await saveKept()
            return .store(error, kept: keeps)
        }
    }

    /// Commits events for which no caller waits.
    func record(_ events: [Event]) async {
        hold(events)
        try? await commit(events, ownFacts: true)
    }

    /// Applies events in memory; they go to the store with the next commit.
    func hold(_ events: [Event]) {
        unsafeEvents += events
        logState.append(events)
    }

    private func forget(_ events: [Event]) {
        let ids = Set(events.map(\.id))
        unsafeEvents.removeAll { ids.contains($0.id) }
        logState = durable.appending(unsafeEvents)
    }

    /// Goes on with events in memory only, and notifies the observer.
    func notify(unsafe events: [Event], _ error: StoreError) {
        notify(.change(.unsafe(events, error)))
        notify(.phase)
    }

    /// Opens the file anew after a failed flush, and loads the real content of the log. A failure is tried again before
    /// the next command and at the next deadline; until then the content of the log is unknown.
    ///
    /// - Returns: the events that turned out to be in the log after all.
    @discardableResult
    func reload() async -> Set<EventID> {
        mustReopen = true
        do {
            try await parts.store.reopen()
            let isAnother = isAnotherLog
            let tail = isAnother ? [] : try await events(after: lastSequence)
            let snapshot = try await parts.store.load(now: parts.systemEnvironment.clock().wall)
            (mustReopen, isAnotherLog) = (false, false)
            beside = await parts.store.beside
            ledger = nil
            lastSequence = snapshot.lastSequence
            if isAnother {
                firstSequence = lastSequence
                await parts.host.begin(at: firstSequence)
            }
            durable = LogState(snapshot)
            let landed = Set(tail.map(\.event.id))
            unsafeEvents.removeAll { landed.contains($0.id) }
            logState = durable.appending(unsafeEvents)
            if !isAnother { try await takeUpLost(newest: snapshot.newest) }
            if !landed.isEmpty { await saveKept() }
            let news = tail.filter { !$0.event.isOfFile }
            notify(news.isEmpty ? .phase : .recorded(news.map(\.event), news))
            if unsafeEvents.isEmpty, fault != nil {
                fault = nil
                notify(.change(.recovered(0)))
            }
            return landed
        } catch {
            parts.logger.error("the store could not be opened anew", metadata: ["error": "\(error)"])
            if let error = error as? StoreError, error.code == .damaged {
                mustReopen = false
                if await !goBeside(error) { mustReopen = true }
            }
            return []
        }
    }

    private func events(after sequence: Int64) async throws -> [StoredEvent] {
        var found: [StoredEvent] = []
        while true {
            let page = try await parts.store.events(after: found.last?.sequence ?? sequence, limit: 256)
            if page.isEmpty { return found }
            found += page
        }
    }

    /// Adds sessions loaded for a decision to the durable log state and to the one with unsafe events.
    func merge(_ context: LogState) {
        durable.merge(context.sessions.filter { durable.session($0.id) == nil && logState.session($0.id) == nil })
        logState.merge(context.sessions)
        guard context.standalone.count > logState.standalone.count else { return }
        let known = Set(logState.standalone.map(\.id))
        let loaded = context.standalone.filter { !known.contains($0.id) }
        durable.merge(loaded)
        logState.merge(loaded)
    }

    /// Memory holds tonight and the last two days, whatever the length of the history.
    private func forgetOldNights() {
        // The earlier of both counts: a clock that was ahead for a while must not remove the night before from memory.
        let oldest = min(logState.newest ?? .min, parts.systemEnvironment.clock().wall) - .hours(48)
        durable.forget(before: oldest, keepsNewest: true)
        logState.forget(before: oldest, keepsNewest: true)
    }

    /// Returns the log state with the sessions that a command needs: those around its time, or that of its entry.
    func extended(
        _ logState: LogState, for command: Command, _ options: CommandOptions
    ) async throws(EngineFailure) -> LogState {
        var logState = logState
        let wall = parts.systemEnvironment.clock().wall
        let at = options.at ?? wall
        if at < max(wall, logState.newest ?? wall) - .hours(24) {
            let span = (at - .hours(36))...(at + .hours(36))
            let loaded = try await asking { try await self.parts.store.sessions(around: span) }
            logState.merge(loaded.compactMap(Session.init(events:)))
        }
        switch command {
        case .amend(let id), .delete(let id): try await load(entry: id, into: &logState)
        case .saveCheckIn(_, let night?): try await load(night: night, into: &logState)
        case .undo: try await loadNewestAction(into: &logState)
        case .record(let type, _):
            if let action = InventoryAction(command) { try await load(for: action, at: at, into: &logState) }
            if let at = options.at, let kind = type.entity, let reach = type.reach {
                try await load(kind, within: reach, of: at, into: &logState)
            }
        default: break
        }
        if case .amend = command, let at = options.at, let reach = EventType.medicationRecorded.reach {
            try await load(.medication, within: reach, of: at, into: &logState)
        }
        return logState
    }

    /// Returns the command with whole ids in place of handles.
    ///
    /// - Parameter first: the event recorded under the same key: a repeated handle names the same entry as then.
    func resolved(_ command: Command, _ options: CommandOptions, first: Event? = nil) async throws -> Command {
        switch (command, first?.payload) {
        case (.record, .entry(let entry)):
            guard case .discard(let id) = InventoryAction(command),
                let target = entry.value(as: InventoryRecorded.self)?.item.target,
                Handle(id.text)?.canName(target) == true
            else { break }
            return .inventory(.discard(target))
        case (.amend(let id), .entryAmended(let amended)) where Handle(id.text)?.canName(amended.target) == true:
            return .amend(amended.target)
        case (.delete(let id), .entryDeleted(let deleted)) where Handle(id.text)?.canName(deleted.target) == true:
            return .delete(deleted.target)
        default: break
        }
        return try await resolvedNow(command, options)
    }

    private func resolvedNow(_ command: Command, _ options: CommandOptions) async throws -> Command {
        switch command {
        case .amend(let id): .amend(try await full(id))
        case .delete(let id): .delete(try await full(id))
        default:
            if let action = InventoryAction(command) {
                .inventory(try await resolved(action, options))
            } else {
                command
            }
        }
    }

    /// Asks the store; its errors become the engine's. A question that gave way to urgent work is asked again.
    func asking<Answer: Sendable>(
        _ question: @Sendable () async throws -> Answer
    ) async throws(EngineFailure) -> Answer {
        do { return try await StoreError.beginningAgain(question) } catch {
            throw .store(StoreError.of(error, doing: "asking the store"), kept: false)
        }
    }

    /// As ``asking(_:)``, for work that is not begun again when it was broken off.
    ///
    /// - Parameter doing: the name of the work, for people.
    func once<Answer: Sendable>(
        _ doing: String, _ work: @Sendable () async throws -> Answer
    ) async throws(EngineFailure) -> Answer {
        do { return try await work() } catch { throw .store(StoreError.of(error, doing: doing), kept: false) }
    }
}
