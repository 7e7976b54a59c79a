package import DoseTapDomain

/// The text of `reminders`.
package enum RemindersText {
    package static func lines(_ reminders: [ReminderRecord], _ moments: Moments, _ columns: Int) -> [String] {
        guard !reminders.isEmpty else { return [tr("No reminders tonight.")] }
        let rows = folded(reminders)
        // A zone that all times have stands above the table, which is narrow.
        let isForeign = reminders.allSatisfy { moments.isForeign(at: $0.due) }
        let cells = isForeign ? Moments(zone: moments.zone, style: moments.style) : moments
        let zone = isForeign ? [tr("The times are those of \(SafeText.line(moments.zone.identifier)).")] : []
        return zone
            + Table(columns: [
                .init(heading: tr("Due"), cells: rows.map { due($0, cells) }),
                .init(
                    heading: tr("Reminder"),
                    cells: rows.map { $0.count == 1 ? name($0[0]) : tr("\(name($0[0])), \($0.count) times") },
                    isNeeded: true),
                .init(heading: tr("State"), cells: rows.map { state($0[0]) }, isNeeded: true),
                .init(
                    heading: tr("Late"), cells: rows.map { Figure.lateness($0.compactMap(\.lateness).max()) },
                    alignsRight: true
                ),
                .init(heading: tr("By"), cells: rows.map { channels($0[0]) }),
            ]).lines(width: columns)
    }

    /// Joins consecutive repeated alarms with the same state and channels into one row.
    private static func folded(_ reminders: [ReminderRecord]) -> [[ReminderRecord]] {
        reminders.reduce(into: []) { rows, reminder in
            if let last = rows.last?.last, repeats.contains(reminder.id), repeats.contains(last.id),
                state(last) == state(reminder), channels(last) == channels(reminder)
            {
                rows[rows.count - 1].append(reminder)
            } else {
                rows.append([reminder])
            }
        }
    }

    private static let repeats = ReminderID.allCases.filter { [.alarmAgain, .alarmRepeated].contains($0.row.message) }

    private static func name(_ reminder: ReminderRecord) -> String {
        ReminderText.name(repeats.contains(reminder.id) ? .followup1 : reminder.id)
    }

    private static func due(_ row: [ReminderRecord], _ moments: Moments) -> String {
        guard row.count > 1, let last = row.last else { return ReminderText.cell(row[0].id, row[0].due, moments) }
        return tr("\(moments.cell(row[0].due, beside: last.due)) to \(moments.cell(last.due))")
    }

    private static func channels(_ reminder: ReminderRecord) -> String {
        reminder.channels.map(\.text).joined(separator: ", ")
    }

    private static func state(_ reminder: ReminderRecord) -> String {
        switch reminder.state {
        case .planned: tr("planned")
        case .fired: reminder.isSeen ? tr("told, seen") : tr("told")
        case .delivered: reminder.isSeen ? tr("delivered, seen") : tr("delivered")
        case .acknowledged: tr("answered: \(reminder.answer.map(Label.answer) ?? "-")")
        case .expired: tr("not answered")
        case .dropped: tr("not told: \(reminder.dropped.map { Label.drop($0, of: reminder.id) } ?? "-")")
        }
    }
}
