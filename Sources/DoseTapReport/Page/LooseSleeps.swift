internal import DoseTapDomain
internal import DoseTapText

/// Recorded sleep that belongs to no night. The figures cover nights alone, so this sleep has a chart and a table of its own.
struct LooseSleeps {
    private(set) var sleeps: [Sleep] = []

    /// One record of sleep, by the clock of the place of the sleep.
    struct Sleep {
        let source: String
        let (start, end): (Instant, Instant)
        /// Nil if the source does not tell the minutes.
        let asleepMinutes: Int64?
        let clock: NightClock

        /// The date of the last 18:00 before the sleep began.
        var evening: CivilDate {
            let local = clock.local(start)
            return local.hour >= 18 ? local.date : local.date.adding(days: -1)
        }

        /// The span in minutes since that 18:00. The length is counted: a clock change takes none away.
        var minutes: ClosedRange<Double> {
            let local = clock.local(start)
            let begun = Double((local.hour * 60 + local.minute + 360) % 1_440) + Double(local.second) / 60
            return begun...begun + max(0, (end - start).minutes)
        }
    }

    var count: Int { sleeps.count }

    /// Takes over an entry that belongs to no night, if the entry is a recorded sleep.
    mutating func take(_ entry: NightRecord.Entry) {
        guard entry.type == EntityType.sleepRecord.rawValue, let end = entry.metadata["end_utc"]?.instantValue else {
            return
        }
        sleeps.append(
            Sleep(
                source: entry.metadata["sleep_source"]?.stringValue ?? "", start: entry.timestamp, end: end,
                asleepMinutes: entry.metadata["sleep"]?["total_sleep_min"]?.integerValue, clock: NightClock(entry)))
    }

    /// Writes the table, oldest first.
    func write(_ page: inout Markup) {
        let words = ReportText.columns
        page.element("table", ["class": "s", "id": "sleeps-table"]) { table in
            table.element("caption", ReportText.looseSleepsCaption)
            SmallTables.head(
                &table,
                [
                    (words.date, false), (words.from, false), (words.until, false), (words.minutesAsleep, false),
                    (words.source, true),
                ])
            table.element("tbody") { body in
                for sleep in sleeps.sorted(by: { $0.start < $1.start }) {
                    body.element("tr") { row in
                        row.element("td", sleep.clock.local(sleep.start).date.iso8601)
                        row.element("td") { NightsTable.time(&$0, sleep.start, sleep.clock) }
                        row.element("td") { NightsTable.time(&$0, sleep.end, sleep.clock) }
                        row.element("td", sleep.asleepMinutes.map { String($0) } ?? ReportText.unknown)
                        row.element("td", ["class": "l"], sleep.source)
                    }
                }
            }
        }
    }
}
