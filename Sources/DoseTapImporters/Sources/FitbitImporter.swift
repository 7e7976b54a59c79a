internal import DoseTapDomain
internal import DoseTapExchange

/// Fitbit: JSON of the Web API 1.2 (an object with `sleep`) or of the account's archive (an array). The times name no zone.
enum FitbitImporter: Importer {
    /// The largest number of stages of a record, before those at one time are put together.
    private static let mostStages = 5_000

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        guard let zone = writer.zone else {
            throw ExchangeFault(.usage, sent("The times of Fitbit name no zone: say which one it was, with --zone."))
        }
        var elements = JSONElements(ByteSource(file), lists: ["sleep"])
        while let element = try elements.next() {
            guard element.number > 0 else { continue }
            guard element.key == "sleep" || element.key == nil else { continue }
            try record(element, zone, into: &writer)
        }
        guard elements.isAnyList else {
            throw ExchangeFault(.stream, sent("It is no sleep of Fitbit: it has no list 'sleep'."))
        }
        try writer.begin()
    }

    private static func record(
        _ element: JSONElements.Element, _ zone: Zone, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        let place = "record \(element.number), line \(element.line)"
        let record = element.value
        func time(_ key: String, _ earliest: Instant = .min) -> Instant? {
            record[key]?.stringValue.flatMap { LocalTimes.instant($0, in: zone, earliest: earliest) }
        }
        guard var start = time("startTime"), let written = time("endTime") else {
            return try writer.notTaken(place, sent("it has no startTime or endTime that is a time"))
        }
        let stages = ["data", "shortData"].reduce(0) { $0 + (record["levels"]?[$1]?.arrayValue?.count ?? 0) }
        guard stages <= mostStages else {
            return try writer.notTaken(place, sent("it has \(stages) stages; \(mostStages) are the most"))
        }
        // The counted length, if the record has one: in the hour that a clock repeats, a local time means two moments.
        let length = record["duration"]?.integerValue.flatMap { (1...129_600_000).contains($0) ? $0 : nil }
        // If only the second pass of the start and the counted length lead to the end, the second pass is the start.
        if let length, let second = time("startTime", .max), second != start {
            let ends = [written, time("endTime", .max) ?? written]
            func isCounted(from start: Instant) -> Bool {
                ends.contains { abs(start.milliseconds + length - $0.milliseconds) < 60_000 }
            }
            if !isCounted(from: start), isCounted(from: second) { start = second }
        }
        let counted = length.map { Instant(milliseconds: start.milliseconds + $0) }
        let end = counted.map { abs($0.milliseconds - written.milliseconds) <= 7_260_000 ? $0 : written } ?? written
        let isMain = record["isMainSleep"]?.boolValue ?? record["mainSleep"]?.boolValue
        let (course, lost) = course(record, start, end, zone)
        if lost > 0 {
            try writer.notTaken("\(place), \(lost) of its stages", sent("they cannot be read or lie outside it"))
        }
        try writer.sleep(
            ImportedSleep(
                row: place,
                id: record["logId"].flatMap { $0.integerValue.map(String.init) ?? $0.stringValue }
                    .flatMap(PlainText.id),
                device: "Fitbit", start: start, end: end, offsetMinutes: zone.offsetMinutes(at: start),
                part: isMain.map { $0 ? .main : .nap } ?? .unknown,
                grade: record["logType"]?.stringValue == "manual" ? .told : .estimated,
                course: course))
    }

    /// Returns the stages, and the number of entries that give no stage.
    private static func course(
        _ record: JSONValue, _ start: Instant, _ end: Instant, _ zone: Zone
    ) -> (ImportedSleep.Course, lost: Int) {
        // The short stages overlay the long ones: they are interruptions that the device saw.
        let long = spans(record["levels"]?["data"], start, end, zone)
        let short = spans(record["levels"]?["shortData"], start, end, zone)
        let lost = ["data", "shortData"].reduce(-long.count - short.count) {
            $0 + (record["levels"]?[$1]?.arrayValue?.count ?? 0)
        }
        if !long.isEmpty {
            // A record with `timeInBed` counts as time in bed from start to end.
            let bed = record["timeInBed"]?.integerValue == nil ? [] : [ImportedSleep.Span(.inBed, start, end)]
            return (.stages(bed + StageLine.flat(long + short)), lost)
        }
        var seconds: [ImportedSleep.Stage: Int] = [:]
        for (key, stage) in [("minutesAsleep", ImportedSleep.Stage.asleep), ("minutesAwake", .awake)] {
            if let minutes = record[key]?.integerValue, (0...2_160).contains(minutes) {
                seconds[stage] = Int(minutes) * 60
            }
        }
        return (seconds.isEmpty ? .stages([ImportedSleep.Span(.asleep, start, end)]) : .durations(seconds), lost)
    }

    /// Reads entries with a length each. In the hour that a clock showed twice, an entry goes on where the last one ended.
    private static func spans(
        _ list: JSONValue?, _ start: Instant, _ end: Instant, _ zone: Zone
    ) -> [ImportedSleep.Span] {
        var spans: [ImportedSleep.Span] = []
        for entry in list?.arrayValue ?? [] {
            guard let text = entry["dateTime"]?.stringValue,
                let at = LocalTimes.instant(text, in: zone, earliest: spans.last?.end ?? start + .minutes(-5)),
                let seconds = entry["seconds"]?.integerValue, (1...129_600).contains(seconds)
            else { continue }
            let until = at + .seconds(seconds)
            let (from, to) = (max(at, start), min(until, end))
            guard from < to else { continue }
            spans.append(ImportedSleep.Span(stage(entry["level"]?.stringValue), from, to))
        }
        return spans
    }

    private static func stage(_ level: String?) -> ImportedSleep.Stage {
        switch level {
        case "deep": .deep
        case "light": .light
        case "rem": .rem
        case "wake", "awake": .awake
        // Fitbit tells restless from awake: a restless person slept, and moved.
        case "asleep", "restless": .asleep
        default: .unknown
        }
    }
}
