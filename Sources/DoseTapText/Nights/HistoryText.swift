package import DoseTapDomain

/// Nights in a table, with times by the clock of the night's own zone.
package enum HistoryText {
    /// - Parameters:
    ///   - groups: the heading of each group, and the number of nights below it.
    ///   - own: the moments of the zone in force.
    ///   - foreign: returns the moments of a night's recorded zone.
    ///   - older: the command that lists older nights.
    package static func lines(
        _ found: SessionPage, _ groups: [(heading: String, count: Int)]?, _ own: Moments,
        foreign: (String) -> Moments, older: @autoclosure () -> String, columns width: Int
    ) -> [String] {
        // A list, because there are few zones, and a dictionary takes longer to build than a list to search.
        var known = [(name: own.zone.identifier, moments: own)]
        let moments = found.nights.map { night in
            if let one = known.first(where: { $0.name == night.timeZone }) { return one.moments }
            let moments = foreign(night.timeZone)
            known.append((night.timeZone, moments))
            return moments
        }
        let rows = Array(zip(found.nights, moments))
        // Extra doses are named wherever a night is told in a line (R13.1).
        let hasExtra = found.nights.contains { $0.extraDoses > 0 }
        let state = Table.Column(
            heading: tr("State"), cells: found.nights.map(NightLine.remark), isNeeded: hasExtra, goesLast: true)
        var columns: [Table.Column] = [
            .init(heading: tr("Night"), cells: rows.map { night, _ in Moments.date(night.sessionDate) }),
            .init(
                heading: tr("Dose 1"), cells: rows.map { night, moments in clock(night.dose1, moments) }, isNeeded: true
            ),
            .init(
                heading: tr("Dose 2"),
                cells: rows.map { night, moments in
                    Label.withoutDose2(isSkipped: night.dose2Skipped, night.outcome) ?? clock(night.dose2, moments)
                }, isNeeded: true),
            .init(
                heading: tr("Interval"),
                cells: rows.map { night, _ in night.intervalMinutes.map(Figure.length) ?? "-" }, alignsRight: true),
            state,
            .init(heading: tr("Snoozes"), cells: rows.map { night, _ in "\(night.snoozeCount)" }, alignsRight: true),
            .init(
                heading: tr("Score"), cells: rows.map { night, _ in night.nightScore.map { "\($0)" } ?? "-" },
                alignsRight: true),
        ]
        let zones = rows.map { night, moments in
            let isForeign = [night.dose1, night.dose2].contains { $0.map(moments.isForeign(at:)) ?? false }
            return isForeign ? SafeText.line(moments.zone.identifier) : ""
        }
        // Without its zone a time would be read as one of the present clock.
        if zones.contains(where: { !$0.isEmpty }) {
            columns.append(.init(heading: tr("Zone"), cells: zones, isNeeded: true))
        }
        if rows.contains(where: { $0.0.wellnessScore != nil }) {
            columns.append(
                .init(
                    heading: tr("Wellness"), cells: rows.map { night, _ in night.wellnessScore.map { "\($0)" } ?? "-" },
                    alignsRight: true))
        }
        let more = found.next.isEmpty ? [] : ["\(CommandLead.olderNights)\(older())"]
        var table = Table(columns: columns).lines(width: width)
        if hasExtra, table.contains(where: { $0.count > width }), let place = columns.firstIndex(where: \.goesLast) {
            // The other remarks go first.
            let extra = found.nights.map { $0.extraDoses > 0 ? tr("\($0.extraDoses) extra") : "" }
            columns[place] = .init(heading: tr("State"), cells: extra, isNeeded: true)
            table = Table(columns: columns).lines(width: width)
        }
        return under(groups, table) + more
    }

    /// Returns the text in place of a table without nights.
    ///
    /// - Parameter hasSleep: true if the record has sleep that belongs to no night.
    package static func withoutNights(hasSleep: Bool, _ page: Page) -> [String] {
        [tr("No night is on record here.")]
            + (hasSleep ? [page.addressed(tr("Recorded sleep that belongs to no night: dosetap sleep list"))] : [])
    }

    /// Returns the heading over the nights of a group.
    package static func heading(_ key: String, _ figures: NightFigures) -> String {
        let mean = figures.intervals.average.mean.map { tr(", mean \(Figure.minutes($0))") } ?? ""
        return tr("\(key): \(figures.onTime) of \(figures.judged) on time\(mean)")
    }

    /// Returns the rows under the headings of their groups.
    private static func under(_ groups: [(heading: String, count: Int)]?, _ table: [String]) -> [String] {
        guard let groups else { return table }
        var lines = Array(table.prefix(1))
        var rows = table.dropFirst()
        for group in groups {
            lines.append(group.heading)
            lines += rows.prefix(group.count)
            rows = rows.dropFirst(group.count)
        }
        return lines
    }

    private static func clock(_ instant: Instant?, _ moments: Moments) -> String {
        instant.map(moments.bareCell) ?? "-"
    }
}
