internal import DoseTapDomain
internal import DoseTapText

/// The table of all nights: the source of every chart.
struct NightsTable {
    private let nights: NightSeries
    private let columns: [Column]

    /// A column: its heading, and the function that writes a cell.
    private struct Column {
        let heading: String
        var isLeft = false
        let cell: (inout Markup, Int) -> Void
    }

    init(_ nights: NightSeries) {
        self.nights = nights
        let all = nights.nights
        func time(_ heading: String, _ value: @escaping (ReportNight) -> Instant?) -> Column {
            Column(heading: heading) { cell, index in
                cell.element("td") { Self.time(&$0, value(all[index]), all[index].clock) }
            }
        }
        func number(_ heading: String, _ value: @escaping (ReportNight) -> Double?) -> Column {
            Column(heading: heading) { cell, index in
                let value = value(all[index])
                cell.element(
                    "td", ["data-value": value.map(Chart.exact)],
                    value.map { String(Chart.whole($0.rounded(.towardZero))) } ?? ReportText.unknown)
            }
        }
        func whole(_ heading: String, _ value: @escaping (ReportNight) -> Int?) -> Column? {
            guard all.contains(where: { value($0) != nil }) else { return nil }
            return number(heading) { value($0).map { Double($0) } }
        }
        let words = ReportText.columns
        let hasSecond = all.contains { !$0.isOnceNightly || $0.summary.dose2 != nil }
        let notes = all.indices.map(nights.clockNote)
        let found: [Column?] = [
            time(words.dose1) { $0.summary.dose1 },
            hasSecond ? time(words.dose2) { $0.summary.dose2 } : nil,
            all.contains { !$0.isOnceNightly || $0.interval != nil } ? number(words.interval) { $0.interval } : nil,
            Column(heading: words.outcome, isLeft: true) { cell, index in
                let outcome = all[index].outcome
                cell.element(
                    "td", ["class": "l", "data-value": outcome?.rawValue ?? "unknown"],
                    outcome.map(ReportText.outcome) ?? ReportText.nothingKnown)
            },
            all.contains { !$0.asleep.isEmpty }
                ? Column(heading: words.slept) { cell, index in
                    let night = all[index]
                    cell.element(
                        "td",
                        [
                            "data-value": Self.spans(night.asleep),
                            "data-told": night.sleepSource == .nobody ? nil : night.sleepSource.rawValue,
                        ], Self.ends(night.asleep, night.clock))
                } : nil,
            whole(words.asleep) { $0.measured.sleep.totalSleepMinutes },
            whole(words.awake) { $0.measured.sleep.wakeAfterSleepOnsetMinutes },
            whole(words.efficiency) { $0.measured.sleep.sleepEfficiencyPercent },
            whole(words.recordedAsleep) { $0.measured.recorded?.measures.totalSleepMinutes },
            whole(words.recordedAwake) { $0.measured.recorded?.measures.wakeAfterSleepOnsetMinutes },
            whole(words.recordedEfficiency) { $0.measured.recorded?.measures.sleepEfficiencyPercent },
            all.contains { !$0.naps.isEmpty }
                ? Column(heading: words.naps) { cell, index in
                    let night = all[index]
                    cell.element(
                        "td", ["data-value": Self.spans(night.naps), "data-sum": night.napMinutes],
                        night.naps.isEmpty
                            ? ReportText.unknown
                            : night.naps.map { Self.ends([$0], night.clock) }.joined(separator: ", "))
                } : nil,
            all.contains { Self.extra($0) != nil }
                ? Column(heading: words.extra) { cell, index in
                    let night = all[index]
                    cell.element(
                        "td", ["data-value": Self.extra(night)],
                        night.doses.filter { $0.kind == .extra }.map { night.clock.clock($0.at) }
                            .joined(separator: ", "))
                } : nil,
            whole(words.rested) { $0.rested },
            whole(words.score) { $0.summary.nightScore },
            notes.contains { $0 != nil }
                ? Column(heading: words.clock, isLeft: true) { cell, index in
                    cell.element("td", ["class": "l"], notes[index] ?? "")
                } : nil,
        ]
        columns = found.compactMap(\.self)
    }

    func write(_ page: inout Markup) {
        page.element("table", ["id": "nights-table"]) { table in
            table.element("caption", ReportText.tableCaption)
            table.element("thead") { head in
                head.element("tr") { row in
                    row.element("th", ["scope": "col"], ReportText.columns.night)
                    for column in columns {
                        row.element(
                            "th", ["scope": "col", "class": column.isLeft ? "l" : nil], column.heading)
                    }
                }
            }
            table.element("tbody") { body in
                for (index, night) in nights.nights.enumerated() {
                    body.element(
                        "tr",
                        [
                            "data-night": night.key, "data-day": night.day,
                            "data-origin": night.clock.stamp(night.clock.origin),
                            "data-extra": Self.extra(night),
                            "data-target": night.isOnceNightly ? nil : night.targetMinutes,
                        ]
                    ) { row in
                        row.element("th", ["scope": "row"]) { cell in
                            guard !nights.isNumbered else { return cell.text(String(night.day + 1)) }
                            cell.element("time", ["datetime": night.date.iso8601], night.date.iso8601)
                        }
                        for column in columns { column.cell(&row, index) }
                    }
                }
            }
        }
    }

