import DoseTapDomain
import Foundation

import Testing

@testable import DoseTapStore

/// A damaged log is read as far as possible, and the events that were read take its place.
@Suite struct RepairTests {
    private func prepare(_ store: Store, now: Instant) async throws -> RepairPlan {
        while true {
            if let plan = try await store.prepareRepair(now: now, isAsked: true) { return plan }
        }
    }

    private func ids(_ store: Store) async throws -> [String] {
        try await column(store, "id")
    }

    private func column(_ store: Store, _ expression: String) async throws -> [String] {
        let sql = "SELECT group_concat(line, char(10)) FROM (SELECT \(expression) AS line FROM events ORDER BY seq)"
        return (try await store.value(String.self, sql) ?? "").split(separator: "\n").map(String.init)
    }

    /// Opens and reads as the service does at its start.
    private func start(_ scratch: Scratch, now: Instant) async throws -> Store {
        let store = try Store.openForTheNight(scratch.configuration())
        do { _ = try await store.load(now: now) } catch let error as StoreError where error.code == .damaged {
            try await store.continueBeside([], because: error)
            _ = try await store.load(now: now)
        }
        return store
    }

    private func files(_ scratch: Scratch, _ part: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: scratch.folder).filter { $0.contains(part) }
    }

    @Test(arguments: [0, 1, 2, 3, 5, 8, 13])
    func `R21.18 a page overwritten costs its own events only`(page: Int) async throws {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 40)
        let whole = try scratch.open()
        let before = try await ids(whole)
        try await whole.close()
        // With page 0 overwritten the file is no database. The files beside it then show that it is a damaged store.
        if page > 0 { unlink(scratch.path + ".night") }
        var bytes = try scratch.bytes()
        let range = (page * 4_096)..<min((page + 1) * 4_096, bytes.count)
        bytes.replaceSubrange(range, with: [UInt8](repeating: 0xA7, count: range.count))
        try scratch.write(bytes)

        let store = try await start(scratch, now: nights.now)
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.read + plan.missing == Int64(before.count), "\(plan)")
        #expect(plan.missing < 20, "\(plan)")
        try await store.replaceByRepaired()
        let after = try await ids(store)
        let survivors = before.filter(Set(after).contains)
        #expect(survivors.count == Int(plan.read))
        #expect(after.filter(Set(before).contains) == survivors)
        #expect(after.count - survivors.count == Int(plan.opened), "\(plan)")
        let report = try await store.verify()
        #expect(report.isSound, "\(report)")
        #expect(try await store.check().isSound)
        #expect(await store.beside == nil)
        try await store.close()
        #expect(try scratch.bytes(String(plan.kept.dropFirst(scratch.folder.count + 1))) == bytes)
        // The list has every gap, and its file is private.
        let list = String(plan.listed.dropFirst(scratch.folder.count + 1))
        let lines = String(decoding: try scratch.bytes(list), as: UTF8.self).split(separator: "\n")
        #expect(lines.contains("events missing: \(plan.missing)") && lines.contains("events read: \(plan.read)"))
        #expect(lines.count { $0.hasPrefix("event ") || $0.firstMatch(of: /^events \d/) != nil } == plan.gaps.count)
        #expect(try scratch.mode(list) == 0o600 && Store.files(of: scratch.path).contains(plan.listed))
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        try await again.close()
    }

    @Test func `R21.18 the list is complete where the answer is cut, and tells no time beside an encrypted record`() {
        var plan = RepairPlan()
        plan.kept = "/somewhere/dosetap.db.damaged-20260115080000"
        let now = Instant(milliseconds: 1_768_464_000_000)
        for number in 0..<200 {
            plan.gaps.append(
                RepairPlan.Gap(
                    first: Int64(3 * number + 1), last: Int64(3 * number + number % 2 + 1), after: now, before: nil))
        }
        let answer = plan.report(Moments(zone: .utc), isDone: true)
        #expect(answer.notes.count == 11 && answer.repairs.contains("what cannot be read is listed in \(plan.listed)"))
        let open = plan.list(made: now, showsTimes: true).split(separator: "\n")
        #expect(open.filter { $0.contains(", after 2026-01-15T08:00:00") }.count == 200)
        #expect(open.contains { $0.hasPrefix("event 1, after ") } && open.contains { $0.hasPrefix("events 4 to 5, ") })
        let sealed = plan.list(made: now, showsTimes: false)
        #expect(!sealed.contains("2026-01") && !sealed.contains("/somewhere"))
        #expect(sealed.split(separator: "\n").filter { $0.hasPrefix("event") }.count >= 200)
    }

    @Test func `R21.18 where nothing of the log is missing it keeps its numbers and hashes`() async throws {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 10)
        let whole = try scratch.open()
        let chain = try await column(whole, "seq || hash")
        try await whole.close()
        var bytes = try scratch.bytes()
        for index in 0..<100 { bytes[index] = 0xFF }
        try scratch.write(bytes)
        let store = try await start(scratch, now: nights.now)
        #expect(await store.beside != nil)
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.missing == 0 && plan.gaps.isEmpty && plan.unlinked == 0 && plan.opened == 0, "\(plan)")
        try await store.replaceByRepaired()
        #expect(try await column(store, "seq || hash") == chain)
        try await store.close()
    }

    @Test func `R21.18 what was recorded beside the damaged log is in the repaired one, and only once`() async throws {
        let scratch = try Scratch()
        var nights = Nights()
        let first = try scratch.open()
        for _ in 0..<3 { try await first.commit(all: try nights.night()) }
        let dose1 = try nights.act(.logDose(.dose1), amount: 4_500)
        _ = try await first.commit(dose1)
        let before = try await ids(first)
        try await first.close()
        var bytes = try scratch.bytes()
        for index in 0..<4_096 { bytes[index] = 0 }
        try scratch.write(bytes)
        nights.pass(.minutes(170))
        let store = try await start(scratch, now: nights.now)
        let dose2 = try nights.act(.logDose(.dose2), amount: 4_500)
        _ = try await store.commit(dose2)
        let plan = try await prepare(store, now: nights.now)
        nights.pass(.minutes(300))
        // An event that is recorded before the person decides is not lost: the repair is made anew.
        _ = try await store.commit(try nights.act(.logFinalWake))
        await #expect { try await store.replaceByRepaired() } throws: { ($0 as? StoreError)?.code == .interrupted }
        let later = try await prepare(store, now: nights.now)
        #expect(later.since > plan.since)
        try await store.replaceByRepaired()
        let after = try await ids(store)
        #expect(after.filter(Set(before).contains) == before)
        #expect(Set(after).count == after.count)
        for event in dose2.events { #expect(after.contains(event.id.text)) }
        #expect(try await store.verify().isSound)
        let snapshot = try await store.load(now: nights.now)
        let night = try #require(snapshot.sessions.compactMap(Session.init(events:)).last)
        #expect(night.dose1 != nil && night.dose2 != nil && !night.wakes.isEmpty)
        try await store.close()
        // The fresh log is kept beside the damaged one, under the same name.
        #expect(try files(scratch, ".beside").allSatisfy { $0.contains(".damaged-") })
        let again = try Store.openForTheNight(scratch.configuration())
        #expect(await again.beside == nil)
        #expect(try await ids(again) == after)
        try await again.close()
    }

    @Test func `R21.18 a long note on pages of its own is read, and one of these pages lost costs one event`()
        async throws
    {
        for spoils in [false, true] {
            let scratch = try Scratch()
            var nights = Nights()
            let first = try scratch.open()
            let note = String(repeating: "ü🌙", count: 1_900)
            _ = try await first.commit(try nights.act(.logDose(.dose1), note: note))
            nights.pass(.minutes(170))
            _ = try await first.commit(try nights.act(.logDose(.dose2)))
            let before = try await ids(first)
            try await first.close()
            unlink(scratch.path + ".night")
            var bytes = try scratch.bytes()
            for index in 100..<200 { bytes[index] = 0xFF }
            if spoils {
                let needle = Array(note.utf8.suffix(600))
                // The row of the dose has the note, too.
                let places = (0..<bytes.count - 600).filter { bytes[$0..<$0 + 600].elementsEqual(needle) }
                #expect(!places.isEmpty)
                for place in places { bytes[place] ^= 1 }
            }
            try scratch.write(bytes)
            let store = try await start(scratch, now: nights.now)
            let plan = try await prepare(store, now: nights.now)
            #expect(plan.missing == (spoils ? 1 : 0) && plan.read == Int64(before.count - (spoils ? 1 : 0)), "\(plan)")
            try await store.replaceByRepaired()
            #expect(try await store.verify().isSound)
            try await store.close()
        }
    }

    @Test func `R21.18 the copy of the last nights and a backup give back what the damaged file has lost`() async throws
    {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 4)
        let whole = try scratch.open()
        let before = try await ids(whole)
        _ = try await whole.load(now: nights.now)
        try await whole.close()
        mkdir(scratch.folder + "/backups", 0o700)
        try scratch.copy("dosetap.db", to: "backups/manual-2025-07-06T080000Z-24-0123456789abcdef.db")
        try scratch.write([UInt8](repeating: 0xA7, count: try scratch.bytes().count))
        let store = try await start(scratch, now: nights.now)
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.missing == 0 && plan.read == Int64(before.count), "\(plan)")
        try await store.replaceByRepaired()
        #expect(try await ids(store) == before)
        try await store.close()
    }

    @Test(arguments: [true, false])
    func `R21.18 a backup of another record gives nothing to a repair`(hasHead: Bool) async throws {
        let (scratch, other) = try (Scratch(), Scratch())
        let nights = try await scratch.filled(nights: 4)
        // The other record is another person's, and longer. Its events would fill each gap and follow the end.
        _ = try await other.filled(nights: 9)
        let whole = try scratch.open()
        let before = try await ids(whole)
        try await whole.close()
        unlink(scratch.path + ".night")
        mkdir(scratch.folder + "/backups", 0o700)
        let backup = "backups/manual-2025-07-06T080000Z-24-0123456789abcdef.db"
        try scratch.write(try other.bytes(), backup)
        if !hasHead { unlink(scratch.path + ".head") }
        // Two events are lost; the first event is kept.
        let database = try scratch.open()
        _ = try await database.value(Int.self, "UPDATE events SET surface = 'dbus' WHERE seq IN (4, 9)")
        try await database.close()
        let store = try await start(scratch, now: nights.now)
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.missing == 2 && plan.read == Int64(before.count - 2), "\(plan)")
        try await store.replaceByRepaired()
        #expect(Set(try await ids(store)).isSubset(of: before))
        try await store.close()
    }

    /// The newest events are those of a night and a medicine half an hour before the start, which is not part of that
    /// night.
    @Test(arguments: [0, 1, 5, 11])
    func `R21.18 an event of the last night that was changed gives way to its copy`(fromEnd: Int) async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 3)
        var store = try scratch.open()
        _ = try await store.commit(try nights.act(.takeMedication("Provigil")))
        nights.pass(.minutes(30))
        let whole = try await store.load(now: nights.now)
        let before = try await column(store, "id || effective_at || payload")
        let sequence = before.count - fromEnd
        _ = try await store.value(
            Int.self, "UPDATE events SET effective_at = '2001-01-01T00:00:00.000Z' WHERE seq = \(sequence)")
        try await store.close()
        // The second start reads the files that the first start writes beside the record.
        store = try await start(scratch, now: nights.now)
        try await store.close()
        store = try await start(scratch, now: nights.now)
        #expect(try await store.load(now: nights.now).events == whole.events)
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.gaps.map(\.first) == [Int64(sequence)], "\(plan)")
        #expect(plan.read == Int64(before.count - 1) && plan.copied == 1 && plan.missing == 0, "\(plan)")
        try await store.replaceByRepaired()
        #expect(Set(try await column(store, "id || effective_at || payload")) == Set(before))
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `R21.19 where nothing can be read nothing is replaced, and that has a name`() async throws {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 2)
        unlink(scratch.path + ".night")
        let bytes = try scratch.bytes()
        let noise = Array(bytes.prefix(100)) + [UInt8](repeating: 0xA7, count: bytes.count - 100)
        try scratch.write(noise)
        let store = try await start(scratch, now: nights.now)
        await #expect { try await self.prepare(store, now: nights.now) } throws: {
            ($0 as? StoreError)?.code == .unreadable
        }
        await #expect { try await store.replaceByRepaired() } throws: { ($0 as? StoreError)?.code == .interrupted }
        try await store.close()
        #expect(try scratch.bytes() == noise)
        #expect(try files(scratch, ".repaired").isEmpty)
    }

    @Test func `R21.18 the copy of an encrypted record gives way between its pieces`() throws {
        let scratch = try Scratch()
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        try scratch.write(bytes, "record")
        let (record, copy) = (scratch.folder + "/record", scratch.folder + "/copy")
        var asked = 0
        #expect {
            try RawFile.copy(record, to: copy) {
                asked += 1
                return asked == 3
            }
        } throws: {
            ($0 as? StoreError)?.code == .interrupted
        }
        #expect(asked == 3)
        #expect(try scratch.bytes("copy").count < bytes.count)
        try RawFile.copy(record, to: copy) { false }
        #expect(try scratch.bytes("copy") == bytes)
    }

    @Test(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher"), arguments: [3, 6, 9])
    func `R21.18 an encrypted record is read through the library, and nothing beside it is plain`(page: Int)
        async throws
    {
        let scratch = try Scratch()
        let nights = try await scratch.filled(nights: 30)
        var store = try scratch.open()
        let before = try await ids(store)
        let key = try StoreKey.random()
        try await store.changeKey(to: key)
        try await store.close()
        unlink(scratch.path + ".night")
        var bytes = try scratch.bytes()
        bytes.replaceSubrange(page * 4_096..<(page + 1) * 4_096, with: [UInt8](repeating: 0xA7, count: 4_096))
        try scratch.write(bytes)

        var configuration = scratch.configuration()
        configuration.key = key
        store = try Store.openForTheNight(configuration)
        do { _ = try await store.load(now: nights.now) } catch let error as StoreError where error.code == .damaged {
            try await store.continueBeside([], because: error)
            _ = try await store.load(now: nights.now)
        }
        let plan = try await prepare(store, now: nights.now)
        #expect(plan.read + plan.missing == Int64(before.count) && plan.missing < 20, "\(plan)")
        let beside = try scratch.names()
        #expect(beside.contains("dosetap.db.repaired"))
        for name in beside {
            let text = String(decoding: try scratch.bytes(name), as: UTF8.self)
            #expect(!text.contains("half asleep") && !text.contains("dose_recorded"), "\(name)")
        }
        try await store.replaceByRepaired()
        #expect(try await store.verify().isSound)
        #expect(await store.keyID == key.id)
        try await store.close()
        #expect(try files(scratch, ".repaired").isEmpty)
        #expect(EncryptedFile.keyID(of: scratch.path) == key.id)
    }
}
