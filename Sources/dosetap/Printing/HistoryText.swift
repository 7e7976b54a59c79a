internal import DoseTapDomain

/// Nights in a table; times as the clock of the night's own zone showed them.
enum HistoryText {
    static func lines(
        _ page: SessionPage, _ groups: [NightGroup]?, _ context: Context, _ zone: Zone
    ) -> [String] {
        guard !page.nights.isEmpty else { return ["No night is on record here."] }
        // A list: there are few zones, and a dictionary takes longer to get ready than to look through them.
        var known = [(name: zone.identifier, moments: context.moments(in: zone))]
        let moments = page.nights.map { night in
            if let found = known.first(where: { $0.name == night.timeZone }) { return found.moments }
            let moments = context.moments(zoneNamed: night.timeZone)
            known.append((night.timeZone, moments))
            return moments
        }
        let rows = Array(zip(page.nights, moments))
        var columns: [Table.Column] = [
            .init(heading: "Night", cells: rows.map { night, _ in Moments.date(night.sessionDate) }),
            .init(heading: "Dose 1", cells: rows.map { night, moments in clock(night.dose1, moments) }),
            .init(
                heading: "Dose 2",
                cells: rows.map { night, moments in
                    if night.dose2Skipped { return "skipped" }
                    return night.outcome == .notRecorded ? "not recorded" : clock(night.dose2, moments)
                }),
            .init(
                heading: "Interval",
                cells: rows.map { night, _ in night.intervalMinutes.map(Words.minutes) ?? "-" }, alignsRight: true),
            .init(heading: "State", cells: rows.map { night, _ in NightLine.remark(night) }),
            .init(heading: "Snoozes", cells: rows.map { night, _ in "\(night.snoozeCount)" }, alignsRight: true),
            .init(
                heading: "Score", cells: rows.map { night, _ in night.nightScore.map { "\($0)" } ?? "-" },
                alignsRight: true),
        ]
        if rows.contains(where: \.1.isForeign) {
            columns.append(
                .init(
                    heading: "Zone",
                    cells: rows.map { _, moments in moments.isForeign ? SafeText.line(moments.zone.identifier) : "" }))
        }
        if rows.contains(where: { $0.0.wellnessScore != nil }) {
            columns.append(
                .init(
                    heading: "Wellness", cells: rows.map { night, _ in night.wellnessScore.map { "\($0)" } ?? "-" },
                    alignsRight: true))
        }
        let again = context.line.again(adding: ["--cursor", page.next], dropping: "--cursor")
        let more = page.next.isEmpty ? [] : ["Older nights: \(again)"]
        return under(groups, Table(columns: columns).lines(width: context.terminal.columns)) + more
    }

    /// The rows under the headings of their groups.
    private static func under(_ groups: [NightGroup]?, _ table: [String]) -> [String] {
        guard let groups else { return table }
        var lines = Array(table.prefix(1))
        var rows = table.dropFirst()
        for group in groups {
            lines.append(group.heading)
            lines += rows.prefix(group.nights.count)
            rows = rows.dropFirst(group.nights.count)
        }
        return lines
    }

    private static func clock(_ instant: Instant?, _ moments: Moments) -> String {
        instant.map(moments.cell) ?? "-"
    }
}
