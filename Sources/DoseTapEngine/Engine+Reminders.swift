public import DoseTapDomain

/// What becomes of reminders once they are told. These are facts about the service, nobody's action.
extension Engine {
    /// A reminder that reached a channel, until a commit takes it along.
    struct Delivery {
        let due: Deadline
        let channel: ReminderChannel
        let at: Instant
        /// How late it arrived, by the counter.
        let lateness: Duration
    }

    /// How many deliveries may wait for a commit; one that finds no place is not recorded.
    private static let deliveryBound = 64

    /// A reminder reached a channel: recorded with whatever is committed next, or on its own, after the reply to everyone
    /// who waits already.
    func delivered(_ due: Deadline, by channel: ReminderChannel) {
        guard deliveries.count < Self.deliveryBound, !isStopping else { return }
        let now = parts.surroundings.clock()
        let arrived = diary.session(due.session).map { Deadline(due.item, of: $0, fired: now.wall, now: now) }
        deliveries.append(
            Delivery(due: due, channel: channel, at: now.wall, lateness: (arrived ?? due).lateness))
        guard !isRecordingDeliveries else { return }
        isRecordingDeliveries = true
        Task {
            await waitForTurn()
            isRecordingDeliveries = false
            try? await commit([])
            leave()
        }
    }

    /// The events of deliveries that are not on record yet, recorded after others.
    func deliveryEvents(after events: [Event]) -> [Event] {
        guard !deliveries.isEmpty else { return [] }
        let circumstances = circumstances()
        let known = diary.appending(events)
        var newest = known.newest
        var seen: Set<ReminderDelivered> = []
        return deliveries.compactMap { delivery in
            let item = delivery.due.item
            guard let session = known.session(delivery.due.session),
                session.reminderFacts.contains(where: { $0.item == item && $0.dropped == nil }),
                !session.reminderDeliveries.contains(where: { $0.item == item && $0.channel == delivery.channel }),
                seen.insert(.init(reminder: item.id, due: item.due, channel: delivery.channel, lateMilliseconds: 0))
                    .inserted
            else { return nil }
            let payload = ReminderDelivered(
                reminder: item.id, due: item.due, channel: delivery.channel,
                lateMilliseconds: delivery.lateness.wholeMilliseconds)
            let event = Rulebook.fact(
                .reminderDelivered(payload), .reminder, session: session.id, at: delivery.at, newest: newest,
                circumstances, ids: &ids)
            newest = event.occurredAt
            return event
        }
    }

    /// Whether telling a reminder now would still be true.
    func isStanding(_ due: Deadline) -> Bool {
        guard let session = diary.session(due.session) else { return false }
        let circumstances = circumstances()
        return session.isStanding(due.item, now: circumstances.clock, in: circumstances.zone(of: session))
    }
}

extension Engine {
    /// What a person said by `Acknowledge`.
    public struct Acknowledged: Sendable {
        /// The reminder, as it stands now.
        public let reminder: ReminderRecord
        /// When dose 2 is still open: the reminders go on.
        public let goesOn: Bool
    }

    /// Tonight's reminders, in order of time: those of the open night, or of the last one.
    public func reminders() -> [ReminderRecord] {
        guard let night = diary.open ?? diary.latest else { return [] }
        return records(night).filter { parts.tellsReminders || $0.state != .planned }
    }

    private func records(_ night: Session) -> [ReminderRecord] {
        let circumstances = circumstances()
        return night.reminderRecords(now: circumstances.clock, in: circumstances.zone(of: night))
    }

    /// A person says to have seen the reminder that was told last under an id. Recorded, and no more: only a logged dose,
    /// a skip or a snooze ends the reminders of a window, only the check-in its own.
    ///
    /// - Throws: ``EngineFailure``; `notFound` when none was told under that id in the open night, `nothingToDo` when it
    ///   was answered.
    public func acknowledge(_ word: String) async throws(EngineFailure) -> Acknowledged {
        guard let id = ReminderID(rawValue: word) else {
            let near = NearestWords.to(String(word.prefix(64)), in: ReminderID.allCases.map(\.rawValue))
            throw .command(.unknown(UnknownWord(what: "reminder", word: String(word.prefix(64)), nearest: near)))
        }
        try await enter()
        defer { leave() }
        let told = diary.open?.reminderFacts.last { $0.item.id == id && $0.dropped == nil }
        guard let night = diary.open, let told else { throw .command(.notFound(id.rawValue)) }
        if let answer = night.answer(to: told) {
            throw .command(.nothingToDo("that reminder was answered: \(answer.by.rawValue)"))
        }
        if !night.isSeen(told) {
            let seen = ReminderAcknowledged(reminder: id, due: told.item.due, by: .seen, action: nil)
            let event = Rulebook.fact(
                .reminderAcknowledged(seen), .reminder, session: night.id, newest: diary.newest, circumstances(),
                ids: &ids)
            try await commit([event])
        }
        let records = diary.session(night.id).map(records) ?? []
        guard let record = records.last(where: { $0.id == id && $0.firedAt == told.at }) else {
            throw .command(.notFound(id.rawValue))
        }
        return Acknowledged(reminder: record, goesOn: night.hasUnresolvedWindow)
    }
}
