/// The nights as CSV, a row each. The columns have the names of the answers' keys.
public enum NightCSV {
    /// The names of the columns.
    public static let header: [String] =
        ["session_date", "session_id", "time_zone"]
        + instants.flatMap { CSVWriter.instantColumns($0.name) }
        + numbers.map(\.name) + words.map(\.name) + SleepDiary.keys
        + recordedWords + SleepDiary.keys.map { "recorded_\($0)" }
        + questions(.checkin) + ["checkin_defaults"] + questions(.preSleep)

    /// Writes the row of a night; 1 is yes, 0 is no.
    ///
    /// - Parameters:
    ///   - zone: the zone of the night; nil if this machine does not know the zone.
    ///   - hidden: columns of numbers to leave empty, because the things counted were left out.
    public static func write(
        _ night: NightRecord, in zone: Zone?, hiding hidden: Set<String> = [], to csv: inout CSVWriter
    ) {
        csv.text(night.summary.sessionDate.text)
        csv.text(night.summary.sessionID.text)
        csv.text(night.summary.timeZone)
        for column in instants { csv.instant(column.value(night.summary), in: zone) }
        for column in numbers {
            let value = hidden.contains(column.name) ? nil : column.value(night)
            if let value { csv.integer(Int64(value)) } else { csv.null() }
        }
        for column in words {
            if let word = column.value(night.summary) { csv.text(word) } else { csv.null() }
        }
        let diary = SleepDiary.description.json(night.sleepDiary)
        for key in SleepDiary.keys { write(diary[key], to: &csv) }
        let recorded = night.recordedSleep.map(RecordedSleep.description.json)
        for key in ["source", "device", "grade", "deep_sleep_min"] { write(recorded?[key], to: &csv) }
        for key in SleepDiary.keys { write(recorded?[key], to: &csv) }
        for entity in [EntityType.checkin, .preSleep] {
            let metadata = night.entries.last { $0.type == entity.rawValue }?.metadata
            let answers = metadata?["answers"]?.objectValue
            for item in items(entity) { write(answers?[item.key], to: &csv) }
            if entity == .checkin { write(metadata?["defaults"], to: &csv) }
        }
        csv.end()
    }

    private static let instants: [(name: String, value: @Sendable (NightSummary) -> Instant?)] = [
        ("start_utc", { $0.start }), ("end_utc", { $0.end }), ("dose1_time", { $0.dose1 }),
        ("dose2_time", { $0.dose2 }),
    ]

    private static let numbers: [(name: String, value: @Sendable (NightRecord) -> Int?)] = [
        ("interval_min", { $0.summary.intervalMinutes.map { Int($0) } }),
        ("on_time", { $0.summary.onTime.map { $0 ? 1 : 0 } }),
        ("dose1_amount_mg", { amount(.dose1, $0) }), ("dose2_amount_mg", { amount(.dose2, $0) }),
        ("extra_doses", { $0.summary.extraDoses }), ("extra_amount_mg", { amount(.extra, $0) }),
        ("prescribed_mg", { $0.bundle?.targetMilligrams }),
        ("dose2_skipped", { $0.summary.dose2Skipped ? 1 : 0 }), ("snooze_count", { $0.summary.snoozeCount }),
        ("night_score", { $0.summary.nightScore }), ("wellness_score", { $0.summary.wellnessScore }),
        ("sleep_events", { night in night.entries.count { !isOther($0.type) } }),
        ("naps", { $0.napSpans.count }), ("nap_min", { napMinutes($0.napSpans) }),
        ("medicines", { night in night.entries.count { $0.type == EntityType.medication.rawValue } }),
        ("corrections", { $0.standingCorrections.count }),
    ]

    private static let recordedWords = [
        "recorded_source", "recorded_device", "recorded_grade", "recorded_deep_sleep_min",
    ]

    private static let words: [(name: String, value: @Sendable (NightSummary) -> String?)] = [
        ("outcome", { $0.outcome?.rawValue }), ("terminal_state", { $0.terminalState?.rawValue }),
        ("pre_sleep", { $0.preSleep?.rawValue }), ("belongs_to", { $0.belongsTo?.text }),
    ]

    /// Returns true if an entry is no sleep event.
    private static func isOther(_ type: String) -> Bool {
        DoseKind(rawValue: type) != nil || EntityType(rawValue: type) != nil
            || ["dose2_skipped", NightRecord.notRecorded, "snooze", "wake_final"].contains(type)
    }

    /// Returns the sum of the known amounts of the doses of a kind; nil if no amount is known.
    private static func amount(_ kind: DoseKind, _ night: NightRecord) -> Int? {
        let known = night.entries.filter { $0.type == kind.rawValue }.compactMap {
            $0.metadata["amount_mg"]?.integerValue
        }
        return known.isEmpty ? nil : Int(clamping: known.reduce(Int128(0)) { $0 + Int128($1) })
    }

    /// Returns the whole minutes of the naps; nil without one.
    private static func napMinutes(_ naps: [ClosedRange<Instant>]) -> Int? {
        naps.isEmpty ? nil : Int(naps.reduce(0) { $0 + ($1.upperBound - $1.lowerBound).wholeMinutes })
    }

    private static func items(_ entity: EntityType) -> [Questionnaire.Item] {
        (entity == .checkin ? Questionnaire.morning : .preSleep).items
    }

    private static func questions(_ entity: EntityType) -> [String] {
        items(entity).map { "\(entity.rawValue)_\($0.key)" }
    }

    /// Writes a value; a list or an object stands as JSON.
    private static func write(_ value: JSONValue?, to csv: inout CSVWriter) {
        switch value {
        case nil, .null: csv.null()
        case .bool(let flag): csv.integer(flag ? 1 : 0)
        case .integer(let number): csv.integer(number)
        case .number(let number): csv.number(number)
        case .string(let text): csv.text(text)
        case .instant(let instant): csv.text(instant.iso8601)
        case .array, .object: csv.text(value?.serialized() ?? "")
        }
    }
}
