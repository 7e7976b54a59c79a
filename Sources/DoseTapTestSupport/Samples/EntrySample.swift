public import DoseTapDomain

/// A kind of entry that a person can make, with the way to it on any surface, and the facts to be found of it. The
/// rules for all kinds are tested with each sample; a kind without a sample fails a test.
public struct EntrySample: Sendable, CustomStringConvertible {
    public let description: String
    /// The acts recorded before the entry, whatever they ask.
    public let before: [Act]
    /// The act that records the entry. Each question that the act asks is answered here.
    public let act: Act
    public let type: EventType
    /// The word of the entry in receipts and in the night.
    public let word: String
    /// The table that has the row of the entry.
    public let table: String
    /// The metadata that say the amount; nil for a kind without an amount.
    public var amount: String?
    /// False for a kind that is replaced instead of amended.
    public var isAmendable = true

    /// False for a kind that keeps its time.
    public var hasTime = true

    /// The amendments that the entry allows, each on its own.
    public var amendments: [Act] {
        guard isAmendable else { return [] }
        guard hasTime else { return [Act(.amend(before.count), note: "again")] }
        let ago = (act.ago ?? .zero) + .seconds(30)
        let time = Act(.amend(before.count), ago: ago, confirm: act.confirm)
        let note = Act(.amend(before.count), note: "again")
        return [time, note] + (amount == nil ? [] : [Act(.amend(before.count), amount: "2g")])
    }

    /// The amendments that the entry refuses.
    public var refusedAmendments: [Act] {
        guard isAmendable else { return [Act(.amend(before.count), note: "again")] }
        return (hasTime ? [] : [Act(.amend(before.count), 5)])
            + (amount == nil ? [Act(.amend(before.count), amount: "2g")] : [])
    }

    init(
        _ description: String, after before: [Act] = [], _ act: Act, _ type: EventType, _ word: String, in table: String
    ) {
        self.description = description
        self.before = before
        self.act = act
        self.type = type
        self.word = word
        self.table = table
    }

    private static func sample(_ sample: EntrySample, _ change: (inout EntrySample) -> Void) -> EntrySample {
        var sample = sample
        change(&sample)
        return sample
    }
}

extension EntrySample {
    public static let all = doses + night + questionnaires + medicines + inventory + sleep + lab

    private static let both = [Act(.dose1, 312), Act(.dose2, 152)]
    private static let awake = both + [Act(.wake, 10)]

    private static let doses: [EntrySample] = [
        dose("dose 1 that opens a night", Act(.dose1, 10, amount: "4500mg", note: "n"), .dose1),
        dose("dose 1 in an open night", after: [Act(.event("lights_out"), 30)], Act(.dose1, 10), .dose1),
        dose("dose 1 by the name of a medicine", Act(.medicine("xyrem"), 10, amount: "2.25g"), .dose1),
        dose("dose 1 from a regimen", after: [Act(.regimen("xyrem", total: "9g"))], Act(.dose1, 10), .dose1),
        dose("dose 2", after: [Act(.dose1, 160)], Act(.dose2, 5, amount: "4.5g"), .dose2),
        dose("dose 2, early", after: [Act(.dose1, 100)], Act(.dose2, 5, confirm: [.early]), .dose2),
        dose("extra dose", after: both, Act(.dose2, 1, confirm: [.extra, .extraUnderstood]), .extra),
    ]

    private static func dose(
        _ name: String, after before: [Act] = [], _ act: Act, _ kind: DoseKind
    ) -> EntrySample {
        sample(EntrySample(name, after: before, act, .doseRecorded, kind.rawValue, in: "dose_events")) {
            $0.amount = "amount_mg"
        }
    }

    private static let night: [EntrySample] = [
        EntrySample("snooze", after: [Act(.dose1, 170)], Act(.snooze), .snoozeRecorded, "snooze", in: "dose_events"),
        EntrySample(
            "skip", after: [Act(.dose1, 200)], Act(.skip, 5, note: "n"), .doseSkipped, "dose2_skipped",
            in: "dose_events"),
        EntrySample(
            "final wake", after: both, Act(.wake, 5, note: "n"), .finalWakeRecorded, "wake_final", in: "sleep_events"),
        EntrySample("final wake that opens a night", Act(.wake), .finalWakeRecorded, "wake_final", in: "sleep_events"),
        EntrySample(
            "sleep event", after: [Act(.dose1, 100)], Act(.event("water"), 5, note: "n"), .sleepEventRecorded, "water",
            in: "sleep_events"),
        EntrySample(
            "sleep event that opens a night", Act(.event("lights_out")), .sleepEventRecorded, "lights_out",
            in: "sleep_events"),
        EntrySample("nap", Act(.event("nap_start"), 40), .sleepEventRecorded, "nap_start", in: "sleep_events"),
        EntrySample(
            "end of a nap", after: [Act(.event("nap_start"), 40)], Act(.event("nap_end"), 5), .sleepEventRecorded,
            "nap_end", in: "sleep_events"),
    ]

