import DoseTapDomain
import DoseTapExchange
import Testing

@Suite struct FHIRTests {
    @Test(arguments: 1...3)
    func `R28.4 the bundle of nights of chance is what an independent reader makes of them`(seed: Int) throws {
        let stream = ExchangeBench.random(seed: UInt64(seed) * 7_919)
        for profile in [ExportProfile.full, .clinic, .share, .figures] {
            let bundle = try ExchangeBench.bytes(.fhir, stream, profile: profile)
            try ExchangeBench.check("fhir", bundle, stream, profile: profile)
            let lines = try ExchangeBench.bytes(.fhir, stream, profile: profile, isLines: true)
            try ExchangeBench.check("ndjson", lines, stream, profile: profile)
        }
    }

    @Test(.enabled(if: ExchangeBench.hasModels, "Contrib/test makes the Python environment"), arguments: 1...2)
    func `R28.4 the models of R4 read every resource and write the same`(seed: Int) throws {
        let stream = ExchangeBench.random(seed: UInt64(seed) * 104_729) + PlantedNight.stream
        for profile in ExportProfile.allCases {
            let bundle = try ExchangeBench.bytes(.fhir, stream, profile: profile)
            try ExchangeBench.check("fhir", bundle, nil, profile: profile, models: true)
        }
    }

    /// Changes that the independent reader must find.
    @Test(arguments: [
        ("\"completed\"", "\"complete\""), ("N07XX04", "N07XX05"), ("\"unit\":\"mg\"", "\"unit\":\"g\""),
        ("urn:dosetap:reason", "urn:dosetap:reasons"), ("\"type\":\"collection\"", "\"type\":\"batch\""),
        ("\"reference\":\"urn:uuid:", "\"reference\":\"urn:uuid:0"), ("2026-01-03T22:30", "2026-01-03T22:31"),
        ("\"value\":2257", "\"value\":2258"), ("not-done", "completed"),
    ])
    func `the independent reader finds what is wrong`(right: String, wrong: String) throws {
        let text = try ExchangeBench.make(.fhir, PlantedNight.stream)
        #expect(text.contains(right))
        let bent = text.split(separator: right, omittingEmptySubsequences: false).joined(separator: wrong)
        #expect(try ExchangeBench.verdict("fhir", Array(bent.utf8), PlantedNight.stream).hasPrefix("wrong"))
    }

