import DoseTapDomain

/// Nights with a marked word at every place where a person or the machine can leave one.
enum PlantedNight {
    /// The places of words of the person and of the machine. Only `full` has these words.
    static let words = [
        "dose-note", "skip-reason", "skip-note", "event-note", "wake-note", "checkin-notes", "stress-notes",
        "environment-notes", "pain-notes", "drink", "presleep-notes", "presleep-stress", "medicine-note",
        "regimen-note", "ownword", "amended-note", "surface", "unknown-key", "loose-note", "checkin-again",
    ]

    /// The word at a place.
    static func secret(_ place: String) -> String { place == "ownword" ? "zq_ownword" : "zq-\(place)-qz" }

    /// The ids in the stream.
    static let ids = (1...26).map { id($0) }

    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "0197a000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// The stream: regimens, a night with both doses and corrections, and a skipped night.
    static var stream: String { lines.map { JSONValue.object($0).serialized() + "\n" }.joined() }

    static var lines: [JSONObject] {
        [regimens, ["nights": [.object(first)], "medications": [loose]], ["nights": [.object(second)]]]
    }

    private static func entry(
        _ number: Int, _ type: String, _ time: String, _ metadata: JSONObject, target: Int? = nil
    ) -> JSONValue {
        var metadata = metadata
        metadata["surface"] = .string(secret("surface"))
        metadata["source"] = "manual"
        metadata["local_offset_minutes"] = 60
        metadata["later_key"] = .string(secret("unknown-key"))
        var object: JSONObject = [
            "id": .string(id(number)), "type": .string(type), "timestamp": .string(time),
            "recorded_at": .string(time), "surface": .string(secret("surface")), "metadata": .object(metadata),
        ]
        object["target"] = target.map { .string(id($0)) }
        return .object(object)
    }

    private static func night(_ number: Int, _ date: String, _ change: (inout JSONObject) -> Void) -> JSONObject {
        var object: JSONObject = [
            "session_id": .string(id(number)), "session_date": .string(date),
            "start_utc": .string("\(date)T21:30:00.000Z"),
            "end_utc": nil, "terminal_state": nil, "dose1_time": .string("\(date)T21:30:00.000Z"), "dose2_time": nil,
            "dose2_skipped": false, "extra_doses": 0, "snooze_count": 0, "interval_min": nil, "interval_ms": nil,
            "on_time": nil, "time_zone": "Europe/Berlin", "wellness_score": nil, "pre_sleep": nil, "outcome": nil,
            "night_score": nil, "entries": [], "naps": [], "corrections": [],
            "sleep_diary": [
                "time_in_bed_min": 480, "sleep_onset_latency_min": 12, "wake_after_sleep_onset_min": 30,
                "awakenings": 3,
                "total_sleep_min": 420, "sleep_efficiency_percent": 88,
            ],
            "rules": [
                "target_minutes": 165, "snooze_step_minutes": 10, "max_snoozes": 3, "wake": "07:00", "prep": "18:00",
                "checkin_cutoff_hours": 4, "rollover_hour": 18, "undo_window_seconds": 60, "once_nightly": false,
            ],
            "bundle": [
                "target_mg": 4_511, "parts": 2, "taken": 2, "known_mg": 4_511, "unknown": 0, "state": "on_target",
                "remaining_mg": 0,
            ],
        ]
        change(&object)
        return object
    }

    private static let dose: JSONObject = [
        "amount_mg": 2_257, "medication_id": "xywav", "regimen_id": .string(id(20)),
        "note": .string(secret("dose-note")),
    ]

