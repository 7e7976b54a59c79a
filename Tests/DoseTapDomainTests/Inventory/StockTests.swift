import DoseTapDomain
import Testing

extension SimulatedMachine {
    /// The stock by a plain fold of the whole record.
    var stock: Inventory {
        let date = logState.presentDate(context)
        let recent = SessionDate(date.civil.adding(days: -StockLedger.nightsLookedAt))
        let ledger = StockLedger(logState.stockMovements, recent: recent) { logState.prescribedMedicine(on: $0) }
        return Inventory(ledger, at: wall, on: date, logState)
    }

    @discardableResult
    mutating func stock(_ action: InventoryAction, _ amount: String? = nil, ago: Duration? = nil) throws -> EventID {
        let at = ago.map { wall - $0 }
        return try performConfirmed(.inventory(action)) { options in
            options.amountText = amount
            options.at = at
        }.primary.id
    }
}

/// R14: the stock follows from supplies and doses.
struct StockTests {
    static let xyrem: JSONObject = ["medication_id": "xyrem"]
    static let bottle: JSONObject = ["medication_id": "xyrem", "amount": "180mL"]

    static func machine(_ bottles: [JSONObject] = [bottle]) throws -> SimulatedMachine {
        var machine = SimulatedMachine.evening()
        for bottle in bottles { try machine.stock(.addBottle(bottle), ago: .hours(2)) }
        return machine
    }

    /// A step with the stock of a machine that has one bottle of xyrem.
    enum Step: Sendable {
        case bottle(JSONObject)
        case pour(String?, DoseKind?)
        case dose(DoseKind, String?)
        case medicine(String, String?)
        case discard(Int)
        case count(String)
        case countBottles(Int, String)
        case pass(Int)
        case undo
        case delete(Int)
        case amend(Int, String)
    }

    /// Steps, milligrams left in each line, unknown amounts, cups active, overdrawn.
    static let scripts: [([Step], [Int], Int, Int, Int)] = [
        ([], [90_000], 0, 0, 0),
        ([.dose(.dose1, "4.5g")], [85_500], 0, 0, 0),
        ([.dose(.dose1, "9mL"), .pass(180), .dose(.dose2, "4.5g")], [81_000], 0, 0, 0),
        // A poured cup leaves the stock at once. Its dose takes no more, whatever amount is recorded.
        ([.pour("4.5g", .dose1)], [85_500], 0, 1, 0),
        ([.pour("4.5g", .dose1), .pass(5), .dose(.dose1, "4.5g")], [85_500], 0, 0, 0),
        ([.pour("4.5g", nil), .pass(5), .dose(.dose1, "3g")], [85_500], 0, 0, 0),
        ([.pour("4.5g", .dose1), .pass(5), .dose(.dose1, nil)], [85_500], 0, 0, 0),
        // A cup for the other dose, of another medicine, or too old is not the one that was drunk.
        ([.pour("4.5g", .dose2), .pass(5), .dose(.dose1, "2.25g")], [83_250], 0, 1, 0),
        ([.pour("4.5g", .dose1), .pass(5), .medicine("xywav", "4.5g")], [85_500], 0, 1, 0),
        ([.pour("4.5g", .dose1), .pass(2_160), .dose(.dose1, "4.5g")], [81_000], 0, 0, 0),
        ([.pour("4.5g", .dose1), .pass(2_157), .dose(.dose1, "4.5g")], [85_500], 0, 0, 0),
        // Of two cups the one poured last is drunk. A discarded cup stays lost.
        ([.pour("4g", nil), .pass(1), .pour("3g", nil), .pass(1), .dose(.dose1, "3g")], [83_000], 0, 1, 0),
        ([.pour("4.5g", .dose1), .pass(5), .discard(1), .pass(1), .dose(.dose1, "4.5g")], [81_000], 0, 0, 0),
        ([.pour("4.5g", .dose1), .pass(5), .discard(1)], [85_500], 0, 0, 0),
        // An amount without a record is unknown, never zero.
        ([.dose(.dose1, nil)], [90_000], 1, 0, 0),
        ([.pour(nil, nil)], [90_000], 1, 1, 0),
        ([.pour(nil, nil), .pass(5), .dose(.dose1, "4.5g")], [90_000], 1, 0, 0),
        ([.dose(.dose1, nil), .pass(5), .count("120mL")], [60_000], 0, 0, 0),
        // A count replaces earlier entries.
        ([.dose(.dose1, "4.5g"), .pass(5), .count("0mL")], [0], 0, 0, 0),
        ([.dose(.dose1, "4.5g"), .pass(5), .countBottles(0, "100mL")], [50_000], 0, 0, 0),
        ([.count("10g"), .pass(5), .dose(.dose1, "4.5g")], [5_500], 0, 0, 0),
        // A discarded bottle takes its rest with it. The open bottle goes first.
        ([.pass(1), .discard(0)], [0], 0, 0, 0),
        ([.bottle(bottle), .dose(.dose1, "4.5g"), .pass(5), .discard(0)], [90_000], 0, 0, 0),
        (
            [.bottle(["medication_id": "xywav", "amount": "180mL", "count": 2]), .pass(1), .discard(1)],
            [90_000, 90_000], 0, 0, 0
        ),
        // A dose of more than the stock is told, and a later bottle is full.
        ([.count("1g"), .pass(5), .dose(.dose1, "4.5g")], [0], 0, 0, 3_500),
        ([.count("1g"), .pass(5), .dose(.dose1, "4.5g"), .bottle(bottle)], [90_000], 0, 0, 3_500),
        // Corrections.
        ([.pour("4.5g", .dose1), .undo], [90_000], 0, 0, 0),
        ([.pour("4.5g", .dose1), .pass(5), .dose(.dose1, "4.5g"), .undo], [85_500], 0, 1, 0),
        ([.pour("4.5g", .dose1), .delete(1)], [90_000], 0, 0, 0),
        ([.amend(0, "170mL")], [85_000], 0, 0, 0), ([.pour("4.5g", nil), .amend(1, "3g")], [87_000], 0, 1, 0),
        // Packets are counted by size.
        (
            [
                .bottle(["medication_id": "lumryz", "amount": "4.5g", "count": 30]),
                .bottle(["medication_id": "lumryz", "amount": "6g", "count": 7]), .medicine("lumryz", "6g"),
            ],
            [36_000, 135_000, 90_000], 0, 0, 0
        ),
        (
            [.bottle(["medication_id": "lumryz", "amount": "4.5g", "count": 30]), .medicine("lumryz", "9g")],
            [126_000, 90_000], 0, 0, 0
        ),
    ]