    /// Returns the moments of extra doses, in minutes since 18:00; nil without one.
    private static func extra(_ night: ReportNight) -> String? {
        let extra = night.doses.filter { $0.kind == .extra }.map { Chart.exact(night.clock.elapsed($0.at)) }
        return extra.isEmpty ? nil : extra.joined(separator: " ")
    }

    static func time(_ cell: inout Markup, _ instant: Instant?, _ clock: NightClock) {
        guard let instant else { return cell.text(ReportText.unknown) }
        cell.element("time", ["datetime": clock.stamp(instant)], clock.clock(instant))
    }

    /// Returns spans in the form of the cells: `312 410.5;415 520`, minutes since 18:00; nil for none.
    private static func spans(_ spans: [ClosedRange<Double>]) -> String? {
        guard !spans.isEmpty else { return nil }
        return spans.map { "\(Chart.exact($0.lowerBound)) \(Chart.exact($0.upperBound))" }.joined(separator: ";")
    }

    private static func ends(_ spans: [ClosedRange<Double>], _ clock: NightClock) -> String {
        guard let first = spans.first, let last = spans.last else { return ReportText.unknown }
        func at(_ minutes: Double) -> String {
            clock.clock(clock.origin + .milliseconds(Int64((minutes * 60_000).rounded())))
        }
        return "\(at(first.lowerBound))–\(at(last.upperBound))"
    }
}

/// The tables of one night and of medicines.
enum SmallTables {
    static func write(_ page: inout Markup, _ chart: OneNightChart) {
        let words = ReportText.columns
        let clock = chart.night.clock
        page.element("table", ["class": "s", "id": "night-table", "data-night": chart.night.key]) { table in
            table.element("caption", ReportText.eventsCaption)
            head(&table, [(words.time, false), (words.what, true)])
            table.element("tbody") { body in
                for event in chart.events {
                    body.element("tr", ["data-mark": event.type]) { row in
                        row.element("td") { NightsTable.time(&$0, event.at, clock) }
                        row.element("td", ["class": "l"], ReportText.entry(event.type))
                    }
                }
            }
        }
        guard !chart.stages.isEmpty else { return sleep(&page, chart.night) }
        page.element("table", ["class": "s", "id": "stages-table", "data-night": chart.night.key]) { table in
            table.element("caption", ReportText.stagesCaption)
            head(&table, [(words.from, false), (words.until, false), (words.stage, true)])
            table.element("tbody") { body in
                for span in chart.stages {
                    body.element("tr", ["data-mark": "stage-\(span.stage.rawValue)"]) { row in
                        row.element("td") { NightsTable.time(&$0, span.start, clock) }
                        row.element("td") { NightsTable.time(&$0, span.end, clock) }
                        row.element("td", ["class": "l"], ReportText.stage(span.stage))
                    }
                }
            }
        }
    }

    /// Writes the spans of sleep of a night without stages.
    private static func sleep(_ page: inout Markup, _ night: ReportNight) {
        guard !night.asleep.isEmpty else { return }
        let words = ReportText.columns
        page.element("table", ["class": "s", "id": "asleep-table", "data-night": night.key]) { table in
            table.element("caption", ReportText.asleepCaption)
            head(&table, [(words.from, false), (words.until, false)])
            table.element("tbody") { body in
                for span in night.asleep {
                    body.element("tr", ["data-mark": "asleep"]) { row in
                        for minutes in [span.lowerBound, span.upperBound] {
                            let at = night.clock.origin + .milliseconds(Int64((minutes * 60_000).rounded()))
                            row.element("td") { NightsTable.time(&$0, at, night.clock) }
                        }
                    }
                }
            }
        }
    }

    static func write(_ page: inout Markup, _ chart: MedicinesChart) {
        let words = ReportText.columns
        page.element("table", ["class": "s", "id": "medicines-table"]) { table in
            table.element("caption", ReportText.medicinesCaption)
            head(&table, [(words.night, false), (words.time, false), (words.medicine, true), (words.amount, false)])
            table.element("tbody") { body in
                for intake in chart.intakes {
                    body.element("tr", ["data-night": intake.key]) { row in
                        row.element("td", intake.key)
                        row.element("td", ["data-value": Chart.exact(intake.minutes)]) {
                            NightsTable.time(&$0, intake.medicine.at, intake.clock)
                        }
                        row.element("td", ["class": "l"], intake.medicine.name)
                        row.element(
                            "td",
                            intake.medicine.milligrams.map {
                                ReportText.amount(milligrams: $0, isUsual: intake.medicine.isUsual)
                            } ?? ReportText.unknown)
                    }
                }
            }
        }
    }

    static func head(_ table: inout Markup, _ headings: [(text: String, isLeft: Bool)]) {
        table.element("thead") { head in
            head.element("tr") { row in
                for heading in headings {
                    row.element("th", ["scope": "col", "class": heading.isLeft ? "l" : nil], heading.text)
                }
            }
        }
    }
}
