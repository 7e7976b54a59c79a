package import DoseTapDomain

/// The text of `stats`.
package enum StatsText {
    /// - Parameter hasSleep: true if the record has sleep that belongs to no night; called only if there is no night.
    package static func lines(
        _ statistics: NightStatistics, hasSleep: @autoclosure () -> Bool, _ page: Page
    ) -> [String] {
        guard let first = statistics.first, let last = statistics.last else {
            return HistoryText.withoutNights(hasSleep: hasSleep(), page)
        }
        let figures = statistics.figures
        var lines = [tr("\(Count.nights(figures.nights)), \(first.text) to \(last.text)")]
        lines += Page.rows(rows(statistics), columns: page.columns)
        if !statistics.groups.isEmpty { lines += [""] + table(statistics.groups).lines(width: page.columns) }
        if page.isTerminal, !statistics.intervals.isEmpty {
            lines += [""] + IntervalChart(statistics.intervals, page).lines
        }
        return lines
    }

    /// Returns the intervals of each week or month.
    package static func lines(_ means: [IntervalMean], by grouping: Grouping, _ page: Page) -> [String] {
        guard !means.isEmpty else { return [tr("No interval is on record here.")] }
        func column(_ heading: String, _ cell: (IntervalMean) -> String) -> Table.Column {
            .init(heading: heading, cells: means.map(cell), alignsRight: true)
        }
        let columns = [
            Table.Column(heading: grouping == .month ? tr("Month") : tr("Week"), cells: means.map(\.key)),
            column(tr("Nights")) { "\($0.count)" }, column(tr("Mean")) { Figure.minutes($0.meanMinutes) },
            column(tr("Shortest")) { Figure.minutes($0.shortestMinutes) },
            column(tr("Longest")) { Figure.minutes($0.longestMinutes) },
        ]
        return Table(columns: columns).lines(width: page.columns)
    }

    private static func rows(_ statistics: NightStatistics) -> [(String, String)] {
        let figures = statistics.figures
        var rows = [(tr("Dose 2"), outcomes(figures))]
        if let percent = figures.compliancePercent {
            rows.append(
                (tr("On time"), tr("\(Figure.tenth(percent)) %, \(figures.onTime) of \(Count.nights(figures.judged))")))
        }
        if figures.extraDoses > 0 {
            rows.append((tr("Extra doses"), tr("\(figures.extraDoses), counted in no other figure")))
        }
        if let interval = interval(figures.intervals) { rows.append((tr("Interval"), interval)) }
        if let trend = statistics.trend { rows.append((tr("Trend"), Self.trend(trend, statistics.targetMinutes))) }
        if let minutes = statistics.usualMinutes,
            let median = IntervalRecommendation.median(statistics.intervals.map { Int(clamping: $0.minutes) })
        {
            rows.append((tr("Typical"), typical(minutes, median)))
        }
        if let score = average(figures.score) { rows.append((tr("Night score"), score)) }
        if let wellness = average(figures.wellness) { rows.append((tr("Wellness"), wellness)) }
        return rows
            + SleepDiary.keys.compactMap { key in
                figures.sleep[key].flatMap { average($0, of: key) }.map { (label(of: key), $0) }
            }
            // Devices and people measure differently, so their means stand apart.
            + SleepDiary.keys.compactMap { key in
                figures.recordedSleep[key].flatMap { average($0, of: key) }.map {
                    (tr("Recorded", context: "device"), "\(inSentence(label(of: key))) \($0)")
                }
            }
    }

    /// Returns the usual interval, with its median where that is another number.
    private static func typical(_ minutes: Int, _ median: Double) -> String {
        if median == Double(minutes) { return tr("\(minutes) min, the median of the intervals of 150 to 240 min") }
        let exact = Figure.tenth(median)
        return Int(median) == minutes
            ? tr("\(minutes) min, the whole minutes of the median of the intervals of 150 to 240 min, \(exact)")
            : tr(
                "\(minutes) min; the median of those of 150 to 240 min is \(exact), the figure never below 165 or above 225"
            )
    }

    private static func outcomes(_ figures: NightFigures) -> String {
        let parts = NightOutcome.allCases.compactMap { outcome -> String? in
            guard let count = figures.outcomes[outcome] else { return nil }
            let optimal = outcome == .onTime && figures.optimal > 0 ? tr(" (\(figures.optimal) of 150 to 165 min)") : ""
            return "\(Label.outcome(outcome)): \(count)\(optimal)"
        }
        return parts.isEmpty ? tr("unknown") : parts.joined(separator: ", ")
    }

    private static func interval(_ spread: NightFigures.Spread) -> String? {
        guard let mean = spread.average.mean, let median = spread.median, let least = spread.least,
            let most = spread.most
        else { return nil }
        return
            tr(
                "mean \(Figure.minutes(mean)), median \(Figure.tenth(median)), from \(Figure.tenth(least)) to \(Figure.tenth(most))"
            )
    }

    private static func trend(_ trend: Effectiveness.Trend, _ target: Int) -> String {
        let means = tr("mean \(Figure.tenth(trend.earlierMinutes)), then \(Figure.minutes(trend.laterMinutes))")
        switch trend.direction {
        case .towardsTarget: return tr("towards the target of \(target) min: \(means)")
        case .awayFromTarget: return tr("away from the target of \(target) min: \(means)")
        case .stable: return tr("stable: \(means)")
        }
    }

    /// Returns a mean with the number of its nights.
    private static func average(_ average: NightFigures.Average) -> String? {
        average.mean.map { "\(Figure.tenth($0)) (\(Count.nights(average.count)))" }
    }

    /// Returns the mean of a measure of sleep with its unit, and the number of its nights.
    private static func average(_ average: NightFigures.Average, of key: String) -> String? {
        average.mean.map { "\(measure($0, key)) (\(Count.nights(average.count)))" }
    }

    private static func measure(_ mean: Double, _ key: String) -> String {
        if key.hasSuffix("_min") { return Figure.minutes(mean) }
        return key.hasSuffix("_percent") ? tr("\(Figure.tenth(mean)) %") : tr("\(Figure.tenth(mean)) times")
    }

    private static func label(of key: String) -> String {
        switch key {
        case "time_in_bed_min": tr("In bed")
        case "sleep_onset_latency_min": tr("Asleep after")
        case "wake_after_sleep_onset_min": tr("Awake for")
        case "awakenings": tr("Woke up")
        case "total_sleep_min": tr("Asleep")
        default: tr("Efficiency")
        }
    }

    /// Returns a label for the middle of a row. German nouns keep their capital.
    private static func inSentence(_ label: String) -> String {
        DisplayLanguage.isTranslating ? label : label.lowercased()
    }

    private static func table(_ groups: [NightStatistics.Group]) -> Table {
        func column(_ heading: String, _ value: (NightFigures) -> String?) -> Table.Column {
            .init(heading: heading, cells: groups.map { value($0.figures) ?? "-" }, alignsRight: true)
        }
        return Table(columns: [
            .init(heading: tr("Span"), cells: groups.map { SafeText.line($0.key) }),
            column(tr("Nights")) { "\($0.nights)" },
            column(tr("On time")) { $0.compliancePercent.map { tr("\(Figure.tenth($0)) %") } },
            column(tr("Mean")) { $0.intervals.average.mean.map(Figure.minutes) },
            column(tr("Median")) { $0.intervals.median.map(Figure.minutes) },
            column(tr("Score")) { $0.score.mean.map(Figure.tenth) },
            column(tr("Wellness")) { $0.wellness.mean.map(Figure.tenth) },
            column(tr("Asleep")) { $0.sleep["total_sleep_min"]?.mean.map(Figure.length(minutes:)) },
        ])
    }
}

