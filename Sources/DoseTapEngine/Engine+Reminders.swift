internal import DoseTapDomain

/// What becomes of reminders once they are told. These are facts about the service, nobody's action.
extension Engine {
    /// A reminder that reached a channel, until a commit takes it along.
    struct Delivery {
        let due: Deadline
        let channel: ReminderChannel
        let at: Instant
    }

    /// How many deliveries may wait for a commit; one that finds no place is not recorded.
    private static let deliveryBound = 64

    /// A reminder reached a channel: recorded with whatever is committed next, or on its own, after the reply to everyone
    /// who waits already.
    func delivered(_ due: Deadline, by channel: ReminderChannel) {
        guard deliveries.count < Self.deliveryBound, !isStopping else { return }
        deliveries.append(Delivery(due: due, channel: channel, at: parts.surroundings.clock().wall))
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
            let (item, late) = (delivery.due.item, delivery.at - delivery.due.item.due)
            guard let session = known.session(delivery.due.session),
                session.reminderFacts.contains(where: { $0.item == item && $0.dropped == nil }),
                !session.reminderDeliveries.contains(where: { $0.item == item && $0.channel == delivery.channel }),
                seen.insert(.init(reminder: item.id, due: item.due, channel: delivery.channel, lateMilliseconds: 0))
                    .inserted
            else { return nil }
            let payload = ReminderDelivered(
                reminder: item.id, due: item.due, channel: delivery.channel, lateMilliseconds: late.wholeMilliseconds)
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
        return session.isStanding(due.item, now: parts.surroundings.clock())
    }
}
