import DoseTapDomain
import Testing

/// R12: the prescribed regimen.
struct RegimenTests {
    static let jan14 = "2026-01-14"

    /// A regimen of xyrem, set in a machine of its own.
    static func regimen(_ draft: JSONObject) -> Regimen {
        var machine = SimulatedMachine.evening()
        guard let recording = try? machine.perform(.setRegimen(full(draft))),
            let payload: RegimenSet = recording.primary.payload.recorded()
        else { preconditionFailure("\(draft) is no regimen") }
        return payload.regimen
    }

    static func full(_ draft: JSONObject) -> JSONObject {
        var full: JSONObject = ["medication_id": "xyrem", "total": "9g"]
        for entry in draft { full[entry.key] = entry.value }
        return full
    }

    static func date(_ text: String) throws -> SessionDate { try SessionDate(text: text) }

    @Test(
        arguments: [
            (["total": "9g"], [4_500, 4_500]), (["total": "4501mg"], [2_251, 2_250]),
            (["total": "9g", "ratios": [0.6, 0.4]], [5_400, 3_600]),
            (["total": "7g", "ratios": ["0.333", "0.667"]], [2_331, 4_669]),
            (["total": "12mL"], [3_000, 3_000]),
            (["total": "6 tablets", "concentration": "750mg/tablet"], [2_250, 2_250]),
            (["total": "9g", "split": "none"], []), (["total": "9g", "split": "none", "once_nightly": true], [9_000]),
            (["total": "6g", "once_nightly": true], [6_000]), (["total": "9g", "medication_id": "Lumryz"], [9_000]),
            (["total": "9g", "ratios": [0.5005, 0.5005]], [4_505, 4_495]), (["total": "4500000mcg"], [2_250, 2_250]),
            (["total": "9g", "ratios": [1], "once_nightly": true], [9_000]),
        ] as [(JSONObject, [Int])])
    func `R12.2 a night's amount and its parts`(draft: JSONObject, parts: [Int]) {
        let regimen = Self.regimen(draft)
        #expect(regimen.parts(on: regimen.from) == parts)
    }

    @Test(
        arguments: [
            (["ratios": [0.6, 0.5]], "sum to 1.1"), (["ratios": [0.6, 0.398]], "sum to 0.998"),
            (["ratios": []], "one or two"),
            (["ratios": [0.5, 0.25, 0.25]], "one or two"), (["ratios": [-0.5, 1.5]], "between 0 and 1"),
            (["ratios": "half"], "one or two"), (["split": "half"], "did you mean"),
            (["split": "custom"], "has ratios"),
            (["split": "equal", "once_nightly": true], "not split"),
            (["ratios": [0.5, 0.5], "once_nightly": true], "not split"),
            (["split": "equal", "ratios": [0.5, 0.5]], "only a custom"), (["total": "9 tablets"], "no concentration"),
            (["total": "0g"], "no amount"), (["total": "21g"], "out of range"), (["total": 9], "short text"),
            (["medication_id": "xyrm"], "'xyrem'"), (["medication_id": "modafinil"], "is for"),
            (["concentration": "5"], "500mg/mL"),
            (["from": "14.1.2026"], "2026-01-14"), (["until": "2025-12-31"], "before from"),
            (["once_nightly": "yes"], "true or false"),
            (["steps": ["2026-01-14=6g"]], "after the one"),
            (["steps": ["2026-02-01=6g", "2026-02-01=7g"]], "after the one"),
            (["steps": ["6g"]], "2026-02-01=6g"), (["steps": ["2026-02-01=6 tablets"]], "no concentration"),
            (["steps": "6g"], "list"),
            (["until": "2026-01-31", "steps": ["2026-02-01=6g"]], "before the end"), (["totl": "9g"], "'total'"),
        ] as [(JSONObject, String)])
    func `R12.2 what is no regimen is refused with the reason`(draft: JSONObject, text: String) {
        var machine = SimulatedMachine.evening()
        let failure = machine.failure(.setRegimen(Self.full(draft)))
        guard case .invalidInput(let message)? = failure else {
            Issue.record("\(draft) gave \(String(describing: failure))")
            return
        }
        #expect(message.contains(text), "\(message)")
        #expect(machine.log.isEmpty)
    }

    @Test(arguments: ["sodium oxybate", "Sodium Oxybate", "oxybate", "sodium", "Natriumoxybat"])
    func `the substance is answered with its products, each with its name in the catalogue`(word: String) {
        var machine = SimulatedMachine.evening()
        let failure = machine.failure(.setRegimen(Self.full(["medication_id": .string(word)])))
        guard case .invalidInput(let message)? = failure else {
            Issue.record("\(word) gave \(String(describing: failure))")
            return
        }
        for medication in MedicationCatalogue.standard.medications where medication.isOxybate {
            #expect(message.contains("\(medication.id) (\(medication.genericName), "), "\(message)")
        }
        #expect(machine.log.isEmpty)
    }

