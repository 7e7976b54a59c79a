import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

extension Store {
    func dump() throws -> [String: [[DatabaseValue]]] {
        try read("dumping") { database in
            var tables: [String: [[DatabaseValue]]] = [:]
            for table in ProjectionTable.all {
                let sql = "SELECT \(table.columns.joined(separator: ",")) FROM \(table.name) ORDER BY \(table.key)"
                tables[table.name] = try Row.fetchAll(database, sql: sql).map { Array($0.databaseValues) }
            }
            return tables
        }
    }

    func value<Value: DatabaseValueConvertible>(_ type: Value.Type, _ sql: String) throws -> Value? {
        try read("asking") { try Value.fetchOne($0, sql: sql) }
    }

    func add(_ function: DatabaseFunction) throws { try read("adding a function") { $0.add(function: function) } }

    func run(_ sql: String) throws {
        try transaction("changing by hand") { try $0.execute(sql: sql) }
    }
}

@Suite struct ProjectionTests {
    /// The seed is printed with every failure: the same seed gives the same histories.
    static let seed = ProcessInfo.processInfo.environment["DOSETAP_SEED"].flatMap(UInt64.init) ?? 20_260_101

    @Test(arguments: 0..<20)
    func `live tables equal a rebuild and the folded log state over random histories`(group: UInt64) async throws {
        for member in 0..<11 as Range<UInt64> {
            let seed = Self.seed &+ group &* 1_000 &+ member
            let scratch = try Scratch()
            let store = try scratch.open()
            var history = RandomHistory(seed: seed)
            for _ in 0..<30 {
                for batch in history.step() { _ = try await store.commit(batch) }
            }
            let live = try await store.dump()
            let expected = history.logState.sessions.count
            #expect(live["sleep_sessions"]?.count == expected, "seed \(seed)")
            let check = try await store.check()
            #expect(check.isSound, "seed \(seed): \(check.findings)")
            #expect(check.events > 0)
            let report = try await store.rebuild()
            #expect(report.isSound && report.repairs.isEmpty, "seed \(seed): \(report)")
            let rebuilt = try await store.dump()
            #expect(live == rebuilt, "seed \(seed)")
            let verified = try await store.verify()
            #expect(verified.isSound && verified.events == report.events, "seed \(seed): \(verified.findings)")
            try await Self.compare(store, with: history, seed: seed)
            try await store.close()
        }
    }

    /// The figures that the inventory shows. The inventory leaves out entries from before the last count of a medicine.
    private static func figures(_ ledger: StockLedger, _ now: Instant) -> String {
        let date = SessionDate(CivilDate(daysSinceEpoch: Int(now.milliseconds / 86_400_000)))
        return JSONValue.object(Inventory(ledger, at: now, on: date, LogState()).json).serialized()
    }

    /// Compares the answers of the store with the log state.
    static func compare(_ store: Store, with history: RandomHistory, seed: UInt64) async throws {
        for session in history.logState.sessions {
            let events = try await store.session(named: session.id.text)
            #expect(events == session.events, "seed \(seed)")
        }
        let snapshot = try await store.load(now: history.now)
        let logState = LogState(snapshot)
        #expect(logState.open == history.logState.open, "seed \(seed)")
        #expect(logState.newest == history.logState.newest, "seed \(seed)")
        #expect(logState.recentActions == history.logState.recentActions, "seed \(seed)")
        #expect(logState.lastUndo == history.logState.lastUndo, "seed \(seed)")
        let page = try await store.summaries(SessionQuery(limit: 1_000))
        let nights = history.logState.sessions.map {
            SleepNight(id: $0.id, date: $0.date, start: $0.start, end: $0.end)
        }
        let slept = history.logState.sleepRecords.filter(\.isActive)
        // A night's score uses the sleep that a source recorded, if there is any.
        let summaries = history.logState.sessions.map { session in
            let own = slept.filter { sleep in
                SleepNight.of(start: sleep.now.start, end: sleep.now.end, date: sleep.now.date, among: nights)
                    == session.id
            }
            let night = history.logState.night(behind: session)
            var summary = NightRecord(session, behind: night, standalone: own.map(\.entry)).summary
            summary.preSleep = NightSummary(session, preSleep: history.logState.preSleepLogs(of: session)).preSleep
            return summary
        }
        for entry in logState.standalone { #expect(history.logState.standalone.contains(entry), "seed \(seed)") }
        #expect(logState.regimenHistory == history.logState.regimenHistory, "seed \(seed)")
        let recent = SessionDate(CivilDate(daysSinceEpoch: Int(history.now.milliseconds / 86_400_000) - 14))
        let known = history.logState
        let ledger = try await store.stock(recent: recent) { known.prescribedMedicine(on: $0) }
        let whole = StockLedger(known.stockMovements, recent: recent) { known.prescribedMedicine(on: $0) }
        let (found, expected) = (Self.figures(ledger, history.now), Self.figures(whole, history.now))
        #expect(found == expected, "seed \(seed)")
        #expect(Set(page.nights) == Set(summaries), "seed \(seed)")
        #expect(page.nights.map(\.start) == page.nights.map(\.start).sorted(by: >), "seed \(seed)")
    }
}
