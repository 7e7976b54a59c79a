import DoseTapDomain
import DoseTapTestSupport
import SystemdJournal
import Testing

@testable import DoseTapPlugins

/// The lines of the journal and the hooks for every type of event, with each sample payload.
@Suite struct EntryLineTests {
    private static func stored(_ payload: EventPayload) -> StoredEvent {
        let at = Instant(seconds: 1_768_446_000)
        let event = Event(
            id: EventID("0195a1b2-0000-7000-8000-000000000001"), payload: payload, entityType: .dose, entityID: "e",
            sessionID: nil, occurredAt: at, effectiveAt: at, timeZone: "UTC", localOffsetMinutes: 0,
            clock: ClockReading(wall: at, counterMicroseconds: 1, bootID: "b", isSynchronised: true), deviceID: "d",
            surface: .cli, origin: nil, idempotencyKey: nil)
        return StoredEvent(sequence: 7, event: event, previousHash: "", hash: "")
    }

    /// The private values of a payload: notes, the names of medicines and devices, amounts.
    private static func secrets(_ value: JSONValue, under key: String = "") -> [String] {
        if let object = value.objectValue { return object.flatMap { secrets($0.value, under: $0.key) } }
        if let list = value.arrayValue { return list.flatMap { secrets($0, under: key) } }
        if let text = value.stringValue, ["note", "notes", "device", "medication_id", "total"].contains(key) {
            return text.count < 2 ? [] : [text]
        }
        guard let number = value.integerValue, key.hasSuffix("_mg"), number > 99 else { return [] }
        return ["\(number)"]
    }

    private static func line(_ stored: StoredEvent, showsDetails: Bool) -> JSONObject {
        HookLine(stored, date: nil, phase: .active, due: nil, isCertain: true, showsDetails: showsDetails).object
    }

    @Test func `the samples have something to keep`() {
        let secrets = Set(PayloadSamples.all.flatMap { Self.secrets($0.json(origin: nil)) })
        #expect(secrets.isSuperset(of: ["modafinil", "xyrem", "2250", "a \"b\" \n ü", "a \"b\" ü"]), "\(secrets)")
    }

    @Test(arguments: PayloadSamples.all.indices)
    func `a journal entry names the event, and says nothing of what a person said`(place: Int) {
        let payload = PayloadSamples.all[place]
        let entry = JournalEntry(
            recorded: Self.stored(payload), date: nil, phase: .active, moments: Moments(zone: .utc))
        #expect(entry.message.count > 5 && entry.messageID != nil)
        #expect(entry.fields.contains(JournalField("DOSETAP_EVENT", payload.type.rawValue)))
        let told = [entry.message] + entry.fields.map { String(decoding: $0.value, as: UTF8.self) }
        for secret in Self.secrets(payload.json(origin: nil)) {
            #expect(!told.contains { $0.contains(secret) }, "\(secret) in \(told)")
        }
    }

    @Test func `no two types of event have one line of the journal`() {
        var types: [String: Set<EventType>] = [:]
        for payload in PayloadSamples.all {
            let entry = JournalEntry(
                recorded: Self.stored(payload), date: nil, phase: nil, moments: Moments(zone: .utc))
            types[entry.message, default: []].insert(payload.type)
        }
        for (line, types) in types { #expect(types.count == 1, "\(line): \(types)") }
        #expect(Set(types.values.joined()) == Set(EventType.allCases))
    }

    @Test(arguments: PayloadSamples.all.indices)
    func `a hook gets its line, neutral unless details may be shown`(place: Int) {
        let payload = PayloadSamples.all[place]
        let stored = Self.stored(payload)
        #expect(HookEvents.all.contains(payload.type.rawValue))
        let neutral = Self.line(stored, showsDetails: false)
        #expect(neutral["event"] == .string(payload.type.rawValue) && neutral["seq"] == .integer(7))
        #expect(neutral["text"]?.stringValue?.isEmpty == false && neutral["details"] == nil)
        let text = JSONValue.object(neutral).serialized()
        for secret in Self.secrets(payload.json(origin: nil)) { #expect(!text.contains(secret), "\(secret)") }
        #expect(Self.line(stored, showsDetails: true)["details"] == payload.json(origin: nil))
    }
}
