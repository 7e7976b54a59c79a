import DoseTapContract
import DoseTapDomain
import SDBus
import Testing

@Suite struct WireObjectTests {
    /// The object after the way over the wire and back.
    private func travelled(_ object: JSONObject, _ shape: Shape = .unknown) -> JSONObject {
        WireObject(variant: WireObject(object, shape).variant)?.object ?? [:]
    }

    /// JSON objects keep the order of their keys, D-Bus dictionaries do not.
    private func sorted(_ object: JSONObject) -> JSONObject {
        JSONObject(object.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
    }

    static let night = Night()

    @Test(arguments: [0, 100, 150, 225, 240, 269, 300, 750, 2_000])
    func `a status arrives as it was`(minutes: Int) throws {
        for logState in [Self.night.open, Self.night.resolved, LogState()] {
            let moment = Self.night.start + .minutes(minutes)
            let context = Self.night.context(at: moment)
            let status = NightStatus(
                logState, at: nil, context,
                warnings: minutes == 300 ? [.init(.store, "a"), .init(.finding, "b")] : [])
            var expected = status
            // Durations travel in whole seconds. The moments here are whole minutes, so nothing is lost.
            expected.at = moment
            #expect(try NightStatus(json: travelled(status.json, NightStatus.description.shape)) == expected)
        }
    }

    @Test func `a receipt arrives as it was`() throws {
        for recording in Self.night.receipts {
            var expected = recording
            expected.metadata = sorted(expected.metadata)
            #expect(try Receipt(json: travelled(recording.json, Receipt.description.shape)) == expected)
        }
    }

    @Test func `R2.18 a clock that began in 1970 leaves the answers as they are`() throws {
        let night = Night(start: Instant(seconds: 600))
        for receipt in night.receipts {
            let read = try Receipt(json: travelled(receipt.json, Receipt.description.shape))
            #expect(read.timestamp == receipt.timestamp && read.dueTimes == receipt.dueTimes)
        }
        let status = NightStatus(night.open, at: nil, night.context(at: night.start))
        #expect(try NightStatus(json: travelled(status.json, NightStatus.description.shape)) == status)
        let record = NightRecord(try #require(night.resolved.latest))
        let read = try NightRecord(json: travelled(record.json, NightRecord.description.shape))
        #expect(read.summary == record.summary && read.entries.map(\.timestamp) == record.entries.map(\.timestamp))
    }

    @Test func `a night with its entries and corrections arrives as it was`() throws {
        let session = try #require(Self.night.corrected.latest)
        let record = NightRecord(session)
        #expect(record.entries.count == 2 && record.corrections.count == 2)
        var expected = record
        for index in expected.entries.indices {
            expected.entries[index].metadata = sorted(expected.entries[index].metadata)
        }
        for index in expected.corrections.indices {
            expected.corrections[index].metadata = sorted(expected.corrections[index].metadata)
        }
        #expect(try NightRecord(json: travelled(record.json, NightRecord.description.shape)) == expected)
        #expect(
            try NightSummary(json: travelled(record.summary.json, NightSummary.description.shape)) == record.summary)
    }

    @Test func `instants travel as microseconds, 0 is none, what is null is left out`() throws {
        let status = NightStatus(LogState(), at: nil, Self.night.context(at: Self.night.start))
        let wire = WireObject(status.json, NightStatus.description.shape).variant.dictionaryValue ?? [:]
        #expect(wire["at"]?.as(UInt64.self) == UInt64(Self.night.start.microseconds))
        #expect(wire["dose1_time"]?.as(UInt64.self) == 0)
        #expect(wire["session_id"] == nil)
        #expect(wire["phase"]?.as(String.self) == "no_dose1")
    }

    @Test(arguments: ["", "2026-01-14T22:30:00.000Z", "0", "ä\n\u{202E}"])
    func `a note that looks like anything stays a note`(note: String) {
        let object: JSONObject = ["note": .string(note)]
        #expect(travelled(object) == object)
    }

    @Test func `every JSON value but null survives, nested`() {
        let object: JSONObject = [
            "array": .array([.integer(1), .bool(true), .string("x"), .object(["deep": .number(1.5)])]),
            "empty": .array([]), "least": .integer(.min), "most": .integer(.max), "texts": .array([.string("a")]),
        ]
        #expect(travelled(object) == object)
    }

    @Test func `the moments a questionnaire asks for travel as microseconds`() throws {
        let keys = Questionnaire.preSleep.items.filter { $0.kind == .instant }.map(\.key)
        #expect(keys.contains("meal_end_at"))
        let shape = NightRecord.Entry.description.shape
        for key in keys {
            // The log has the time as a text.
            let object: JSONObject = ["metadata": ["answers": .object([key: .string(Self.night.start.iso8601)])]]
            let wire = WireObject(object, shape).variant.dictionaryValue?["metadata"]?.dictionaryValue?["answers"]
            #expect(wire?.dictionaryValue?[key] == .uint64(UInt64(Self.night.start.microseconds)), "\(key)")
            #expect(travelled(object, shape) == object, "\(key)")
        }
    }

    @Test func `places travel as t and come back as numbers, what is null comes back where it was left out`() {
        let object: JSONObject = ["cursor": 7, "failures": 2, "lag": 0, "last_error": ""]
        let wire = WireObject(object, Schemas.pluginReport).variant.dictionaryValue ?? [:]
        #expect(wire["cursor"] == .uint64(7) && wire["lag"] == .uint64(0) && wire["failures"] == .uint32(2))
        #expect(Schemas.pluginReport.completed(travelled(object, Schemas.pluginReport)) == object)
        let cup: JSONObject = ["cups": [["id": "x"]]]
        #expect(Inventory.shape.completed(cup)["cups"]?.arrayValue?.first?["for"]?.isNull == true)
    }
}
