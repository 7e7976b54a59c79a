import DoseTapDomain
import Testing

/// R21: what the log keeps can be read back, and only that.
struct PayloadTests {
    static let request = Request(at: utc("2026-01-14T22:00:00.123Z"), confirmations: [.early, .overLimit])
    static let id = EventID("01890a5d-ac96-774b-bcce-b302099a8057")
    static let rules = NightRules.standard { rules in
        rules.onceNightly = true
        rules.wake = ClockTime(hour: 6)
    }

    static let answers = Questionnaire.morning.restored([
        "mood": "good", "pain_areas": ["head", "neck"], "pain_entries": [["area": "knee", "intensity": 4]],
        "notes": "a \"b\" \n ü",
    ])

    static let strength = Concentration(text: "500mg/mL")

    static func noted(_ item: InventoryItem) -> EventPayload {
        .inventoryRecorded(
            InventoryRecorded(
                item: item, date: SessionDate(CivilDate(daysSinceEpoch: 20_000)), reason: "r", note: "n",
                request: request))
    }

    static let payloads: [EventPayload] = [
        .sessionOpened(
            SessionOpened(
                date: SessionDate(CivilDate(daysSinceEpoch: 20_000)), backfilled: true, rules: rules, cause: id)),
        .sessionClosed(SessionClosed(state: .incompletePrepRollover, cause: nil)),
        .doseRecorded(DoseRecorded(kind: .extra, amountMilligrams: 2_250, note: "a \"b\" \n ü", request: request)),
        .doseRecorded(DoseRecorded(kind: .dose1, amountMilligrams: nil, note: nil, request: Request())),
        .doseSkipped(
            DoseSkipped(
                reason: "slept_through", note: nil, sleptThroughFrom: utc("2026-01-14T22:00:00.001Z"), request: nil,
                cause: id)),
        .doseSkipped(DoseSkipped(reason: nil, note: "n", sleptThroughFrom: nil, request: request, cause: nil)),
        .snoozeRecorded(SnoozeRecorded(stepMinutes: 10, note: "n", request: request)),
        .finalWakeRecorded(FinalWakeRecorded(note: nil, request: request)),
        .sleepEventRecorded(SleepEventRecorded(type: "lights_out", note: "n", request: request)),
        .checkinRecorded(
            CheckInRecorded(answers: answers, given: ["mood"], amends: id, night: "2026-01-14", request: request)),
        .checkinRecorded(CheckInRecorded(answers: answers, given: [], amends: nil, night: nil, request: request)),
        .preSleepRecorded(
            PreSleepRecorded(
                answers: answers, given: ["notes"], completion: .partial, continues: id, request: request)),
        .medicationRecorded(
            MedicationRecorded(
                medicationID: "modafinil", milligrams: 200, unit: .gram, formulation: .immediate, isUsualDose: true,
                date: SessionDate(CivilDate(daysSinceEpoch: 20_000)), note: "n", confirmedDuplicate: false,
                warning: MedicationWarning(entry: id, minutesApart: 5, spanMinutes: 720), request: request)),
        .doseRecorded(
            DoseRecorded(
                kind: .dose1, amountMilligrams: 4_500, medicationID: "xyrem", regimenID: id, note: nil,
                request: request)),
        .regimenSet(
            RegimenSet(
                regimen: RegimenTests.regimen([
                    "total": "12mL", "from": "2026-01-01", "until": "2026-12-31", "ratios": [0.6, 0.4],
                    "steps": ["2026-02-01=9g"],
                ]), cautions: [Medication.Caution(json: ["text": "t", "source": "s"])].compactMap(\.self), note: "n",
                request: request)),
        noted(.bottles(.init(medicationID: "xyrem", milligrams: 90_000, concentration: strength, count: 2))),
        noted(.bottles(.init(medicationID: "lumryz", milligrams: 4_500, concentration: nil, count: 30))),
        noted(.cup(.init(medicationID: "xyrem", milligrams: 2_250, dose: .dose2, regimenID: id))),
        noted(.cup(.init(medicationID: "xyrem", milligrams: nil, dose: nil, regimenID: nil))),
        noted(.cupDiscarded(id)), noted(.bottleDiscarded(id)),
        noted(
            .counted(
                .init(
                    medicationID: "xyrem", milligrams: 0, concentration: strength, packetMilligrams: 6_000, target: id))
        ),
        .entryAmended(
            EntryAmended(
                target: id, at: utc("2026-01-14T22:00:00Z"), date: SessionDate(CivilDate(daysSinceEpoch: 20_000)),
                amountMilligrams: 1, note: "", request: request)),
        .entryAmended(EntryAmended(target: id, at: nil, amountMilligrams: nil, note: nil, request: Request())),
        .entryDeleted(EntryDeleted(target: id, reason: "r", request: request)),
        .actionUndone(ActionUndone(action: id, events: [id, id], request: request)),
        .settingChanged(SettingChanged(rules: .standard, cause: id)),
        .reminderFired(ReminderFired(reminder: .closing15, due: utc("2026-01-14T22:00:00.999Z"))),
        .reminderDropped(ReminderDropped(reminder: .alarmRepeat, due: .min, reason: .tooLate)),
        .reminderDelivered(
            ReminderDelivered(
                reminder: .alarm, due: utc("2026-01-14T22:00:00Z"), channel: ReminderChannel("sound")!,
                lateMilliseconds: 12)),
        .reminderAcknowledged(
            ReminderAcknowledged(reminder: .alarm, due: utc("2026-01-14T22:00:00Z"), by: .dose2, action: id)),
        .clockStepped(ClockStepped(byMilliseconds: -3_600_000_000, suspect: true)),
        .storeRestored(StoreRestored(expectedSequence: 9, foundSequence: .max, finding: "older")),
    ]

    @Test func `R21.1 every event type is covered`() {
        #expect(Set(Self.payloads.map(\.type)) == Set(EventType.allCases))
    }

    @Test(arguments: payloads)
    func `R21.1 a payload survives its JSON text`(payload: EventPayload) throws {
        let origin = Origin(sender: ":1.42", processID: 77, command: "dosetap")
        for origin in [nil, origin] {
            let json = try JSONValue.parse(payload.json(origin: origin).serialized())
            #expect(json["v"] == 1)
            #expect(try EventPayload(type: payload.type, json: json) == payload)
            #expect(EventPayload.origin(in: json) == origin)
        }
    }

    @Test(arguments: payloads)
    func `R21.2 unknown keys are ignored`(payload: EventPayload) throws {
        var object = try #require(payload.json(origin: nil).objectValue)
        object["from_the_future"] = ["a": 1]
        #expect(try EventPayload(type: payload.type, json: .object(object)) == payload)
    }

    /// Every key in turn with a value of the wrong kind; a missing one is an error or means nil.
    @Test(arguments: payloads)
    func `R21.3 a value of the wrong kind is an error that names its key, never a default`(payload: EventPayload) throws
    {
        let object = try #require(payload.json(origin: nil).objectValue)
        for key in object.keys where key != "v" {
            for wrong in [JSONValue.array([.array([])]), .number(1.5), .bool(true), .string("?"), .object(["x": 1])] {
                if key == "request" || key == "answers", wrong.objectValue != nil { continue }
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
            "medication_id", "regimen_id", "entry",
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
        var ids = IdentifierGenerator(random: SeededGenerator(seed: 7))
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