    @Test(arguments: [false, true])
    func `R12.4 a medicine that is taken once a night makes a night of one dose, without a regimen, too`(
        isBegun: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        if isBegun { try machine.perform(.logSleepEvent("bathroom")) }
        // The label's limit of a dose is the limit of the night.
        let dose = try machine.perform(.takeMedication("lumryz")) { $0.amountMilligrams = 6_000 }
        #expect(machine.status().window.phase == .completed && machine.status().windowOpens == nil)
        machine.pass(.minutes(30))
        #expect(machine.failure(.takeMedication("lumryz")) != nil)
        try machine.perform(.delete(dose.primary.id))
        try machine.perform(.logDose(.dose1))
        #expect(machine.status().window.phase == .beforeWindow && machine.status().windowOpens != nil)
    }

    @Test func `R12.1 both bounds are included, and the one set last counts`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "6g", "from": "2026-01-10", "until": "2026-01-20"])))
        let last = try machine.perform(
            .setRegimen(Self.full(["total": "7g", "from": "2026-01-15", "until": "2026-01-15"])))
        for (day, total) in [
            ("2026-01-09", Int?.none), ("2026-01-10", 6_000), ("2026-01-14", 6_000), ("2026-01-15", 7_000),
            ("2026-01-16", 6_000), ("2026-01-20", 6_000), ("2026-01-21", nil),
        ] {
            let date = try Self.date(day)
            #expect(machine.logState.regimen(on: date)?.regimen.totalMilligrams(on: date) == total, "\(day)")
        }
        try machine.perform(.delete(last.primary.id))
        let date = try Self.date("2026-01-15")
        #expect(machine.logState.regimen(on: date)?.regimen.totalMilligrams(on: date) == 6_000)
        #expect(machine.failure(.delete(last.primary.id)) == .notFound(last.primary.id.text))
    }

    @Test func `R23.8 after a regimen last may mean two entries, and last regimen names it`() throws {
        var machine = SimulatedMachine.evening()
        let dose = try machine.perform(.logDose(.dose1)).primary
        machine.pass(.minutes(2))
        let regimen = try machine.perform(.setRegimen(Self.full(["total": "6g", "from": "2026-01-10"]))).primary
        #expect(machine.logState.entries(.last(nil)).map(\.id) == [dose.id, regimen.id])
        #expect(machine.logState.entries(.last("regimen")).map(\.id) == [regimen.id])
        machine.pass(.minutes(2))
        let event = try machine.perform(.logSleepEvent("bathroom")).primary
        #expect(machine.logState.entries(.last(nil)).map(\.id) == [event.id])
    }

    @Test func `R12.3 doses without an amount have the regimen's, an extra dose none`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "15mL", "ratios": [0.6, 0.4]])))
        try machine.perform(.logDose(.dose1))
        #expect(machine.night?.dose1?.amountMilligrams == 4_500 && machine.night?.dose1?.regimenID != nil)
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2)) { $0.amountText = "5.5mL" }
        #expect(machine.night?.dose2?.amountMilligrams == 2_750 && machine.night?.dose2?.regimenID == nil)
        machine.pass(.minutes(1))
        let extra = try machine.performConfirmed(.logDose(.dose2)).primary.id
        #expect(machine.night?.doses.first { $0.id == extra }?.amountMilligrams == nil)
        let first = try #require(machine.night?.dose1?.id)
        try machine.perform(.amend(first)) { $0.amountMilligrams = 4_000 }
        #expect(machine.night?.dose1?.regimenID == nil && machine.night?.dose1?.amountMilligrams == 4_000)
    }

    @Test(
        arguments: [
            (["total": "9.2g"], DoseKind.dose1, [Confirmation.overLimit]), (["total": "9g"], .dose1, []),
            (["total": "9001mg", "ratios": [0.49, 0.51]], .dose1, []),
            (["medication_id": "lumryz", "total": "9g"], .dose1, []),
            (["medication_id": "lumryz", "total": "9001mg"], .dose1, [.overLimit]),
        ] as [(JSONObject, DoseKind, [Confirmation])])
    func `R12.3 the limits judge the regimen's amounts`(draft: JSONObject, kind: DoseKind, asked: [Confirmation]) throws
    {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(draft)))
        #expect(machine.questions(.logDose(kind)) == asked)
    }

    @Test func `R12.3 the night's limit counts the regimen's amounts`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "8g", "ratios": [0.5, 0.5]])))
        try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = 5_001 }
        machine.pass(.minutes(160))
        #expect(machine.questions(.logDose(.dose2)) == [.overLimit])
    }

    @Test func `R12.3 a key of a dose without an amount gives it again although the regimen changed`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full([:])))
        let dose = try machine.perform(.logDose(.dose1)) { $0.key = "k" }
        try machine.perform(.setRegimen(Self.full(["total": "6g"])))
        #expect(try machine.perform(.logDose(.dose1), keyed: dose.primary) { $0.key = "k" }.isDuplicate)
    }

    @Test func `R12.4 a night opens with the regimen's number of doses`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(["medication_id": "lumryz", "total": "4.5g"]))
        try machine.perform(.logDose(.dose1))
        #expect(machine.night?.rules.onceNightly == true && machine.status().window.phase == .completed)
        #expect(machine.questions(.logDose(.dose2)) { $0.surface = .dbus } == [.early, .onceNightly])
        var other = SimulatedMachine.evening(rules: .oneDose)
        try other.perform(.setRegimen(Self.full([:])))
        try other.perform(.logDose(.dose1))
        #expect(other.night?.hasUnresolvedWindow == true)
    }

    @Test func `R12.4 a night keeps the regimen of its dose 1, one said to hold tonight asks night_begun`() throws {
        var machine = try SimulatedMachine.after(.minutes(155))
        var lumryz: JSONObject = ["medication_id": "lumryz", "total": "4.5g"]
        var later = machine
        try later.perform(.setRegimen(lumryz))
        #expect(later.logState.regimenHistory.first?.regimen.from.text == "2026-01-15")
        #expect(later.night?.hasUnresolvedWindow == true && later.night?.rules.onceNightly == false)
        lumryz["from"] = "2026-01-14"
        #expect(machine.questions(.setRegimen(lumryz)) == [.nightBegun])
        #expect(machine.questions(.setRegimen(lumryz)) { $0.confirmations = [.windowUnresolved] } == [.nightBegun])
        let before = machine.facts
        let recording = try machine.performConfirmed(.setRegimen(lumryz))
        #expect(machine.night?.rules.onceNightly == true && machine.night?.pendingReminders.isEmpty == true)
        let receipt = Receipt(
            recording.primary, session: nil, open: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.metadata["tonight"] == "one_dose" && receipt.dueTimes == nil)
        try machine.perform(.undo)
        #expect(machine.facts == before && machine.night?.hasUnresolvedWindow == true)
        // The same number of doses changes nothing tonight but the amounts.
        #expect(machine.failure(.setRegimen(Self.full(["from": "2026-01-14"]))) == nil)
        #expect(machine.night?.hasUnresolvedWindow == true)
    }

    @Test(arguments: [false, true])
    func `R12.4 a once-nightly night gets no window unasked, and its receipt tells of the one it gets`(
        isNamed: Bool
    ) throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(["medication_id": "lumryz", "total": "4.5g"]))
        try machine.perform(isNamed ? .takeMedication("lumryz") : .logDose(.dose1))
        machine.pass(.minutes(10))
        var later = machine
        let held = try later.perform(.setRegimen(Self.full([:])))
        #expect(later.night?.rules.onceNightly == true && later.night?.pendingReminders.isEmpty == true)
        let unchanged = Receipt(
            held.primary, session: nil, open: later.night, duplicate: false, clock: later.clock)
        #expect(unchanged.metadata["tonight"] == "unchanged" && unchanged.dueTimes == nil)
        let draft = Self.full(["from": "2026-01-14"])
        #expect(machine.questions(.setRegimen(draft)) == [.nightBegun])
        let recording = try machine.performConfirmed(.setRegimen(draft))
        let receipt = Receipt(
            recording.primary, session: nil, open: machine.night, duplicate: false, clock: machine.clock)
        #expect(receipt.metadata["tonight"] == "two_doses")
        #expect(receipt.dueTimes?.opens == utc("2026-01-15T00:30:00Z"))
        machine.pass(.minutes(2))
        let id = try #require(machine.logState.regimenHistory.first?.id)
        #expect(machine.questions(.delete(id)) == [.nightBegun])
        // Without a dose 1 the night follows the new regimen at once.
        var lying = SimulatedMachine.evening()
        try lying.perform(.logSleepEvent("lights_out"))
        try lying.perform(.setRegimen(["medication_id": "lumryz", "total": "4.5g"]))
        #expect(lying.night?.rules.onceNightly == true)
    }

    @Test(
        arguments: [
            (["total": "4.5g"], 0), (["total": "4.5g", "steps": ["2026-01-21=6g", "2026-01-28=7.5g"]], 0),
            (["total": "4.5g", "steps": ["2026-01-20=6g", "2026-01-26=7.5g"]], 1),
            (["total": "4.5g", "steps": ["2026-01-21=6.1g"]], 1), (["total": "4.5g", "steps": ["2026-01-16=6g"]], 0),
            (["total": "4.5g", "steps": ["2026-01-16=5.5g", "2026-01-18=6.5g"]], 1), (["total": "9.5g"], 1),
            (["total": "9g", "steps": ["2026-01-16=4.5g"]], 0),
        ] as [(JSONObject, Int)])
    func `R12.5 raising faster than labels do is cautioned`(draft: JSONObject, count: Int) throws {
        var machine = SimulatedMachine.evening()
        let recording = try machine.perform(.setRegimen(Self.full(draft)))
        let payload: RegimenSet = try #require(recording.primary.payload.recorded())
        #expect(payload.cautions.count == count, "\(payload.cautions)")
        #expect(payload.cautions.allSatisfy { !$0.source.isEmpty })
    }

    @Test func `R12.5 the regimen before is looked at, too`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "4.5g", "from": "2026-01-01"])))
        let faster = try machine.perform(.setRegimen(Self.full(["total": "7.5g"])))
        let payload: RegimenSet = try #require(faster.primary.payload.recorded())
        #expect(payload.cautions.count == 1 && payload.cautions.first?.text.contains("From 4500 to 7500 mg") == true)
    }

    @Test(
        arguments: [
            ([4_500, 4_500], DoseBundle.State.onTarget, 0), ([4_275, 4_275], .onTarget, 450),
            ([4_275, 4_274], .under, 451),
            ([4_725, 4_725], .onTarget, 0), ([4_725, 4_726], .over, 0), ([4_500, nil], .unknown, nil),
            ([nil, 9_451], .over, nil),
            ([nil, nil], .unknown, nil), ([], .under, 9_000),
        ] as [([Int?], DoseBundle.State, Int?)])
    func `R12.6 what was taken is compared with the target`(
        amounts: [Int?], state: DoseBundle.State, remaining: Int?
    ) {
        let known = amounts.compactMap(\.self)
        let bundle = DoseBundle(
            targetMilligrams: 9_000, parts: 2, taken: amounts.count, knownMilligrams: known.reduce(0, +),
            unknown: amounts.count - known.count)
        #expect(bundle.state == state && bundle.remainingMilligrams == remaining)
    }

    @Test func `R12.6 a night's record compares, and is read back the same`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "9g"])))
        try machine.perform(.logDose(.dose1))
        let night = try #require(machine.night)
        let regimen = machine.logState.regimen(on: night.date)?.regimen
        let record = NightRecord(night, regimen: regimen)
        #expect(record.bundle?.state == .under && record.bundle?.parts == 2 && record.bundle?.taken == 1)
        #expect(try NightRecord(json: record.json) == record)
        #expect(NightRecord(night).bundle == nil)
    }

    @Test func `R12.6 a dose 2 that nobody recorded is no dose that was not taken`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.setRegimen(Self.full(["total": "9g"])))
        try machine.perform(.logDose(.dose1))
        func bundle() throws -> DoseBundle {
            let night = try #require(machine.night)
            return DoseBundle(night, try #require(machine.logState.regimen(on: night.date)?.regimen))
        }
        machine.pass(.minutes(300))
        machine.settle()
        #expect(try bundle().state == .unknown && bundle().taken == 1 && bundle().remainingMilligrams == nil)
        var skipped = machine
        try skipped.perform(.skipDose2) { $0.at = machine.wall - .minutes(100) }
        machine = skipped
        #expect(try bundle().state == .under, "that it was not taken is on record")
    }

    @Test func `R12.7 a regimen has no time and is not amended`() throws {
        var machine = SimulatedMachine.evening()
        let at = machine.wall
        guard case .invalidInput? = machine.failure(.setRegimen(Self.full([:])), { $0.at = at }) else {
            Issue.record("a regimen was set at a time")
            return
        }
        let id = try machine.perform(.setRegimen(Self.full([:]))).primary.id
        guard case .invalidInput? = machine.failure(.amend(id), { $0.note = "x" }) else {
            Issue.record("a regimen was amended")
            return
        }
        #expect(try machine.perform(.setRegimen(Self.full([:]))).isDuplicate, "the same tap")
    }
}
