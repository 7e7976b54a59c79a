internal import DoseTapDomain
internal import DoseTapText

/// Recorded sleep that belongs to no night. Charts and figures are of nights, so it stands in a table of its own.
struct LooseSleeps {
    private var sleeps: [Sleep] = []

    /// One record of sleep by the clock of the place where it was slept.
    private struct Sleep {
        let source: String
        let (start, end): (Instant, Instant)
        /// Nil where the source does not say it.
        let asleepMinutes: Int64?
        let clock: NightClock
    }

    var count: Int { sleeps.count }

    /// Takes up an entry that belongs to no night, if it is a recorded sleep.
    mutating func take(_ entry: NightRecord.Entry) {
        guard entry.type == EntityType.sleepRecord.rawValue, let end = entry.metadata["end_utc"]?.instantValue else {
            return
        }
        sleeps.append(
            Sleep(
                source: entry.metadata["sleep_source"]?.stringValue ?? "", start: entry.timestamp, end: end,
                asleepMinutes: entry.metadata["sleep"]?["total_sleep_min"]?.integerValue, clock: NightClock(entry)))
    }

    /// The table, oldest first.
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
