import DoseTapDomain
import Testing

@testable import DoseTapStore

/// A bad disk often damages more than one file.
@Suite struct FreshLogTests {
    enum Damage: CaseIterable {
        case everything, zeros, empty, cutOff, laterPages

        func spoil(_ bytes: [UInt8]) -> [UInt8] {
            switch self {
            case .everything: [UInt8](repeating: 0xA7, count: bytes.count)
            case .zeros: [UInt8](repeating: 0, count: bytes.count)
            case .empty: []
            case .cutOff: Array(bytes.prefix(bytes.count / 2))
            case .laterPages: bytes.prefix(4_096) + [UInt8](repeating: 0xA7, count: bytes.count - 4_096)
            }
        }
    }

    /// Opens and reads as the service does at its start.
    private func start(_ scratch: Scratch, now: Instant) async throws -> (store: Store, snapshot: LogSnapshot) {
        let store = try Store.openForTheNight(scratch.configuration())
        do { return (store, try await store.load(now: now)) } catch let error as StoreError where error.code == .damaged
        {
            try await store.continueBeside([], because: error)
            return (store, try await store.load(now: now))
        }
    }

    private func spoil(_ scratch: Scratch, _ name: String, _ damage: Damage = .everything) throws -> [UInt8] {
        let spoiled = damage.spoil(try scratch.bytes(name))
        try scratch.write(spoiled, name)
        return spoiled
    }

    @Test(arguments: Damage.allCases)
    func `R21.16 a fresh log that is damaged, too, gives way to a further one`(damage: Damage) async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let first = try scratch.open()
        let dose1 = try nights.act(.logDose(.dose1), amount: 4_500)
        _ = try await first.commit(dose1)
        try await first.close()
        let damaged = try spoil(scratch, "dosetap.db")

        nights.pass(.minutes(170))
        let (second, _) = try await start(scratch, now: nights.now)
        _ = try await second.commit(try nights.restored())
        let dose2 = try nights.act(.logDose(.dose2), amount: 4_500)
        _ = try await second.commit(dose2)
        try await second.close()
        let alsoDamaged = try spoil(scratch, "dosetap.db.beside", damage)

        let (third, snapshot) = try await start(scratch, now: nights.now)
        let known = Set(snapshot.sessions.joined().map(\.id))
        for event in dose1.events + dose2.events { #expect(known.contains(event.id)) }
        let log = try #require(await third.beside)
        #expect(log.path == scratch.path + ".beside-2" && log.damaged == scratch.path, "\(log)")
        #expect(log.entries == 1 && log.isNew && log.sentence.contains("are damaged"), "\(log)")
        // Files beside the log use the id of the first store, whichever log is in use.
        #expect(third.storeID == first.storeID)
        #expect { try Store.openForTheNight(scratch.configuration()) } throws: { ($0 as? StoreError)?.code == .locked }
        _ = try await third.commit(try nights.restored())
        nights.pass(.minutes(200))
        _ = try await third.commit(try nights.act(.logFinalWake))
        let unsafe = try nights.act(.logSleepEvent("bathroom"))
        #expect(await third.keep(unsafe.events, lastSequence: 9) == .reserve)
        try await third.close()

        let (fourth, _) = try await start(scratch, now: nights.now)
        let later = try #require(await fourth.beside)
        #expect(later.path == log.path && later.entries == 2 && !later.isNew, "\(later)")
        #expect(await fourth.kept().events.map(\.id) == unsafe.events.map(\.id))
        #expect(try await fourth.verify().findings.contains(later.sentence))
        try await fourth.close()
        #expect(try scratch.bytes() == damaged)
        #expect(try scratch.bytes("dosetap.db.beside") == alsoDamaged)
    }

    @Test func `R21.16 a log that is damaged in use gives way, too, whichever it is`() async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let store = try scratch.open()
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        nights.pass(.minutes(160))
        let sql = "CREATE TEMP TRIGGER sly BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"
        for name in ["dosetap.db.beside", "dosetap.db.beside-2"] {
            _ = try await store.value(Int.self, sql)
            let snooze = try nights.act(.snooze)
            var failure: StoreError?
            do { _ = try await store.commit(snooze) } catch let error as StoreError { failure = error }
            let error = try #require(failure)
            #expect(error.code == .damaged)
            try await store.continueBeside([], because: error)
            _ = try await store.commit(try nights.restored())
            _ = try await store.commit(snooze)
            #expect(await store.beside?.path == scratch.folder + "/" + name)
            nights.pass(.minutes(11))
        }
        try await store.close()
        let again = try Store.openForTheNight(scratch.configuration())
        #expect(await again.beside?.entries == 2)
        #expect(try await again.load(now: nights.now).sessions.joined().count { $0.type == .snoozeRecorded } == 2)
        try await again.close()
    }

    @Test func `R21.16 there are at most eight fresh logs, and then a clear error`() async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let first = try scratch.open()
        let dose1 = try nights.act(.logDose(.dose1))
        _ = try await first.commit(dose1)
        try await first.close()
        _ = try spoil(scratch, "dosetap.db")
        for number in 1...8 {
            let (store, snapshot) = try await start(scratch, now: nights.now)
            #expect(snapshot.sessions.joined().contains { $0.id == dose1.events[0].id })
            try await store.close()
            _ = try spoil(scratch, number == 1 ? "dosetap.db.beside" : "dosetap.db.beside-\(number)")
        }
        let before = try scratch.names()
        var refusal: StoreError?
        do { _ = try Store.openForTheNight(scratch.configuration()) } catch let error as StoreError { refusal = error }
        let error = try #require(refusal)
        #expect(error.code == .damaged && error.context.contains("8 fresh logs"), "\(error)")
        #expect(try scratch.names() == before)
    }
}
