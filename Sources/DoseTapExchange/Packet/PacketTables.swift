internal import DoseTapDomain

/// One row for each night, with the columns of `export csv nights`. This program can read no zone file, so local times come from
/// the offsets that were noted with the entries.
struct NightsCSVFormat: ExchangeFormat {
    private var table = TableOutput(NightCSV.header)
    private let hidden: Set<String>

    /// - Parameter hasMedicines: false if medicines were left out. An empty column would claim that there are none.
    init(hasMedicines: Bool) { hidden = hasMedicines ? [] : ["medicines"] }

    mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for night in line.nights {
            try table.write(into: &output) { csv in
                NightCSV.write(night, in: night.notedZone, hiding: hidden, to: &csv)
            }
        }
    }

    mutating func finish(into output: inout Output) throws(ExchangeFault) { try table.finish(into: &output) }
}

/// One row for each dose, each skip, and each dose 2 that nobody recorded.
struct DosesCSVFormat: ExchangeFormat {
    private var table = TableOutput(
        ["session_date", "entry"] + CSVWriter.instantColumns("time_utc")
            + [
                "medicine", "amount_mg", "amount_assumed", "judged", "minutes_after_dose1", "recorded_at", "entered",
                "reason", "note",
                "corrections",
            ])

    mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for night in line.nights {
            for entry in night.entries where Self.isAboutDoses(entry.type) {
                try table.write(into: &output) { csv in Self.write(entry, night, to: &csv) }
            }
            let isTold = night.entries.contains { $0.type == NightRecord.notRecorded }
            if night.summary.outcome == .notRecorded, !isTold {
                try table.write(into: &output) { csv in Self.writeNotRecorded(night, to: &csv) }
            }
        }
    }

    mutating func finish(into output: inout Output) throws(ExchangeFault) { try table.finish(into: &output) }

    private static func isAboutDoses(_ type: String) -> Bool {
        DoseKind(rawValue: type) != nil || [NightRecord.skip, NightRecord.notRecorded].contains(type)
    }

    /// Writes a dose 2 of which only the outcome is known.
    private static func writeNotRecorded(_ night: NightRecord, to csv: inout CSVWriter) {
        csv.text(night.summary.sessionDate.text)
        csv.text(NightRecord.notRecorded)
        csv.instant(nil as Instant?, in: nil)
        for _ in 0..<9 { csv.null() }
        csv.integer(0)
        csv.end()
    }

    private static func write(_ entry: NightRecord.Entry, _ night: NightRecord, to csv: inout CSVWriter) {
        csv.text(night.summary.sessionDate.text)
        csv.text(entry.type)
        // A dose that nobody recorded has no time.
        let isRecorded = entry.type != NightRecord.notRecorded
        csv.instant(isRecorded ? entry.timestamp : nil, in: night.notedZone)
        csv.textOrNull(entry.metadata["medication_id"]?.stringValue)
        let amount = entry.metadata["amount_mg"]?.integerValue
        csv.integerOrNull(amount)
        // 1 if nobody said the amount, so that it is the amount of the prescription.
        csv.integerOrNull(amount.map { _ in entry.metadata["regimen_id"]?.stringValue == nil ? 0 : 1 })
        csv.textOrNull(judged(entry, night))
        let dose1 = entry.type == DoseKind.dose1.rawValue ? nil : night.summary.dose1
        // The counted interval of a dose 2 comes first: a change of the clock does not alter it.
        let counted = entry.type == DoseKind.dose2.rawValue ? night.summary.intervalMinutes : nil
        csv.integerOrNull(isRecorded ? counted ?? dose1.map { (entry.timestamp - $0).wholeMinutes } : nil)
        csv.text(entry.recordedAt.iso8601)
        csv.textOrNull(entry.metadata["source"]?.stringValue)
        csv.textOrNull(entry.metadata["reason"]?.stringValue)
        csv.textOrNull(entry.note)
        csv.integer(Int64(night.standingCorrections.count { $0.target == entry.id }))
        csv.end()
    }

    private static func judged(_ entry: NightRecord.Entry, _ night: NightRecord) -> String? {
        // A dose 2 that nobody awaited is neither early nor late.
        let isAwaited = entry.type != DoseKind.dose2.rawValue || night.summary.outcome?.hasInterval != false
        if isAwaited, entry.metadata["is_early"] == true { return "early" }
        if isAwaited, entry.metadata["is_late"] == true { return "late" }
        if night.isSuperseded(entry) { return "superseded" }
        return entry.type == DoseKind.dose2.rawValue && night.summary.onTime == true ? "on_time" : nil
    }
}

/// A header, written once, and rows.
private struct TableOutput {
    private let header: [String]
    private var csv = CSVWriter(isExact: false)
    private var isBegun = false

    init(_ header: [String]) { self.header = header }

    mutating func write(into output: inout Output, _ row: (inout CSVWriter) -> Void) throws(ExchangeFault) {
        begin()
        row(&csv)
        try output.write(csv.take())
    }

    mutating func finish(into output: inout Output) throws(ExchangeFault) {
        begin()
        try output.write(csv.take())
    }

    private mutating func begin() {
        if !isBegun { csv.header(header) }
        isBegun = true
    }
}

extension CSVWriter {
    fileprivate mutating func textOrNull(_ value: String?) {
        if let value { text(value) } else { null() }
    }

    fileprivate mutating func integerOrNull(_ value: Int64?) {
        if let value { integer(value) } else { null() }
    }
}

extension NightRecord {
    /// The zone of the night, as far as its entries tell it; nil if no entry does.
    var notedZone: Zone? {
        let noted = entries.compactMap { entry in
            entry.offset.map { (at: entry.timestamp, offsetMinutes: $0) }
        }
        return Zone(identifier: summary.timeZone, noted: noted)
    }
}