    @Test(arguments: scripts)
    func `R14.1 to R14.7, R14.11: what is left after everything that can happen to it`(
        steps: [Step], left: [Int], unknown: Int, cups: Int, overdrawn: Int
    ) throws {
        var machine = try Self.machine()
        var ids = machine.logState.inventory.map(\.id)
        for step in steps {
            machine.pass(.minutes(1))
            switch step {
            case .bottle(let object): ids.append(try machine.stock(.addBottle(object)))
            case .pour(let amount, let dose):
                var cup = Self.xyrem
                cup["for"] = dose.map { .string($0.rawValue) }
                ids.append(try machine.stock(.pour(cup), amount))
            case .dose(let kind, let amount):
                try machine.performConfirmed(.logDose(kind)) { options in
                    // The dose names no medicine, which millilitres need.
                    options.amountMilligrams = amount.flatMap { text in
                        (try? Amount(text: text))?.milligrams(xyrem: 500)
                    }
                }
            case .medicine(let id, let amount):
                try machine.performConfirmed(.takeMedication(id)) { $0.amountText = amount }
            case .discard(let place): ids.append(try machine.stock(.discard(ids[place])))
            case .count(let left): ids.append(try machine.stock(.correct(["of": "xyrem", "left": .string(left)])))
            case .countBottles(let place, let left):
                ids.append(try machine.stock(.correct(["of": .string(ids[place].text), "left": .string(left)])))
            case .pass(let minutes): machine.pass(.minutes(minutes))
            case .undo: try machine.perform(.undo)
            case .delete(let place): try machine.perform(.delete(ids[place]))
            case .amend(let place, let amount): try machine.perform(.amend(ids[place])) { $0.amountText = amount }
            }
        }
        let stock = machine.stock
        #expect(stock.supplies.map(\.line.milligrams) == left)
        #expect(stock.supplies.map(\.line.unknown).reduce(0, +) == unknown)
        #expect(stock.cups.count == cups)
        #expect(stock.supplies.map(\.line.overdrawnMilligrams).reduce(0, +) == overdrawn)
    }

    @Test func `R14.5 with a bottle goes what was left in it, the open one first, then a full one`() throws {
        var machine = SimulatedMachine.evening()
        let two: JSONObject = ["medication_id": "xyrem", "amount": "180mL", "count": 2]
        let entry = try machine.stock(.addBottle(two), ago: .hours(2))
        try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        #expect(machine.stock.supplies.map(\.line.milligrams) == [175_500])
        machine.pass(.minutes(1))
        try machine.stock(.discard(entry))
        #expect(machine.stock.supplies.map(\.line.milligrams) == [90_000], "the open one is gone")
        machine.pass(.minutes(1))
        try machine.stock(.discard(entry))
        #expect(machine.stock.supplies.map(\.line.milligrams) == [0], "then the full one")
        machine.pass(.minutes(1))
        #expect(machine.refusal(.inventory(.discard(entry))) == .alreadyDiscarded)
    }

    @Test func `R14.6 a count goes before what was noted earlier, not before what follows`() throws {
        var machine = try Self.machine([Self.bottle, Self.bottle])
        let bottle = machine.logState.inventory[0].id
        try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        machine.pass(.minutes(5))
        try machine.stock(.correct(["of": .string(bottle.text), "left": "100mL"]))
        #expect(machine.stock.supplies.map(\.line.milligrams) == [140_000], "the other bottle is as it was")
        machine.pass(.minutes(5))
        try machine.stock(.correct(["of": "xyrem", "left": "10g"]))
        #expect(machine.stock.supplies.map(\.line.milligrams) == [10_000])
        machine.pass(.minutes(180))
        try machine.performConfirmed(.logDose(.dose2)) { $0.amountMilligrams = 4_500 }
        #expect(machine.stock.supplies.map(\.line.milligrams) == [5_500])
    }

    @Test func `R14.2 what was taken before the first bottle came from another one`() throws {
        var machine = SimulatedMachine.evening()
        try machine.performConfirmed(.logDose(.dose1)) { $0.amountMilligrams = 4_500 }
        machine.pass(.minutes(10))
        try machine.stock(.addBottle(Self.bottle))
        #expect(machine.stock.supplies.map(\.line.milligrams) == [90_000])
        #expect(SimulatedMachine.evening().stock.supplies.isEmpty)
    }
}

extension Amount {
    /// The milligrams, with this strength of a millilitre.
    fileprivate func milligrams(xyrem strength: Int64) -> Int? {
        try? milligrams(Concentration(unit: .milliliter, thousandths: strength * 1_000))
    }
}
