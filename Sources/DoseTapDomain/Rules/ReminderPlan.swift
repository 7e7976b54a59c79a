/// The reminders of one dose window (R7): a pure function, planned anew after every change. That of the check-in is
/// the night's own, see ``Session/pendingReminders(in:)``.
public enum ReminderPlan {
    /// One reminder and when it is due; its identity is (session, id, due).
    public struct Item: Hashable, Sendable {
        public let id: ReminderID
        /// Its place after dose 1, as an instant of the night's own scale: a wall clock that is set since moves it not.
        public let due: Instant

        public init(id: ReminderID, due: Instant) {
            self.id = id
            self.due = due
        }
    }

    /// How long before the alarm it is announced.
    public static let preAlarmLead: Duration = .minutes(5)

    /// All reminders of an unresolved window, past ones included, in order of time.
    ///
    /// - Parameters:
    ///   - dose1: instant of dose 1.
    ///   - alarm: time from dose 1 to the alarm: the target, or what the snoozes made of it.
    ///   - doubt: the time since dose 1 where the clocks leave doubt: the alarm is then repeated until the shorter figure has
    ///     reached the closing. A clock can have gone ahead by days: of the repeats after the closing that have passed since,
    ///     only the last two are planned.
    public static func items(dose1: Instant, alarm: Duration, in doubt: ElapsedTime? = nil) -> [Item] {
        var offsets: [(ReminderID, Duration)] = []
        offsets.reserveCapacity(rows.count + 16)
        for (id, place) in rows {
            switch place {
            case .afterDose1(let offset): offsets.append((id, offset))
            // What follows the alarm comes before the closing, or not at all.
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

    /// Reminders in order of time and one more; of one instant that comes last.
    public static func items(_ items: [Item], with item: Item) -> [Item] {
        var items = items
        items.insert(item, at: items.firstIndex { $0.due > item.due } ?? items.endIndex)
        return items
    }

    /// Read once: a plan is made anew after every change.
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
        // The one before the last stands until the last is told.
        let passed = Int((doubt.longer - offset).wholeMinutes) / minutes
        offset += .minutes(max(0, passed - 1) * minutes)
        add(until: DoseWindow.closes + (doubt.longer - doubt.shorter))
        return offsets
    }
}

/// The reminder of the morning check-in (R7). It goes by the local clock, so it needs the session's zone; the
/// reminders of the dose window know nothing of it.
extension Session {
    /// Whether the night waits for its check-in: none is saved, its entries are those of a night, and it goes on.
    public var awaitsCheckIn: Bool { isOpen && checkIn == nil && hasSigns && !isBackfilled }

    /// All reminders neither told nor dropped yet, in order of time; of one instant that of the check-in comes last.
    ///
    /// - Parameter zone: the session's.
    public func pendingReminders(in zone: Zone) -> [ReminderPlan.Item] {
        pendingCheckIn(in: zone).map { ReminderPlan.items(pendingReminders, with: $0) } ?? pendingReminders
    }

    /// The reminder of the check-in: at the final wake, or at the first wake time after the start if that is earlier.
    private func plannedCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard awaitsCheckIn else { return nil }
        let wake = zone.next(rules.wake, strictlyAfter: start)
        let due = wakes.map(\.wall).reduce(wake, min)
        return due < .max ? ReminderPlan.Item(id: .checkIn, due: due) : nil
    }

    /// The same, unless it was told or dropped. Told for a final wake that was taken back since, it comes again when it
    /// is morning; else once is enough, whatever its due time became.
    func pendingCheckIn(in zone: Zone) -> ReminderPlan.Item? {
        guard let item = plannedCheckIn(in: zone) else { return nil }
        return reminderFacts.contains { !$0.item.id.isOfWindow && $0.at >= item.due } ? nil : item
    }

    /// Whether telling it would be true now, or having told it still is.
    func isActiveCheckIn(_ item: ReminderPlan.Item, in zone: Zone) -> Bool {
        guard let planned = plannedCheckIn(in: zone) else { return false }
        guard let told = reminderFacts.last(where: { $0.item == item && $0.dropped == nil }) else {
            return item == pendingCheckIn(in: zone)
        }
        return told == activeCheckIn && told.at >= planned.due
    }
}
