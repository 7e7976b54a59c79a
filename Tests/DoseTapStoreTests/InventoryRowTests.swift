import DoseTapDomain
import GRDB
import Testing

@testable import DoseTapStore

/// The rows of the tables for the stock.
@Suite struct InventoryRowTests {
    private static let date = SessionDate(CivilDate(daysSinceEpoch: 20_260))

    private static func left(_ store: Store) async throws -> [Int] {
        try await store.stock(recent: date) { _ in nil }.lines.map(\.milligrams)
    }

    @Test func `an entry has a row as long as it stands, and no table keeps how much there is`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let bottle = try nights.act(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL", "count": 2])))
        _ = try await store.commit(bottle)
        let id = try #require(bottle.events.first?.id)
        let row = try #require(try await store.dump()["inventory_events"]?.first)
        let values = Dictionary(uniqueKeysWithValues: zip(EntryTable.inventoryEvents.table.columns, row))
        #expect(values["kind"] == "bottle_received".databaseValue && values["unit_mg"] == 90_000.databaseValue)
        #expect(values["bottle_count"] == 2.databaseValue && values["concentration"] == "500 mg/mL".databaseValue)
        nights.pass(.minutes(1))
        let cup = try nights.act(.inventory(.pour(["medication_id": "xyrem", "for": "dose1"])), amount: 2_250)
        _ = try await store.commit(cup)
        try await store.commit(all: try nights.night())
        #expect(try await Self.left(store) == [180_000 - 2_250 - 4_500])
        #expect(try await store.entries([.inventory], .about(id)).count == 1)
        let counted = try nights.act(.inventory(.correct(["of": .string(id.text), "left": "120mL"])))
        _ = try await store.commit(counted)
        #expect(try await store.entries([.inventory], .about(id)).count == 2)
        #expect(try await Self.left(store) == [60_000])
        _ = try await store.commit(try nights.act(.amend(try #require(counted.events.first?.id)), amount: 50_000))
        #expect(try await Self.left(store) == [50_000])
        _ = try await store.commit(try nights.act(.delete(try #require(counted.events.first?.id))))
        #expect(try await store.dump()["inventory_events"]?.count == 2)
        #expect(try await store.rebuild().repairs.isEmpty)
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `a row that no stock can have is an error, never a guess`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(
            try nights.act(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"]))))
        try await store.run("UPDATE inventory_events SET kind = 'lost', unit_mg = 'many'")
        await #expect(throws: StoreError.self) { try await store.stock(recent: Self.date) { _ in nil } }
        try await store.close()
    }

    @Test func `ten years of cups and doses do not have to be looked at once the stock was counted`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let bottle: InventoryAction = .addBottle(["medication_id": "xyrem", "amount": "180mL", "count": 100])
        _ = try await store.commit(try nights.act(.inventory(bottle)))
        for _ in 0..<40 { try await store.commit(all: try nights.night()) }
        #expect(try await Self.left(store) == [9_000_000 - 40 * 9_000])
        let all: InventoryAction = .correct(["of": "xyrem", "left": "180mL"])
        _ = try await store.commit(try nights.act(.inventory(all)))
        try await store.commit(all: try nights.night())
        #expect(try await Self.left(store) == [81_000])
        // An unreadable dose fails a question only if its row is read.
        try await store.run("UPDATE dose_events SET timestamp = '2025' WHERE rowid = 1")
        #expect(try await Self.left(store) == [81_000])
        let plan = try await store.plan(
            "SELECT id FROM inventory_events WHERE id = '1' OR target_id = '1' OR id = (SELECT target_id FROM "
                + "inventory_events WHERE id = '1')")
        #expect(!plan.contains("SCAN"), "\(plan)")
        try await store.close()
    }
}

extension Store {
    fileprivate func plan(_ sql: String) throws -> String {
        try read("explaining") { database in
            try Row.fetchAll(database, sql: "EXPLAIN QUERY PLAN \(sql)").map { String(describing: $0[3] as String?) }
                .joined(separator: "; ")
        }
    }
}
