import DoseTapDomain
import Testing

/// R14.8, R14.9: how long a supply lasts, and refused entries.
struct SupplyTests {
    /// A night's total, the amount left, doses of unknown amount; then nights, low on, refill by, level.
    static let lines: [(String?, String, Int, String)] = [
        ("9g", "180mL", 0, "10 - 2026-01-24 low"), ("9g", "198mL", 0, "11 2026-01-15 2026-01-25 ok"),
        ("9g", "197mL", 0, "10 - 2026-01-24 low"), ("9g", "71.9mL", 0, "3 - 2026-01-17 critical"),
        ("9g", "72mL", 0, "4 - 2026-01-18 low"), ("9g", "17mL", 0, "0 - 2026-01-14 critical"),
        ("9g", "0mL", 0, "0 - 2026-01-14 empty"), ("9g", "720mL", 0, "40 2026-02-13 2026-02-23 ok"),
        // With unknown amounts the figures are upper bounds.
        ("9g", "720mL", 1, "40 2026-02-14 2026-02-24 unknown"), ("9g", "90mL", 1, "5 - 2026-01-20 low"),
        (nil, "180mL", 0, "- - - unknown"), (nil, "0mL", 0, "- - - empty"),
    ]

    @Test(arguments: lines)
    func `R14.8, R14.9 nights, dates and level follow from what is left and what a night has`(
        total: String?, left: String, unknown: Int, expected: String
    ) throws {
        var machine = SimulatedMachine.evening()
        if let total {
            try machine.perform(.setRegimen(["medication_id": "xyrem", "total": .string(total), "split": "none"]))
        }
        try machine.stock(.correct(["of": "xyrem", "left": .string(left)]), ago: .minutes(30))
        for _ in 0..<unknown { try machine.performConfirmed(.logDose(.dose1)) }
        let supply = try #require(machine.stock.supplies.first)
        let figures = [supply.days.map(String.init), supply.lowOn?.text, supply.refillBy?.text].map { $0 ?? "-" }
        #expect((figures + [supply.level.rawValue]).joined(separator: " ") == expected)
        #expect(supply.perNight?.source == total.map { _ in .regimen })
    }

