import DoseTapDomain
import DoseTapExchange
import Testing

enum ReportBench {
    struct Night {
        var date: String
        /// Minutes after 18:00 UTC of that date.
        var dose1: Double? = 300
        var interval: Double? = 170
        var outcome: NightOutcome = .onTime
        /// Minutes by which the clock is ahead of UTC, in the evening and in the morning.
        var offsets = (60, 60)
        var zone = "Europe/Berlin"
        var isOnceNightly = false
        var target = 165
        var hasStages = false
        var word = "bathroom"
        var medicine: String?
        /// True for a night that has a nap by day only.
        var isNap = false
        var isDefault = false
        var knowsSleep = true
    }

    static func page(_ nights: [Night], profile: ExportProfile = .full) throws -> String {
        try ExchangeBench.make(.report, stream(nights), profile: profile)
    }

    static func stream(_ nights: [Night]) -> String {
        nights.enumerated().map { JSONValue.object(line($1, $0)).serialized() + "\n" }.joined()
    }

    /// 18:00 in the evening, by the wall clock.
    static func origin(_ night: Night) -> Instant {
        let day = (try? CivilDate(iso8601: night.date))?.daysSinceEpoch ?? 0
        return Instant(seconds: Int64(day) * 86_400 + 18 * 3_600 - Int64(night.offsets.0) * 60)
    }

    static func moment(_ night: Night, _ minutes: Double) -> Instant {
        origin(night) + .milliseconds(Int64((minutes * 60_000).rounded()))
    }

    private static func line(_ night: Night, _ number: Int) -> JSONObject {
        var entries: [JSONValue] = []
        func id(_ part: Int) -> String {
            let digits = String(number * 100 + part)
            return "0197a000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
        }
        func add(_ type: String, _ minutes: Double, isMorning: Bool = false, _ more: JSONObject = JSONObject()) {
            let at = JSONValue.string(moment(night, minutes).iso8601)
            var metadata = more
            metadata["local_offset_minutes"] = .integer(Int64(isMorning ? night.offsets.1 : night.offsets.0))
            entries.append(
                .object([
                    "id": .string(id(entries.count + 10)), "type": .string(type), "timestamp": at, "recorded_at": at,
                    "surface": "cli", "metadata": .object(metadata),
                ]))
        }
        let start = night.dose1 ?? 300
        if !night.isNap { add(SleepEventWord.lightsOut, start - 5) }
        if let dose1 = night.dose1 { add("dose1", dose1) }
        let dose2 = night.dose1.flatMap { dose1 in night.interval.map { dose1 + $0 } }
        if let dose2 { add("dose2", dose2) }
        if night.outcome == .skipped { add("dose2_skipped", start + 200) }
        add(night.word, start + 250)
        if let medicine = night.medicine {
            add("medication", 900, isMorning: true, ["medication_id": .string(medicine), "dose_mg": 100])
        }
        if !night.isNap {
            add(SleepEventWord.finalWake, start + 480, isMorning: true)
            let defaults: JSONValue = night.isDefault ? ["feel_rested"] : []
            add("checkin", start + 500, isMorning: true, ["answers": ["feel_rested": "well"], "defaults": defaults])
        }
        var object: JSONObject = [
            "session_id": .string(id(1)), "session_date": .string(night.date),
            "start_utc": .string(moment(night, start - 5).iso8601),
            "end_utc": .string(moment(night, start + 500).iso8601),
            "terminal_state": "checkin_completed",
            "dose1_time": night.dose1.map { .string(moment(night, $0).iso8601) } ?? .null,
            "dose2_time": dose2.map { .string(moment(night, $0).iso8601) } ?? .null,
            "dose2_skipped": .bool(night.outcome == .skipped), "extra_doses": 0, "snooze_count": 0,
            "interval_min": night.interval.map { .integer(Int64($0)) } ?? .null,
            "interval_ms": night.interval.map { .integer(Int64(($0 * 60_000).rounded())) } ?? .null,
            "on_time": .null, "time_zone": .string(night.zone), "wellness_score": 60, "pre_sleep": nil,
            "outcome": .string(night.outcome.rawValue), "night_score": 80,
            "naps": [
                .object([
                    "state": "complete", "start_id": .string(id(2)),
                    "start_utc": .string(moment(night, 1_200).iso8601), "end_id": .string(id(3)),
                    "end_utc": .string(moment(night, 1_230.5).iso8601), "nap_min": 30,
                ])
            ], "corrections": [],
            "sleep_diary": [
                "time_in_bed_min": 485, "sleep_onset_latency_min": 12, "wake_after_sleep_onset_min": 30,
                "awakenings": 3, "total_sleep_min": night.knowsSleep ? 443 : .null, "sleep_efficiency_percent": 91,
            ],
            "rules": [
                "target_minutes": .integer(Int64(night.target)), "snooze_step_minutes": 10, "max_snoozes": 3,
                "wake": "07:00", "prep": "18:00", "checkin_cutoff_hours": 4, "rollover_hour": 18,
                "undo_window_seconds": 60, "once_nightly": .bool(night.isOnceNightly),
            ],
        ]
        if night.hasStages { record(&object, &entries, night, start, id(9)) }
        object["entries"] = .array(entries)
        return object
    }

    /// Adds two hours of light sleep, a quarter of an hour awake and three hours of deep sleep.
    private static func record(
        _ object: inout JSONObject, _ entries: inout [JSONValue], _ night: Night, _ start: Double, _ id: String
    ) {
        func time(_ minutes: Double) -> JSONValue { .string(moment(night, minutes).iso8601) }
        let stages: [(String, Double, Double)] = [
            ("light", start + 10, start + 130), ("awake", start + 130, start + 145), ("deep", start + 145, start + 325),
        ]
        entries.append(
            .object([
                "id": .string(id), "type": "sleep_record", "timestamp": time(start + 10),
                "recorded_at": time(start + 10),
                "surface": "import",
                "metadata": [
                    "sleep_source": "oura", "end_utc": time(start + 325), "part": "main", "grade": "estimated",
                    "stages": .array(
                        stages.map {
                            .object(["stage": .string($0.0), "start_utc": time($0.1), "end_utc": time($0.2)])
                        }),
                ],
            ]))
        object["recorded_sleep"] = [
            "source": "oura", "device": .null, "grade": "estimated", "start_utc": time(start + 10),
            "end_utc": time(start + 325), "records": 1, "other_sources": 0, "deep_sleep_min": 180,
            "time_in_bed_min": .null, "sleep_onset_latency_min": .null, "wake_after_sleep_onset_min": 15,
            "awakenings": 1, "total_sleep_min": 300, "sleep_efficiency_percent": .null,
        ]
    }

    /// Nights of many kinds, with gaps between them.
    static func many(_ count: Int) -> [Night] {
        (0..<count).filter { $0 % 17 != 5 }.map { index in
            let date = CivilDate(daysSinceEpoch: 20_454 + index).iso8601
            var night = Night(date: date, dose1: 280 + Double(index * 7 % 41))
            switch index % 11 {
            case 3: (night.interval, night.outcome) = (nil, .skipped)
            case 6: (night.interval, night.outcome) = (nil, .notRecorded)
            case 8: (night.interval, night.outcome) = (251.5, .late)
            case 9: (night.interval, night.outcome) = (index % 2 == 0 ? 141.25 : 133, .early)
            default: night.interval = 155 + Double(index * 13 % 61) + 0.25
            }
            night.hasStages = index % 5 == 0
            night.target = index < count / 2 ? 165 : 180
            return night
        }
    }
}
