package import DoseTapDomain

/// What is told of sleep from outside.
package enum SleepText {
    package static func list(
        _ entries: [NightRecord.Entry], _ moments: @autoclosure () -> Moments, _ columns: Int
    ) -> [String] {
        guard !entries.isEmpty else { return ["No recorded sleep is on record."] }
        let moments = moments()
        func cells(_ cell: (JSONObject) -> String) -> [String] { entries.map { cell($0.metadata) } }
        return Table(columns: [
            .init(heading: "From", cells: entries.map { moments.dateAndCell($0.timestamp) }),
            .init(heading: "To", cells: cells { $0["end_utc"]?.instantValue.map(moments.clock) ?? "-" }),
            .init(heading: "Asleep", cells: cells { asleep($0) ?? "-" }),
            .init(heading: "Part", cells: cells { SafeText.line($0["part"]?.stringValue ?? "-") }),
            .init(heading: "Source", cells: cells(source)),
            .init(heading: "Id", cells: entries.map { SafeText.line($0.id.text) }),
        ]).lines(width: columns)
    }

    /// `oura, measured` with the device where one is named.
    static func source(_ metadata: JSONObject) -> String {
        ["source", "device", "grade"].compactMap { metadata[$0]?.stringValue }.map(SafeText.line)
            .joined(separator: ", ")
    }

    /// The length of the sleep; nil is unknown.
    static func asleep(_ metadata: JSONObject) -> String? {
        metadata["sleep"]?["total_sleep_min"]?.integerValue.map { Figure.length(minutes: $0) }
    }

    /// All that is told of an entry beside its kind and its beginning.
    static func details(_ metadata: JSONObject, _ moments: Moments) -> [String] {
        [
            metadata["end_utc"]?.instantValue.map { "until \(moments.dateAndClock($0))" },
            asleep(metadata).map { "asleep \($0)" }, metadata["part"] == "nap" ? "a nap" : nil, source(metadata),
        ].compactMap(\.self)
    }
}
