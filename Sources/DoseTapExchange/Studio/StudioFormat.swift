internal import DoseTapDomain

/// The bundle that the Studio of the iOS app of the same name reads: the files, columns and words of the app, in a ZIP archive.
///
/// The files follow each other in one stream, so they are kept until the end: about two kilobytes for each night.
package struct StudioFormat: ExchangeFormat {
    /// The largest size of the kept files, in bytes.
    private let most: Int
    private var events = Array("event_type,occurred_at_utc,details,device_time\n".utf8)
    private var sessions = Array(
        ("started_utc,ended_utc,window_target_min,window_actual_min,adherence_flag,whoop_recovery,avg_hr,"
            + "sleep_efficiency,notes\n").utf8)
    private var insights: [UInt8] = []
    /// The newest moment at which anything was recorded. The moment stands for the time of the export: this program reads no
    /// clock.
    private var newest = Instant.min

    package init(most: Int = 64 << 20) { self.most = most }

    package mutating func take(_ line: NightsLine, into output: inout Output) throws(ExchangeFault) {
        for night in line.nights {
            for entry in night.entries + night.corrections { newest = max(newest, entry.recordedAt) }
            for row in StudioRows.events(night) { events += row.utf8 }
            if let row = StudioRows.session(night) { sessions += row.utf8 }
            if !insights.isEmpty { insights += Array(",\n".utf8) }
            insights += JSONValue.object(StudioInsights.session(night)).serializedBytes()
        }
        guard events.count + sessions.count + insights.count <= most else {
            throw ExchangeFault(
                .usage, sent("The bundle has more than \(most >> 20) MiB: choose fewer nights, with --from and --to."))
        }
    }

    package mutating func finish(into output: inout Output) throws(ExchangeFault) {
        var archive = ZipArchive()
        try archive.add("events.csv", events, into: &output)
        try archive.add("sessions.csv", sessions, into: &output)
        try archive.add(
            "inventory.csv",
            Array(
                "as_of_utc,bottles_remaining,doses_remaining,estimated_days_left,next_refill_date,notes\n".utf8),
            into: &output)
        let head = "{\"schemaVersion\":1,\"exportedAtUTC\":\"\(StudioInsights.seconds(newest))\",\"sessions\":[\n"
        try archive.add(
            "insights_bundle.json", Array(head.utf8) + insights + Array("\n]}\n".utf8), into: &output)
        try archive.finish(into: &output)
    }
}

/// Rows of the app's CSV files.
enum StudioRows {
    /// Returns the rows of a night in `events.csv`, in the order in which the app sorts them.
    static func events(_ night: NightRecord) -> [String] {
        night.entries.compactMap { entry -> String? in
            let details: String
            switch entry.type {
            case "dose1", "dose2", "extra_dose", "dose2_skipped", "snooze":
                details = JSONValue.object(entry.metadata).serialized()
            case let type where FHIRSleep.isSleepEvent(type): details = guarded(entry.note ?? "")
            default: return nil
            }
            // The app puts the session date into the column of the device's time.
            return row([entry.type, entry.timestamp.iso8601, details, night.summary.sessionDate.text])
        }.sorted()
    }

    /// Returns the row of a night in `sessions.csv`. The app's start is dose 1, its end dose 2.
    static func session(_ night: NightRecord) -> String? {
        guard let dose1 = night.summary.dose1 else { return nil }
        let flag =
            switch night.summary.outcome {
            case .skipped, .notRecorded: "missed"
            case .late: "late"
            case .onTime, .early, .onceNightly: "ok"
            // The app has no word for an outcome that is open, unknown or out of order.
            case .pending, .noDose1, .anomaly, nil: ""
            }
        return row([
            dose1.iso8601, night.summary.dose2?.iso8601 ?? "", night.rules.map { String($0.targetMinutes) } ?? "",
            night.summary.intervalMinutes.map(String.init) ?? "", flag, "", "",
            night.sleepDiary.sleepEfficiencyPercent.map(String.init) ?? "", "",
        ])
    }

    /// Returns a row by RFC 4180, with the app's line end.
    static func row(_ cells: [String]) -> String { cells.map(quoted).joined(separator: ",") + "\n" }

    private static func quoted(_ cell: String) -> String {
        guard cell.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) }) else { return cell }
        // By scalars: a quotation mark before a combining scalar is part of another character.
        let doubled = cell.unicodeScalars.flatMap { $0 == "\"" ? ["\"", "\""] : [$0] } as [Unicode.Scalar]
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }

    /// Guards the person's words, so that no spreadsheet calculates them.
    private static func guarded(_ text: String) -> String {
        guard let first = text.unicodeScalars.first, "=+-@\t\r".unicodeScalars.contains(first) else { return text }
        return "'" + text
    }
}
