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
