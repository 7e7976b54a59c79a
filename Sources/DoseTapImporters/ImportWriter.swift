package import DoseTapDomain
package import DoseTapExchange

/// Writes import lines: a header, the records and the rows that are not taken, and an end with their count.
package struct ImportWriter {
    /// The years of possible records. No user of this program has earlier or later ones.
    static let years: Range<Instant> = {
        let first = CivilDate(year: 2000, month: 1, day: 1)?.daysSinceEpoch ?? 0
        let last = CivilDate(year: 2100, month: 1, day: 1)?.daysSinceEpoch ?? 0
        return Instant(seconds: Int64(first) * 86_400)..<Instant(seconds: Int64(last) * 86_400)
    }()
    /// The longest possible sleep.
    static let longestSleep: Duration = .hours(24)
    /// The range of offsets, in minutes east of UTC.
    static let offsets = -1_080...1_080
    /// The largest number of characters in the name of a device.
    static let deviceScalars = 64
    /// The largest number of entries with an identity.
    static let mostEntries = 200_000
    /// The largest number of stages of a sleep.
    static let mostSpans = 2_000
    /// The largest number of parts without a place that are named.
    static let mostNamed = 1_000

    /// The zone of times without an offset; nil if the person named none.
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
    /// - Parameter notes: facts about the file that the person has to know, one sentence each.
    mutating func begin(_ notes: [String] = []) throws(ExchangeFault) {
        guard !isBegun else { return }
        isBegun = true
        try write(.header(ImportHeader(source: source.rawValue, notes: notes)))
    }

    /// Writes an entry, unless its time is impossible.
    mutating func entry(_ entry: ImportEntry) throws(ExchangeFault) {
        var entry = entry
        guard Self.years.contains(entry.at) else { return try notTaken(entry.row, Self.outside(entry.at)) }
        if entry.offsetMinutes == nil { entry.offsetMinutes = zone?.offsetMinutes(at: entry.at) }
        if let offset = entry.offsetMinutes, !Self.offsets.contains(offset) { entry.offsetMinutes = nil }
        entry.note = try plainNote(entry.note, of: entry.row)
        // If two records have the same identity, the later one counts as a record without an identity.
        if let id = entry.id {
            guard ids.count < Self.mostEntries else {
                throw ExchangeFault(.stream, sent("The file has more than \(Self.mostEntries) entries."))
            }
            if !ids.insert(id).inserted { entry.id = nil }
        }
        try write(.entry(entry))
        count.records += 1
    }

    /// Writes a sleep, unless its times are impossible.
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

    /// Returns a note without control characters; nil if the rest is empty or too long. A note that is too long is named.
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

    /// Names a rating of a sleep, because a record has no place for it. A rating of 0 is none.
    mutating func rating(_ rating: String, _ row: String) throws(ExchangeFault) {
        guard let number = Double(rating), number != 0 else { return }
        try notTakenOnce(
            "rating", "\(row), its rating", sent("a rating of a sleep has no place in the record; others are not named")
        )
    }

    /// Names a number of awakenings without their times, because a record has no place for it. 0 is none.
    mutating func awakenings(_ count: String, _ row: String) throws(ExchangeFault) {
        guard let number = Double(count), number != 0 else { return }
        try notTakenOnce(
            "awakenings", "\(row), its awakenings",
            sent("a mere number of awakenings has no place in the record; others are not named"))
    }

    /// Returns the reason why there can be no sleep between two instants; nil if a sleep is possible.
    static func refusal(_ start: Instant, _ end: Instant) -> String? {
        for instant in [start, end] where !years.contains(instant) { return outside(instant) }
        guard start < end else { return sent("it does not end after its start") }
        return end - start <= longestSleep ? nil : sent("it is longer than 24 hours")
    }

    /// Returns the seconds of stages, fitted into the length of their sleep. Sources round each stage up, most to whole minutes.
    /// An excess comes off the largest stage; nil if the excess is more than rounding.
    private static func fitting(
        _ seconds: [ImportedSleep.Stage: Int], _ length: Int
    ) -> [ImportedSleep.Stage: Int]? {
        var fitting = seconds
        for stages in [seconds.filter { $0.key == .inBed }, seconds.filter { $0.key != .inBed }] {
            let excess = stages.values.reduce(0, +) - length
            guard excess > 0 else { continue }
            let rounding = stages.values.reduce(0) { $0 + ($1 % 60 == 0 ? 59 : 2) }
            // A fixed choice: among equal stages the one whose word comes first.
            let largest = stages.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }
            guard excess <= rounding, let largest, largest.value > excess else { return nil }
            fitting[largest.key] = largest.value - excess
        }
        return fitting
    }

    /// Names a row that is not taken.
    ///
    /// - Parameter reason: the fault in words, without a full stop.
    mutating func notTaken(_ row: String, _ reason: String) throws(ExchangeFault) {
        try write(.notTaken(row: row, reason: reason))
        count.notTaken += 1
    }

    /// Names a part that is not taken from any row of a table, once, at the first row with it. After ``mostNamed`` parts one more
    /// line says that others are not named.
    ///
    /// - Parameter part: the name of the part, unique in the file.
    mutating func notTakenOnce(_ part: String, _ row: String, _ reason: String) throws(ExchangeFault) {
        guard named.count <= Self.mostNamed, named.insert(part).inserted else { return }
        guard named.count <= Self.mostNamed else {
            return try notTaken(
                row, sent("more than \(Self.mostNamed) parts have no place in the record; others are not named"))
        }
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
