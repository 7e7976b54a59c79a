internal import DoseTapDomain

/// What `stats` prints.
enum StatsText {
    static func lines(_ statistics: NightStatistics, _ terminal: Terminal) -> [String] {
        guard let first = statistics.first, let last = statistics.last else { return ["No night is on record here."] }
        let figures = statistics.figures
        let nights = figures.nights == 1 ? "1 night" : "\(figures.nights) nights"
        var lines = ["\(nights), \(first.text) to \(last.text)"]
        let rows = rows(statistics)
        let width = rows.map(\.0.count).max() ?? 0
        for (label, value) in rows {
            let head = label + String(repeating: " ", count: width - label.count + 2)
            let text = SafeText.wrap(value, columns: terminal.columns - head.count, indent: 0)
            let blanks = String(repeating: " ", count: head.count)
            lines += text.enumerated().map { ($0 == 0 ? head : blanks) + $1 }
        }
        if !statistics.groups.isEmpty { lines += [""] + table(statistics.groups).lines(width: terminal.columns) }
        if terminal.isOutput, !statistics.intervals.isEmpty {
            lines += [""] + IntervalChart(statistics.intervals, terminal).lines
        }
        return lines
    }

    /// The intervals of each week or month.
    static func lines(_ means: [IntervalMean], by grouping: Grouping, _ terminal: Terminal) -> [String] {
        guard !means.isEmpty else { return ["No interval is on record here."] }
        func column(_ heading: String, _ cell: (IntervalMean) -> String) -> Table.Column {
            .init(heading: heading, cells: means.map(cell), alignsRight: true)
        }
        let columns = [
            Table.Column(heading: grouping == .month ? "Month" : "Week", cells: means.map(\.key)),
            column("Nights") { "\($0.count)" }, column("Mean") { number($0.meanMinutes) + " min" },
            column("Shortest") { number($0.shortestMinutes) + " min" },
            column("Longest") { number($0.longestMinutes) + " min" },
        ]
        return Table(columns: columns).lines(width: terminal.columns)
    }

    private static func rows(_ statistics: NightStatistics) -> [(String, String)] {
        let figures = statistics.figures
        var rows = [("Dose 2", outcomes(figures))]
        if let percent = figures.compliancePercent {
            rows.append(("On time", "\(number(percent)) %, \(figures.onTime) of \(figures.judged) nights"))
        }
        if let interval = interval(figures.intervals) { rows.append(("Interval", interval)) }
        if let trend = statistics.trend { rows.append(("Trend", Self.trend(trend, statistics.targetMinutes))) }
        if let minutes = statistics.recommendedMinutes {
            rows.append(
                ("Typical", "\(minutes) min, the median of the intervals on time, but at least 165 and at most 225"))
        }
        if let score = average(figures.score) { rows.append(("Night score", score)) }
        if let wellness = average(figures.wellness) { rows.append(("Wellness", wellness)) }
        return rows
            + SleepDiary.keys.compactMap { key in
                (figures.sleep[key].flatMap(average)).map { (label(of: key), $0 + unit(of: key)) }
            }
    }

    private static func outcomes(_ figures: NightFigures) -> String {
        let parts = NightOutcome.allCases.compactMap { outcome -> String? in
            guard let count = figures.outcomes[outcome] else { return nil }
            let optimal = outcome == .onTime && figures.optimal > 0 ? " (\(figures.optimal) optimal)" : ""
            return "\(Words.outcome(outcome)) \(count)\(optimal)"
        }
        return parts.isEmpty ? "unknown" : parts.joined(separator: ", ")
    }

    private static func interval(_ spread: NightFigures.Spread) -> String? {
        guard let mean = spread.average.mean, let median = spread.median, let least = spread.least,
            let most = spread.most
        else { return nil }
        return "mean \(number(mean)) min, median \(number(median)), from \(number(least)) to \(number(most))"
    }

    private static func trend(_ trend: Effectiveness.Trend, _ target: Int) -> String {
        let means = "mean \(number(trend.earlierMinutes)), then \(number(trend.laterMinutes)) min"
        switch trend.direction {
        case .towardsTarget: return "towards the target of \(target) min: \(means)"
        case .awayFromTarget: return "away from the target of \(target) min: \(means)"
        case .stable: return "stable: \(means)"
        }
    }

    /// A mean and of how many nights.
    private static func average(_ average: NightFigures.Average) -> String? {
        average.mean.map { "\(number($0)) (\(average.count == 1 ? "1 night" : "\(average.count) nights"))" }
    }

    /// A number to a tenth, whole ones without it.
    static func number(_ value: Double) -> String {
        let tenth = (value * 10).rounded() / 10
        return tenth == tenth.rounded() ? "\(Int64(tenth))" : "\(tenth)"
    }

    private static func label(of key: String) -> String {
        switch key {
        case "time_in_bed_min": "In bed"
        case "sleep_onset_latency_min": "Asleep after"
        case "wake_after_sleep_onset_min": "Awake for"
        case "awakenings": "Woke up"
        case "total_sleep_min": "Asleep"
        default: "Efficiency"
        }
    }

    private static func unit(of key: String) -> String {
        key.hasSuffix("_min") ? ", in minutes" : key.hasSuffix("_percent") ? ", in percent" : ", times"
    }

    private static func table(_ groups: [NightStatistics.Group]) -> Table {
        func column(_ heading: String, _ value: (NightFigures) -> String?) -> Table.Column {
            .init(heading: heading, cells: groups.map { value($0.figures) ?? "-" }, alignsRight: true)
        }
        return Table(columns: [
            .init(heading: "Span", cells: groups.map { SafeText.line($0.key) }),
            column("Nights") { "\($0.nights)" },
            column("On time") { $0.compliancePercent.map { "\(number($0)) %" } },
            column("Mean") { $0.intervals.average.mean.map { "\(number($0)) min" } },
            column("Median") { $0.intervals.median.map { "\(number($0)) min" } },
            column("Score") { $0.score.mean.map(number) },
            column("Wellness") { $0.wellness.mean.map(number) },
            column("Asleep") { $0.sleep["total_sleep_min"]?.mean.map { Words.minutes(Int64($0)) } },
        ])
    }
}