    private static let questionnaires: [EntrySample] = [
        EntrySample(
            "check-in", after: awake, Act(.checkIn(["mood": "good", "sleep_quality": 4]), 5, note: "n"),
            .checkinRecorded, "checkin", in: "morning_checkins"),
        EntrySample(
            "check-in saved again", after: awake + [Act(.checkIn(["mood": "good", "notes": "first"]), 5)],
            Act(.checkIn(["mood": "low"])), .checkinRecorded, "checkin", in: "morning_checkins"),
        EntrySample(
            "pre-sleep log", Act(.preSleep(["alcohol": "none", "stress_level": 2]), 30, note: "n"), .preSleepRecorded,
            "pre_sleep", in: "pre_sleep_logs"),
        EntrySample(
            "pre-sleep log of a night", after: [Act(.dose1, 20)], Act(.preSleep(["stimulants": "tea"]), 60),
            .preSleepRecorded, "pre_sleep", in: "pre_sleep_logs"),
        EntrySample(
            "pre-sleep log saved again", after: [Act(.preSleep(["stimulants": "tea", "notes": "first"]), 30)],
            Act(.preSleep(["alcohol": "1"])), .preSleepRecorded, "pre_sleep", in: "pre_sleep_logs"),
    ]

    private static let medicines: [EntrySample] = [
        medicine("medicine", Act(.medicine("modafinil"), 5, note: "n")),
        medicine(
            "medicine in a night, near another", after: [Act(.dose1, 60), Act(.medicine("adderall_ir"), 30)],
            Act(.medicine("adderall_xr"), 5, amount: "10mg")),
        sample(
            EntrySample(
                "regimen", Act(.regimen("xyrem", total: "9g", ratios: ["0.6", "0.4"]), note: "n"), .regimenSet,
                "regimen", in: "regimens")
        ) { $0.isAmendable = false },
        sample(
            EntrySample(
                "regimen that changes the open night", after: [Act(.event("lights_out"), 30)],
                Act(.regimen("lumryz", total: "6g", onceNightly: true)), .regimenSet, "regimen", in: "regimens")
        ) { $0.isAmendable = false },
    ]

    private static func medicine(_ name: String, after before: [Act] = [], _ act: Act) -> EntrySample {
        sample(
            EntrySample(name, after: before, act, .medicationRecorded, "medication", in: "medication_events")
        ) { $0.amount = "dose_mg" }
    }

    private static let bottle = Act(.bottle("180mL", of: "xyrem"), 90)

    private static let inventory: [EntrySample] = [
        stock("bottle", Act(.bottle("180mL", of: "xyrem"), 10, note: "n"), amount: "unit_mg"),
        stock("cup", after: [bottle], Act(.pour("dose1", of: "xyrem"), 10, amount: "3g"), amount: "amount_mg"),
        stock(
            "cup thrown away", after: [bottle, Act(.pour("dose1", of: "xyrem"), 60, amount: "3g")],
            Act(.discard(1), 10)),
        stock("bottle thrown away", after: [bottle], Act(.discard(0), 10)),
        stock("count", after: [bottle], Act(.count("60mL", of: "xyrem"), 10, note: "n"), amount: "left_mg"),
    ]

    private static func stock(
        _ name: String, after before: [Act] = [], _ act: Act, amount: String? = nil
    ) -> EntrySample {
        sample(
            EntrySample(name, after: before, act, .inventoryRecorded, "inventory", in: "inventory_events")
        ) { $0.amount = amount }
    }

    private static let sleep: [EntrySample] = [
        sleep(
            "sleep that somebody tells", at(22), at(29, 30), ["--asleep", "6h50m"], .durations([.asleep: 24_600]),
            note: "n"),
        sleep(
            "sleep in its stages", at(23), at(24, 30), ["--stages", "light=30m,deep=50m,awake=10m"],
            .stages([
                .init(.light, at(23), at(23, 30)), .init(.deep, at(23, 30), at(24, 20)),
                .init(.awake, at(24, 20), at(24, 30)),
            ])),
    ]

    private static let planned = Act(
        .record(
            .labPlanned, ["routine": "screens", "outcome": "rested", "seed": 7],
            ["lab", "plan", "screens", "rested", "--seed", "7"]), note: "n")

    private static let lab: [EntrySample] = [
        lab(
            "question",
            Act(
                .record(
                    .labRegistered, ["exposure": "late_meal", "outcome": "rested", "nights": 90],
                    ["lab", "ask", "late_meal", "rested", "--nights", "90"]), note: "n"),
            .labRegistered, "lab_question", in: "lab_questions"),
        lab("plan", planned, .labPlanned, "lab_plan", in: "lab_plans"),
        lab(
            "night of a plan", after: [planned],
            Act(.record(.labAnswered, ["kept": "a"], ["lab", "kept", "a"]), note: "n"), .labAnswered, "lab_night",
            in: "lab_nights"),
    ]

    private static func lab(
        _ name: String, after before: [Act] = [], _ act: Act, _ type: EventType, _ word: String, in table: String
    ) -> EntrySample {
        sample(EntrySample(name, after: before, act, type, word, in: table)) { $0.isAmendable = false }
    }

    /// Returns an hour of 28 June 2025 in UTC, before all that tests record beside it.
    private static func at(_ hour: Int, _ minute: Int = 0) -> Instant {
        Instant(seconds: 1_751_068_800) + .minutes(60 * hour + minute)
    }

    private static func sleep(
        _ name: String, _ start: Instant, _ until: Instant, _ options: [String], _ course: ImportedSleep.Course,
        note: String? = nil
    ) -> EntrySample {
        let said = NightCommand.recordSleep(
            ImportedSleep(row: "", start: start, end: until, part: .main, grade: .told, course: course),
            source: SleepRecorded.byHand)
        guard case .record(let type, let object) = said else { preconditionFailure("a sleep is recorded") }
        let words = ["sleep", "add", start.iso8601, until.iso8601] + options
        return sample(
            EntrySample(name, Act(.record(type, object, words), note: note), type, "sleep_record", in: "sleep_records")
        ) { $0.hasTime = false }
    }
}