    @Test func `R28.5 a night is told with all that is known of it`() throws {
        let resources = try ExchangeBench.resources(PlantedNight.stream)
        func resource(_ id: Int) throws -> JSONValue {
            try #require(resources.first { $0["id"]?.stringValue == PlantedNight.id(id) })
        }
        let dose = try resource(3)
        #expect(dose["status"] == "completed" && dose["effectiveDateTime"] == "2026-01-03T22:30:00.000+01:00")
        #expect(dose["dosage"]?["dose"]?["value"] == 2_257 && dose["dosage"]?["dose"]?["code"] == "mg")
        let codes = dose["medicationCodeableConcept"]?["coding"]?.arrayValue?.compactMap { $0["code"]?.stringValue }
        #expect(codes == ["N07XX04", "68727-150", "2393795"])
        let skipped = try resource(19)
        #expect(skipped["status"] == "not-done")
        #expect(skipped["effectivePeriod"]?["start"] == "2026-01-10T01:00:00.000+01:00")
        #expect(skipped["effectivePeriod"]?["end"] == "2026-01-10T02:30:00.000+01:00")
        let before = try #require(resources.first { $0["supportingInformation"] != nil })
        #expect(
            before["status"] == "entered-in-error" && before["effectiveDateTime"] == "2026-01-04T01:05:00.000+01:00")
        #expect(
            before["supportingInformation"]?.arrayValue?.first?["reference"]?.stringValue
                == "MedicationAdministration/\(PlantedNight.id(5))")
        #expect(try resource(14)["status"] == "entered-in-error")
        #expect(try resource(7)["status"] == "amended", "it was answered anew")
        #expect(try resource(20)["resourceType"] == "MedicationStatement" && resource(20)["status"] == "active")
        #expect(try resource(8)["effectiveDateTime"] == "2026-01-04T08:00:00.000+01:00")
        #expect(try resource(21)["resourceType"] == "MedicationStatement", "it belongs to no night")
        let morning = try resource(7)["item"]?.arrayValue?.compactMap { $0["linkId"]?.stringValue } ?? []
        #expect(
            morning.contains("sleep_quality") && !morning.contains("mood"), "nobody answered what counts by default")
    }

    @Test func `R28.5 a dose 2 that nobody recorded is unknown and never not done`() throws {
        var night = try #require(PlantedNight.lines[2]["nights"]?.arrayValue?.first?.objectValue)
        (night["dose2_skipped"], night["outcome"]) = (false, "not_recorded")
        night["entries"] = .array(night["entries"]?.arrayValue?.filter { $0["type"] != "dose2_skipped" } ?? [])
        let stream = JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
        let resources = try ExchangeBench.resources(stream)
        let statuses = resources.filter { $0["resourceType"] == "MedicationAdministration" }.map { $0["status"] }
        #expect(statuses == ["completed", "unknown"])
        let unknown = try #require(resources.first { $0["status"] == "unknown" })
        #expect(unknown["statusReason"]?.arrayValue?.first?["text"] == "Not recorded")
        #expect(unknown["effectivePeriod"]?["start"] == "2026-01-10T01:00:00.000+01:00")
    }

    @Test(arguments: ["action_undone", "entry_deleted"])
    func `R28.5 a skip that was taken back is told as an error`(type: String) throws {
        var night = try #require(PlantedNight.lines[2]["nights"]?.arrayValue?.first?.objectValue)
        (night["dose2_skipped"], night["outcome"]) = (false, "incomplete")
        night["entries"] = .array(night["entries"]?.arrayValue?.filter { $0["type"] != "dose2_skipped" } ?? [])
        night["corrections"] = [
            [
                "id": .string(PlantedNight.id(40)), "type": .string(type), "timestamp": "2026-01-10T00:50:00.000Z",
                "recorded_at": "2026-01-10T00:50:00.000Z", "surface": "cli", "target": .string(PlantedNight.id(19)),
                "metadata": [
                    "original": [
                        "type": "dose2_skipped", "timestamp": "2026-01-10T00:45:00.000Z", "local_offset_minutes": 60,
                    ]
                ],
            ]
        ]
        let resources = try ExchangeBench.resources(JSONValue.object(["nights": [.object(night)]]).serialized() + "\n")
        let told = try #require(resources.first { $0["id"]?.stringValue == PlantedNight.id(19) })
        #expect(told["status"] == "entered-in-error")
        #expect(told["effectivePeriod"]?["start"] == "2026-01-10T01:00:00.000+01:00")
        #expect(!resources.contains { $0["status"] == "not-done" })
    }

    @Test func `R28.5 a skip that a dose 2 took the place of is no skip`() throws {
        var night = try #require(PlantedNight.lines[2]["nights"]?.arrayValue?.first?.objectValue)
        night["dose2_time"] = "2026-01-10T00:30:00.000Z"
        let resources = try ExchangeBench.resources(JSONValue.object(["nights": [.object(night)]]).serialized() + "\n")
        #expect(!resources.contains { $0["status"] == "not-done" })
        #expect(resources.contains { $0["status"] == "entered-in-error" })
    }

    @Test func `R28.4 a prescription ends where a later one begins, and its steps have their dates`() throws {
        func regimen(_ number: Int, _ keys: String) -> String {
            "{\"id\":\"0197d3f2-271a-7026-b1b8-47dda6568d0\(number)\",\"medication_id\":\"xyrem\",\"total_mg\":9000,"
                + "\"parts_mg\":[4500,4500],\(keys)}"
        }
        // The regimen that was set last comes first.
        let history = [
            regimen(3, "\"from\":\"2026-03-01\",\"until\":null,\"total\":\"9g\",\"steps\":[]"),
            regimen(2, "\"from\":\"2026-04-01\",\"until\":null,\"total\":\"8g\",\"steps\":[]"),
            regimen(
                1,
                "\"from\":\"2026-01-01\",\"until\":null,\"total\":\"4.5g\",\"steps\":[{\"from\":\"2026-02-01\",\"total\":\"6g\"}]"
            ),
        ]
        let told = try ExchangeBench.resources("{\"history\":[\(history.joined(separator: ","))]}\n")
            .filter { $0["resourceType"] == "MedicationStatement" }
        #expect(told.count == 2, "the second was replaced as a whole")
        #expect(told.map { $0["status"] } == ["active", "unknown"])
        #expect(told.last?["effectivePeriod"] == ["start": "2026-01-01", "end": "2026-02-28"])
        let steps = told.last?["dosage"]?.arrayValue ?? []
        #expect(
            steps.map { $0["text"] } == ["From 2026-01-01: 4.5g a night", "From 2026-02-01: 6g a night"]
                && steps.allSatisfy { $0["doseAndRate"] == nil })
    }

    @Test func `R28.4 R33.7 a prescription that counts again is told for both periods, in FHIR and on the page`() throws
    {
        func regimen(_ number: Int, _ total: Int, _ from: String, _ until: String) -> String {
            "{\"id\":\"\(PlantedNight.id(50 + number))\",\"medication_id\":\"xywav\",\"total\":\"\(total)mg\",\"steps\":[],"
                + "\"total_mg\":\(total),\"parts_mg\":[],\"from\":\"\(from)\",\"until\":\(until)}"
        }
        let history = [
            regimen(2, 4_500, "2025-11-08", "\"2025-11-10\""), regimen(1, 6_000, "2025-10-20", "null"),
        ]
        let stream =
            "{\"history\":[\(history.joined(separator: ","))]}\n"
            + ReportBench.stream([ReportBench.Night(date: "2025-11-12")])
        let told = try ExchangeBench.resources(stream).filter { $0["resourceType"] == "MedicationStatement" }
        #expect(
            told.map { $0["effectivePeriod"] } == [
                ["start": "2025-11-08", "end": "2025-11-10"], ["start": "2025-10-20", "end": "2025-11-07"],
                ["start": "2025-11-11"],
            ])
        #expect(told.map { $0["status"] } == ["unknown", "unknown", "active"])
        #expect(Set(told.compactMap { $0["id"]?.stringValue }).count == 3)
        let page = try ExchangeBench.make(.summary, stream)
        let lines = [
            "6000 mg a night, from 2025-11-11", "4500 mg a night, from 2025-11-08 until 2025-11-10",
            "6000 mg a night, from 2025-10-20 until 2025-11-07",
        ]
        let places = lines.compactMap { page.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted(), "\(page)")
    }

    @Test func `R28.3 nothing gives a whole bundle without entries`() throws {
        #expect(try ExchangeBench.make(.fhir, "") == "{\"resourceType\":\"Bundle\",\"type\":\"collection\"}\n")
        #expect(try ExchangeBench.make(.fhir, "", isLines: true) == "")
    }

    @Test func `R28.3 one stream gives equal bytes`() throws {
        let stream = ExchangeBench.random(seed: 77)
        for format in Format.allCases {
            let other = Identity(salt: Array(repeating: 9, count: 32))
            let same = try ExchangeBench.bytes(format, stream) == ExchangeBench.bytes(format, stream, identity: other)
            #expect(same, "\(format)")
        }
    }

    @Test func `R28.4 a medicine of a date with two sessions is told once`() throws {
        let (first, second) = (PlantedNight.lines[1], PlantedNight.lines[2])
        let own = try #require(first["nights"]?.arrayValue?.first?["entries"]?.arrayValue)
        let medicines = own.filter { $0["type"] == "medication" }
        var night = try #require(second["nights"]?.arrayValue?.first?.objectValue)
        night["entries"] = .array((night["entries"]?.arrayValue ?? []) + medicines)
        #expect(!medicines.isEmpty)
        let stream = [first, ["nights": [.object(night)]]].map { JSONValue.object($0).serialized() + "\n" }.joined()
        let ids = try ExchangeBench.resources(stream).compactMap { $0["id"]?.stringValue }
        #expect(ids.count == Set(ids).count)
        #expect(try !ExchangeBench.make(.summary, stream).contains("2 times"))
    }
}