    private static var first: JSONObject {
        night(1, "2026-01-03") { night in
            night["dose2_time"] = "2026-01-04T00:15:00.000Z"
            (night["interval_min"], night["interval_ms"], night["on_time"]) = (165, 9_900_000, true)
            (night["outcome"], night["wellness_score"]) = ("on_time", 71)
            night["naps"] = [
                [
                    "state": "complete", "start_id": .string(id(10)), "start_utc": "2026-01-04T05:00:00.000Z",
                    "end_id": .string(id(11)), "end_utc": "2026-01-04T05:20:00.000Z", "nap_min": 20,
                ]
            ]
            night["entries"] = .array([
                entry(
                    2, "pre_sleep", "2026-01-03T21:00:00.000Z",
                    [
                        "completion_state": "complete",
                        "answers": [
                            "stress_level": 3, "stress_notes": .string(secret("presleep-stress")),
                            "stimulants": "coffee",
                            "caffeine_drink": .string(secret("drink")), "caffeine_last_at": "2026-01-03T14:00:00.000Z",
                            "dose_plan": true, "dose_plan_total_mg": 4_511, "notes": .string(secret("presleep-notes")),
                        ],
                    ]),
                entry(3, "dose1", "2026-01-03T21:30:00.000Z", dose),
                entry(4, secret("ownword"), "2026-01-03T22:10:00.000Z", ["note": .string(secret("event-note"))]),
                entry(5, "dose2", "2026-01-04T00:15:00.000Z", dose),
                entry(10, "nap_start", "2026-01-04T05:00:00.000Z", [:]),
                entry(11, "nap_end", "2026-01-04T05:20:00.000Z", ["nap_min": 20]),
                entry(6, "wake_final", "2026-01-04T06:00:00.000Z", ["note": .string(secret("wake-note"))]),
                entry(
                    7, "checkin", "2026-01-04T06:05:00.000Z",
                    [
                        "answers": [
                            "sleep_quality": 4, "mood": "good", "has_physical_symptoms": true,
                            "pain_entries": [
                                [
                                    "area": "knee", "side": "left", "intensity": 4,
                                    "notes": .string(secret("pain-notes")),
                                ]
                            ],
                            "has_sleep_environment": true, "sleep_aids": ["melatonin", "earplugs"],
                            "environment_notes": .string(secret("environment-notes")), "stress_level": 2,
                            "stress_notes": .string(secret("stress-notes")), "notes": .string(secret("checkin-notes")),
                        ],
                        "defaults": ["mood"], "wellness_score": 71,
                    ]),
                entry(
                    8, "medication", "2026-01-04T07:00:00.000Z",
                    [
                        "medication_id": "modafinil", "dose_mg": 207, "dose_unit": "mg", "formulation": "ir",
                        "note": .string(secret("medicine-note")),
                    ]),
            ])
            night["corrections"] = .array([
                entry(
                    12, "entry_amended", "2026-01-04T00:20:00.000Z",
                    [
                        "at": "2026-01-04T00:15:00.000Z", "note": .string(secret("amended-note")),
                        "original": [
                            "type": "dose2", "amount_mg": 2_257, "medication_id": "xywav",
                            "timestamp": "2026-01-04T00:05:00.000Z", "local_offset_minutes": 60,
                        ],
                    ], target: 5),
                entry(
                    13, "entry_deleted", "2026-01-04T01:00:00.000Z",
                    ["original": ["type": "extra_dose", "amount_mg": 1_003, "timestamp": "2026-01-04T00:50:00.000Z"]],
                    target: 14),
                entry(
                    15, "checkin_recorded", "2026-01-04T06:30:00.000Z",
                    ["sleep_quality": 4, "notes": .string(secret("checkin-again"))], target: 7),
            ])
        }
    }

    private static var second: JSONObject {
        night(16, "2026-01-09") { night in
            (night["dose2_skipped"], night["outcome"], night["bundle"]) = (true, "skipped", nil)
            night["entries"] = .array([
                entry(17, "dose1", "2026-01-09T21:30:00.000Z", dose),
                entry(18, "snooze", "2026-01-10T00:15:00.000Z", ["count": 1]),
                entry(
                    19, "dose2_skipped", "2026-01-10T00:20:00.000Z",
                    ["reason": .string(secret("skip-reason")), "note": .string(secret("skip-note"))]),
            ])
        }
    }

    private static let regimens: JSONObject = [
        "history": [
            [
                "id": .string(id(20)), "medication_id": "xywav", "from": "2025-12-01", "until": nil, "total": "4.5g",
                "split": "equal", "once_nightly": false, "steps": [], "total_mg": 4_511, "parts_mg": [2_256, 2_255],
                "note": .string(secret("regimen-note")), "recorded_at": "2025-12-01T10:00:00.000Z",
            ]
        ]
    ]

    private static var loose: JSONValue {
        entry(
            21, "medication", "2026-01-03T11:00:00.000Z",
            [
                "medication_id": "ritalin_ir", "dose_mg": 11, "dose_unit": "mg", "formulation": "ir",
                "note": .string(secret("loose-note")),
            ])
    }
}
