internal import DoseTapText
package import DoseTapDomain

/// The report: one HTML file without a script and without an address, made of the nights alone.
///
/// **Every mark can be checked.** Attributes of the page describe each mark, so that a reader without knowledge of this code can
/// work out the place of each mark from the page's own tables and ticks.
///
/// - A chart is `svg[data-chart]`: `interval`, `nights`, `every-night`, `weeks-MEASURE`, `night`, `medicines`, `sleeps`.
/// - The *place* of an element is `x1`, `y1` of a `line`; `cx`, `cy` of a `circle`; `x`, `y` (the upper left corner) of a `rect`;
///   and the two numbers of `transform="translate(X Y)"` of any other element.
/// - A tick has `data-axis` (`x` or `y`) and `data-tick`, a value of the axis. The place of the tick on that axis is that of the
///   value, and between ticks places are in proportion. Values are minutes (`interval` y; `nights`, `night`, `sleeps` x, since
///   18:00; `medicines` x, time of day since 18:00), the measure's own unit (`weeks-MEASURE` y: hours for `asleep` and
///   `recorded-asleep`, else as in the table), or nights (`interval`, `weeks-MEASURE` x; `nights`, `sleeps` y). A tick of nights
///   is a date, in a page without dates a number from 1, and one night is one unit.
/// - A mark of a night has `data-night` and `data-mark`. `data-night` is the session date, in a page without dates the number of
///   the night; a second session of one date has `-2` after it. The row of the night in `table#nights-table` has the same
///   `data-night`; its `data-day` counts the days from the first night.
/// - `interval`: `on_time`, `late`, `early` lie at the interval, or at the end of the axis if the interval is beyond it;
///   `not_recorded`, `skipped`, `anomaly` lie in a strip below. `line[data-mark=target]` has `data-value`.
/// - `nights`: the middle of a row is the place of its tick. `dose1`, `dose2`, `extra_dose` lie at their moment; `asleep` and
///   `nap` are a `rect` from start to end. Moments outside 0 to 1,440 minutes are not drawn; the page tells their number.
/// - `every-night`: the mark is the outcome, one for each date: of two sessions the one whose outcome is decided, else the one
///   with a dose 1; a session by day alone, such as of a nap, has none. Columns and rows stand at equal distances. A column is a
///   week, Monday on top; in a page without dates seven nights, the first on top. Further columns continue below.
/// - `weeks-MEASURE`: the mark is the measure, a circle for each night; `naps` is a `rect` for each week with `data-week`, its
///   first night.
/// - `night`: `dose1`, `dose2`, `extra_dose`, `stage-STAGE`, `asleep`.
/// - `medicines`: `medicine`, at the time of day; `data-night` is the date of the intake.
/// - A cell of a table has its exact value in `data-value` or in the `datetime` of its `time`. A row of the nights has
///   `data-origin`, the moment of 18:00 from which its minutes are counted, `data-extra`, the minutes of extra doses, and
///   `data-target`, the target in minutes. Spans are `START END;START END` in those minutes; `data-told` names the source of the
///   sleep, `data-sum` the minutes of all naps. In a page without dates intervals are whole minutes. `table#night-table`,
///   `table#stages-table` and `table#medicines-table` belong to the charts of their names; `table#sleeps-table` and the marks
///   `sleep` of the chart `sleeps` show recorded sleep that belongs to no night.
package struct ReportPage {
    private var nights: [ReportNight] = []
    private var loose: [MedicinesChart.Intake] = []
    private var sleeps = LooseSleeps()
    /// The nights that can be shown in full: the newest with stages, the newest with a dose 1.
    private var staged: NightRecord?
    private var dosed: NightRecord?
    private let profile: ExportProfile

    /// Most nights, and most days from the first to the last.
    package static let most = ReportNights.range.upperBound

    /// - Parameter profile: the profile of the nights. The caller has already removed the parts that the profile leaves out.
    package init(profile: ExportProfile) { self.profile = profile }

    /// The number of sessions so far, with those that are no night.
    package var count: Int { nights.count }

    /// The number of dates with a night. Two sessions of one date count once, and entries by day alone are no night.
    private var dates: Int { ReportNight.dates(nights) }

    /// The number of days from the first night to the last.
    package var days: Int {
        let days = nights.map(\.date.daysSinceEpoch)
        return days.min().flatMap { first in days.max().map { $0 - first + 1 } } ?? 0
    }

    /// Takes over a night.
    package mutating func take(_ night: NightRecord) {
        var night = night
        // Fractions of a minute would identify the night in another file.
        if profile == .share { night.summary.interval = night.summary.intervalMinutes.map { .minutes(Int($0)) } }
        nights.append(ReportNight(night))
        if night.hasStages { staged = night }
        if night.summary.dose1 != nil { dosed = night }
    }

    /// Takes over an entry that belongs to no night.
    package mutating func take(_ entry: NightRecord.Entry) {
        sleeps.take(entry)
        guard let medicine = ReportNight.Medicine(entry) else { return }
        let minutes = nights.last?.clock.offset(entry.timestamp) ?? 0
        loose.append(.init(medicine: medicine, clock: NightClock(entry, otherwise: minutes)))
    }

    /// Returns the page as bytes.
    package func html() -> [UInt8] {
        var page = Markup()
        page.put("<!doctype html>\n")
        page.element("html", ["lang": Speech.code]) { html in
            html.element("head", [:], head)
            html.element("body", [:]) { body in
                guard let shown = NightSeries(nights, isNumbered: profile == .share) else { return empty(&body) }
                if profile == .figures { counted(&body) } else { whole(&body, shown) }
            }
        }
        page.put("\n")
        return page.bytes
    }

    private func head(_ head: inout Markup) { head.pageHead(title: ReportText.title) { $0.put(Style.sheet) } }

    private func header(_ page: inout Markup, _ lead: String) {
        page.element("header") { header in
            header.element("h1", ReportText.title)
            header.element("p", ["class": "soft"], lead)
        }
    }

    private func empty(_ page: inout Markup) {
        header(&page, ReportText.records)
        page.element("main") { main in
            main.element("h2", ReportText.noNights)
            main.element("p") { text in
                text.text(ReportText.beginning + " ")
                text.element("code", ReportText.beginningCommand)
            }
            main.element("p", ReportText.otherDates)
            looseSleeps(&main)
            if tellsLooseSleeps { Self.details(&main, ReportText.looseSleepsSummary, sleeps.write) }
        }
    }

    /// Writes counts and medians alone.
    private func counted(_ page: inout Markup) {
        header(&page, ReportText.scope(counted: dates))
        page.element("main") { main in
            KeyFigures(nights, days: nil).write(&main)
            how(&main)
        }
    }

    private func whole(_ page: inout Markup, _ shown: NightSeries) {
        header(
            &page,
            shown.isNumbered
                ? ReportText.scope(nights: dates)
                : ReportText.scope(shown.first, shown.last, zones: shown.zones))
        page.element("main") { main in
            KeyFigures(shown.nights, days: shown.isNumbered ? nil : shown.days).write(&main)
            interval(&main, shown)
            let rows = NightsChart(shown)
            let sources = Set(shown.nights.map(\.sleepSource))
            section(
                &main, ReportText.nightsHeading,
                [
                    ReportText.nightsLead(
                        hasRecorded: sources.contains(.recorded), hasDiary: sources.contains(.diary)),
                    rows.outside > 0 ? ReportText.outside(rows.outside) : nil,
                ], isWhole: shown.days <= 120, draw: rows.draw)
            section(&main, ReportText.everyHeading, [], draw: OutcomeChart(shown).draw)
            let weeks = ReportText.Measure.allCases.compactMap { WeekChart(shown, $0) }
            if weeks.contains(where: \.hasCourse) {
                section(&main, ReportText.weeksHeading, [ReportText.weeksLead], isWide: false) { figure in
                    for week in weeks { week.draw(&figure) }
                }
            }
            let night = oneNight(shown)
            if let night {
                section(
                    &main, ReportText.oneNightHeading(night.name),
                    [night.stages.isEmpty ? ReportText.oneNightPlain : ReportText.oneNightRecorded], draw: night.draw)
            }
            let medicines = MedicinesChart(
                shown.nights.flatMap { night in night.medicines.map { .init(medicine: $0, clock: night.clock) } }
                    + loose)
            if let medicines {
                section(&main, ReportText.medicinesHeading, [ReportText.medicinesLead], draw: medicines.draw)
            }
            looseSleeps(&main)
            how(&main)
            tables(&main, shown, night, medicines)
        }
    }

    /// Says that there is recorded sleep without a night, and draws that sleep in a page with dates.
    private func looseSleeps(_ main: inout Markup) {
        guard sleeps.count > 0 else { return }
        guard tellsLooseSleeps, let chart = SleepsChart(sleeps.sleeps) else {
            return main.element("section", ["class": "keep"]) { section in
                section.element("h2", ReportText.looseSleepsHeading)
                section.element("p", ReportText.looseSleeps(sleeps.count))
            }
        }
        section(&main, ReportText.looseSleepsHeading, [ReportText.looseSleeps(sleeps.count)], draw: chart.draw)
    }

    /// True if the page shows sleep without a night. A profile without dates also leaves out the dates of sleep.
    private var tellsLooseSleeps: Bool { sleeps.count > 0 && profile != .share && profile != .figures }

    private func interval(_ main: inout Markup, _ shown: NightSeries) {
        guard let chart = IntervalChart(shown) else {
            return main.element("section") { section in
                section.element("h2", ReportText.intervalHeading)
                section.element(
                    "p",
                    shown.nights.allSatisfy(\.isOnceNightly) ? ReportText.noIntervals : ReportText.noSecondDoses)
            }
        }
        section(&main, ReportText.intervalHeading, [ReportText.intervalLead], draw: chart.draw)
    }

    private func oneNight(_ shown: NightSeries) -> OneNightChart? {
        guard let record = staged ?? dosed,
            let night = shown.nights.last(where: { $0.summary.sessionID == record.summary.sessionID })
        else { return nil }
        return OneNightChart(night, name: shown.name(night), record: record)
    }

    private func section(
        _ main: inout Markup, _ heading: String, _ leads: [String?], isWide: Bool = true, isWhole: Bool = true,
        draw: (inout Markup) -> Void
    ) {
        main.element("section", ["class": isWhole ? "keep" : nil]) { section in
            section.element("h2", heading)
            for lead in leads.compactMap(\.self) { section.element("p", ["class": "soft"], lead) }
            guard isWide else { return section.element("figure", [:], draw) }
            section.element("p", ["class": "soft more"], ReportText.goesOn)
            section.element(
                "figure", ["class": "w", "tabindex": 0, "role": "group", "aria-label": heading], draw)
        }
    }

    private func tables(
        _ main: inout Markup, _ shown: NightSeries, _ night: OneNightChart?, _ medicines: MedicinesChart?
    ) {
        main.element("section") { section in
            section.element("h2", ReportText.tableHeading)
            Self.details(&section, ReportText.tableSummary, NightsTable(shown).write)
            if let night { Self.details(&section, ReportText.eventsSummary) { SmallTables.write(&$0, night) } }
            if let medicines {
                Self.details(&section, ReportText.medicinesSummary) { SmallTables.write(&$0, medicines) }
            }
            if tellsLooseSleeps { Self.details(&section, ReportText.looseSleepsSummary, sleeps.write) }
        }
    }

    /// Adds a table that is closed on a screen and open on paper.
    private static func details(_ page: inout Markup, _ summary: String, _ table: (inout Markup) -> Void) {
        page.element("details") { details in
            details.element("summary", summary)
            details.element(
                "div", ["class": "x", "tabindex": 0, "role": "region", "aria-label": summary], table)
        }
    }

    private func how(_ main: inout Markup) {
        main.element("section", ["class": "keep"]) { section in
            section.element("h2", ReportText.howHeading)
            for sentence in ReportText.how { section.element("p", ["class": "soft"], sentence) }
        }
    }
}
