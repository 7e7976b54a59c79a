public import DoseTapDomain

/// Samples of everything that the log can hold: one payload or more for every type of event, with all that a payload of
/// the type can say. A type without a sample fails a test.
public enum PayloadSamples {
    /// An action of a person that said all it can.
    public static let request = Request(at: instant(123), isAgo: true, confirmations: [.early, .overLimit])
    private static let id = EventID("01890a5d-ac96-774b-bcce-b302099a8057")
    private static let date = SessionDate(CivilDate(daysSinceEpoch: 20_000))
    private static let words = "a \"b\" \n ü"
    private static let strength = Concentration(text: "500mg/mL")
    private static let alarm = ReminderPlan.Item(id: .alarm, due: instant())

    private static let answers = Questionnaire.morning.restored([
        "mood": "good", "pain_areas": ["head", "neck"], "pain_entries": [["area": "knee", "intensity": 4]],
        "notes": .string(words),
    ])

    private static var rules: NightRules {
        var rules = NightRules.standard
        rules.onceNightly = true
        rules.wake = ClockTime(hour: 6)
        return rules
    }

    /// 14 January 2026, 22:00 UTC.
    private static func instant(_ milliseconds: Int = 0) -> Instant {
        Instant(seconds: 1_768_428_000) + .milliseconds(milliseconds)
    }

    public static let all = night + corrections + diary + regimens + inventory + sleep + lab + service

    private static let night: [EventPayload] = [
        .sessionOpened(SessionOpened(date: date, backfilled: true, rules: rules, cause: id)),
        .sessionClosed(SessionClosed(state: .incompletePrepRollover, cause: nil)),
        .doseRecorded(DoseRecorded(kind: .extra, amountMilligrams: 2_250, note: words, request: request)),
        .doseRecorded(DoseRecorded(kind: .dose1, amountMilligrams: nil, note: nil, request: Request())),
        .doseRecorded(
            DoseRecorded(
                kind: .dose1, amountMilligrams: 4_500, medicationID: "lumryz", regimenID: id, note: nil,
                request: request, isOnceNightly: true)),
        .doseRecorded(
            DoseRecorded(
                kind: .dose2, amountMilligrams: nil, note: nil, request: request, sinceDose1Milliseconds: 9_000_000)),
        .doseSkipped(
            DoseSkipped(
                reason: "slept_through", note: nil, sleptThroughFrom: instant(1), request: nil, cause: id)),
        .doseSkipped(DoseSkipped(reason: nil, note: "n", sleptThroughFrom: nil, request: request, cause: nil)),
        .snoozeRecorded(SnoozeRecorded(stepMinutes: 10, note: "n", request: request)),
        .snoozeRecorded(
            SnoozeRecorded(stepMinutes: 1, note: nil, request: request, sinceDose1Milliseconds: 9_900_000)),
        .finalWakeRecorded(FinalWakeRecorded(note: nil, request: request)),
        .finalWakeRecorded(FinalWakeRecorded(note: "n", request: request)),
        .sleepEventRecorded(SleepEventRecorded(type: "lights_out", note: "n", request: request)),
    ]

    private static let corrections: [EventPayload] = [
        .entryAmended(
            EntryAmended(target: id, at: instant(), date: date, amountMilligrams: 1, note: "", request: request)),
        .entryAmended(EntryAmended(target: id, at: nil, amountMilligrams: nil, note: nil, request: Request())),
        .entryDeleted(EntryDeleted(target: id, reason: "r", request: request)),
        .actionUndone(ActionUndone(action: id, events: [id, id], request: request)),
    ]

    private static let diary: [EventPayload] = [
        .checkinRecorded(
            CheckInRecorded(
                answers: answers, given: ["mood", "notes"], takenBack: ["notes"], amends: id, night: "2026-01-14",
                request: request)),
        .checkinRecorded(CheckInRecorded(answers: answers, given: [], amends: nil, night: nil, request: request)),
        .preSleepRecorded(
            PreSleepRecorded(
                answers: answers, given: ["notes"], completion: .partial, continues: id, request: request)),
        .medicationRecorded(
            MedicationRecorded(
                medicationID: "modafinil", milligrams: 200, unit: .gram, formulation: .immediate, isUsualDose: true,
                date: date, note: "n", confirmedDuplicate: false,
                warning: MedicationWarning(entry: id, minutesApart: 5, spanMinutes: 720), request: request)),
    ]

