/// The reminders of one dose window (R7): a pure function, planned anew after every change. That of the check-in is
/// the night's own, see ``Session/pendingReminders(in:)``.
public enum ReminderPlan {
    /// One reminder and when it is due; its identity is (session, id, due).
    public struct Item: Hashable, Sendable {
        /// Which one.
        public let id: ReminderID
        /// Its place after dose 1, as an instant of the night's own scale: a wall clock that is set since moves it not.
        public let due: Instant

        /// Memberwise.
        public init(id: ReminderID, due: Instant) {
            self.id = id
            self.due = due
        }
    }

    /// How long before the alarm it is announced.
    public static let preAlarmLead: Duration = .minutes(5)
    /// Minutes between two alarm repeats.
    static let repeatMinutes = 5

    /// All reminders of an unresolved window, past ones included, in order of time.
    ///
    /// - Parameters:
    ///   - dose1: instant of dose 1.
    ///   - alarm: time from dose 1 to the alarm: the target, or what the snoozes made of it.
    ///   - doubt: the time since dose 1 where the clocks leave doubt: the alarm is then repeated until the shorter figure has
    ///     reached the closing. A clock can have gone ahead by days: of the repeats after the closing that have passed since,
    ///     only the last two are planned.
    public static func items(dose1: Instant, alarm: Duration, in doubt: ElapsedTime? = nil) -> [Item] {
        var offsets: [(ReminderID, Duration)] = [
            (.windowOpen, DoseWindow.opens), (.preAlarm, alarm - preAlarmLead), (.alarm, alarm),
        ]
        let followups: [ReminderID] = [.followup1, .followup2, .followup3]
        for (index, id) in followups.enumerated() {
            let offset = alarm + .minutes(2 * (index + 1))
            if offset < DoseWindow.closes { offsets.append((id, offset)) }
        }
        var offset = alarm + .minutes(6 + repeatMinutes)
        func addRepeats(until end: Duration) {
            while offset < end {
                offsets.append((.alarmRepeat, offset))
                offset += .minutes(repeatMinutes)
            }
        }
        addRepeats(until: DoseWindow.closes)
        if let doubt {
            // The one before the last stands until the last is told.
            let passed = Int((doubt.longer - offset).wholeMinutes) / repeatMinutes
            offset += .minutes(max(0, passed - 1) * repeatMinutes)
            addRepeats(until: DoseWindow.closes + (doubt.longer - doubt.shorter))
        }
        offsets.append((.closing15, DoseWindow.nearsClose))
        offsets.append((.closing5, .minutes(235)))
        offsets.append((.windowClosed, DoseWindow.closes))
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

    /// Whether telling a reminder of an unresolved window would still be true; that of the check-in has nothing to do with
    /// it. Reminders go by the figure that says most; the alarm is repeated until the other one has reached the end, too.
    static func isTrue(_ id: ReminderID, after elapsed: ElapsedTime) -> Bool {
        switch id {
        case .windowOpen, .preAlarm, .alarm, .followup1, .followup2, .followup3, .closing15, .closing5:
            elapsed.longer >= DoseWindow.opens && elapsed.longer < DoseWindow.closes
        case .alarmRepeat: elapsed.longer >= DoseWindow.opens && elapsed.shorter < DoseWindow.closes
        case .windowClosed: elapsed.longer >= DoseWindow.closes
        case .checkIn: false
        }
    }
}
