import DoseTapDomain
import DoseTapExchange
import Testing

@Suite struct SleepObservationTests {
    /// A stream of one night with recorded sleep.
    private static func stream(grade: String, _ sleep: JSONValue) throws -> String {
        var night = try #require(PlantedNight.lines[2]["nights"]?.arrayValue?.first?.objectValue)
        let entry: JSONValue = [
            "id": "0197d3f2-271a-7026-b1b8-47dda6568dff", "type": "sleep_record",
            "timestamp": "2026-01-09T22:40:00.000Z", "recorded_at": "2026-01-10T09:00:00.000Z", "surface": "import",
            "metadata": [
                "sleep_source": "oura", "source": "manual", "device": "Anna's ring", "part": "main",
                "grade": .string(grade), "end_utc": "2026-01-10T05:40:00.000Z", "sleep": sleep,
                "stage_s": ["deep": 5_430, "light": 9_000, "rem": 3_600, "awake": 600], "local_offset_minutes": 60,
                "note": "a note",
            ],
        ]
        night["entries"] = .array((night["entries"]?.arrayValue ?? []) + [entry])
        return JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
    }

    private static let measures: JSONValue = [
        "time_in_bed_min": nil, "sleep_onset_latency_min": nil, "wake_after_sleep_onset_min": 10, "awakenings": 2,
        "total_sleep_min": 300, "sleep_efficiency_percent": nil,
    ]

    @Test func `R30.10 a recorded sleep is an observation of its own, with its stages and without its device`() throws {
        let resources = try ExchangeBench.resources(Self.stream(grade: "measured", Self.measures))
        let found = try #require(resources.first { $0["id"]?.stringValue?.hasSuffix("8dff") == true })
        #expect(found["resourceType"] == "Observation" && found["status"] == "final")
        let category = found["category"]?.arrayValue?.first?["coding"]?.arrayValue?.first?["code"]
        #expect(category == "activity")
        #expect(found["code"]?["coding"]?.arrayValue?.first?["code"] == "93832-4")
        #expect(found["code"]?["text"] == "Sleep duration, oura, measured")
        #expect(found["valueQuantity"]?["value"] == 300 && found["valueQuantity"]?["code"] == "min")
        #expect(found["effectivePeriod"]?["start"] == "2026-01-09T23:40:00.000+01:00")
        #expect(found["effectivePeriod"]?["end"] == "2026-01-10T06:40:00.000+01:00")
        var parts: [String: JSONValue] = [:]
        for part in found["component"]?.arrayValue ?? [] {
            let code = part["code"]?["coding"]?.arrayValue?.first?["code"]?.stringValue ?? ""
            parts[code] = part["valueQuantity"]?["value"] ?? part["valueInteger"]
        }
        let expected: [String: JSONValue] = [
            "93831-6": 90, "93830-8": 150, "93829-0": 60, "wakeAfterSleepOnset": 10, "numberOfAwakenings": 2,
        ]
        #expect(parts == expected)
        #expect(!JSONValue.array(resources).serialized().contains("Anna"))
        let told = try ExchangeBench.resources(Self.stream(grade: "told", ["total_sleep_min": nil]))
        let survey = try #require(told.first { $0["id"]?.stringValue?.hasSuffix("8dff") == true })
        #expect(survey["category"]?.arrayValue?.first?["coding"]?.arrayValue?.first?["code"] == "survey")
        #expect(survey["dataAbsentReason"] != nil && survey["valueQuantity"] == nil)
    }

    @Test(arguments: [ExportProfile.clinic, .share])
    func `R28.7 a source of sleep that is none of ours is not named, and several are told apart`(
        profile: ExportProfile
    ) throws {
        let stream = try Self.stream(grade: "measured", Self.measures)
        func text(_ source: String, _ profile: ExportProfile) throws -> String {
            let named = stream.replacing("\"sleep_source\":\"oura\"", with: "\"sleep_source\":\"\(source)\"")
            return String(decoding: try ExchangeBench.bytes(.fhir, named, profile: profile), as: UTF8.self)
        }
        #expect(try text("Annas Ring", .full).contains("Sleep duration, Annas Ring, measured"))
        #expect(try text("Annas Ring", profile).contains("Sleep duration, other, measured"))
        #expect(try text("oura", profile).contains("Sleep duration, oura, measured"))
        var redactor = Redactor(profile, ExchangeBench.identity)
        let sources = ["Annas Ring", "oura", "Bens Ring", "Annas Ring"]
        let all = sources.map { stream.replacing("\"oura\"", with: "\"\($0)\"") }.joined()
        var (nights, lines) = (NightStream(LineReader(Array(all.utf8))), [String]())
        while let line = try nights.next() { lines.append(JSONValue.object(redactor.redact(line).object).serialized()) }
        #expect(lines.count == sources.count)
        for (line, word) in zip(lines, ["other", "oura", "other 2", "other"]) {
            #expect(line.contains("\"sleep_source\":\"\(word)\"") && !line.contains("Ring"), "\(line)")
        }
    }

    @Test(arguments: [ExportProfile.clinic, .share])
    func `R30.10 the name of a device is taken out with other free text`(profile: ExportProfile) throws {
        let stream = try Self.stream(grade: "measured", Self.measures)
        for format in [Format.fhir, .ical] {
            let text = String(decoding: try ExchangeBench.bytes(format, stream, profile: profile), as: UTF8.self)
            #expect(!text.contains("Anna") && !text.contains("a note"))
        }
    }
}
