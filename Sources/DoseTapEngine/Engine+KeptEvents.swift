internal import DoseTapDomain
internal import Logging

/// Acknowledged events that the log does not take, or has lost: they survive a stop, a crash and a reboot, and are recorded at
/// the next start (R21.6 to R21.8, R21.20).
extension Engine {
    /// Writes events that are not in the log yet to a place where the next start finds them; removes them once the log
    /// has them.
    func saveKept() async {
        // Events set aside stay there whatever the log says.
        let sequence = keptAside.isEmpty ? lastSequence : 0
        keptPlace = await parts.store.keep(keptAside + unsafeEvents, lastSequence: sequence)
    }

    /// Restores events that an earlier run could not record: into memory first, so that the night goes on with them,
    /// then into the log.
    ///
    /// - Parameters:
    ///   - newest: the time when the newest event of the log was recorded.
    ///   - remembered: events that only the journal has, without details.
    func takeUpKept(newest: Instant?, remembered: [Event]) async throws {
        var kept = await parts.store.kept()
        if kept.isCopyUnread { findings.append(Self.unreadCopy) }
        let oldest = oldestRemembered
        kept.events.removeAll { $0.effectiveAt < oldest && kept.lastSequence < lastSequence }
        let whole = Set((kept.events + kept.lost).map(\.id))
        // Events that were set aside at an earlier start are among these.
        fromCopy = Set(kept.lost.map(\.id))
        let remembered = remembered.filter { !whole.contains($0.id) }
        fromJournal = Set(remembered.map(\.id))
        let isLater = kept.lastSequence < lastSequence
        let all = kept.events + remembered + kept.lost
        guard !all.isEmpty else { return }
        try await takeUp(all, after: newest) { [fromCopy, fromJournal] id in
            fromCopy.contains(id) ? kept.isOtherLog : isLater || fromJournal.contains(id)
        }
        await saveKept()
        guard !unsafeEvents.isEmpty else { return }
        fault = StoreError(code: .unavailable, context: "the last run could not record them")
    }

    private static let unreadCopy =
        sent(
            "the copy of the last nights cannot be read: what the record has lost is not known; the next start looks again"
        )

    /// The time before which events are not asked about: a person no longer remembers them.
    private var oldestRemembered: Instant { parts.systemEnvironment.clock().wall - .hours(7 * 24) }

    /// Takes up the events that a log opened anew lacks (R21.20).
    ///
    /// - Parameter newest: the time when the newest event of the log was recorded.
    func takeUpLost(newest: Instant?) async throws {
        let kept = await parts.store.kept()
        let held = Set(unsafeEvents.map(\.id))
        let lost = kept.lost.filter { !held.contains($0.id) }
        guard !lost.isEmpty else { return }
        fromCopy.formUnion(lost.map(\.id))
        try await takeUp(lost, after: newest) { _ in kept.isOtherLog }
        notify(
            .change(
                .finding(sent("the record has lost these, and they wait to be recorded again: \(named(lost))"))))
    }

