internal import DoseTapDomain
internal import DoseTapText

/// The figures at the head of the page, as the domain counts them.
struct KeyFigures {
    private let rows: [(name: String, value: String, note: String)]
    private let extraDoses: Int

    /// - Parameter days: the number of days from the first night to the last; nil in a page without dates.
    init(_ nights: [ReportNight], days: Int?) {
        let nights = nights.filter(\.isNight)
        let figures = NightFigures(nights.map(\.measured))
        var rows = [
            (ReportText.nightsOnRecord, "\(ReportNight.dates(nights))", days.map(ReportText.of(days:)) ?? "")
        ]
        if let percent = figures.compliancePercent {
            rows.append(
                (
                    ReportText.onTime, ReportText.percent(percent),
                    ReportText.share(figures.onTime, of: figures.judged)
                ))
        }
        let intervals = nights.compactMap(\.countedInterval)
        if let quartiles = Quartiles(intervals) {
            // Fewer than four intervals have no quarters.
            let note = intervals.count < 4 ? ReportText.nights(intervals.count) : ReportText.middleHalf(quartiles)
            rows.append((ReportText.median, Figure.minutes(quartiles.median), note))
        }
        if figures.judged > 0 {
            let (missed, skipped) = (figures.outcomes[.notRecorded] ?? 0, figures.outcomes[.skipped] ?? 0)
            rows.append(
                (
                    ReportText.noDose2, "\(missed + skipped)",
                    ReportText.withoutDose2(notRecorded: missed, skipped: skipped)
                ))
        }
        if let once = figures.outcomes[.onceNightly] {
            rows.append((ReportText.oneDose, "\(once)", ReportText.nights(once)))
        }
        for (name, values) in [
            (ReportText.asleepDiary, nights.compactMap(\.measured.sleep.totalSleepMinutes)),
            (ReportText.asleepRecorded, nights.compactMap(\.measured.recorded?.measures.totalSleepMinutes)),
        ] {
            guard let middle = Quartiles(values.map { Double(min(1_440, max(0, $0))) })?.median else { continue }
            rows.append((name, ReportText.length(middle), ReportText.nights(values.count)))
        }
        self.rows = rows
        extraDoses = nights.map(\.summary.extraDoses).reduce(0) { $0.addingReportingOverflow(max(0, $1)).partialValue }
    }

    func write(_ page: inout Markup) {
        page.element("dl", ["class": rows.count > 5 ? "six" : nil]) { list in
            for row in rows {
                list.element("div") { group in
                    group.element("dt", row.name)
                    group.element("dd") { value in
                        value.text(row.value)
                        if !row.note.isEmpty { value.element("small", row.note) }
                    }
                }
            }
        }
        if extraDoses > 0 { page.element("p", ["class": "soft"], ReportText.extraDoses(extraDoses)) }
    }
}
