import DoseTapDomain
import DoseTapExchange
import DoseTapImporters
import Foundation
import Testing

@Suite struct ImportIOSTests {
    private static func told(_ entry: ImportEntry) -> String? {
        switch entry.what {
        case .dose(let kind, _): "\(kind.rawValue)|\(entry.at.seconds)"
        case .skip: "skip|\(entry.at.seconds)"
        case .finalWake, .sleepEvent, .checkIn, .preSleep, .medication, .regimen: nil
        }
    }

    @Test(arguments: 1...2)
    func `R31.7 doses of the app's database are what SQL by hand gives`(seed: Int) throws {
        let file = try ImportBench.made("ios", seed: seed)
        let lines = try ImportBench.read(.ios, file)
        #expect(ImportBench.entries(lines).compactMap(Self.told) == (try ImportBench.told("doses", "ios", file)))
    }

    @Test func `R31.7 words of the app become codes, and what has no place is named with its reason`() throws {
        let lines = try ImportBench.read(.ios, try ImportBench.made("ios"))
        guard case .header(let header) = lines.first else { throw CocoaError(.formatting) }
        #expect(header.source == "ios" && header.notes.contains { $0.contains("-wal") })
        let entries = ImportBench.entries(lines)
        let first = try #require(entries.first)
        #expect(first.id == "d1" && first.night?.text == "2026-01-14" && first.at.milliseconds % 1_000 == 123)
        #expect(first.what == .dose(.dose1, amountMilligrams: 4_500))
        #expect(entries.contains { $0.what == .skip(reason: nil) && $0.night?.text == "2026-01-15" })
        #expect(entries.contains { $0.what == .sleepEvent("lights_out") })
        #expect(entries.contains { $0.what == .sleepEvent("wake_temp") && $0.note == "a\nb" })
        #expect(entries.contains { $0.what == .finalWake })
        #expect(
            entries.contains {
                $0.what == .medication("adderall_ir", amountMilligrams: 10) && $0.offsetMinutes == 60
            })
        let checkIns = entries.compactMap { if case .checkIn(let answers) = $0.what { answers } else { nil } }
        #expect(
            checkIns == [
                [
                    "sleep_quality": 4, "feel_rested": "moderate", "grogginess": "cantFunction",
                    "sleep_inertia_duration": "fiveToFifteen", "mood": "veryLow", "has_physical_symptoms": true,
                    "pain_areas": ["head", "upperBack"], "pain_severity": 4, "headache": true,
                    "has_sleep_environment": false, "notes": "fine",
                ]
            ])
        let logs = entries.compactMap { if case .preSleep(let answers, .complete) = $0.what { answers } else { nil } }
        #expect(
            logs == [
                [
                    "intended_sleep_time": "30min", "stress_level": 3, "stress_drivers": ["work", "pain"],
                    "stimulants": "coffee", "alcohol": "2-3", "nap": "short", "screens": "1hr+",
                    "room_temperature": "cool", "sleep_aids": ["eye_mask", "fan"],
                ]
            ])
        let refused = ImportBench.refused(lines)
        for part in [
            "dose_events, row 3, its amount: 99999 mg", "dose_events, row 4: a snooze",
            "dose_events, row 5, its details",
            "dose_events, row 6: the app wrote this skip by itself",
            "dose_events, row 7: its time '2026-01-15 22:00:00'",
            "dose_events, row 8: its time, 1900", "dose_events, row 9: its time, 2106",
            "sleep_events, row 4: 'congestion'",
            "sleep_events, row 5: a dose among sleep events", "medication_events, row 2: 'aspirin'",
            "caffeineLastAmountMg: the app asks for ounces", "weird: there is no such question",
            "mental_clarity: the answer to mental_clarity: 11", "roomDarkness: the answer to room_darkness",
        ] { #expect(refused.contains { $0.contains(part) }, "\(part)") }
    }

    @Test func `R31.7 a record of this program is refused by name, also where only its log says so`() throws {
        let fixtures = ExchangeBench.root.appendingPathComponent("Tests/DoseTapStoreTests/Fixtures")
        // The oldest and the newest schema.
        for name in ["v1.db", "v13.db"] {
            let file = Array(try Data(contentsOf: fixtures.appendingPathComponent(name)))
            let fault = try #require(ImportBench.fault(.ios, file), "\(name)")
            #expect(fault.kind == .stream, "\(name): \(fault)")
            for part in ["a record of DoseTap for Linux", "dosetap db restore FILE", "dosetap import log FILE"] {
                #expect(fault.message.contains(part), "\(name): \(fault)")
            }
        }
        let table = "CREATE TABLE dose_events(id TEXT, event_type TEXT, timestamp TEXT);"
        let young = try ImportBench.database(table, logged: "PRAGMA application_id=1146380656;")
        #expect(throws: ExchangeFault.self) { try ImportBench.read(.ios, young.file, log: young.log) }
        // The number of another program is no reason.
        #expect(ImportBench.fault(.ios, try ImportBench.database("PRAGMA application_id=7;" + table)) == nil)
    }

    @Test(arguments: 1...3)
    func `R31.7 a bundle that we exported gives its entries back`(seed: Int) throws {
        let stream = ExchangeBench.random(seed: UInt64(seed) * 7_919)
        let bundle = try ExchangeBench.bytes(.ios, stream)
        var expected: [String] = []
        for line in stream.split(separator: "\n") {
            let object = try JSONValue.parse(String(line))
            for night in object["nights"]?.arrayValue ?? (object["session_id"] == nil ? [] : [object]) {
                for entry in night["entries"]?.arrayValue ?? [] {
                    let type = entry["type"]?.stringValue ?? ""
                    guard ["dose1", "dose2", "extra_dose", "dose2_skipped"].contains(type) else { continue }
                    guard let at = entry["timestamp"]?.instantValue else { continue }
                    if entry["metadata"]?["reason"] == "slept_through" { continue }
                    expected.append("\(type == "dose2_skipped" ? "skip" : type)|\(at.seconds)")
                }
            }
        }
        let lines = try ImportBench.read(.ios, bundle)
        #expect(ImportBench.entries(lines).compactMap(Self.told).sorted() == expected.sorted())
        #expect(!expected.isEmpty && !ImportBench.refused(lines).contains { $0.contains("there is no such question") })
    }

    @Test func `R31.7 the first CSV has times of day in UTC: dose 2 is the first one after dose 1`() throws {
        let lines = try ImportBench.read(
            .ios,
            """
            Date,Dose1Time,Dose2Time,Interval,OnTime,NaturalWake
            2024-01-15,22:30:00,01:15:00,165,true,false
            2024-01-16,22:30:00,01:15:00,200,true,false
            2024-01-17,,01:15:00,,,
            2024-01-18,22:30:00,,,,
            2024-01-18,22:30:00

            """)
        #expect(
            ImportBench.entries(lines).map { "\($0.what.kind) \($0.at)" } == [
                "dose 2024-01-15T22:30:00.000Z", "dose 2024-01-16T01:15:00.000Z", "dose 2024-01-16T22:30:00.000Z",
                "dose 2024-01-18T22:30:00.000Z",
            ])
        #expect(
            ImportBench.refused(lines) == [
                "line 3, dose 2: its interval of 200 minutes and its times disagree",
                "line 4: it has no dose 1, and the time of a dose 2 alone has no date",
                "line 6: it has another number of fields than the first line",
            ])
    }

    @Test(arguments: [
        "session_date,event_type,timestamp\n2026-01-14,dose1,2026-01-14T22:30:00.000Z\n",
        "# schema_version=0 constants_version=1.0.0\ntype,timestamp,session_date,details\n"
            + "dose1,2026-01-14T22:30:00.000Z,2026-01-14,\n",
        "session_date,dose1_time,dose2_time,snooze_count,dose2_skipped\n2026-01-14,2026-01-14T22:30:00.000Z,,0,0\n",
        "event_type,occurred_at_utc,details,device_time\r\ndose1,2026-01-14T22:30:00.000Z,{},2026-01-14\r\n",
        "\u{FEFF}id,event_type,timestamp,session_date,color_hex,notes\nx,dose1_taken,2026-01-14T22:30:00Z,2026-01-14,,\n",
    ])
    func `R31.7 each of its files is known by its columns`(file: String) throws {
        let entries = ImportBench.entries(try ImportBench.read(.ios, file, zone: ImportBench.berlin))
        #expect(entries.map(\.what) == [.dose(.dose1, amountMilligrams: nil)])
        #expect(entries.map(\.at) == [try Instant(iso8601: "2026-01-14T22:30:00Z")])
        #expect(entries.map(\.night?.text) == ["2026-01-14"] && entries.map(\.offsetMinutes) == [60])
    }

    @Test func `R31.7 notes that the app forgot to quote are put together again, and guarded ones are freed`() throws {
        let lines = try ImportBench.read(
            .ios,
            """
            type,timestamp,session_date,details
            noise,2026-01-14T22:30:00.000Z,2026-01-14,loud, very "loud"
            pain,2026-01-14T22:31:00.000Z,2026-01-14,'=1+1
            dream,2026-01-14T22:32:00.000Z,2026-01-14,first
            second line

            """)
        #expect(ImportBench.entries(lines).map(\.note) == ["loud, very \"loud\"", "=1+1", "first"])
        #expect(ImportBench.refused(lines) == ["line 5: it has another number of fields than the first line"])
    }

    @Test func `R31.7 an identity that another row has is none`() throws {
        let lines = try ImportBench.read(
            .ios,
            "id,event_type,timestamp\nx,noise,2026-01-14T22:30:00Z\nx,dream,2026-01-14T22:31:00Z\n"
                + "y,pain,2026-01-14T22:32:00Z\n")
        #expect(ImportBench.entries(lines).map(\.id) == ["x", nil, "y"])
    }

    @Test func `R31.7 a question that is not here is named once, at its first row`() throws {
        let night = { (date: String) in
            "{\"sessionDate\":\"\(date)\",\"morning\":{\"submittedAtUTC\":\"\(date)T06:00:00Z\",\"weird\":1}}"
        }
        let file = "{\"sessions\":[\(night("2026-01-14")),\(night("2026-01-15"))]}"
        let refused = ImportBench.refused(try ImportBench.read(.ios, file))
        #expect(refused.count == 1 && refused.first?.contains("morning, weird: there is no such question") == true)
    }

    @Test func `R31.7 after 1,000 questions that are not here one line says that others are not named`() throws {
        let weird = (0...1_001).map { "\"weird\($0)\":1" }.joined(separator: ",")
        let night = { (date: String) in
            "{\"sessionDate\":\"\(date)\",\"morning\":{\"submittedAtUTC\":\"\(date)T06:00:00Z\",\(weird)}}"
        }
        let file = "{\"sessions\":[\(night("2026-01-14")),\(night("2026-01-15"))]}"
        let refused = ImportBench.refused(try ImportBench.read(.ios, file))
        #expect(refused.count == 1_001 && refused.last?.hasSuffix("others are not named") == true)
    }

    @Test func `R31.7 answers and medicines of the bundle's JSON`() throws {
        let lines = try ImportBench.read(
            .ios,
            """
            {"schemaVersion":1,"exportedAtUTC":"2026-01-20T00:00:00Z","sessions":[{"sessionDate":"2026-01-14",
            "preSleep":{"completionState":"skipped","loggedAtUTC":"2026-01-14T21:00:00Z","sessionId":"x"},
            "morning":{"submittedAtUTC":"2026-01-15T06:00:00Z","sleepQuality":4,"mood":"Great","stressLevel":null},
            "medications":[{"id":"m","medicationId":"modafinil","doseMg":200,"doseUnit":"g","takenAtUTC":"2026-01-15T07:00:00Z"}]},
            {"sessionDate":"14.1.2026"}]}
            """)
        #expect(
            ImportBench.entries(lines).map(\.what) == [
                .preSleep(JSONObject(), .skipped), .checkIn(["sleep_quality": 4, "mood": "great"]),
                .medication("modafinil", amountMilligrams: nil),
            ])
        #expect(ImportBench.entries(lines).allSatisfy { $0.night?.text == "2026-01-14" && $0.id != nil })
        let refused = ImportBench.refused(lines)
        #expect(refused.count == 2)
        #expect(refused.contains { $0.hasSuffix("its amount: it is in 'g', and only mg are read") })
    }
}
