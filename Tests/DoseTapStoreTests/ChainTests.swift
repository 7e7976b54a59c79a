import DoseTapDomain
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct ChainTests {
    @Test func `the hash covers every column`() throws {
        var nights = Nights()
        let events = try nights.act(.logDose(.dose1), key: "k", note: "n").events
        let row = LogRow(try #require(events.last), after: ChainHead(sequence: 4, hash: "h"))
        var variants = [row]
        func vary(_ change: (inout LogRow) -> Void) {
            var other = row
            change(&other)
            variants.append(other)
        }
        vary { $0.sequence += 1 }
        vary { $0.id += "x" }
        vary { $0.type += "x" }
        vary { $0.entityType += "x" }
        vary { $0.entityID += "x" }
        vary { $0.sessionID = nil }
        vary { $0.sessionID = "" }
        vary { $0.occurredAt += "x" }
        vary { $0.effectiveAt += "x" }
        vary { $0.timeZone += "x" }
        vary { $0.localOffsetMinutes += 1 }
        vary { $0.counterMicroseconds += 1 }
        vary { $0.bootID += "x" }
        vary { $0.deviceID += "x" }
        vary { $0.surface += "x" }
        vary { $0.idempotencyKey = nil }
        vary { $0.payload += " " }
        vary { $0.previousHash += "0" }
        vary { $0.wall = nil }
        vary { $0.wall = "x" }
        vary { $0.synchronised = nil }
        vary { $0.synchronised = 9 }
        vary { row in (row.wall, row.synchronised) = (nil, nil) }
        // Text that moves from one column to the next.
        vary { row in
            row.type = String(row.type.dropLast())
            row.entityType = "d" + row.entityType
        }
        #expect(Set(variants.map { $0.computedHash() }).count == variants.count)
        #expect(row.hash == row.computedHash() && row.hash.utf8.count == 64)
    }

    @Test func `the hash of a known row never changes`() {
        let row = LogRow(
            sequence: 1, id: "a", type: "b", entityType: "c", entityID: "d", sessionID: nil, occurredAt: "e",
            effectiveAt: "f", timeZone: "g", localOffsetMinutes: -60, counterMicroseconds: 7, bootID: "h",
            deviceID: "i",
            surface: "j", idempotencyKey: nil, payload: "{}", previousHash: "k", hash: "")
        // Computed with Python's hashlib over the same bytes.
        #expect(row.computedHash() == "112cb898398dfe03b24b63562fa863b2d3dc34c9737e0d1e76497b328432c9e2")
        var later = row
        (later.wall, later.synchronised) = ("l", 1)
        #expect(later.computedHash() == "76271471867b27523f1e3b3b4a8522e8538f3a4316a0178381617b81e978946c")
    }

    enum Tampering: CaseIterable {
        case payload, time, deleted, deletedLast, swapped, renumbered, inserted, counter, otherGenesis, blob, hash

        func sql(_ middle: Int) -> String {
            switch self {
            case .payload: "UPDATE events SET payload = replace(payload, '4500', '4600') WHERE seq = 2"
            case .time: "UPDATE events SET effective_at = '2025-07-01T21:00:00.000Z' WHERE seq = \(middle)"
            case .deleted: "DELETE FROM events WHERE seq = \(middle)"
            case .deletedLast: "DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)"
            case .swapped:
                "UPDATE events SET seq = -1 WHERE seq = \(middle); UPDATE events SET seq = \(middle) "
                    + "WHERE seq = \(middle + 1); UPDATE events SET seq = \(middle + 1) WHERE seq = -1"
            case .renumbered: "UPDATE events SET seq = seq + 1000 WHERE seq > \(middle)"
            case .inserted:
                "INSERT INTO events SELECT max(seq) + 1, 'x', type, entity_type, entity_id, session_id, occurred_at, "
                    + "effective_at, time_zone, 0, 0, boot_id, device_id, surface, NULL, payload, hash, hash, "
                    + "wall_utc, synchronised FROM events"
            case .counter: "UPDATE sqlite_sequence SET seq = seq + 1"
            case .otherGenesis: "UPDATE store_meta SET store_id = device_id"
            case .blob: "UPDATE events SET boot_id = CAST(boot_id AS BLOB) WHERE seq = \(middle)"
            case .hash: "UPDATE events SET hash = upper(hash) WHERE seq = \(middle)"
            }
        }
    }

    @Test(
        .enabled(if: Command.exists("sqlite3"), "needs sqlite3: run Contrib/test"), arguments: Tampering.allCases,
        [3, 60])
    func `what is changed in a closed store is noticed at open or by verifying`(
        tampering: Tampering, nights count: Int
    ) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: count)
        let result = try Command.sqlite(scratch.path, tampering.sql(count * 3))
        #expect(result.output.isEmpty, "\(result)")
        let store = try scratch.open()
        let report = try await store.verify()
        #expect(!report.isSound, "\(tampering)")
        try await store.close()
    }

    @Test func `an untouched store verifies, and its head file stands at the end`() async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 30)
        let store = try scratch.open()
        #expect(await store.openFindings.isEmpty)
        let report = try await store.verify()
        #expect(report == StoreReport(events: 180, rows: 0, findings: []))
        try await store.close()
        let line = String(decoding: try scratch.bytes("dosetap.db.head"), as: UTF8.self)
        guard case .head(let head, let storeID) = HeadFile.parse(line) else {
            Issue.record("no head in \(line)")
            return
        }
        #expect(head.sequence == 180 && storeID == store.storeID)
    }

    @Test func `C5 a file replaced by last week's is noticed once, and the next entry settles it`() async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 3)
        try scratch.copy("dosetap.db", to: "old")
        let old = nights
        var store = try scratch.open()
        try await store.commit(all: try nights.night())
        try await store.close()
        try scratch.write(try scratch.bytes("old"))
        store = try scratch.open()
        let finding = try #require(await store.openFindings.first)
        #expect(finding.kind == .rolledBack && finding.expectedSequence == 24 && finding.foundSequence == 18)
        #expect(try await store.verify().isSound == false)
        try await store.close()
        // The finding stays open, because nothing was recorded since.
        store = try scratch.open()
        #expect(await store.openFindings.map(\.kind) == [.rolledBack])
        nights = old
        nights.pass(.hours(1))
        try await store.commit(all: try nights.night())
        try await store.close()
        store = try scratch.open()
        #expect(await store.openFindings.isEmpty)
        #expect(try await store.verify().isSound)
        try await store.close()
    }

    @Test func `C5 an older file that grew another way to the same length is noticed`() async throws {
        let (scratch, other) = (try Scratch(), try Scratch())
        let before = try await scratch.filled(nights: 2)
        try other.write(try scratch.bytes())
        for (folder, note) in [(scratch, "one"), (other, "two")] {
            var nights = before
            let store = try folder.open()
            _ = try await store.commit(try nights.act(.logDose(.dose1), note: note))
            try await store.close()
        }
        try scratch.write(try other.bytes())
        let store = try scratch.open()
        #expect(await store.openFindings.map(\.kind) == [.differs])
        #expect(try await store.verify().isSound == false)
        try await store.close()
    }

    @Test func `C5 another store in its place is noticed`() async throws {
        let (scratch, other) = (try Scratch(), try Scratch())
        _ = try await scratch.filled(nights: 1)
        _ = try await other.filled(nights: 2, seed: 9)
        try scratch.write(try other.bytes())
        let store = try scratch.open()
        #expect(await store.openFindings.map(\.kind) == [.otherStore])
        try await store.close()
    }

    /// A copy of a store as a power cut would leave it: database, log and head as they are while it is open.
    private func interrupted(_ nights: inout Nights) async throws -> (scratch: Scratch, copy: Scratch) {
        let (scratch, copy) = (try Scratch(), try Scratch())
        let store = try scratch.open()
        for _ in 0..<2 { try await store.commit(all: try nights.night()) }
        for name in ["dosetap.db", "dosetap.db-wal", "dosetap.db.head"] {
            let result = try Command.run("/bin/cp", [scratch.folder + "/" + name, copy.folder + "/" + name])
            #expect(result.status == 0)
        }
        try await store.close()
        return (scratch, copy)
    }

    @Test func `a store whose process was killed opens with all that was acknowledged`() async throws {
        var nights = Nights()
        let (_, copy) = try await interrupted(&nights)
        let store = try copy.open()
        #expect(await store.openFindings.isEmpty)
        #expect(try await store.verify() == StoreReport(events: 12, rows: 0, findings: []))
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `A8 A9 a lost write-ahead log is noticed`() async throws {
        var nights = Nights()
        let (_, copy) = try await interrupted(&nights)
        copy.remove("dosetap.db-wal")
        let store = try copy.open()
        let finding = try #require(await store.openFindings.first)
        #expect(finding.kind == .rolledBack && finding.expectedSequence == 12 && finding.foundSequence == 0)
        try await store.close()
    }

    @Test(arguments: ["flipped", "cut"])
    func `C2 a flipped bit in the write-ahead log, or a log cut off, is never an unnoticed loss`(
        damage: String
    ) async throws {
        var nights = Nights()
        let (_, copy) = try await interrupted(&nights)
        let log = try copy.bytes("dosetap.db-wal")
        let files = try ["dosetap.db", "dosetap.db.head"].map { ($0, try copy.bytes($0)) }
        var random = SplitMix64(seed: ProjectionTests.seed)
        var lost = 0
        for _ in 0..<60 {
            for (name, bytes) in files { try copy.write(bytes, name) }
            var damaged = log
            let place = Int.random(in: 0..<log.count, using: &random)
            if damage == "cut" {
                damaged.removeLast(log.count - place)
            } else {
                damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            }
            try copy.write(damaged, "dosetap.db-wal")
            do {
                let store = try copy.open()
                let report = try await store.verify()
                let findings = await store.openFindings
                if report.events < 12 {
                    lost += 1
                    #expect(findings.contains { $0.kind == .rolledBack }, "seed \(ProjectionTests.seed), byte \(place)")
                } else {
                    #expect(report.isSound, "seed \(ProjectionTests.seed), byte \(place)")
                }
                try await store.close()
            } catch let error as StoreError {
                #expect(error.code == .damaged || error.code == .foreign, "byte \(place): \(error)")
            }
        }
        #expect(lost > 10)
    }

    @Test func `C4 a page replayed from an older copy is noticed`() async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 20)
        let old = try scratch.bytes()
        let store = try scratch.open()
        for _ in 0..<20 { try await store.commit(all: try nights.night()) }
        try await store.close()
        let new = try scratch.bytes()
        var replayed = 0
        for page in 1..<(old.count / 4096) {
            let range = page * 4096..<(page + 1) * 4096
            guard old[range] != new[range] else { continue }
            var spliced = new
            spliced.replaceSubrange(range, with: old[range])
            try scratch.write(spliced)
            replayed += 1
            do {
                let store = try scratch.open()
                let (verified, checked) = (try await store.verify(), try await store.check())
                #expect(!verified.isSound || !checked.isSound, "page \(page)")
                try await store.close()
            } catch let error as StoreError {
                #expect(error.code == .damaged, "page \(page): \(error)")
            }
        }
        #expect(replayed > 5)
    }

    @Test(arguments: ["", "garbage\n", "dosetap-head 1 x 0000000000000000006 h 0123456789abcdef\n"])
    func `a torn head file is unknown, never fatal, and written anew`(text: String) async throws {
        let scratch = try Scratch()
        _ = try await scratch.filled(nights: 1)
        try scratch.write(Array(text.utf8), "dosetap.db.head")
        let store = try scratch.open()
        let findings = await store.openFindings
        #expect(findings.map(\.kind) == [.unknownHead] && findings.allSatisfy { !$0.isWarning })
        #expect(try await store.verify().isSound)
        try await store.close()
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        try await again.close()
    }

    @Test func `a head that lags is brought up`() async throws {
        let scratch = try Scratch()
        var nights = try await scratch.filled(nights: 1)
        let head = try scratch.bytes("dosetap.db.head")
        let store = try scratch.open()
        try await store.commit(all: try nights.night())
        try await store.close()
        try scratch.write(head, "dosetap.db.head")
        let again = try scratch.open()
        #expect(await again.openFindings.isEmpty)
        try await again.close()
        #expect(try scratch.bytes("dosetap.db.head") != head)
    }
}
