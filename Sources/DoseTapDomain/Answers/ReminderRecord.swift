/// One reminder of a night and what became of it (R7).
public struct ReminderRecord: Hashable, Sendable {
    /// The state of a reminder; the raw value is the wire word.
    public enum State: String, Hashable, Sendable, CaseIterable {
        /// Not due yet.
        case planned
        /// Told; no channel has reported the arrival yet.
        case fired
        /// Told; a channel has reported the arrival.
        case delivered
        /// Answered by a dose, a skip or a snooze; the check-in's reminder by the check-in.
        case acknowledged
        /// Not answered before the next reminder took its place, or before the window went on.
        case expired
        /// Due, but not told.
        case dropped
    }

    public fileprivate(set) var id: ReminderID
    /// The due time by the present wall clock; once the window is resolved, by the clock as it was at the telling.
    public fileprivate(set) var due: Instant
    public fileprivate(set) var state: State
    /// The time of the telling.
    public fileprivate(set) var firedAt: Instant?
    /// The delay of the telling.
    public fileprivate(set) var lateness: Duration?
    /// The channels that the reminder reached, in the order of the deliveries.
    public fileprivate(set) var channels: [ReminderChannel]
    public fileprivate(set) var answer: ReminderAnswer?
    /// True if a person marked the reminder as seen, which stops nothing.
    public fileprivate(set) var isSeen: Bool
    /// The reason for not telling the reminder.
    public fileprivate(set) var dropped: ReminderDrop?
}

extension Session {
    /// Returns all reminders of the night in order of time, with those to come.
    ///
    /// - Parameter zone: the session's.
    public func reminderRecords(now: ClockReading, in zone: Zone) -> [ReminderRecord] {
        let past = reminderFacts.map { (at: onScale($0.item, now), record: record($0, now, zone)) }
        let items = pendingReminders(now: now) + [pendingCheckIn(in: zone)].compactMap(\.self)
        let planned = items.map { item in
            let record = ReminderRecord(
                id: item.id, due: shownDue(item, now: now), state: .planned, firedAt: nil, lateness: nil, channels: [],
                answer: nil, isSeen: false, dropped: nil)
            return (at: onScale(item, now), record: record)
        }
        return (past + planned).enumerated()
            .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }.map(\.element.record)
    }

    /// Returns the due time of any reminder on the night's scale; the check-in's own due time is one of the wall clock.
    private func onScale(_ item: ReminderPlan.Item, _ now: ClockReading) -> Instant {
        item.id.isOfWindow ? item.due : moment(of: item.due, now: now)
    }

    /// Returns the due time of a reminder: by the present wall clock while the window is unresolved, then by the wall clock
    /// as it was when the reminder was told or dropped.
    public func dueAsShown(_ item: ReminderPlan.Item, now: ClockReading) -> Instant {
        guard item.id.isOfWindow, !(isOpen && hasUnresolvedWindow) else { return shownDue(item, now: now) }
        guard let fact = reminderFacts.last(where: { $0.item == item }) else { return item.due }
        let apart = fact.at - fact.moment
        return apart.magnitude < .seconds(1) ? item.due : item.due + apart
    }

    private func record(_ fact: ReminderFact, _ now: ClockReading, _ zone: Zone) -> ReminderRecord {
        let isTold = fact.dropped == nil
        let answer = isTold ? answer(to: fact) : nil
        let delivered = reminderDeliveries.filter { $0.item == fact.item }.map(\.channel)
        let channels = delivered.indices.filter { !delivered[..<$0].contains(delivered[$0]) }.map { delivered[$0] }
        let state: ReminderRecord.State =
            if !isTold {
                .dropped
            } else if answer != nil {
                .acknowledged
            } else if !isActive(fact.item, now: now, in: zone) {
                .expired
            } else {
                channels.isEmpty ? .fired : .delivered
            }
        return ReminderRecord(
            id: fact.item.id, due: dueAsShown(fact.item, now: now), state: state, firedAt: isTold ? fact.at : nil,
            lateness: isTold ? max(.zero, (fact.item.id.isOfWindow ? fact.moment : fact.at) - fact.item.due) : nil,
            channels: channels, answer: answer?.by,
            isSeen: isSeen(fact), dropped: fact.dropped)
    }
}

extension ReminderRecord {
    public static let description = RecordDescription(
        ReminderRecord(
            id: .windowOpen, due: .min, state: .planned, firedAt: nil, lateness: nil, channels: [], answer: nil,
            isSeen: false, dropped: nil)
    ) { it in
        it.word("id", get: { $0.id }, set: { $0.id = $1 })
        it.instant("due", get: { $0.due }, set: { $0.due = $1 })
        it.word("urgency", get: { $0.id.urgency })
        it.word("state", get: { $0.state }, set: { $0.state = $1 })
        it.instantOrNull("fired_at", "when it was told", get: { $0.firedAt }, set: { $0.firedAt = $1 })
        it.integerOrNull(
            "late_ms", "how late it was told", in: .milliseconds,
            get: { $0.lateness.map { Int($0.wholeMilliseconds) } },
            set: { $0.lateness = $1.map { .milliseconds($0) } })
        it.value(
            "channels", .list(.text), "the channels it reached",
            get: { .array($0.channels.map { .string($0.text) }) },
            set: { (reminder, value) throws(PayloadError) in
                let texts = value?.arrayValue ?? []
                reminder.channels = texts.compactMap { $0.stringValue.flatMap(ReminderChannel.init) }
                return reminder.channels.count == texts.count
            })
        it.wordOrNull("answer", "what answered it", get: { $0.answer }, set: { $0.answer = $1 })
        it.bool("seen", "somebody said so; that stops nothing", get: { $0.isSeen }, set: { $0.isSeen = $1 })
        it.wordOrNull("reason", "why it was not told", get: { $0.dropped }, set: { $0.dropped = $1 })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object that ``json`` writes.
    ///
    /// - Throws: ``PayloadError`` naming the key that is missing or malformed.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("reminder", json))
    }
}
