import DoseTapDomain
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct RestoreTests {
    private static let kept = ".replaced-2026-01-15T080000Z"

    private static func prepare(_ store: Store, _ path: String, now: Instant) async throws -> PreparedRestore {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        return try await store.prepareRestore(from: descriptor, now: now, tonight: nil)
    }

    private static func backup(_ store: Store, now: Instant) async throws -> String {
        try #require(try await store.backUp(.manual, at: now)).path
    }

    @Test func `R24.10 a restore brings in what the entries of the last day refer to, and no older facts of imports`()
        async throws
    {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        let file = try await Self.backup(store, now: nights.now)
        let before = try await store.events(after: 0, limit: 1_000).count
        let imported = EventPayload.importRecorded(ImportRecorded(source: "plees"))
        _ = try await store.commit(try nights.fact(imported))
        let bottle = try nights.act(.inventory(.addBottle(["medication_id": "xyrem", "amount": "180mL"])))
        let plan = try nights.act(.planLab(["routine": "screens", "outcome": "rested", "seed": 5]))
        for batch in [bottle, plan] { _ = try await store.commit(batch) }
        nights.pass(.hours(49))
        let gone = try nights.act(.inventory(.discard(EventID(bottle.events[0].entityID))))
        let kept = try nights.act(.record(.labAnswered, ["plan_id": .string(plan.events[0].entityID), "kept": "a"]))
        for batch in [gone, kept] { _ = try await store.commit(batch) }
        let recent = try nights.fact(imported)
        _ = try await store.commit(recent)
        nights.pass(.minutes(10))
        let prepared = try await Self.prepare(store, file, now: nights.now)
        _ = try await store.restore(prepared, try nights.restored().events[0], keeping: Self.kept)
        let events = try await store.events(after: Int64(before), limit: 1_000).map(\.event)
        for batch in [bottle, plan, gone, kept] { #expect(events.contains { $0.id == batch.events[0].id }) }
        #expect(events.filter { $0.type == .importRecorded }.map { $0.id } == recent.events.map { $0.id })
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `R24.10 R24.11 R24.12 a restore has the backup, the last day, and an event about it; the rest is kept`()
        async throws
    {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 3)
        let store = try scratch.open()
        let file = try await Self.backup(store, now: nights.now)
        let before = try await store.events(after: 0, limit: 1_000)
        for _ in 0..<2 { try await store.commit(all: try nights.night()) }
        nights.pass(.hours(40))
        let last = try nights.act(.logDose(.dose1), { $0.key = "k" })
        _ = try await store.commit(last)
        let present = try await store.events(after: 0, limit: 1_000)
        nights.pass(.minutes(10))
        let prepared = try await Self.prepare(store, file, now: nights.now)
        let report = prepared.report
        #expect(report.backup.events == Int64(before.count) && report.backup.nights == 3 && report.isSameRecord)
        #expect(report.gained.events == 0 && report.broughtIn == Int64(last.events.count) && report.isDryRun)
        #expect(report.lost.events == Int64(present.count - before.count - last.events.count))
        #expect(report.lost.nights == 2)
        // A dose that is recorded during the restore is not lost.
        let late = try nights.act(.logSleepEvent("bathroom"))
        _ = try await store.commit(late)
        let fact = try nights.restored().events[0]
        let replaced = try await store.restore(prepared, fact, keeping: Self.kept)
        #expect(replaced == scratch.path + Self.kept)
        let notes = try await store.check().notes
        #expect(notes.count == 1 && notes[0].contains("kept at \(scratch.path + Self.kept): "))
        let restored = try await store.events(after: 0, limit: 1_000)
        #expect(restored.prefix(before.count).map(\.hash) == before.map(\.hash))
        #expect(restored.dropFirst(before.count).map(\.event.id) == (last.events + late.events + [fact]).map(\.id))
        #expect(restored.dropFirst(before.count).dropLast().map(\.event) == last.events + late.events)
        #expect(try await store.event(key: "k") != nil)
        #expect(try await store.verify().isSound)
        let check = try await store.check()
        #expect(check.isSound, "\(check.findings)")
        #expect(await store.openFindings.isEmpty)
        #expect(try scratch.mode("dosetap.db") == 0o600)
        try await store.close()
        // The replaced record is whole.
        let other = try Scratch()
        try other.write([UInt8](try Data(contentsOf: URL(fileURLWithPath: scratch.path + Self.kept))))
        let old = try other.open()
        #expect(try await old.events(after: 0, limit: 1_000).count == present.count + late.events.count)
        try await old.close()
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        // R21.20: an event that the restore left out does not count as lost.
        let leftOut = Set(present.map(\.event.id)).subtracting(restored.map(\.event.id))
        let copied = try NightFile.events(besides: scratch.path, nil).map(\.id)
        #expect(!leftOut.isEmpty && leftOut.isDisjoint(with: copied))
        _ = try await again.load(now: nights.now)
        #expect(await again.lost.events.isEmpty)
        #expect(try scratch.names().filter { $0.contains("prepared") || $0.contains("switch") } == [])
        try await again.close()
    }

    enum Spoilt: CaseIterable { case text, empty, half, zeros, aByte, newer, foreign, trigger, view, generated, chain }

    @Test(arguments: Spoilt.allCases)
    func `R24.8 a file that is no sound backup is refused by name and changes nothing`(spoilt: Spoilt) async throws {
        let (scratch, source) = (try Scratch(), try Scratch())
        let nights = try await source.filled(nights: 3)
        var bytes = try source.bytes()
        switch spoilt {
        case .text: bytes = Array("dear diary\n".utf8)
        case .empty: bytes = []
        case .half: bytes = Array(bytes.prefix(bytes.count / 2 + 100))
        case .zeros: bytes.replaceSubrange(8_192..<16_384, with: [UInt8](repeating: 0, count: 8_192))
        case .aByte:
            let place = try #require(bytes.indices.dropFirst(20_000).first { bytes[$0...].starts(with: "dose".utf8) })
            bytes[place] ^= 1
        case .newer: bytes[63] = 99
        case .foreign: bytes[68] ^= 1
        case .trigger, .view, .generated, .chain: break
        }
        try source.write(bytes)
        let sql: String? =
            switch spoilt {
            case .trigger: "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM dose_events; END"
            case .view: "CREATE VIEW v AS SELECT * FROM events"
            case .generated: "ALTER TABLE events ADD COLUMN g TEXT AS (upper(id))"
            case .chain: "UPDATE events SET payload = replace(payload, '4500', '4501') WHERE seq = 2"
            default: nil
            }
        if let sql { #expect(try Command.sqlite(source.path, sql).status == 0) }
        let store = try scratch.open()
        _ = try await store.backUp(.manual, at: nights.now)
        let names = try scratch.names()
        do {
            _ = try await Self.prepare(store, source.path, now: nights.now)
            Issue.record("it was taken")
        } catch let error as StoreError {
            #expect(error.code == .unfit, "\(error)")
            #expect(["backup", "store"].contains { error.context.contains($0) }, "\(error)")
        }
        #expect(try scratch.names() == names)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R24.8 the record in use, a folder, a pipe and a device are no backup`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        let store = try scratch.open()
        #expect(mkfifo(scratch.folder + "/pipe", 0o600) == 0)
        for (path, flags) in [
            (scratch.path, O_RDONLY), (scratch.folder, O_RDONLY), (scratch.folder + "/pipe", O_RDWR),
            ("/dev/zero", O_RDONLY), (scratch.folder + "/w", O_WRONLY | O_CREAT),
        ] {
            let descriptor = open(path, flags | O_CLOEXEC, 0o600)
            do {
                _ = try await store.prepareRestore(from: descriptor, now: Instant(seconds: 1_768_429_800), tonight: nil)
                Issue.record("\(path) was taken")
            } catch let error as StoreError { #expect(error.code == .unfit, "\(path): \(error)") }
            close(descriptor)
        }
        try await store.close()
    }

    @Test func `R24.12 with a damaged record the fresh log is replaced, too, and both are kept`() async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 2)
        let first = try scratch.open()
        let file = try await Self.backup(first, now: nights.now)
        try await first.close()
        var bytes = try scratch.bytes()
        bytes.replaceSubrange(4_096..., with: [UInt8](repeating: 0xA7, count: bytes.count - 4_096))
        try scratch.write(bytes)
        let store = try Store.openForTheNight(scratch.configuration())
        #expect(await store.beside != nil)
        nights.pass(.hours(30))
        let dose = try nights.act(.logDose(.dose1))
        _ = try await store.commit(dose)
        let prepared = try await Self.prepare(store, file, now: nights.now)
        #expect(prepared.report.isSameRecord)
        #expect(prepared.report.broughtIn == Int64(dose.events.count))
        _ = try await store.restore(prepared, try nights.restored().events[0], keeping: Self.kept)
        #expect(await store.beside == nil)
        #expect(try await store.verify().isSound)
        #expect(try await store.check().isSound)
        try await store.close()
        #expect(try scratch.bytes("dosetap.db" + Self.kept) == bytes)
        #expect(scratch.exists("dosetap.db" + Self.kept + ".beside") && !scratch.exists("dosetap.db.beside"))
        let again = try Store.openForTheNight(scratch.configuration())
        #expect(await again.beside == nil)
        #expect(try await again.events(after: 0, limit: 1_000).contains { $0.event.id == dose.events[0].id })
        try await again.close()
    }

    @Test func `R24.9 on a new computer a backup becomes the record; another record is told as such`() async throws {
        let (source, fresh) = (try Scratch(), try Scratch())
        var nights = try await source.filled(nights: 2)
        var configuration = fresh.configuration()
        configuration.isMadeWithFirstEntry = true
        let store = try Store.open(configuration)
        let prepared = try await Self.prepare(store, source.path, now: nights.now)
        #expect(prepared.report.isSameRecord && prepared.report.isForeignDevice && prepared.report.lost.events == 0)
        #expect(try await store.restore(prepared, try nights.restored().events[0], keeping: Self.kept) == nil)
        #expect(try await store.verify().isSound)
        _ = try await store.commit(try nights.act(.logSleepEvent("bathroom")))
        try await store.close()
        let again = try fresh.open()
        #expect(await again.openFindings.isEmpty)
        try await again.close()
        let third = try Scratch()
        _ = try await third.filled(nights: 1, seed: 9)
        let other = try third.open()
        let foreign = try await Self.prepare(other, source.path, now: nights.now)
        #expect(!foreign.report.isSameRecord && foreign.report.gained.nights == 2)
        try await other.dropRestore()
        #expect(try third.names().filter { $0.contains("prepared") } == [])
        try await other.close()
    }

    @Test(arguments: 1...Int(Migrator().latest))
    func `R24.7 R24.8 a backup of every earlier schema is restored, and precedes its change`(version: Int) async throws
    {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/v\(version).db")
        let (old, fresh) = (try Scratch(), try Scratch())
        let bytes = [UInt8](try Data(contentsOf: file))
        try old.write(bytes)
        let store = try old.open()
        let made = try await store.backups()
        #expect(made.map(\.kind) == (version < Int(Migrator().latest) ? [.migration] : []))
        if let backup = made.first {
            #expect(backup.isVerified && backup.isOwn)
            let kept = try Command.sqlite(backup.path, "PRAGMA user_version").output
            #expect(kept.hasPrefix("\(version)"))
        }
        try await store.close()
        // A second opening makes no backup.
        let second = try old.open()
        #expect(try await second.backups() == made)
        try await second.close()
        try fresh.write(bytes, "backup.db")
        var nights = try await fresh.filled(nights: 1)
        let other = try fresh.open()
        let prepared = try await Self.prepare(other, fresh.folder + "/backup.db", now: nights.now)
        _ = try await other.restore(prepared, try nights.restored().events[0], keeping: Self.kept)
        #expect(try await other.verify().isSound)
        #expect(try await other.value(Int.self, "PRAGMA user_version") == Int(Migrator().latest))
        let check = try await other.check()
        #expect(check.isSound, "\(check.findings)")
        try await other.close()
    }
}
