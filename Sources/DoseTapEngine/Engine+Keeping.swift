internal import DoseTapDomain

/// What was acknowledged survives a stop, a crash and a reboot, although the log does not take it.
extension Engine {
    /// Writes what is not in the log yet where the next start finds it; takes it away once it is in the log.
    func saveKept() async {
        // What was set aside stays behind whatever the log says.
        let sequence = keptAside.isEmpty ? lastSequence : 0
        keptPlace = await parts.store.keep(keptAside + unsafeEvents, lastSequence: sequence)
    }

    /// Takes up what an earlier run could not record: into memory first, so that the night goes on with it, then into
    /// the log.
    ///
    /// - Parameters:
    ///   - newest: when the newest event of the log was recorded.
    ///   - remembered: what the journal alone has, without details.
    func takeUpKept(newest: Instant?, remembered: [Event]) async throws {
        var kept = await parts.store.kept()
        // What lies further back than anybody remembers is asked about no more.
        let oldest = parts.surroundings.clock().wall - .hours(7 * 24)
        kept.events.removeAll { $0.effectiveAt < oldest && kept.lastSequence < lastSequence }
        let whole = Set(kept.events.map(\.id))
        let remembered = remembered.filter { !whole.contains($0.id) }
        let all = (kept.events + remembered).enumerated()
            .sorted { ($0.element.occurredAt, $0.offset) < ($1.element.occurredAt, $1.offset) }.map(\.element)
        guard !all.isEmpty else { return }
        var newest = newest ?? .min
        for event in all where try await parts.store.events(beginning: event.id.text).isEmpty {
            let isBehind = !whole.contains(event.id) || kept.lastSequence < lastSequence
            if isBehind, isInTheWay(event) {
                // What followed from it alone goes with it.
                if event.payload.request != nil { keptAside.append(event) }
                continue
            }
            if !whole.contains(event.id) { fromJournal.insert(event.id) }
            newest = max(newest, event.occurredAt)
            unsafeEvents.append(event.recorded(at: newest))
        }
        diary = durable.appending(unsafeEvents)
        await saveKept()
        guard !unsafeEvents.isEmpty else { return }
        fault = StoreError(code: .unavailable, context: "the last run could not record them")
    }

    /// Another dose of its kind was recorded meanwhile, or another night was begun: that is not decided without the
    /// person.
    private func isInTheWay(_ event: Event) -> Bool {
        guard let id = event.sessionID else { return false }
        guard let night = durable.session(id) else {
            return durable.sessions.contains { $0.isOpen || $0.start >= event.effectiveAt - .hours(12) }
        }
        guard case .doseRecorded(let dose) = event.payload else { return event.payload.request == nil }
        switch dose.kind {
        case .dose1: return night.dose1 != nil
        case .dose2: return night.dose2 != nil
        case .extra: return false
        }
    }

    /// Records what was taken up and says what it was.
    func recordKept() async {
        let events = unsafeEvents
        if !events.isEmpty {
            try? await commit([])
            let isSafe = unsafeEvents.isEmpty
            let entries = events.filter { $0.payload.request != nil }
            let all = named(entries.isEmpty ? events : entries)
            let bare = entries.filter { fromJournal.contains($0.id) }
            if !bare.isEmpty {
                add(
                    finding: "only the journal had kept these, without amount and note: \(named(bare)); correct them "
                        + "with dosetap amend")
            }
            add(
                finding: isSafe
                    ? "recorded now, because the last run could not: \(all)"
                    : "the last run could not record these, and they still wait: \(all)")
        }
        if !keptAside.isEmpty {
            add(
                finding: "the last run could not record these, and something else was recorded since: "
                    + "\(named(keptAside)); log what is missing with its time")
        }
    }

    /// What was left when the service stopped, told to the observer.
    func tellLeft() {
        guard !unsafeEvents.isEmpty else { return }
        tell(.change(.left(unsafeEvents, keptPlace ?? .journal)))
    }

    private func add(finding: String) {
        findings.append(finding)
        tell(.change(.finding(finding)))
    }

    private func named(_ events: [Event]) -> String {
        let names = events.prefix(5).map { event in
            let night = event.sessionID.flatMap { diary.session($0) }
            let zone = night.map { circumstances().zone(of: $0) } ?? parts.surroundings.zone()
            let moments = Moments(zone: zone, style: parts.surroundings.clockStyle)
            return "\(event.payload.entryWords) at \(moments.dateAndClock(event.effectiveAt))"
        }
        return names.joined(separator: ", ") + (events.count > 5 ? " and \(events.count - 5) more" : "")
    }
}
