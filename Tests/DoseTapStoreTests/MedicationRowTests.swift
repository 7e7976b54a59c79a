import DoseTapDomain
import GRDB
import Testing

@testable import DoseTapStore

/// The rows of the tables for medicines and regimens.
@Suite struct MedicationRowTests {
    @Test func `a medicine has a row with or without a night, which follows its corrections`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let taken = try nights.act(.takeMedication("Provigil"))
        _ = try await store.commit(taken)
        let columns = EntryTable.medicationEvents.table.columns
        func row(_ place: Int = 0) async throws -> [String: DatabaseValue] {
            let rows = try #require(try await store.dump()["medication_events"])
            return Dictionary(uniqueKeysWithValues: zip(columns, rows[place]))
        }
        let id = try #require(taken.events.first?.id)
        let first = try await row()
        let expected: [String: (any DatabaseValueConvertible)?] = [
            "id": id.text, "session_id": nil, "medication_id": "provigil", "dose_mg": 200, "dose_unit": "mg",
            "formulation": "ir", "notes": nil, "confirmed_duplicate": 0, "local_offset_minutes": 0,
        ]
        for (column, wanted) in expected { #expect(first[column] == wanted?.databaseValue ?? .null, "\(column)") }
        _ = try await store.commit(try nights.act(.amend(id), amount: 100))
        #expect(try await row()["dose_mg"] == 100.databaseValue)
        _ = try await store.commit(try nights.act(.logFinalWake))
        nights.pass(.minutes(2))
        let second = try nights.act(.takeMedication("modafinil"))
        _ = try await store.commit(second)
        let doubled = try await row(1)
        #expect(doubled["confirmed_duplicate"] == 1.databaseValue && doubled["session_id"] != .null)
        let session = try #require(second.events.first?.sessionID)
        let date = try SessionDate(text: #require(String.fromDatabaseValue(doubled["session_date"] ?? .null)))
        #expect(try await store.entries([.medication], .night(session, date)).count == 2)
        #expect(try await store.entries([.medication], .newest(1)).first == second.events)
        #expect(try await store.entries([.medication], .day(date)).count == 1)
        _ = try await store.commit(try nights.act(.delete(id)))
        #expect(try await store.dump()["medication_events"]?.count == 1)
        #expect(try await store.events(about: id).count == 3, "the log keeps it")
        #expect(try await store.rebuild().repairs.isEmpty)
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `a regimen has a row as long as it stands, and is loaded at start`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let set = try nights.act(
            .setRegimen(["medication_id": "xyrem", "total": "15mL", "ratios": [0.6, 0.4], "steps": ["2099-01-01=9g"]]))
        _ = try await store.commit(set)
        let row = try #require(try await store.dump()["regimens"]?.first)
        let values = Dictionary(uniqueKeysWithValues: zip(EntryTable.regimens.table.columns, row))
        #expect(values["total_mg"] == 7_500.databaseValue && values["concentration"] == "500 mg/mL".databaseValue)
        #expect(values["ratios_json"] == "[0.6,0.4]".databaseValue)
        nights.pass(.hours(24 * 60))
        _ = try await store.commit(try nights.act(.logFinalWake))
        let loaded = LogState(try await store.load(now: nights.now))
        #expect(loaded.regimens.map(\.events) == [set.events])
        _ = try await store.commit(try nights.act(.delete(set.events[0].id)))
        #expect(try await store.dump()["regimens"]?.isEmpty == true)
        #expect(try await store.rebuild().repairs.isEmpty)
        #expect(try await store.check().isSound)
        try await store.close()
    }
}
