import DoseTapDomain
import DoseTapExchange
import Testing

@Suite struct PacketTableTests {
    /// The rows of a table, with the cells by column name.
    private func rows(_ format: Format, _ night: JSONObject) throws -> [[String: String]] {
        let run = try ExchangeRun(format, profile: .clinic, parts: [], identity: ExchangeBench.identity)
        var written: [UInt8] = []
        var output = Output { bytes in
            written += bytes
            return 0
        }
        let stream = JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
        try run.write(LineReader(Array(stream.utf8)), to: &output)
        let lines = String(decoding: written, as: UTF8.self).split(whereSeparator: \.isNewline)
        let cells = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        let names = try #require(cells.first)
        return cells.dropFirst().map { Dictionary(zip(names, $0)) { first, _ in first } }
    }

    private func night(_ line: Int) throws -> JSONObject {
        try #require(PlantedNight.lines[line]["nights"]?.arrayValue?.first?.objectValue)
    }

    @Test func `R33.2 of what was left out a table says that it is unknown, not that there was none`() throws {
        let night = try night(1)
        let row = try #require(rows(.nights, night).first)
        #expect(row["medicines"] == "" && row["naps"] == "1")
        // The question has two answers, and one is a medicine. The other answer alone would be wrong, so both are left
        // out.
        let told = try ExchangeBench.make(.nights, PlantedNight.stream, profile: .share)
        #expect(!told.contains("earplugs") && !told.contains("melatonin"))
        #expect(try ExchangeBench.make(.nights, PlantedNight.stream).contains("earplugs"))
    }

    @Test func `R30.11 a recorded nap counts in tables and figures as in the summary, and none counts twice`() throws {
        var night = try night(1)
        func recorded(_ number: Int, _ start: String, _ end: String) -> JSONValue {
            [
                "id": .string(PlantedNight.id(number)), "type": "sleep_record", "timestamp": .string(start),
                "recorded_at": .string(end), "surface": "cli",
                "metadata": [
                    "part": "nap", "grade": "told", "sleep_source": "hand", "end_utc": .string(end),
                    "local_offset_minutes": 60,
                ],
            ]
        }
        // One of them is the nap that was logged.
        let naps = [
            recorded(41, "2026-01-04T05:05:00.000Z", "2026-01-04T05:25:00.000Z"),
            recorded(42, "2026-01-04T14:00:00.000Z", "2026-01-04T15:00:00.000Z"),
        ]
        night["entries"] = .array(try #require(night["entries"]?.arrayValue) + naps)
        let row = try #require(rows(.nights, night).first)
        #expect(row["naps"] == "2" && row["nap_min"] == "80")
        let stream = JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
        let figures = try ExchangeBench.resources(stream, profile: .figures).last
        let count = figures?["component"]?.arrayValue?.first {
            $0["code"]?["coding"]?.arrayValue?.first?["code"] == "naps"
        }
        #expect(count?["valueInteger"] == 2)
        // A nap without an end is none yet.
        night["naps"] = [
            [
                "state": "open", "start_id": .string(PlantedNight.id(10)), "start_utc": "2026-01-04T05:00:00.000Z",
                "end_id": nil, "end_utc": nil, "nap_min": nil,
            ]
        ]
        night["entries"] = []
        let open = try #require(rows(.nights, night).first)
        #expect(open["naps"] == "0" && open["nap_min"] == "")
    }

    @Test func `R6.1 R33.7 a correction that was undone is counted nowhere in a packet`() throws {
        var night = try night(1)
        func told() throws -> [String?] {
            let stream = JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
            let page = try ExchangeBench.make(.summary, stream, profile: .clinic)
            return [
                try rows(.doses, night).last?["corrections"], try rows(.nights, night).first?["corrections"],
                page.contains(" 1 corrected later") ? "1" : page.contains(" 0 corrected later") ? "0" : nil,
            ]
        }
        #expect(try told() == ["1", "3", "1"])
        let undo: JSONValue = [
            "id": .string(PlantedNight.id(43)), "type": "action_undone", "timestamp": "2026-01-04T00:21:00.000Z",
            "recorded_at": "2026-01-04T00:21:00.000Z", "surface": "cli", "metadata": [:],
            "target": .string(PlantedNight.id(12)),
        ]
        night["corrections"] = .array(try #require(night["corrections"]?.arrayValue) + [undo])
        #expect(try told() == ["0", "2", "0"])
    }

    @Test func `R33.1 a skip that a dose took the place of is told as superseded, an assumed amount as assumed`() throws
    {
        var night = try night(1)
        var entries = try #require(night["entries"]?.arrayValue).compactMap(\.objectValue)
        var skip = try #require(entries.first { $0["type"] == "dose2" })
        skip["id"] = .string(PlantedNight.id(40))
        skip["type"] = "dose2_skipped"
        skip["metadata"] = ["local_offset_minutes": 60]
        let place = try #require(entries.firstIndex { $0["type"] == "dose1" })
        var dose = try #require(entries[place]["metadata"]?.objectValue)
        dose["regimen_id"] = nil
        entries[place]["metadata"] = .object(dose)
        night["entries"] = .array((entries + [skip]).map(JSONValue.object))
        let rows = try rows(.doses, night)
        #expect(rows.map { $0["entry"] } == ["dose1", "dose2", "dose2_skipped"])
        #expect(rows.map { $0["judged"] } == ["", "on_time", "superseded"])
        #expect(rows.map { $0["amount_assumed"] } == ["0", "1", ""])
    }

    @Test func `R13.6 a second dose where one a night is prescribed is judged in no table`() throws {
        var night = try night(1)
        night["outcome"] = "once_nightly"
        var entries = try #require(night["entries"]?.arrayValue).compactMap(\.objectValue)
        let place = try #require(entries.firstIndex { $0["type"] == "dose2" })
        let plain = try #require(entries[place]["metadata"]?.objectValue)
        for flag in [nil, "is_early", "is_late"] as [String?] {
            var metadata = plain
            if let flag { metadata[flag] = true }
            entries[place]["metadata"] = .object(metadata)
            night["entries"] = .array(entries.map(JSONValue.object))
            let rows = try rows(.doses, night)
            #expect(rows.map { $0["judged"] } == ["", ""] && rows[1]["minutes_after_dose1"] == "165")
            let row = try #require(self.rows(.nights, night).first)
            #expect(row["on_time"] == "" && row["interval_min"] == "165" && row["outcome"] == "once_nightly")
        }
    }

    @Test func `R33.1 a dose 2 that nobody recorded is a row without a time`() throws {
        var night = try night(2)
        night["dose2_skipped"] = false
        night["outcome"] = "not_recorded"
        var entries = try #require(night["entries"]?.arrayValue).compactMap(\.objectValue)
        let skip = try #require(entries.firstIndex { $0["type"] == "dose2_skipped" })
        entries[skip]["type"] = "dose2_not_recorded"
        let told = entries
        entries.remove(at: skip)
        for entries in [told, entries] {
            night["entries"] = .array(entries.map(JSONValue.object))
            let row = try #require(rows(.doses, night).last)
            #expect(row["entry"] == "dose2_not_recorded" && row["session_date"] == "2026-01-09")
            #expect(row["time_utc"] == "" && row["time_utc_local"] == "" && row["minutes_after_dose1"] == "")
            #expect(row["corrections"] == "0")
        }
    }
}
