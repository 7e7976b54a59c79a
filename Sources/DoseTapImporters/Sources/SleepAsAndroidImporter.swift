internal import DoseTapDomain
internal import DoseTapExchange

/// Sleep as Android: `sleep-export.csv` or the archive with it. Each record has a row of names, then a row of values, and
/// sometimes a row of noise.
///
/// The identity is the start in milliseconds since 1970, and the end is the start plus the hours. The written local times are
/// ambiguous in the hour that a clock repeats.
enum SleepAsAndroidImporter: Importer {
    private static let events = ["DEEP": "deep", "LIGHT": "light", "REM": "rem", "AWAKE": "awake"]

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        var source = ByteSource(file)
        if ZipFile.isOne(try file.bytes(at: 0, count: 4)) {
            let archive = try ZipFile(file)
            guard let member = archive.named("sleep-export.csv").first else {
                throw ExchangeFault(.stream, sent("The archive has no sleep-export.csv."))
            }
            source = try archive.open(member)
        }
        var reader = CSVReader(source)
        var names: [String]?
        while let row = try reader.next() {
            if row[0] == "Id" {
                names = row.fields
            } else if let names {
                // A row of noise begins with an empty field.
                if !row[0].isEmpty { try record(row, names, into: &writer) }
            } else {
                throw ExchangeFault(
                    .stream, line: row.line, sent("It is no file of Sleep as Android: it does not begin with Id."))
            }
        }
        guard names != nil else {
            throw ExchangeFault(.stream, sent("It is no file of Sleep as Android: it is empty."))
        }
    }

    private static func record(
        _ row: CSVReader.Row, _ names: [String], into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        let place = "line \(row.line)"
        func value(_ name: String) -> String { names.firstIndex(of: name).map { row[$0] } ?? "" }
        guard let start = LocalTimes.milliseconds(row[0]) else {
            return try writer.notTaken(place, sent("its Id \(PlainText.quoted(row[0])) is no time"))
        }
        guard let hours = Double(value("Hours")), hours > 0, hours < 100 else {
            return try writer.notTaken(
                place, sent("its Hours \(PlainText.quoted(value("Hours"))) are no length of a sleep"))
        }
        let end = Instant(milliseconds: start.milliseconds + Int64((hours * 3_600_000).rounded()))
        // A LenAdjust of -1.0 is no number of minutes: it marks a record that a person added.
        let isManual = value("LenAdjust") == "-1.0"
        var spans = stages(row, start, end)
        // If the events tell only times awake, the person slept in the rest.
        if !spans.isEmpty, !spans.contains(where: { [.light, .deep, .rem, .asleep].contains($0.stage) }) {
            spans = StageLine.flat([ImportedSleep.Span(.asleep, start, end)] + spans)
        }
        var course = ImportedSleep.Course.stages(spans)
        if spans.isEmpty {
            let all = Int((hours * 3_600).rounded())
            let told = isManual ? 0 : Double(value("LenAdjust")) ?? 0
            let adjustment = told.isFinite ? min(0, max(-10_000, told)) : 0
            // The minutes to take off.
            let awake = min(all, Int((-adjustment * 60).rounded()))
            var seconds: [ImportedSleep.Stage: Int] = [.asleep: all - awake]
            if awake > 0 { seconds[.awake] = awake }
            if let deep = Double(value("DeepSleep")), (0...1).contains(deep) {
                let share = Int((Double(all - awake) * deep).rounded())
                seconds[.deep] = share
                seconds[.asleep] = all - awake - share
            }
            course = .durations(seconds)
        }
        var sleep = ImportedSleep(
            row: place, id: row[0], device: "Sleep as Android", start: start, end: end,
            offsetMinutes: offset(value("From"), start), part: .unknown, grade: isManual ? .told : .estimated,
            course: course)
        sleep.note = value("Comment")
        try writer.rating(value("Rating"), place)
        try writer.sleep(sleep)
    }

    /// Returns the stages from the events: `DEEP_START-1606420800000` and `DEEP_END-…` in any column, because values and names
    /// may not line up.
    private static func stages(_ row: CSVReader.Row, _ start: Instant, _ end: Instant) -> [ImportedSleep.Span] {
        var open: [String: Instant] = [:]
        var spans: [ImportedSleep.Span] = []
        let said = row.fields.compactMap { field -> (Instant, String, Bool)? in
            let parts = field.split(separator: "-")
            guard parts.count >= 2, let at = LocalTimes.milliseconds(String(parts[1])) else { return nil }
            for (word, stage) in events {
                if parts[0] == "\(word)_START" { return (at, stage, true) }
                if parts[0] == "\(word)_END" { return (at, stage, false) }
            }
            return nil
        }
        for (at, stage, isStart) in said.sorted(by: { $0.0 < $1.0 }) {
            let at = min(max(at, start), end)
            if isStart {
                open[stage] = open[stage] ?? at
            } else if let from = open.removeValue(forKey: stage), let stage = ImportedSleep.Stage(rawValue: stage) {
                spans.append(ImportedSleep.Span(stage, from, at))
            }
        }
        for (stage, from) in open.sorted(by: { $0.key < $1.key }) {
            // The kind of a stage without an end is unknown.
            if ImportedSleep.Stage(rawValue: stage) != nil { spans.append(ImportedSleep.Span(.unknown, from, end)) }
        }
        return StageLine.flat(spans)
    }

    /// Returns the minutes east of UTC: the lead of the local time, rounded to quarters of an hour.
    private static func offset(_ local: String, _ start: Instant) -> Int? {
        let parts = local.split { $0 == " " || $0 == "." || $0 == ":" }.compactMap { Int($0) }
        guard parts.count == 5, let date = CivilDate(year: parts[2], month: parts[1], day: parts[0]),
            let read = LocalDateTime(date: date, hour: parts[3], minute: parts[4])
        else { return nil }
        let ahead =
            Int64(read.date.daysSinceEpoch) * 1_440 + Int64(read.hour * 60 + read.minute)
            - start.milliseconds / 60_000
        guard abs(ahead) <= 15 * 60 else { return nil }
        return Int((Double(ahead) / 15).rounded()) * 15
    }
}
