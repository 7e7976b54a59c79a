internal import DoseTapDomain
internal import DoseTapExchange

/// Oura: JSON of the API 2, sleep periods. Each time has its offset.
enum OuraImporter: Importer {
    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        // A first pass through the whole file: faults, and the key for the header's note, may stand at the end.
        var all = elements(file)
        var isPart = false
        while let element = try all.next() {
            if element.number == 0, element.key == "next_token", !element.value.isNull { isPart = true }
        }
        guard all.isAnyList else {
            throw ExchangeFault(.stream, sent("It is no sleep of Oura: it has no list 'data' or 'sleep'."))
        }
        try writer.begin(
            isPart ? [sent("The file is one part of several: Oura has more records than it (next_token).")] : [])
        var elements = elements(file)
        while let element = try elements.next() {
            if element.number > 0 { try record(element, into: &writer) }
        }
    }

    private static func elements(_ file: ForeignFile) -> JSONElements {
        JSONElements(ByteSource(file), lists: ["data", "sleep"])
    }

    private static func record(
        _ element: JSONElements.Element, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        let place = "record \(element.number), line \(element.line)"
        let record = element.value
        guard let from = record["bedtime_start"]?.stringValue, let start = try? Instant(iso8601: from),
            let until = record["bedtime_end"]?.stringValue, let end = try? Instant(iso8601: until)
        else {
            return try writer.notTaken(
                place, sent("it has no bedtime_start or bedtime_end that is a time with its offset"))
        }
        let type = record["type"]?.stringValue ?? ""
        switch type {
        case "deleted": return try writer.notTaken(place, sent("it was deleted there"))
        case "rest": return try writer.notTaken(place, sent("it is a rest, no sleep"))
        default: break
        }
        try writer.sleep(
            ImportedSleep(
                row: place, id: record["id"]?.stringValue.flatMap(PlainText.id), device: "Oura", start: start, end: end,
                offsetMinutes: offset(from), part: type == "long_sleep" ? .main : type.isEmpty ? .unknown : .nap,
                grade: .estimated, course: course(record, start, end)))
    }

    private static func course(_ record: JSONValue, _ start: Instant, _ end: Instant) -> ImportedSleep.Course {
        let spans = stages(record, start, end)
        // Oura calls the span between both ends of a record time in bed.
        if !spans.isEmpty { return .stages([ImportedSleep.Span(.inBed, start, end)] + spans) }
        var seconds: [ImportedSleep.Stage: Int] = [:]
        for (key, stage) in [
            ("deep_sleep_duration", ImportedSleep.Stage.deep), ("light_sleep_duration", .light),
            ("rem_sleep_duration", .rem), ("awake_time", .awake),
        ] {
            if let count = record[key]?.integerValue, (0...129_600).contains(count) { seconds[stage] = Int(count) }
        }
        return seconds.isEmpty ? .stages([ImportedSleep.Span(.inBed, start, end)]) : .durations(seconds)
    }

    /// Reads one stage for each digit. A digit is five minutes; the last one may be shorter.
    private static func stages(_ record: JSONValue, _ start: Instant, _ end: Instant) -> [ImportedSleep.Span] {
        guard let digits = record["sleep_phase_5_min"]?.stringValue, digits.utf8.count <= 432 else { return [] }
        var spans: [ImportedSleep.Span] = []
        for (place, digit) in digits.utf8.enumerated() {
            let stage: ImportedSleep.Stage =
                switch digit {
                case UInt8(ascii: "1"): .deep
                case UInt8(ascii: "2"): .light
                case UInt8(ascii: "3"): .rem
                case UInt8(ascii: "4"): .awake
                default: .unknown
                }
            let from = start + .minutes(place * 5)
            guard from < end else { break }
            spans.append(ImportedSleep.Span(stage, from, min(end, from + .minutes(5))))
        }
        return StageLine.flat(spans)
    }

    /// Returns the minutes east of UTC in a time.
    private static func offset(_ text: String) -> Int? {
        if text.hasSuffix("Z") { return 0 }
        let digits = text.suffix(6).utf8.filter { $0 >= 0x30 && $0 <= 0x39 }.suffix(4).map { Int($0) - 0x30 }
        guard digits.count == 4, let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return nil }
        let minutes = (digits[0] * 10 + digits[1]) * 60 + digits[2] * 10 + digits[3]
        return text[sign] == "-" ? -minutes : minutes
    }
}
