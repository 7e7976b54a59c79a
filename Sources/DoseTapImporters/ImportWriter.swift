package import DoseTapDomain
package import DoseTapExchange

/// Import lines on their way out: a header, the records and the rows that are not taken, and an end with their count.
package struct ImportWriter {
    /// Records before and after are those of no person who uses this.
    static let years: Range<Instant> = {
        let first = CivilDate(year: 2000, month: 1, day: 1)?.daysSinceEpoch ?? 0
        let last = CivilDate(year: 2100, month: 1, day: 1)?.daysSinceEpoch ?? 0
        return Instant(seconds: Int64(first) * 86_400)..<Instant(seconds: Int64(last) * 86_400)
    }()
    /// A sleep that is longer is none.
    static let longestSleep: Duration = .hours(24)
    /// Minutes east of UTC.
    static let offsets = -1_080...1_080
    /// Characters in the name of a device at most.
    static let deviceScalars = 64
    /// Entries with an identity at most.
    static let mostEntries = 200_000
    /// Stages of a sleep at most.
    static let mostSpans = 2_000

    /// The zone of what says no offset; nil where the person named none.
    let zone: Zone?
    private let source: ImportSource
    private var output: Output
    private var count = ImportCount()
    private var isBegun = false
    private var ids: Set<String> = []
    private var named: Set<String> = []

    package init(_ source: ImportSource, zone: Zone?, output: Output) {
        self.source = source
        self.zone = zone
        self.output = output
    }

    /// Writes the header.
    ///
    /// - Parameter notes: what the person has to know of the file, a sentence each.
    mutating func begin(_ notes: [String] = []) throws(ExchangeFault) {
        guard !isBegun else { return }
        isBegun = true
        try write(.header(ImportHeader(source: source.rawValue, notes: notes)))
    }

    /// Writes an entry, unless its time cannot be.
    mutating func entry(_ entry: ImportEntry) throws(ExchangeFault) {
        var entry = entry
        guard Self.years.contains(entry.at) else { return try notTaken(entry.row, Self.outside(entry.at)) }
        if entry.offsetMinutes == nil { entry.offsetMinutes = zone?.offsetMinutes(at: entry.at) }
        if let offset = entry.offsetMinutes, !Self.offsets.contains(offset) { entry.offsetMinutes = nil }
        entry.note = try plainNote(entry.note, of: entry.row)
        // An identity that another record has is none: what the record says is.
        if let id = entry.id {
            guard ids.count < Self.mostEntries else {
                throw ExchangeFault(.stream, sent("The file has more than \(Self.mostEntries) entries."))
            }
            if !ids.insert(id).inserted { entry.id = nil }
        }
        try write(.entry(entry))
        count.records += 1
    }

    /// Writes a sleep, unless its times cannot be.
    mutating func sleep(_ sleep: ImportedSleep) throws(ExchangeFault) {
        var sleep = sleep
        if let reason = Self.refusal(sleep.start, sleep.end) { return try notTaken(sleep.row, reason) }
        if case .stages(let spans) = sleep.course, spans.count > Self.mostSpans {
            return try notTaken(sleep.row, sent("it has \(spans.count) stages; \(Self.mostSpans) are the most"))
        }
        if case .durations(let seconds) = sleep.course {
            guard let fitting = Self.fitting(seconds, Int((sleep.end - sleep.start).wholeSeconds)) else {
                return try notTaken(sleep.row, sent("its stages together are longer than it"))
            }
            sleep.course = .durations(fitting)
        }
        sleep.note = try plainNote(sleep.note, of: sleep.row)
        sleep.device = sleep.device.map { PlainText.line($0, most: Self.deviceScalars - 1) }.flatMap {
            $0.isEmpty ? nil : $0
        }
        if sleep.offsetMinutes == nil { sleep.offsetMinutes = zone?.offsetMinutes(at: sleep.start) }
        if let offset = sleep.offsetMinutes, !Self.offsets.contains(offset) { sleep.offsetMinutes = nil }
        try write(.sleep(sleep))
        count.records += 1
    }

    /// A note without control characters; nil where nothing is left, and where it is too long, which is named.
    private mutating func plainNote(_ note: String?, of row: String) throws(ExchangeFault) -> String? {
        guard let note else { return nil }
        let plain = PlainText.text(note)
        guard plain.unicodeScalars.count <= Bounds.noteScalars else {
            try notTaken(
                "\(row), its note",
                sent("it has more than \(Bounds.noteScalars) characters; the entry is taken without it"))
            return nil
        }
        return plain.isEmpty ? nil : plain
    }

    /// Names a rating of a sleep, which has no place in a record; 0 is none.
    mutating func rating(_ rating: String, _ row: String) throws(ExchangeFault) {
        guard let number = Double(rating), number != 0 else { return }
        try notTakenOnce(
            "rating", "\(row), its rating", sent("a rating of a sleep has no place in the record; others are not named")
        )
    }

    /// Why there can be no sleep between two instants; nil where there can.
    static func refusal(_ start: Instant, _ end: Instant) -> String? {
        for instant in [start, end] where !years.contains(instant) { return outside(instant) }
        guard start < end else { return sent("it does not end after its start") }
        return end - start <= longestSleep ? nil : sent("it is longer than 24 hours")
    }

    /// Seconds of stages within those of their sleep: sources round each of them up, most to whole minutes. What is too
    /// much comes off the largest one; nil where it is no rounding.
    private static func fitting(
        _ seconds: [ImportedSleep.Stage: Int], _ length: Int
    ) -> [ImportedSleep.Stage: Int]? {
        var fitting = seconds
        for stages in [seconds.filter { $0.key == .inBed }, seconds.filter { $0.key != .inBed }] {
            let excess = stages.values.reduce(0, +) - length
            guard excess > 0 else { continue }
            let rounding = stages.values.reduce(0) { $0 + ($1 % 60 == 0 ? 59 : 2) }
            // The same one each time, of equals the first by its word.
            let largest = stages.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
            guard excess <= rounding, let largest, largest.value > excess else { return nil }
            fitting[largest.key] = largest.value - excess
        }
        return fitting
    }

    /// Names a row that is not taken.
    ///
    /// - Parameter reason: what is wrong with it, without a full stop.
    mutating func notTaken(_ row: String, _ reason: String) throws(ExchangeFault) {
        try write(.notTaken(row: row, reason: reason))
        count.notTaken += 1
    }

    /// Names what is not taken of each row of a table, at the first of them.
    ///
    /// - Parameter part: what it is, for the whole file.
    mutating func notTakenOnce(_ part: String, _ row: String, _ reason: String) throws(ExchangeFault) {
        guard !named.contains(part) else { return }
        if named.count < 1_000 { named.insert(part) }
        try notTaken(row, reason)
    }

    /// Writes the end.
    mutating func finish() throws(ExchangeFault) {
        try write(.end(count))
        try output.flush()
    }

    private mutating func write(_ line: ImportLine) throws(ExchangeFault) {
        try begin()
        try output.write(JSONValue.object(line.json).serializedBytes())
        try output.write("\n")
    }

    private static func outside(_ instant: Instant) -> String {
        sent("its time, \(instant.iso8601), is not within the years 2000 to 2099")
    }
}
