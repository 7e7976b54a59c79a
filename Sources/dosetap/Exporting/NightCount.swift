internal import DoseTapDomain

/// Counts nights as the pages do: dates with a night. A nap or another entry by day alone is none (R32.5, R33.1).
enum NightCount {
    /// - Parameter stream: the lines that the service exported.
    static func dates(in stream: [UInt8]) -> Int {
        var dates: Set<SessionDate> = []
        for line in stream.split(separator: UInt8(ascii: "\n")) {
            // The filter refuses a line that cannot be read.
            guard let object = try? JSONValue.parse(line).objectValue else { continue }
            var records: [NightRecord]?
            // A line of the regimens has neither.
            if object["session_id"] != nil {
                records = try? [NightRecord(json: object)]
            } else if object["nights"] != nil {
                records = try? ShownNights(json: object).nights
            }
            for record in records ?? [] where record.isNight { dates.insert(record.summary.sessionDate) }
        }
        return dates.count
    }
}
