import DoseTapDomain
import Testing

/// R34: what the lab is asked, planned and told.
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
        // The highest bits of SplitMix64 from 42.
        var numbers = LabSeed(42, for: .order)
        #expect(plan.order == (0..<180).map { _ in numbers.next() < 1 << 63 ? .a : .b })
        #expect((60...120).contains(plan.order.count { $0 == .a }))
        var (order, analysis) = (LabSeed(42, for: .order), LabSeed(42, for: .analysis))
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
}
