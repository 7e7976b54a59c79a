internal import DoseTapDomain

/// Nights in a table; times as the clock of the night's own zone showed them.
enum HistoryText {
    static func lines(_ page: SessionPage, _ context: Context, _ zone: Zone) -> [String] {
        guard !page.nights.isEmpty else { return ["No night is on record here."] }
        var known: [String: Moments] = [zone.identifier: Moments(zone: zone, isForeign: false)]
        let moments = page.nights.map { night in
            if let moments = known[night.timeZone] { return moments }
            let moments = context.moments(zoneNamed: night.timeZone)
            known[night.timeZone] = moments
            return moments
        }
        let rows = Array(zip(page.nights, moments))
        var columns: [Table.Column] = [
            .init(heading: "Night", cells: rows.map(\.0.sessionDate.text)),
            .init(heading: "Dose 1", cells: rows.map { night, moments in clock(night.dose1, moments) }),
            .init(
                heading: "Dose 2",
                cells: rows.map { night, moments in night.dose2Skipped ? "skipped" : clock(night.dose2, moments) }),
            .init(
                heading: "Interval",
                cells: rows.map { night, _ in night.intervalMinutes.map(Words.minutes) ?? "-" }, alignsRight: true),
            .init(heading: "Snoozes", cells: rows.map { night, _ in "\(night.snoozeCount)" }, alignsRight: true),
            .init(heading: "State", cells: rows.map { night, _ in NightLine.remark(night) }),
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
        return Table(columns: columns).lines(width: context.terminal.columns) + more
    }

    private static func clock(_ instant: Instant?, _ moments: Moments) -> String {
        instant.map(moments.bareClock) ?? "-"
    }
}
