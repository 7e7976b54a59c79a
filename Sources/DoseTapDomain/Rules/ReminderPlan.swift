/// The reminders of one dose window (R7): a pure function, planned anew after every change. The reminder of the check-in belongs
/// to the night, see ``Session/pendingReminders(in:)``.
public enum ReminderPlan {
    /// One reminder and its due time; its identity is (session, id, due).
    public struct Item: Hashable, Sendable {
        public let id: ReminderID
        /// The instant on the night's own scale, unmoved by a set wall clock; for the check-in, an instant of the wall clock.
        public let due: Instant

        public init(id: ReminderID, due: Instant) {
            self.id = id
            self.due = due
        }
    }

    /// The time from the announcement to the alarm.
    public static let preAlarmLead: Duration = .minutes(5)

    /// Returns all reminders of an unresolved window, past ones included, in order of time.
    ///
    /// - Parameters:
    ///   - dose1: instant of dose 1.
    ///   - alarm: time from dose 1 to the alarm: the target, or the target as moved by snoozes.
    ///   - doubt: the time since dose 1 if the clocks leave doubt. The alarm is then repeated until the shorter figure has reached
    ///   the closing. A clock can have gone ahead by days: of the passed repeats after the closing only the last two are planned.
    public static func items(dose1: Instant, alarm: Duration, in doubt: ElapsedTime? = nil) -> [Item] {
        var offsets: [(ReminderID, Duration)] = []
        offsets.reserveCapacity(rows.count + 16)
        for (id, place) in rows {
            switch place {
            case .afterDose1(let offset): offsets.append((id, offset))
            // A reminder that follows the alarm comes before the closing, or not at all.
            case .afterAlarm(let lead) where lead <= .zero || alarm + lead < DoseWindow.closes:
                offsets.append((id, alarm + lead))
            case .afterAlarm, .morning: break
            case .repeated(let lead, let minutes):
                offsets += repeats(from: alarm + lead, minutes: minutes, doubt).map { (id, $0) }
            }
        }
        return offsets.enumerated()
            .sorted { ($0.element.1, $0.offset) < ($1.element.1, $1.offset) }
            .map { Item(id: $0.element.0, due: dose1 + $0.element.1) }
    }

    /// Returns reminders in order of time with one more, which comes last among those of one instant.
    public static func items(_ items: [Item], with item: Item) -> [Item] {
        var items = items
        items.insert(item, at: items.firstIndex { $0.due > item.due } ?? items.endIndex)
        return items
    }

    /// The rows are read once: a plan is made anew after every change.
    private static let rows = ReminderID.allCases.map { ($0, $0.row.place) }

    private static func repeats(from first: Duration, minutes: Int, _ doubt: ElapsedTime?) -> [Duration] {
        var offsets: [Duration] = []
        var offset = first
        func add(until end: Duration) {
            while offset < end {
                offsets.append(offset)
                offset += .minutes(minutes)
            }
        }
        add(until: DoseWindow.closes)
        guard let doubt else { return offsets }
        // The repeat before the last one stands until the last is told.
        let passed = Int((doubt.longer - offset).wholeMinutes) / minutes
        offset += .minutes(max(0, passed - 1) * minutes)
        add(until: DoseWindow.closes + (doubt.longer - doubt.shorter))
        return offsets
    }
}

/// The reminder of the morning check-in (R7). The local clock decides its time, so the plan needs the session's zone. The
/// reminders of the dose window do not depend on it.
extension Session {
    /// True if the night waits for its check-in: the night is open, has signs of a night and no check-in, and is not backfilled.
    public var awaitsCheckIn: Bool { isOpen && checkIn == nil && hasSigns && !isBackfilled }

    /// Returns all reminders neither told nor dropped, in order of time; that of the check-in comes last of one instant.
    ///
    /// - Parameter zone: the session's.
    public func pendingReminders(in zone: Zone) -> [ReminderPlan.Item] {
        pendingCheckIn(in: zone).map { ReminderPlan.items(pendingReminders, with: $0) } ?? pendingReminders
    }

    /// Returns the reminder of the check-in: at the final wake, or at the first wake time after the start, if that is earlier.
    private func plannedCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard awaitsCheckIn else { return nil }
        let wake = zone.next(rules.wake, strictlyAfter: start)
        let due = finalWakes.map(\.wall).reduce(wake, min)
        return due < .max ? ReminderPlan.Item(id: .checkIn, due: due) : nil
    }

    /// Returns the same reminder, unless it was told or dropped. After a final wake that was taken back the reminder comes again in
    /// the morning; otherwise once is enough, whatever its due time became.
    func pendingCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard let item = plannedCheckIn(in: zone) else { return nil }
        return reminderFacts.contains { !$0.item.id.isOfWindow && $0.at >= item.due } ? nil : item
    }

    /// Returns true if the reminder would be true now, or, once told, still is.
    func isActiveCheckIn(_ item: ReminderPlan.Item, in zone: Zone) -> Bool {
        guard let planned = plannedCheckIn(in: zone) else { return false }
        guard let told = reminderFacts.last(where: { $0.item == item && $0.dropped == nil }) else {
            return item == pendingCheckIn(in: zone)
        }
        return told == activeCheckIn && told.at >= planned.due
    }
}