/// Intervals on a terminal: one line for their course, and a line for each against the window of 150 to 240 minutes.
struct IntervalChart {
    let lines: [String]

    /// The span of the chart in minutes. A value outside it stands at the edge.
    private static let span = (first: 120, last: 270)
    /// The largest number of nights with a row of their own.
    private static let mostRows = 14
    /// The columns for date, minutes and blanks.
    private static let margin = 22

    init(_ intervals: [NightStatistics.Interval], _ page: Page) {
        let course = Self.course(intervals.suffix(page.columns - 12).map(\.minutes), page)
        let width = min(60, page.columns - Self.margin)
        guard width >= 20 else {
            lines = [tr("Intervals   \(course)")]
            return
        }
        let blanks = String(repeating: " ", count: Self.margin)
        lines =
            [tr("Intervals   \(course)"), "", blanks + Self.scale(width)]
            + intervals.suffix(Self.mostRows).map { Self.row($0, width, page) }
    }

    private static func course(_ minutes: [Int64], _ page: Page) -> String {
        let steps = Array(page.usesUnicode ? "▁▂▃▄▅▆▇█" : "_.-~=+*#")
        // A service of another version may send any number.
        let minutes = minutes.map(Double.init)
        guard let least = minutes.min(), let most = minutes.max() else { return "" }
        return String(
            minutes.map { value in
                let place = most == least ? 3 : Int((value - least) * 7 / (most - least))
                return steps[min(7, max(0, place))]
            })
    }

    /// Returns the place of a number of minutes in a row.
    private static func place(_ minutes: Int64, _ width: Int) -> Int {
        let held = min(Int64(span.last), max(Int64(span.first), minutes))
        return Int(held - Int64(span.first)) * (width - 1) / (span.last - span.first)
    }

    private static func scale(_ width: Int) -> String {
        var text = ""
        for mark in ["150", "240"] {
            let place = place(Int64(mark) ?? 0, width)
            text += String(repeating: " ", count: max(1, place - text.count)) + mark
        }
        return text
    }

    private static func row(_ interval: NightStatistics.Interval, _ width: Int, _ page: Page) -> String {
        let opens = place(150, width)
        let closes = place(240, width)
        let own = place(interval.minutes, width)
        var cells = Array(repeating: Character(" "), count: width)
        for cell in opens...closes { cells[cell] = page.usesUnicode ? "·" : "." }
        for edge in [opens, closes] { cells[edge] = page.usesUnicode ? "│" : "|" }
        let isOnTime = (150..<240).contains(interval.minutes)
        cells[own] = isOnTime ? (page.usesUnicode ? "●" : "o") : (page.usesUnicode ? "○" : "x")
        let bar =
            String(cells[..<own]) + page.paint(String(cells[own]), isOnTime ? .green : .yellow)
            + String(cells[(own + 1)...])
        let minutes = "\(interval.minutes)"
        let pad = String(repeating: " ", count: max(0, 5 - minutes.count))
        return "  \(interval.date.text)\(pad) \(minutes) min"
            .padded(to: margin) + bar
    }
}
