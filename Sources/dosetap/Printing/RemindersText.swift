internal import DoseTapDomain

/// What `reminders` prints.
enum RemindersText {
    static func lines(_ reminders: [ReminderRecord], _ moments: Moments, _ columns: Int) -> [String] {
        guard !reminders.isEmpty else { return ["No reminders tonight."] }
        return Table(columns: [
            .init(heading: "Due", cells: reminders.map { moments.cell($0.due) }),
            .init(heading: "Reminder", cells: reminders.map { Words.reminder($0.id) }),
            .init(heading: "State", cells: reminders.map(state)),
            .init(heading: "Late", cells: reminders.map(late), alignsRight: true),
            .init(heading: "By", cells: reminders.map { $0.channels.map(\.text).joined(separator: ", ") }),
        ]).lines(width: columns)
    }

    private static func state(_ reminder: ReminderRecord) -> String {
        switch reminder.state {
        case .planned: "planned"
        case .fired: reminder.isSeen ? "told, seen" : "told"
        case .delivered: reminder.isSeen ? "delivered, seen" : "delivered"
        case .acknowledged: "answered: \(reminder.answer?.rawValue ?? "-")"
        case .expired: "not answered"
        case .dropped: "not told: \(reminder.dropped?.rawValue ?? "-")"
        }
    }

    private static func late(_ reminder: ReminderRecord) -> String {
        guard let lateness = reminder.lateness, lateness >= .seconds(1) else { return "" }
        return lateness >= .minutes(2) ? "\(lateness.wholeMinutes) min" : "\(lateness.wholeSeconds) s"
    }
}
