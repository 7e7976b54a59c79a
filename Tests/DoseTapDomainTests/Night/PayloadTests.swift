import DoseTapDomain
import DoseTapTestSupport
import Testing

/// R21: the log reads back what it keeps, and refuses everything else.
struct PayloadTests {
    @Test(arguments: PayloadSamples.all)
    func `R21.1 a payload survives its JSON text`(payload: EventPayload) throws {
        let origin = Origin(sender: ":1.42", processID: 77, command: "dosetap")
        for origin in [nil, origin] {
            let json = try JSONValue.parse(payload.json(origin: origin).serialized())
            #expect(json["v"] == 1)
            #expect(try EventPayload(type: payload.type, json: json) == payload)
            #expect(EventPayload.origin(in: json) == origin)
        }
    }

    @Test(arguments: PayloadSamples.all)
    func `R21.2 unknown keys are ignored`(payload: EventPayload) throws {
        var object = try #require(payload.json(origin: nil).objectValue)
        object["from_the_future"] = ["a": 1]
        #expect(try EventPayload(type: payload.type, json: .object(object)) == payload)
    }

    /// Each key in turn has a value of the wrong kind. A missing key is an error or means nil.
    @Test(arguments: PayloadSamples.all)
    func `R21.3 a value of the wrong kind is an error that names its key, never a default`(payload: EventPayload) throws
    {
        let object = try #require(payload.json(origin: nil).objectValue)
        for key in object.keys where key != "v" {
            for wrong in [JSONValue.array([.array([])]), .number(1.5), .bool(true), .string("?"), .object(["x": 1])] {
                if ["request", "answers", "counts"].contains(key), wrong.objectValue != nil { continue }
                if object[key]?.boolValue != nil, wrong.boolValue != nil { continue }
                if object[key]?.stringValue != nil, wrong.stringValue != nil, Self.isFreeText(key) { continue }
                var broken = object
                broken[key] = wrong
                do {
                    let read = try EventPayload(type: payload.type, json: .object(broken))
                    Issue.record("\(key): \(wrong) was read as \(read)")
                } catch {
                    #expect(error.what.contains(payload.type.rawValue))
                    #expect(!error.description.isEmpty)
                }
            }
            var without = object
            without[key] = nil
            if let read = try? EventPayload(type: payload.type, json: .object(without)) { #expect(read != payload) }
        }
    }

    static func isFreeText(_ key: String) -> Bool {
        [
            "note", "reason", "type", "finding", "cause", "target", "action", "amends", "continues", "night",
            "medication_id", "regimen_id", "entry", "source", "device", "takes_back", "plan_id",
        ].contains(key)
    }

    @Test(arguments: EventType.allCases)
    func `R21.3 no object is no payload`(type: EventType) {
        for json in [JSONValue.null, 1, "x", [], true] {
            #expect(throws: PayloadError.self) { try EventPayload(type: type, json: json) }
        }
    }

    @Test(arguments: [
        #"{"kind":"dose3","request":{}}"#, #"{"kind":"dose1"}"#, #"{"kind":"dose1","request":{"at":"yesterday"}}"#,
        #"{"kind":"dose1","request":{"confirm":["soon"]}}"#, #"{"kind":"dose1","request":{"confirm":"early"}}"#,
        #"{"kind":"dose1","request":{"confirm":{}}}"#, #"{"kind":"dose1","request":[]}"#,
        #"{"kind":"dose1","request":{"ago":1}}"#, #"{"kind":"dose1","once_nightly":"no","request":{}}"#,
        #"{"kind":"dose1","amount_mg":"4500","request":{}}"#, #"{"kind":"dose1","amount_mg":1e99,"request":{}}"#,
    ])
    func `R21.3 malformed doses`(text: String) throws {
        let json = try JSONValue.parse(text)
        #expect(throws: PayloadError.self) { try EventPayload(type: .doseRecorded, json: json) }
    }

    @Test func `R21.4 identifiers are version 7, carry the time and never go back`() throws {
        var ids = IdentifierGenerator(random: SplitMix64(seed: 7))
        let base = utc("2026-01-14T22:00:00Z")
        var previous = ""
        for step in 0..<20_000 {
            let wobble = Duration.milliseconds(step % 7 == 0 ? -500 : step / 5_000)
            let text = ids.next(at: base + wobble)
            #expect(text > previous)
            previous = text
            let bytes = Array(text.utf8)
            guard step % 1_000 == 0 else { continue }
            #expect(bytes.count == 36)
            #expect([8, 13, 18, 23].allSatisfy { bytes[$0] == UInt8(ascii: "-") })
            #expect(bytes[14] == UInt8(ascii: "7"))
            #expect("89ab".utf8.contains(bytes[19]))
            #expect(text == text.lowercased())
        }
        var fresh = IdentifierGenerator()
        let text = fresh.next(at: base)
        let milliseconds = try #require(Int64(text.filter { $0 != "-" }.prefix(12), radix: 16))
        #expect(milliseconds == base.milliseconds)
        #expect(fresh.next(at: .min) > text)
    }
}
