import DoseTapDomain
import Testing

/// R34: questions, plans and entries of the lab.
struct LabEntryTests {
    private func sentence(_ command: Command, _ machine: SimulatedMachine) -> String {
        var machine = machine
        do {
            try machine.perform(command)
            return ""
        } catch { return "\(error)" }
    }

    @Test func `R34.3 a question begins with the next night that has not begun, and with no other`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.askLab(.lateMeal, .rested)).primary
        let asked: LabRegistered = try #require(first.payload.recorded())
        #expect((asked.nights, asked.from.text) == (60, "2026-01-14"))
        try machine.perform(.logDose(.dose1))
        machine.pass(.minutes(1))
        let later = try machine.perform(.askLab(.alcohol, .clarity, nights: 90)).primary
        let second: LabRegistered = try #require(later.payload.recorded())
        #expect((second.nights, second.from.text) == (90, "2026-01-15"))
        let past: JSONObject = ["exposure": "alcohol", "outcome": "rested", "from_date": "2026-01-01"]
        #expect(sentence(.record(.labRegistered, past), machine).contains("what is past is explored"))
        #expect(sentence(.askLab(.alcohol, .rested, nights: 59), machine).contains("60 to 730"))
        let before = machine.log.count
        for key in ["exposure", "outcome"] {
            var said: JSONObject = ["exposure": "alcohol", "outcome": "rested"]
            said[key] = "moon"
            #expect(sentence(.record(.labRegistered, said), machine).contains("is one of"))
        }
        #expect(machine.log.count == before)
    }

    @Test func `R34.3 a night whose evening is past, or of which something is told, is no coming night`() throws {
        func first(_ machine: SimulatedMachine) throws -> String? {
            var machine = machine
            let asked: LabRegistered? = try machine.perform(.askLab(.lateMeal, .rested)).primary.payload.recorded()
            return asked?.from.text
        }
        var machine = SimulatedMachine.evening()
        #expect(try first(machine) == "2026-01-14")
        try machine.perform(.logSleepEvent("lights_out"))
        #expect(try first(machine) == "2026-01-15")
        // The date of that night lasts until 18:00; its outcome is known in the morning.
        machine.pass(.hours(9))
        try machine.perform(.logFinalWake)
        #expect(try first(machine) == "2026-01-15")
        machine.pass(.hours(9))
        #expect(try first(machine) == "2026-01-15")
        var idle = SimulatedMachine.evening()
        idle.pass(.hours(5))
        #expect(try first(idle) == "2026-01-14", "nobody knows yet how that night will be")
        idle.pass(.hours(5))
        #expect(try first(idle) == "2026-01-15")
    }

    @Test(arguments: [
        "dose2", "interval", "amount", "regimen", "Xyrem", "split", "4500mg", "dosing_window", "titration",
    ])
    func `R34.7 a plan about what is prescribed is refused with a sentence that says why`(word: String) {
        let said: JSONObject = ["routine": .string(word), "outcome": "rested", "seed": 1]
        #expect(sentence(.planLab(said), .evening()).contains("with the prescriber only"))
        let key: JSONObject = [word: "1", "routine": "screens", "outcome": "rested", "seed": 1]
        #expect(sentence(.planLab(key), .evening()).contains("with the prescriber only"))
    }

    @Test func `R34.7 alcohol is not planned, and seed, pairs and dates are bounded`() throws {
        func plan(_ more: JSONObject) -> String {
            var said: JSONObject = ["routine": "screens", "outcome": "rested", "seed": 1]
            for entry in more { said[entry.key] = entry.value }
            return sentence(.planLab(said), .evening())
        }
        #expect(plan(["routine": "alcohol"]).contains("alcohol is not planned"))
        #expect(plan(["routine": "dancing"]).contains("routine is one of"))
        #expect(plan(["seed": -1]).contains("seed") && plan(["seed": "x"]).contains("seed"))
        #expect(plan(["seed": 9_007_199_254_740_992]).contains("seed"))
        #expect(plan(["pairs": 13]).contains("14 to 180") && plan(["pairs": 181]).contains("14 to 180"))
        #expect(plan(["from_date": "2026-01-13"]).contains("begins between"))
        #expect(plan(["from_date": "2026-03-16"]).contains("begins between"))
        #expect(plan(["from_date": "soon"]).contains("YYYY-MM-DD"))
        #expect(plan(["from_date": "2026-03-15", "pairs": 180]) == "")
    }

    @Test func `R34.7 each pair has both ways, in an order that its seed alone says`() throws {
        var machine = SimulatedMachine.evening()
        let said: JSONObject = ["routine": "room", "outcome": "rested", "seed": 42, "pairs": 180]
        let plan: LabPlanned = try #require(try machine.perform(.planLab(said)).primary.payload.recorded())
        let arms = (0..<360).map { plan.arm(on: SessionDate(plan.from.civil.adding(days: $0))) }
        for pair in 0..<180 { #expect(Set(arms[2 * pair...2 * pair + 1]) == [.a, .b]) }
        #expect(plan.arm(on: SessionDate(plan.from.civil.adding(days: -1))) == nil)
        #expect(plan.arm(on: SessionDate(plan.from.civil.adding(days: 360))) == nil)
        // The order is the highest bits of SplitMix64 from 42.
        var numbers = SplitMix64(42, for: .order)
        #expect(plan.order == (0..<180).map { _ in numbers.next() < 1 << 63 ? .a : .b })
        #expect((60...120).contains(plan.order.count { $0 == .a }))
        var (order, analysis) = (SplitMix64(42, for: .order), SplitMix64(42, for: .analysis))
        #expect(order.next() != analysis.next())
    }

    @Test func `R34.8 what was kept is of a night of a plan that has come`() throws {
        var machine = SimulatedMachine.evening()
        #expect(sentence(.keptLab(["kept": "a"]), machine).contains("plan"))
        let plan = try machine.perform(.planLab(["routine": "screens", "outcome": "rested", "seed": 1])).primary
        machine.pass(.minutes(1))
        let kept: LabAnswered = try #require(
            try machine.perform(.keptLab(["kept": "neither"])).primary.payload.recorded())
        #expect((kept.plan, kept.night.text, kept.kept) == (plan.id, "2026-01-14", .neither))
        #expect(sentence(.keptLab(["kept": "a", "night_date": "2026-01-15"]), machine).contains("not come yet"))
        #expect(sentence(.keptLab(["kept": "yes"]), machine).contains("kept is one of"))
        #expect(sentence(.keptLab(["kept": "a", "plan_id": "nobody"]), machine) != "")
        machine.pass(.minutes(1))
        try machine.perform(.delete(plan.id))
        #expect(sentence(.keptLab(["kept": "a"]), machine) != "", "the plan was deleted")
    }

    private static let screens: JSONObject = ["routine": "screens", "outcome": "rested", "seed": 1]

    @Test func `R34.7 a night is of one plan, and a second tap draws no second seed`() throws {
        var machine = SimulatedMachine.evening()
        let first = try machine.perform(.planLab(Self.screens)).primary
        var again = Self.screens
        again["seed"] = 2
        machine.pass(.seconds(5))
        #expect(try machine.perform(.planLab(again)).primary.id == first.id)
        machine.pass(.minutes(1))
        let sooner = sentence(.planLab(again), machine)
        #expect(sooner.contains("a night is of one plan") && sooner.contains("2026-02-10"), "\(sooner)")
        again["from_date"] = "2026-02-10"
        #expect(sentence(.planLab(again), machine).contains("a night is of one plan"))
        again["from_date"] = "2026-02-11"
        #expect(sentence(.planLab(again), machine) == "")
        try machine.perform(.delete(first.id))
        machine.pass(.minutes(1))
        #expect(sentence(.planLab(Self.screens), machine) == "")
    }

    @Test func `R34.7 a planned nap is not judged by the minutes of naps`() {
        let said: JSONObject = ["routine": "nap", "outcome": "nap_minutes", "seed": 1]
        #expect(sentence(.planLab(said), .evening()).contains("would count the nap itself"))
    }

    @Test(arguments: ["dose2", "amount", "Xyrem", "titration"])
    func `R34.7 a question about a dose is refused with the same sentence`(word: String) {
        let said: JSONObject = ["exposure": .string(word), "outcome": "rested"]
        #expect(sentence(.record(.labRegistered, said), .evening()).contains("with the prescriber only"))
    }

    @Test func `R34.8 what was kept just before a night began is not taken for that night`() throws {
        var machine = SimulatedMachine(at: utc("2026-01-14T22:00:00Z"))
        try machine.perform(.planLab(Self.screens))
        // The session date changes at 18:00.
        machine.pass(until: utc("2026-01-15T17:59:57Z"))
        let first = try machine.perform(.keptLab(["kept": "a"])).primary
        #expect(try machine.perform(.keptLab(["kept": "a"])).primary.id == first.id, "the same tap")
        machine.pass(.seconds(5))
        let second: LabAnswered = try #require(
            try machine.perform(.keptLab(["kept": "a"])).primary.payload.recorded())
        #expect(second.night.text == "2026-01-15")
    }

    @Test(arguments: [EventType.labRegistered, .labPlanned])
    func `R34.11 undo takes back the dose when a program told the lab something since`(type: EventType) throws {
        var machine = SimulatedMachine.evening()
        let dose = try machine.perform(.logDose(.dose1)).primary
        machine.pass(.seconds(20))
        let said: JSONObject =
            type == .labPlanned ? Self.screens : ["exposure": "alcohol", "outcome": "rested"]
        let told = try machine.perform(.record(type, said)) { $0.surface = .dbus }.primary
        #expect(machine.logState.entries(.last(nil)).map(\.id) == [dose.id])
        try machine.perform(.undo) { $0.confirmations = [.undoDose] }
        #expect(machine.night == nil && machine.logState.standalone.contains { $0.id == told.id && $0.isActive })
    }

    @Test func `R34.11 undo right after a dose and the lab names both and takes back none`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.askLab(.lateMeal, .rested))
        machine.pass(.seconds(20))
        let dose = try machine.perform(.logDose(.dose1)).primary
        machine.pass(.seconds(20))
        let asked = try machine.perform(.askLab(.alcohol, .rested)).primary
        let refused = sentence(.undo, machine)
        #expect(refused.contains("lab_question") && refused.contains("dose 1 was recorded just before"), "\(refused)")
        #expect(machine.logState.entries(.last(nil)).map(\.id) == [dose.id])
        let named = try #require(Handle("last lab_question"))
        #expect(machine.logState.entries(named).map(\.id) == [asked.id])
        // The dose is older than the undo window: only the question can be meant.
        machine.pass(.seconds(41))
        try machine.perform(.undo)
        #expect(machine.night?.dose1 != nil)
        #expect(!machine.logState.standalone.contains { $0.id == asked.id && $0.isActive })
    }

    @Test func `R34.1 amounts of a log from elsewhere, beyond any sum, have a share and end nothing`() throws {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        machine.pass(.minutes(160))
        try machine.perform(.logDose(.dose2)) { $0.amountMilligrams = 3_000 }
        let night = try #require(machine.night)
        #expect(LabNight(night).firstSharePercent == 60)
        let vast = try night.events.map { event in
            var object = try #require(event.json.objectValue)
            guard var payload = object["payload"]?.objectValue, payload["amount_mg"] != nil else { return event }
            payload["amount_mg"] = .integer(.max)
            object["payload"] = .object(payload)
            return try #require(Event(json: .object(object)))
        }
        #expect(LabNight(try #require(Session(events: vast))).firstSharePercent == 50)
    }
}