    /// The regimens as the rules make them of a person's words.
    private static let regimens: [EventPayload] = {
        let clock = ClockReading(wall: instant(), counterMicroseconds: 1, bootID: "b", isSynchronised: true)
        let context = DecisionContext(
            clock: clock, zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "d")
        let drafts: [JSONObject] = [
            [
                "medication_id": "xyrem", "total": "12mL", "from": "2026-01-01", "until": "2026-12-31",
                "ratios": [0.6, 0.4], "steps": ["2026-02-01=9g"],
            ],
            ["medication_id": "lumryz", "total": "6g", "once_nightly": true],
        ]
        var ids = IdentifierGenerator(random: SplitMix64(seed: 1))
        var options = CommandOptions(surface: .cli)
        options.note = "n"
        return drafts.compactMap { draft -> EventPayload? in
            let recording = try? CommandHandler.decide(
                .setRegimen(draft), options, logState: LogState(), context, ids: &ids)
            guard var payload: RegimenSet = recording?.primary.payload.recorded() else { return nil }
            payload.cautions = [Medication.Caution(json: ["text": "t", "source": "s"])].compactMap(\.self)
            payload.request = request
            return .regimenSet(payload)
        }
    }()

    private static let inventory: [EventPayload] = [
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
    ]

    private static func noted(_ item: InventoryItem) -> EventPayload {
        .inventoryRecorded(InventoryRecorded(item: item, date: date, reason: "r", note: "n", request: request))
    }

    private static let sleep: [EventPayload] = [
        [
            "source": "oura", "device": .string("a \"b\" ü"), "start": .instant(instant(1)),
            "end": .instant(instant(3_600_007)),
            "offset_minutes": -300, "part": "main", "grade": "measured",
            "stages": [["in_bed", 0, 3_600_000], ["light", 5, 1_000_000], ["awake", 1_000_000, 3_600_006]],
            "session_date": .string(date.text), "note": .string(words),
            "request": ["at": .instant(instant(1)), "confirm": ["clock_suspect"]],
        ],
        [
            "source": "hand", "start": .instant(instant()), "end": .instant(instant(60_000)), "part": "nap",
            "grade": "told", "durations": ["asleep": 50], "session_date": .string(date.text),
            "request": [:],
        ],
    ].compactMap { try? EventPayload(type: .sleepRecorded, json: .object($0)) }

    private static let lab: [EventPayload] = [
        try? EventPayload(
            type: .labRegistered,
            json: [
                "exposure": "interval", "outcome": "nap_minutes", "nights": 730, "from_date": .string(date.text),
                "note": .string(words), "request": ["confirm": ["clock_suspect"]],
            ]),
        try? EventPayload(
            type: .labPlanned,
            json: [
                "routine": "bedtime_earlier", "outcome": "grogginess", "pairs": 180, "seed": 9_007_199_254_740_991,
                "from_date": .string(date.text), "note": .string(words), "request": [:],
            ]),
        try? EventPayload(
            type: .labAnswered,
            json: [
                "plan_id": .string(id.text), "night_date": .string(date.text), "kept": "neither",
                "note": .string(words), "request": [:],
            ]),
    ].compactMap(\.self)

    private static var doubtful: ClockStepped {
        var step = ClockStepped(byMilliseconds: 0, suspect: false)
        (step.elapsedMilliseconds, step.mostMilliseconds, step.byWallMilliseconds) = (9_600_000, 10_200_000, 10_200_000)
        return step
    }

    private static var imported: ImportRecorded {
        var fact = ImportRecorded(source: "plees")
        (fact.counts, fact.linked, fact.links) = (["dose": 2, "sleep_record": 1], 1, [id])
        (fact.known, fact.heldBack, fact.notTaken, fact.events, fact.nights) = (4, 5, 6, 7, 1)
        (fact.from, fact.to) = (
            SessionDate(CivilDate(daysSinceEpoch: 20_467)), SessionDate(CivilDate(daysSinceEpoch: 20_468))
        )
        return fact
    }

    private static let service: [EventPayload] =
        [
            .settingChanged(SettingChanged(rules: .standard, cause: id)),
            .reminderFired(ReminderFired(reminder: .closing15, due: instant(999))),
            .reminderDropped(ReminderDropped(reminder: .alarmRepeat, due: .min, reason: .tooLate)),
            .reminderDropped(ReminderDropped(reminder: .alarm, due: instant(), reason: .resolved, cause: id)),
            .reminderAcknowledged(ReminderAcknowledged(reminder: alarm.id, due: alarm.due, by: .dose2, action: id)),
            .clockStepped(ClockStepped(byMilliseconds: -3_600_000_000, suspect: true)),
            .clockStepped(doubtful),
            .storeRestored(StoreRestored(expectedSequence: 9, foundSequence: .max, finding: "older")),
            .importRecorded(imported),
            .importRecorded(ImportRecorded(source: "ios", takesBack: EventID("0197dc21-54bd-7469-ac0c-edd499bbd377"))),
        ]
        + [ReminderChannel("sound")].compactMap(\.self).map { channel in
            .reminderDelivered(
                ReminderDelivered(reminder: alarm.id, due: alarm.due, channel: channel, lateMilliseconds: 12))
        }
}
