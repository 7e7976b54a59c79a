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
    /// Characters in the name of a device at most.
    static let deviceScalars = 64
    /// Stages of a sleep at most.
    static let mostSpans = 2_000

    /// The zone of what says no offset; nil where the person named none.
    let zone: Zone?
    private let source: ImportSource
    private var output: Output
    private var count = ImportCount()
    private var isBegun = false

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
        if let offset = entry.offsetMinutes, abs(offset) > 18 * 60 { entry.offsetMinutes = nil }
        if let note = entry.note {
            let plain = PlainText.text(note)
            entry.note = plain.isEmpty ? nil : plain
            if plain.unicodeScalars.count > Bounds.noteScalars {
                entry.note = nil
                try notTaken(
                    "\(entry.row), its note",
                    "it has more than \(Bounds.noteScalars) characters; the entry is taken without it")
            }
        }
        try write(.entry(entry))
        count.records += 1
    }

    /// Writes a sleep, unless its times cannot be.
    mutating func sleep(_ sleep: ImportedSleep) throws(ExchangeFault) {
        var sleep = sleep
        for instant in [sleep.start, sleep.end] where !Self.years.contains(instant) {
            return try notTaken(sleep.row, Self.outside(instant))
        }
        guard sleep.start < sleep.end else { return try notTaken(sleep.row, "it does not end after its start") }
        guard sleep.end - sleep.start <= Self.longestSleep else {
            return try notTaken(sleep.row, "it is longer than 24 hours")
        }
        if case .stages(let spans) = sleep.course, spans.count > Self.mostSpans {
            return try notTaken(sleep.row, "it has \(spans.count) stages; \(Self.mostSpans) are the most")
        }
        if case .durations(let seconds) = sleep.course {
            // A second more for each: they may be rounded up.
            let most = (sleep.end - sleep.start).wholeSeconds + 1 + Int64(seconds.count)
            let said = seconds.filter { $0.key != .inBed }.values.reduce(0) { $0 + Int64($1) }
            guard max(said, Int64(seconds[.inBed] ?? 0)) <= most else {
                return try notTaken(sleep.row, "its stages together are longer than it")
            }
        }
        sleep.device = sleep.device.map { PlainText.line($0, most: Self.deviceScalars - 1) }.flatMap {
            $0.isEmpty ? nil : $0
        }
        if sleep.offsetMinutes == nil { sleep.offsetMinutes = zone?.offsetMinutes(at: sleep.start) }
        if let offset = sleep.offsetMinutes, abs(offset) > 18 * 60 { sleep.offsetMinutes = nil }
        try write(.sleep(sleep))
        count.records += 1
    }

    /// Names a row that is not taken.
    ///
    /// - Parameter reason: what is wrong with it, without a full stop.
    mutating func notTaken(_ row: String, _ reason: String) throws(ExchangeFault) {
        try write(.notTaken(row: row, reason: reason))
        count.notTaken += 1
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
        "its time, \(instant.iso8601), is not within the years 2000 to 2099"
    }
}