    /// Takes events that the log lacks into memory, in the order in which they were recorded.
    ///
    /// - Parameter isBehind: returns true if something else may have been recorded since the event.
    private func takeUp(_ events: [Event], after newest: Instant?, isBehind: (EventID) -> Bool) async throws {
        let all = events.enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }.map(\.element)
        let end = newest ?? .min
        var newest = max(end, unsafeEvents.last?.occurredAt ?? .min)
        var seen = Set(unsafeEvents.map(\.id))
        for event in all where seen.insert(event.id).inserted {
            guard try await parts.store.events(beginning: event.id.text).isEmpty else { continue }
            // A correction does not tell the time of its night.
            let isEntry = event.id.text == event.entityID || event.type == .sessionOpened
            let opens = if let night = event.sessionID { try await !isOpened(night) } else { false }
            if opens && !isEntry || isInTheWay(event, isBehind: isBehind(event.id)) {
                // Consequences of a dropped event are dropped; only what somebody asked for is set aside.
                if event.payload.request != nil, event.effectiveAt >= oldestRemembered { keptAside.append(event) }
                continue
            }
            newest = max(newest, event.occurredAt)
            let isLate = event.occurredAt < end
            func take(_ event: Event) {
                unsafeEvents.append(isLate ? event.recordedAgain(at: newest) : event.recorded(at: newest))
            }
            if let night = event.sessionID, opens, event.type != .sessionOpened {
                let id = EventID(ids.next(at: event.occurredAt))
                if fromCopy.contains(event.id) { fromCopy.insert(id) }
                take(Event.opening(night, by: event, rules, id: id))
            }
            // A second event with the same key would be refused for ever, and every later one with it.
            let isTaken = if let key = event.idempotencyKey { try await isTaken(key) } else { false }
            take(isTaken ? event.withoutKey : event)
        }
        logState = durable.appending(unsafeEvents)
    }

    private func isTaken(_ key: String) async throws -> Bool {
        if unsafeEvents.contains(where: { $0.idempotencyKey == key }) { return true }
        return try await parts.store.event(key: key) != nil
    }

    private func isOpened(_ night: SessionID) async throws -> Bool {
        if durable.session(night) != nil { return true }
        if unsafeEvents.contains(where: { $0.type == .sessionOpened && $0.sessionID == night }) { return true }
        return try await parts.store.session(named: night.text)?.isEmpty == false
    }

    /// Returns true if another dose of the kind is on record, or another night was begun meanwhile: only the person can
    /// decide then.
    private func isInTheWay(_ event: Event, isBehind: Bool) -> Bool {
        guard let id = event.sessionID else { return false }
        if case .doseRecorded(let dose) = event.payload, dose.kind != .extra {
            let before = durable.appending(unsafeEvents)
            // A dose that was undone or deleted takes the place of no other.
            let counts = before.appending([event]).session(id)?.doses.contains { $0.id == event.id } ?? true
            if let night = before.session(id) {
                return counts && (dose.kind == .dose1 ? night.dose1 : night.dose2) != nil
            }
        }
        guard isBehind else { return false }
        if durable.session(id) != nil { return event.payload.request == nil }
        return durable.sessions.contains { $0.isOpen || $0.start >= event.effectiveAt - .hours(12) }
    }

    /// Commits the restored events and notifies the observer.
    ///
    /// - Parameter fact: what was found at the opening. It is committed with the events: if the process ended between the two,
    ///   the next start would find a whole log, and nobody would learn of the loss.
    func recordKept(with fact: Event?) async {
        let events = unsafeEvents
        if let fact {
            await record([fact])
        } else if !events.isEmpty {
            try? await commit([])
        }
        if !events.isEmpty {
            let isSafe = unsafeEvents.isEmpty
            if isSafe, !fromCopy.isEmpty { await readAgain(events) }
            let bare = events.filter { fromJournal.contains($0.id) && $0.payload.request != nil }
            if !bare.isEmpty {
                add(
                    finding: sent(
                        "only the journal had kept these, without amount and note: \(named(bare)); correct them"))
            }
            let lost = events.filter { fromCopy.contains($0.id) }
            if !lost.isEmpty {
                add(
                    finding: isSafe
                        ? sent("the record had lost these, and has them again: \(named(lost))")
                        : sent("the record has lost these, and they wait to be recorded again: \(named(lost))"))
            }
            let late = events.filter { !fromCopy.contains($0.id) }
            if !late.isEmpty {
                add(
                    finding: isSafe
                        ? sent("recorded now, because the last run could not: \(named(late))")
                        : sent("the last run could not record these, and they still wait: \(named(late))"))
            }
        }
        if !keptAside.isEmpty {
            add(
                finding: sent(
                    "these are not in the record, and something else was recorded since: \(named(keptAside)); log what is missing with its time"
                ))
        }
    }

    /// Reads tonight again with the events that the log had lost: a night whose first event alone was lost has all its rows
    /// with it.
    private func readAgain(_ recorded: [Event]) async {
        do {
            for event in recorded where event.type == .sessionOpened {
                _ = try await parts.store.audit(.start, only: event.sessionID)
            }
            durable = LogState(try await parts.store.load(now: parts.systemEnvironment.clock().wall))
            logState = durable
            ledger = nil
        } catch { parts.logger.error("the log could not be read again", metadata: ["error": "\(error)"]) }
    }

    /// Notifies the observer of events left when the service stops.
    func notifyLeft() {
        guard !unsafeEvents.isEmpty else { return }
        notify(.change(.left(unsafeEvents, keptPlace ?? .journal)))
    }

    private func add(finding: String) {
        findings.append(finding)
        notify(.change(.finding(finding)))
    }

    /// Returns the names of the entries; without an entry, the names of the other events.
    private func named(_ all: [Event]) -> String {
        let entries = all.filter { $0.payload.request != nil }
        let events = entries.isEmpty ? all : entries
        let names = events.prefix(5).map { event in
            let night = event.sessionID.flatMap { logState.session($0) }
            let moments = parts.systemEnvironment.moments.told(in: night.map { context().zone(of: $0) })
            return "\(event.payload.entryWords) at \(moments.dateAndClock(event.effectiveAt))"
        }
        return names.joined(separator: ", ") + (events.count > 5 ? " and \(events.count - 5) more" : "")
    }
}