    @Test func `R14.8 without a regimen a night is the mean of those of which all is known`() throws {
        var machine = try StockTests.machine([StockTests.bottle, StockTests.bottle])
        for (first, second) in [(4_000, 4_000), (4_000, nil), (2_000, 2_000), (3_000, 3_001)] as [(Int, Int?)] {
            try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = first }
            machine.pass(.minutes(180))
            try machine.performConfirmed(.logDose(.dose2)) { $0.amountMilligrams = second }
            machine.pass(.minutes(1_260))
        }
        let supply = try #require(machine.stock.supplies.first)
        #expect(supply.perNight == .init(milligrams: 6_000, source: .mean))
        #expect(supply.line.unknown == 1 && supply.line.milligrams == 180_000 - 22_001)
        #expect(supply.days == 26 && supply.level == .unknown)
        machine.pass(.hours(24 * 15))
        machine.settle()
        #expect(machine.stock.supplies.first?.perNight == nil)
    }

    /// Regimens, in the order in which they are set; nights, low on, refill by, level of 180 mL of xyrem on 2026-01-14.
    static let plans: [([JSONObject], String)] = [
        // 11 nights of 4.5 g, then 4 of 9 g.
        (
            [["medication_id": "xyrem", "total": "4.5g", "steps": ["2026-01-25=9g"]]],
            "15 2026-01-19 2026-01-29 ok"
        ),
        (
            [["medication_id": "xyrem", "total": "9g", "steps": ["2026-01-15=4.5g"]]],
            "19 2026-01-23 2026-02-02 ok"
        ),
        // A regimen that is set for later, and one that ends: 2 nights of 9 g, then 4.5 g without an end.
        (
            [
                ["medication_id": "xyrem", "total": "9g", "until": "2026-01-15"],
                ["medication_id": "xyrem", "total": "4.5g", "from": "2026-01-16", "until": "2026-01-17"],
            ], "18 2026-01-22 2026-02-01 ok"
        ),
        // What another medicine will take says nothing of this one.
        (
            [
                ["medication_id": "xyrem", "total": "9g"],
                ["medication_id": "xywav", "total": "4.5g", "from": "2026-01-16"],
            ], "10 - 2026-01-24 low"
        ),
        // Beyond the nights that are counted one by one.
        (
            [["medication_id": "xyrem", "total": "100mg", "steps": ["2030-01-01=9g"]]],
            "900 2028-06-22 2028-07-02 ok"
        ),
    ]

    @Test(arguments: plans)
    func `R14.8 each night takes the total of the regimen of its date`(regimens: [JSONObject], expected: String) throws
    {
        var machine = try StockTests.machine()
        for regimen in regimens {
            try machine.performConfirmed(.setRegimen(regimen))
            machine.pass(.minutes(1))
        }
        let supply = try #require(machine.stock.supplies.first)
        let figures = [supply.days.map(String.init), supply.lowOn?.text, supply.refillBy?.text].map { $0 ?? "-" }
        #expect((figures + [supply.level.rawValue]).joined(separator: " ") == expected)
    }

    /// A step of a night, then the nights and the refill date.
    enum Step: Sendable {
        case count(String)
        case dose(DoseKind, Int?)
        case skip
        case pour(DoseKind?)
        case discard
    }

    static let nights: [(String, [(Step, String)])] = [
        // 10 nights and a half. Between the doses the rest of tonight is not there for another night.
        (
            "equal",
            [
                (.count("189mL"), "10 2026-01-24"), (.dose(.dose1, 4_500), "9 2026-01-24"),
                (.dose(.dose2, 4_500), "9 2026-01-24"),
            ]
        ),
        (
            "equal",
            [(.count("189mL"), "10 2026-01-24"), (.dose(.dose1, 4_500), "9 2026-01-24"), (.skip, "10 2026-01-25")]
        ),
        ("equal", [(.count("180mL"), "10 2026-01-24"), (.dose(.dose1, nil), "9 2026-01-24")]),
        // A dose that stands in its cup is out of the bottle already.
        (
            "equal",
            [
                (.count("189mL"), "10 2026-01-24"), (.pour(.dose1), "9 2026-01-24"), (.pour(.dose2), "9 2026-01-24"),
                (.dose(.dose1, nil), "9 2026-01-24"), (.dose(.dose2, nil), "9 2026-01-24"),
            ]
        ),
        // What was thrown away was not taken: the whole night is still to come.
        (
            "equal",
            [
                (.pour(.dose1), "9 2026-01-24"), (.discard, "9 2026-01-23"), (.count("100mL"), "5 2026-01-19"),
                (.dose(.dose1, 4_500), "4 2026-01-19"), (.dose(.dose2, 4_500), "4 2026-01-19"),
            ]
        ),
        // Not enough for the rest of tonight.
        ("equal", [(.count("16mL"), "0 2026-01-14"), (.dose(.dose1, 4_500), "0 2026-01-14")]),
        ("equal", [(.count("18mL"), "1 2026-01-15"), (.dose(.dose1, 4_500), "0 2026-01-15")]),
        // Without parts the rest of the night is what is left of its total, as far as that is known.
        ("none", [(.count("189mL"), "10 2026-01-24"), (.dose(.dose1, 3_000), "9 2026-01-24")]),
        ("none", [(.count("189mL"), "10 2026-01-24"), (.dose(.dose1, nil), "10 2026-01-25")]),
    ]

    @Test(arguments: nights)
    func `R14.8 of tonight what is still to be taken is kept`(split: String, steps: [(Step, String)]) throws {
        var machine = try StockTests.machine()
        try machine.perform(.setRegimen(["medication_id": "xyrem", "total": "9g", "split": .string(split)]))
        #expect(machine.stock.supplies.first?.refillBy?.text == "2026-01-24")
        var cup: EventID?
        for (place, (step, expected)) in steps.enumerated() {
            machine.pass(.minutes(1))
            switch step {
            case .count(let left): try machine.stock(.correct(["of": "xyrem", "left": .string(left)]))
            case .dose(let kind, let amount):
                if kind == .dose2 { machine.pass(.minutes(170)) }
                try machine.performConfirmed(.logDose(kind)) { $0.amountMilligrams = amount }
            case .skip:
                machine.pass(.minutes(170))
                try machine.performConfirmed(.skipDose2)
            case .pour(let kind):
                var said = StockTests.xyrem
                said["for"] = kind.map { .string($0.rawValue) }
                cup = try machine.stock(.pour(said))
            case .discard: try machine.stock(.discard(try #require(cup)))
            }
            let supply = try #require(machine.stock.supplies.first)
            #expect("\(supply.days ?? -1) \(supply.refillBy?.text ?? "-")" == expected, "step \(place)")
        }
    }

    @Test func `R14.8 a night that has begun has had its part`() throws {
        var machine = try StockTests.machine()
        try machine.perform(.setRegimen(["medication_id": "xyrem", "total": "9g"]))
        #expect(machine.stock.supplies.first?.refillBy?.text == "2026-01-24")
        machine.pass(.minutes(1))
        try machine.stock(.pour(["for": "dose1"]))
        #expect(machine.logState.inventory.last?.metadata["amount_mg"] == 4_500)
        #expect(machine.stock.supplies.first?.days == 9)
        #expect(machine.stock.supplies.first?.refillBy?.text == "2026-01-24")
    }

    static let invalid: [(InventoryAction, String?, String)] = [
        (.addBottle(["amount": "0mL", "medication_id": "xyrem"]), nil, "more than 0 mL and at most 10000 mL"),
        (.addBottle(["amount": "-5mL", "medication_id": "xyrem"]), nil, "more than 0 mL and at most 10000 mL"),
        (.addBottle(["amount": "10000.001mL", "medication_id": "xyrem"]), nil, "not 10000.001 mL"),
        (.addBottle(["amount": "6000g", "medication_id": "xyrem"]), nil, "at most 10000 mL"),
        (.addBottle(["amount": "180", "medication_id": "xyrem"]), nil, "for example 180mL"),
        (.addBottle(["amount": "180mL", "medication_id": "modafinil"]), nil, "xywav, xyrem, lumryz"),
        (.addBottle(["amount": "180mL"]), nil, "say of which medicine"),
        (.addBottle(StockTests.xyrem), nil, "say what"),
        (.addBottle(["amount": "9mL", "medication_id": "lumryz"]), nil, "by weight"),
        (.addBottle(["amount": "25g", "medication_id": "lumryz"]), nil, "1 to 20000 mg"),
        (.addBottle(["amount": "4.5g", "medication_id": "lumryz", "concentration": "5mg/mL"]), nil, "packets"),
        (.addBottle(["amount": "180mL", "medication_id": "xyrem", "count": 101]), nil, "from 1 to 100"),
        (.addBottle(["amount": "180mL", "medication_id": "xyrem", "concentration": "5mg"]), nil, "500mg/mL"),
        (.addBottle(["amount": "180mL", "medicine": "xyrem"]), nil, "no 'medicine' here"),
        (.addBottle(StockTests.bottle), "4.5g", "poured cup has an amount"),
        (.pour(["medication_id": "xyrem"]), "25g", "outside"),
        (.pour(["medication_id": "lumryz"]), "9mL", "no concentration"),
        (.pour(["medication_id": "xyrem", "for": "dose3"]), nil, "did you mean 'dose1'?"),
        (.pour([:]), nil, "of which"),
        (.correct(["of": "xyrem"]), nil, "what is left"),
        (.correct(["of": "xyrem", "left": "lots"]), nil, "no amount"),
        (.correct(["of": "lumryz", "left": "9g"]), nil, "which packets"),
        (.correct(["of": "xyrem", "left": "9000000mL"]), nil, "0 to 1000000000 mg"),
    ]

    @Test(arguments: invalid)
    func `R14.11 what is wrong is named and changes nothing`(
        action: InventoryAction, amount: String?, text: String
    ) throws {
        var machine = try StockTests.machine()
        let before = machine.log
        guard case .invalidInput(let said)? = machine.failure(.inventory(action), { $0.amountText = amount }) else {
            Issue.record("\(action) was not refused as input")
            return
        }
        #expect(said.contains(text), "\(said)")
        #expect(machine.log == before)
    }

    @Test func `R14.4, R14.11 nothing is thrown away twice, or deleted under what speaks of it`() throws {
        var machine = try StockTests.machine([
            StockTests.bottle, ["medication_id": "xywav", "amount": "1mL", "count": 2],
        ])
        let bottles = machine.logState.inventory.map(\.id)
        let word = InventoryAction.addBottle(["amount": "1mL", "medication_id": "xyrm"])
        guard case .unknown(let unknown)? = machine.failure(.inventory(word)) else {
            Issue.record("an unknown medicine was not refused")
            return
        }
        #expect(unknown.nearest == ["xyrem"])
        let cup = try machine.stock(.pour(StockTests.xyrem), "2.25g", ago: .minutes(60))
        let drunk = try machine.stock(.pour(StockTests.xyrem), "2.25g", ago: .minutes(30))
        let now = machine.wall
        let dose = try machine.performConfirmed(.logDose(.dose1)) { $0.at = now - .minutes(10) }.primary
        machine.pass(.minutes(1))
        #expect(machine.refusal(.inventory(.discard(drunk))) == .alreadyUsed)
        #expect(machine.refusal(.inventory(.discard(cup))) { $0.at = now - .hours(3) } == .order)
        let gone = try machine.stock(.discard(cup))
        machine.pass(.minutes(1))
        #expect(machine.refusal(.inventory(.discard(cup))) == .alreadyDiscarded)
        #expect(machine.refusal(.delete(cup)) == .order)
        #expect(machine.refusal(.amend(cup)) { $0.at = now + .minutes(2) } == .order)
        #expect(machine.refusal(.amend(gone)) { $0.at = now - .hours(2) } == .order)
        try machine.stock(.discard(bottles[1]))
        machine.pass(.minutes(1))
        try machine.stock(.discard(bottles[1]))
        machine.pass(.minutes(1))
        #expect(machine.refusal(.inventory(.discard(bottles[1]))) == .alreadyDiscarded)
        #expect(machine.failure(.inventory(.discard(gone))) != nil)
        #expect(machine.failure(.inventory(.discard(dose.id))) == .notFound(dose.id.text))
        try machine.perform(.delete(gone))
        try machine.perform(.delete(cup))
        #expect(machine.failure(.inventory(.discard(cup))) == .notFound(cup.text))
    }

    @Test func `R14.10 a cup is told with its time, and that this is over, as long as it stands`() throws {
        var machine = try StockTests.machine()
        func told(_ at: Instant? = nil) -> [String] {
            machine.status(at: at).clearance.filter { $0.kind == .preparedCup }
                .map { "\($0.until?.iso8601 ?? "-") \($0.detail ?? "-") \($0.isRunning(at: .max))" }
        }
        try machine.stock(.pour(["medication_id": "xyrem", "for": "dose2"]), "4.5g")
        try machine.stock(.pour(["medication_id": "lumryz"]), "6g")
        #expect(told() == ["2026-01-15T22:00:00.000Z dose2 true", "2026-01-14T22:30:00.000Z - true"])
        let sources = machine.status().clearance.map(\.source)
        #expect(sources.first?.contains("24 h") == true && sources.last?.contains("30 min") == true)
        #expect(told(machine.wall - .minutes(1)).isEmpty)
        machine.pass(.hours(30))
        #expect(told().count == 2, "it does not vanish while it stands")
        #expect(try NightStatus(json: machine.status().json).clearance == machine.status().clearance)
        machine.pass(.hours(6))
        #expect(told().isEmpty)
    }
}
