/// The working state of folding a session's events.
struct SessionFold {
    private let events: [Event]
    /// The moment of the fold; later facts do not count.
    private let latest: NightMoment
    private var undone: Set<EventID> = []
    private var deleted: Set<EventID> = []
    private var amendments: [EventID: EntryAmended] = [:]
    /// The last event that amended the time of each entry.
    private var timed: [EventID: Event] = [:]
    /// The place of each event on the scale, read in the order of the log.
    private var moments: [EventID: Instant] = [:]
    /// The addition for a time that was named in the event.
    private var named: [EventID: Duration] = [:]
    private(set) var scale = NightScale()

    private(set) var doses: [Dose] = []
    private(set) var skips: [Skip] = []
    private(set) var snoozes: [Snooze] = []
    private(set) var wakes: [FinalWake] = []
    private(set) var sleepEvents: [SleepEvent] = []
    private(set) var checkIn: CheckIn?
    private(set) var reminderFacts: [ReminderFact] = []
    private(set) var reminderDeliveries: [ReminderDelivery] = []
    private(set) var reminderAcknowledgements: [ReminderAcknowledgement] = []
    private(set) var clockSteps: [Event] = []
    private(set) var rules: NightRules?
    /// True if dose 1 is of a medicine that is taken once a night.
    private var isOnceNightly = false
    private(set) var closed: (at: Instant, state: TerminalState)?
    /// True if the closing by the check-in is on record.
    private var isClosedByCheckIn = false
    private(set) var updatedAt: Instant = .min

    init(events: [Event], asOf latest: NightMoment) {
        self.events = Self.inOrder(events)
        self.latest = latest
    }

    /// Returns events in the order of their first recording: a lost one stands in the log behind events recorded after it.
    private static func inOrder(_ events: [Event]) -> [Event] {
        guard events.contains(where: { $0.origin == .again }) else { return events }
        var ordered = events.filter { $0.origin != .again }
        for event in events where event.origin == .again { event.insert(into: &ordered) }
        return ordered
    }

