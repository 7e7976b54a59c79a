internal import DoseTapDomain
internal import DoseTapExchange

/// Plees Tracker: CSV with one sleep in each row, in milliseconds since 1970. A person starts and stops each sleep.
enum PleesImporter: Importer {
    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        var table = try CSVTable(CSVReader(ByteSource(file)))
        guard ["sid", "start", "stop"].allSatisfy(table.columns.contains) else {
            throw ExchangeFault(
                .stream, line: 1, sent("It is no file of Plees Tracker: sid, start and stop are missing."))
        }
        while let row = try table.next() {
            let place = "line \(row.line)"
            guard row.isWhole else {
                try writer.notTaken(place, sent("it has another number of fields than the first line"))
                continue
            }
            guard let start = row.values["start"].flatMap(LocalTimes.milliseconds) else {
                try writer.notTaken(place, sent("its start \(PlainText.quoted(row.values["start"] ?? "")) is no time"))
                continue
            }
            guard let stop = row.values["stop"].flatMap(LocalTimes.milliseconds), stop.milliseconds > 0 else {
                try writer.notTaken(place, sent("it has no end that is a time"))
                continue
            }
            var sleep = ImportedSleep(
                row: place, id: row.values["sid"].flatMap(PlainText.id).map { "\($0)/\(start.milliseconds)" },
                device: "Plees Tracker", start: start, end: stop, part: .unknown, grade: .told,
                course: .stages([ImportedSleep.Span(.asleep, start, stop)]))
            sleep.note = row.values["comment"]
            try writer.rating(row.values["rating"] ?? "", place)
            try writer.awakenings(row.values["wakes"] ?? "", place)
            try writer.sleep(sleep)
        }
    }
}