    /// - Returns: the event that opened the session, unless it was undone.
    mutating func run() -> (event: Event, payload: SessionOpened, id: SessionID)? {
        collectCorrections()
        scale = NightScale(pinned: dose1Boot)
        for event in events {
            let moment = scale.read(event.clock)
            moments[event.id] = moment
            if event.payload.request?.at != nil { named[event.id] = scale.named(event.clock, at: moment) }
        }
        var opened: (event: Event, payload: SessionOpened, id: SessionID)?
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .sessionOpened(let payload):
                if let id = event.sessionID { opened = opened ?? (event, payload, id) }
            case .sessionClosed(let payload):
                if payload.state == .checkinCompleted {
                    isClosedByCheckIn = true
                } else if latest.wall.map({ event.effectiveAt <= $0 }) ?? true {
                    closed = (event.effectiveAt, payload.state)
                }
            case .settingChanged(let payload):
                guard hasHappened(event) else { break }
                rules = payload.rules
                // A regimen that is said to hold tonight decides the number of doses of the night.
                if payload.cause != nil { isOnceNightly = false }
            case .doseRecorded(let payload): add(payload, event)
            case .doseSkipped(let payload): add(payload, event)
            case .snoozeRecorded(let payload): add(payload, event)
            case .finalWakeRecorded(let payload): add(payload, event)
            case .sleepEventRecorded(let payload): add(payload, event)
            case .reminderFired(let payload):
                note(.init(id: payload.reminder, due: payload.due), dropped: nil, event)
            case .reminderDropped(let payload):
                guard payload.cause.map(isEffective) ?? true else { break }
                note(.init(id: payload.reminder, due: payload.due), dropped: payload.reason, event)
            case .reminderDelivered(let payload):
                guard hasHappened(event) else { break }
                reminderDeliveries.append(
                    ReminderDelivery(
                        item: .init(id: payload.reminder, due: payload.due), channel: payload.channel,
                        at: event.effectiveAt, factsBefore: reminderFacts.count))
            case .reminderAcknowledged(let payload): add(payload, event)
            case .clockStepped(let payload):
                if !payload.suspect, hasHappened(event) { clockSteps.append(event) }
            case .checkinRecorded(let payload): add(payload, event)
            case .entry, .entryAmended, .entryDeleted,
                .actionUndone,
                .storeRestored, .importRecorded:
                break
            }
        }
        placeAnsweredDoses()
        if case .clockStepped(let payload)? = clockSteps.last?.payload, payload.elapsed?.isCertain == true {
            for index in snoozes.indices { snoozes[index].sinceDose1 = nil }
        }
        doses.sort { ($0.at, $0.event.occurredAt, $0.kind.rank) < ($1.at, $1.event.occurredAt, $1.kind.rank) }
        sleepEvents.sort { ($0.at, $0.event.occurredAt) < ($1.at, $1.event.occurredAt) }
        dropStaleAutomaticSkips()
        if let opened {
            // The medicine of dose 1 decides its night, whatever was prescribed (R12.4).
            if isOnceNightly {
                rules = rules ?? opened.payload.rules
                rules?.onceNightly = true
            }
            reopenUnresolved(rules ?? opened.payload.rules)
            closeByCheckIn(rules ?? opened.payload.rules, start: opened.event.effectiveAt)
        }
        return opened
    }

    /// The boot in which the time of the active dose 1 was said.
    private var dose1Boot: String? {
        let dose1 = events.last { event in
            guard case .doseRecorded(let payload) = event.payload, payload.kind == .dose1 else { return false }
            return isEffective(event.id)
        }
        return dose1.map { (timed[$0.id] ?? $0).clock.bootID }
    }

    /// Takes back a closing by time alone if the window is unresolved again (R2). The night goes on and closes anew, no
    /// earlier than its window is resolved.
    private mutating func reopenUnresolved(_ rules: NightRules) {
        switch closed?.state {
        case .incompleteMissedCheckin, .incompletePrepRollover: break
        case .checkinCompleted, .incompleteSleptThrough, .finalizingWake, .backfilled, nil: return
        }
        let last = (doses.map(\.wall) + skips.map(\.wall)).max()
        if isUnresolved(rules) || closed.map({ closed in last.map { closed.at < $0 } ?? false }) == true {
            closed = nil
        }
    }

    private func isUnresolved(_ rules: NightRules) -> Bool {
        let hasWindow = doses.contains { $0.kind == .dose1 } && !rules.onceNightly
        return hasWindow && skips.isEmpty && !doses.contains { $0.kind == .dose2 }
    }

    /// Closes the session at the time of an active check-in, but not before the window is resolved. An earlier end by time alone
    /// stays. Without the check-in its closing has no effect.
    private mutating func closeByCheckIn(_ rules: NightRules, start: Instant) {
        guard let checkIn else { return }
        let last = (doses.map(\.wall) + skips.map(\.wall)).max() ?? checkIn.wall
        let end = max(checkIn.wall, last, start)
        if let earlier = closed {
            closed = (min(earlier.at, end), .checkinCompleted)
        } else if isClosedByCheckIn, !isUnresolved(rules) {
            closed = (end, .checkinCompleted)
        }
    }

    private mutating func collectCorrections() {
        for event in events {
            if case .actionUndone(let payload) = event.payload { undone.formUnion(payload.events) }
            if !event.payload.isReminderFact { updatedAt = max(updatedAt, event.occurredAt) }
        }
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .entryDeleted(let payload): deleted.insert(payload.target)
            case .entryAmended(let payload): amend(payload, event)
            case .checkinRecorded(let payload): if let change = payload.change(event) { amend(change, event) }
            default: break
            }
        }
    }

    private mutating func amend(_ payload: EntryAmended, _ event: Event) {
        if payload.at != nil { timed[payload.target] = event }
        var merged = amendments[payload.target] ?? payload
        merged.at = payload.at ?? merged.at
        merged.amountMilligrams = payload.amountMilligrams ?? merged.amountMilligrams
        merged.note = payload.note ?? merged.note
        amendments[payload.target] = merged
    }

    private func isActive(_ event: Event) -> Bool {
        !deleted.contains(event.id) && latest.isReached(at(event), wall(event))
    }

    /// Returns true if an event was on record by then.
    private func hasHappened(_ event: Event) -> Bool { latest.isReached(moment(of: event), event.clock.wall) }

    /// Returns true if an action was neither undone nor deleted.
    private func isEffective(_ action: EventID) -> Bool { !undone.contains(action) && !deleted.contains(action) }

    /// Returns the time of an entry by the wall clock.
    private func wall(_ event: Event) -> Instant { amendments[event.id]?.at ?? event.effectiveAt }

    /// Returns the place of an event on the night's scale.
    private func moment(of event: Event) -> Instant { moments[event.id] ?? event.effectiveAt }

    /// Returns the event that says the time of an entry: its own event, or the amendment of its time.
    private func said(_ event: Event) -> (by: Event, moment: SaidMoment) {
        let by = timed[event.id] ?? event
        let request = by.payload.request
        let ago = request?.at == nil ? .zero : by.clock.wall - wall(event)
        return (by, SaidMoment(clock: by.clock, ago: ago, isNamedByClock: request?.at != nil && request?.isAgo != true))
    }

    /// Returns the time of an entry on the night's scale: the place of the event that says it, less the time before that.
    private func at(_ event: Event) -> Instant {
        if case .doseSkipped(let skip) = event.payload, skip.isAutomatic { return event.effectiveAt }
        let (by, said) = said(event)
        return moment(of: by) + (named[by.id] ?? .zero) - said.ago
    }

    /// Returns the moment at which a dose is said to have been taken, and the clocks at all events since.
    func said(_ dose: Dose?) -> SaidDose? {
        guard let dose else { return nil }
        let later = events.drop { $0.id != dose.saidBy }.dropFirst()
        let step = later.last { event in clockSteps.contains { $0.id == event.id } }
        return SaidDose(moment: dose.said, later: later.map(\.clock), step: step)
    }

    /// Puts a dose 2 that the clocks left in doubt at the person's answer, unless its time was amended since.
    private mutating func placeAnsweredDoses() {
        guard let dose1 = doses.first(where: { $0.kind == .dose1 }) else { return }
        for index in doses.indices where timed[doses[index].id] == nil {
            guard case .doseRecorded(let payload) = doses[index].event.payload,
                let since = payload.sinceDose1Milliseconds
            else { continue }
            // If dose 1 was amended to be earlier since the answer, the dose lies as much later after it.
            let answer = doses[index].id
            let then =
                events.prefix { $0.id != answer }.compactMap { amendedTime($0, of: dose1.id) }.last
                ?? dose1.event.effectiveAt
            doses[index].at = dose1.at + .milliseconds(since) + (then - dose1.wall)
        }
    }

    /// Returns the new time if an event amends that of an entry; else nil.
    private func amendedTime(_ event: Event, of entry: EventID) -> Instant? {
        guard case .entryAmended(let payload) = event.payload, payload.target == entry, !undone.contains(event.id)
        else { return nil }
        return payload.at
    }

    private func note(_ event: Event, _ original: String?) -> String? {
        let words = amendments[event.id]?.note ?? original
        return words?.isEmpty == true ? nil : words
    }

    private mutating func add(_ payload: DoseRecorded, _ event: Event) {
        guard isActive(event) else { return }
        if payload.kind == .dose1, payload.isOnceNightly { isOnceNightly = true }
        let (saidBy, moment) = said(event)
        doses.append(
            Dose(
                id: event.id, kind: payload.kind, at: at(event), wall: wall(event),
                amountMilligrams: amendments[event.id]?.amountMilligrams ?? payload.amountMilligrams,
                medicationID: payload.medicationID,
                regimenID: amendments[event.id]?.amountMilligrams == nil ? payload.regimenID : nil,
                note: note(event, payload.note), event: event, said: moment, saidBy: saidBy.id))
    }

    private mutating func add(_ payload: DoseSkipped, _ event: Event) {
        guard isActive(event) else { return }
        skips.append(
            Skip(
                id: event.id, at: at(event), wall: wall(event), reason: payload.reason, note: note(event, payload.note),
                isAutomatic: payload.isAutomatic, event: event))
    }

    private mutating func add(_ payload: SnoozeRecorded, _ event: Event) {
        guard isActive(event) else { return }
        snoozes.append(
            Snooze(
                id: event.id, at: at(event), wall: wall(event),
                sinceDose1: payload.sinceDose1Milliseconds.map { .milliseconds($0) }, stepMinutes: payload.stepMinutes,
                note: note(event, payload.note),
                count: snoozes.count + 1, event: event))
    }

    private mutating func add(_ payload: FinalWakeRecorded, _ event: Event) {
        guard isActive(event) else { return }
        wakes.append(
            FinalWake(
                id: event.id, at: at(event), wall: wall(event), note: note(event, payload.note), event: event))
    }

    private mutating func add(_ payload: SleepEventRecorded, _ event: Event) {
        guard isActive(event) else { return }
        sleepEvents.append(
            SleepEvent(
                id: event.id, type: payload.type, at: at(event), wall: wall(event), note: note(event, payload.note),
                event: event))
    }

    private mutating func add(_ payload: CheckInRecorded, _ event: Event) {
        if let first = payload.amends {
            if checkIn?.id == first {
                checkIn?.answers = payload.answers
                checkIn?.given.formUnion(payload.given)
                checkIn?.given.subtract(payload.takenBack)
            }
        } else if isActive(event) {
            checkIn = CheckIn(
                id: event.id, at: at(event), wall: wall(event), answers: payload.answers,
                given: Set(payload.given).subtracting(payload.takenBack), event: event)
            // The closing on record so far belongs to a check-in that is gone.
            isClosedByCheckIn = false
        }
        if let checkIn, let note = amendments[checkIn.id]?.note {
            self.checkIn?.answers = checkIn.answers.with(notes: note)
        }
    }

    private mutating func note(_ item: ReminderPlan.Item, dropped: ReminderDrop?, _ event: Event) {
        guard hasHappened(event) else { return }
        reminderFacts.append(
            ReminderFact(
                item: item, dropped: dropped, at: event.occurredAt, moment: moment(of: event), clock: event.clock))
    }

    private mutating func add(_ payload: ReminderAcknowledged, _ event: Event) {
        guard payload.action.map(isEffective) ?? true, hasHappened(event) else { return }
        reminderAcknowledgements.append(
            ReminderAcknowledgement(
                item: .init(id: payload.reminder, due: payload.due), by: payload.by, at: event.occurredAt,
                facts: reminderFacts.count))
    }

    /// Removes stale automatic skips. Such a skip says "270 minutes after this dose 1 nobody had decided", which is void if dose 1
    /// moved or went, or if the person is known now to have skipped before.
    private mutating func dropStaleAutomaticSkips() {
        let dose1 = doses.first { $0.kind == .dose1 }
        let decided = skips.lazy.filter { !$0.isAutomatic }.map(\.at).min()
        skips.removeAll { skip in
            guard case .doseSkipped(let payload) = skip.event.payload, let from = payload.sleptThroughFrom else {
                return false
            }
            return from != dose1?.at || decided.map { $0 < skip.at } ?? false
        }
    }

    /// The wakes that end the night. One before dose 1 ended the sleep of the day (R2.14).
    var finalWakes: [FinalWake] {
        guard let dose1 = doses.first(where: { $0.kind == .dose1 }) else { return wakes }
        return wakes.filter { $0.at >= dose1.at }
    }

    func terminalState(backfilled: Bool) -> TerminalState? {
        if checkIn != nil { return .checkinCompleted }
        if backfilled { return .backfilled }
        let sleptThrough = skips.contains(where: \.isAutomatic) && !doses.contains { $0.kind == .dose2 }
        if let closed {
            return sleptThrough ? .incompleteSleptThrough : closed.state
        }
        let wakes = finalWakes
        guard sleptThrough else { return wakes.isEmpty ? nil : .finalizingWake }
        guard let wake = wakes.last, let skip = skips.last(where: \.isAutomatic) else { return .incompleteSleptThrough }
        return wake.event.occurredAt >= skip.event.occurredAt ? .finalizingWake : .incompleteSleptThrough
    }
}

extension DoseKind {
    fileprivate var rank: Int {
        switch self {
        case .dose1: 1
        case .dose2: 2
        case .extra: 3
        }
    }
}

extension CheckInRecorded {
    /// Returns the changes of a later save beside the answers.
    fileprivate func change(_ event: Event) -> EntryAmended? {
        guard let amends else { return nil }
        let note = given.contains("notes") ? answers["notes"]?.stringValue ?? "" : nil
        return EntryAmended(target: amends, at: request.at, amountMilligrams: nil, note: note, request: request)
    }
}

extension EventPayload {
    var isReminderFact: Bool { reminder != nil }
}
