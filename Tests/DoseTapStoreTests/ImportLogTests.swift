import Crypto
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import GRDB
import Testing

@testable import DoseTapStore

@Suite struct ImportLogTests {
    private static let now = Instant(milliseconds: 1_760_000_000_000)
    /// The time at which the logs are read: after all that is in them.
    private static let later = Instant(milliseconds: 1_900_000_000_000)
    private static let storeID = "01977420-dc00-7001-8000-0000000000ee"

    private static func log(_ store: Store, _ scratch: Scratch) async throws -> [UInt8] {
        let name = "log-\(UUID().uuidString)"
        let descriptor = open(scratch.folder + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer {
            close(descriptor)
            scratch.remove(name)
        }
        _ = try await store.export(ExportRequest(.log), into: descriptor, timeout: .seconds(30)) { _ in nil }
        return try scratch.bytes(name)
    }

    private static func read(_ bytes: [UInt8], _ store: Store, _ scratch: Scratch) async throws -> PreparedLog {
        let name = "read-\(UUID().uuidString)"
        try scratch.write(bytes, name)
        let descriptor = open(scratch.folder + "/" + name, O_RDONLY | O_CLOEXEC)
        defer {
            close(descriptor)
            scratch.remove(name)
        }
        return try await store.readLog(from: descriptor, timeout: .seconds(30), now: later)
    }

    /// The relation of a log to a store. The log is taken in where that is possible.
    @discardableResult
    private static func take(_ bytes: [UInt8], _ store: Store, _ scratch: Scratch) async throws -> LogRelation.Kind {
        let log = try await read(bytes, store, scratch)
        let relation = try await store.relation(of: log)
        switch relation.kind {
        case .beginning: #expect(try await store.begin(with: log, plugins: ["journal", "hooks"]))
        case .extending: #expect(try await store.extend(by: log, plugins: ["journal", "hooks"]))
        case .known, .fork, .other: break
        }
        await store.drop(log)
        return relation.kind
    }

    private static func expectSound(_ store: Store, _ log: [UInt8], _ scratch: Scratch) async throws {
        #expect(try await Self.log(store, scratch) == log)
        #expect(try await store.verify().isSound)
        let check = try await store.check()
        #expect(check.isSound, "\(check.findings)")
        #expect(await store.openFindings.isEmpty)
        #expect(try scratch.names().filter { $0.contains("imported") || $0.contains("switch") } == [])
    }

    /// A store whose file is made with its first entry.
    private static func unmade(_ scratch: Scratch) throws -> Store {
        var configuration = scratch.configuration()
        configuration.isMadeWithFirstEntry = true
        return try Store.open(configuration)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `R35.2 a log becomes the empty record, and is exported again with equal bytes`(seed: UInt64) async throws {
        let (source, target) = (try Scratch(), try Scratch())
        let store = try source.open()
        var history = RandomHistory(seed: seed)
        for _ in 0..<60 { try await store.commit(all: history.step()) }
        let log = try await Self.log(store, source)
        let head = try await store.head
        let other = seed.isMultiple(of: 2) ? try target.open() : try Self.unmade(target)
        #expect(await other.isImagined == !seed.isMultiple(of: 2))
        #expect(try await Self.take(log, other, target) == .beginning)
        #expect(try await other.head == head)
        try await Self.expectSound(other, log, target)
        // A later batch gets the same rows in both stores.
        for batch in history.step() {
            _ = try await store.commit(batch)
            _ = try await other.commit(batch)
        }
        let grown = try await Self.log(store, source)
        try await Self.expectSound(other, grown, target)
        try await other.close()
        let again = try target.open()
        try await Self.expectSound(again, grown, target)
        let snapshot = try await again.load(now: Self.now)
        #expect(snapshot.cursors == ["journal": head.sequence, "hooks": head.sequence])
        #expect(try target.mode("dosetap.db") == 0o600)
        try await again.close()
        try await store.close()
    }

    @Test(arguments: [11, 12, 13] as [UInt64])
    func `R35.3 a part changes nothing, what goes on is added, and a fork is named`(seed: UInt64) async throws {
        let source = try Scratch()
        let store = try source.open()
        var history = RandomHistory(seed: seed)
        var logs: [(bytes: [UInt8], head: ChainHead, history: RandomHistory)] = []
        for _ in 0..<5 {
            for _ in 0..<10 { try await store.commit(all: history.step()) }
            let log = (try await Self.log(store, source), try await store.head, history)
            if log.1.sequence > logs.last?.head.sequence ?? 0 { logs.append(log) }
        }
        let last = try #require(logs.last)
        for log in logs.dropLast() {
            #expect(try await Self.take(log.bytes, store, source) == .known)
            let target = try Scratch()
            let other = try target.open()
            try await Self.take(log.bytes, other, target)
            #expect(try await Self.take(last.bytes, other, target) == .extending)
            #expect(try await other.head == last.head)
            try await Self.expectSound(other, last.bytes, target)
            #expect(try await Self.take(last.bytes, other, target) == .known)
            try await other.close()
            // This store continues the same record in another way.
            let forked = try Scratch()
            let third = try forked.open()
            try await Self.take(log.bytes, third, forked)
            var otherwise = Nights(start: Self.now, seed: seed)
            try await third.commit(all: try otherwise.night())
            let before = try await Self.log(third, forked)
            #expect(try await Self.take(last.bytes, third, forked) == .fork(at: log.head.sequence + 1))
            #expect(try await Self.log(third, forked) == before)
            try await third.close()
        }
        #expect(logs.count > 3)
        try await store.close()
    }

    @Test func `R35.4 the log of another record is known as such, and an empty log brings nothing`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let (store, other) = (try source.open(), try target.open())
        let empty = try await Self.log(store, source)
        #expect(try await Self.take(empty, other, target) == .known)
        try await store.commit(all: try nights.night())
        try await other.commit(all: try nights.night())
        #expect(try await Self.take(empty, other, target) == .known)
        let before = try await Self.log(other, target)
        #expect(try await Self.take(try await Self.log(store, source), other, target) == .other)
        try await Self.expectSound(other, before, target)
        // The comparison does not cover an event that was recorded after it.
        let third = try Scratch()
        let fresh = try third.open()
        let log = try await Self.read(try await Self.log(store, source), fresh, third)
        #expect(try await fresh.relation(of: log).kind == .beginning)
        try await fresh.commit(all: try nights.night())
        #expect(try await fresh.begin(with: log, plugins: []) == false)
        #expect(try await fresh.extend(by: log, plugins: []) == false)
        // The log can be compared again.
        #expect(try await fresh.relation(of: log).kind == .other)
        await fresh.drop(log)
        #expect(try await fresh.verify().isSound)
        for store in [store, other, fresh] { try await store.close() }
    }

    /// The first fault of a log, as found by the reader alone.
    private static func firstFault(_ bytes: [UInt8]) -> (line: Int, fault: LogFault)? {
        var (reader, number) = (LogReader(now: later), 0)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        do throws(LogFault) {
            for line in lines.dropLast() {
                number += 1
                _ = try reader.take(Array(line))
            }
            number += 1
            guard lines.last?.isEmpty == true else { throw LogFault("it is cut") }
            try reader.finish()
            return nil
        } catch { return (number, error) }
    }

    /// The fault of a log. No part of a refused log may remain.
    private func fault(_ bytes: [UInt8], _ store: Store, _ scratch: Scratch) async throws -> StoreError? {
        do {
            _ = try await Self.read(bytes, store, scratch)
            return nil
        } catch {
            #expect(try scratch.names().filter { $0.contains("imported") } == [])
            return error as? StoreError
        }
    }

    @Test func `R35.1 a log that is cut, changed, swapped or doubled anywhere is refused by its line`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        let store = try source.open()
        var history = RandomHistory(seed: 21)
        for _ in 0..<12 { try await store.commit(all: history.step()) }
        let log = try await Self.log(store, source)
        let lines = log.split(separator: UInt8(ascii: "\n")).map { Array($0) + [UInt8(ascii: "\n")] }
        let other = try target.open()
        var wrong: [(bytes: [UInt8], line: Int)] = []
        for count in 0..<lines.count { wrong.append((Array(lines[..<count].joined()), count + 1)) }
        for index in lines.indices.dropLast() {
            var doubled = lines
            doubled.insert(lines[index], at: index)
            wrong.append((Array(doubled.joined()), index + 2))
            var swapped = lines
            swapped.swapAt(index, index + 1)
            wrong.append((Array(swapped.joined()), index + 1))
            var removed = lines
            removed.remove(at: index)
            wrong.append((Array(removed.joined()), index + 1))
        }
        wrong.append((log + lines[1], lines.count + 1))
        wrong.append((Array(log.dropLast()), lines.count))
        for (bytes, line) in wrong {
            let found = Self.firstFault(bytes)
            #expect(found?.line == line && found?.fault.description.isEmpty == false, "\(String(describing: found))")
        }
        // The store reads a part of the wrong logs. No part of them remains.
        for (bytes, line) in stride(from: 0, to: wrong.count, by: 9).map({ wrong[$0] }) {
            let fault = try await fault(bytes, other, target)
            #expect(
                fault?.code == .unfit && fault?.context.hasPrefix("line \(line) of the log: ") == true,
                "\(String(describing: fault))")
        }
        var random = SplitMix64(seed: 5)
        for _ in 0..<2_000 {
            var changed = log
            let place = Int.random(in: 0..<changed.count, using: &random)
            changed[place] ^= UInt8.random(in: 1...255, using: &random)
            #expect(Self.firstFault(changed) != nil, "byte \(place)")
        }
        #expect(try await other.head.sequence == 0)
        // The unchanged log is accepted.
        #expect(try await Self.take(log, other, target) == .beginning)
        for store in [store, other] { try await store.close() }
    }

    /// A log with a right chain and sum, whatever its events are.
    private static func made(_ rows: [LogRow], store storeID: String = ImportLogTests.storeID, version: Int64 = 1)
        -> [UInt8]
    {
        var head = ChainHead(sequence: 0, hash: storeID)
        var lines: [[UInt8]] = []
        for var row in rows {
            row.sequence = head.sequence + 1
            row.previousHash = head.hash
            row.hash = row.computedHash()
            head = ChainHead(sequence: row.sequence, hash: row.hash)
            lines.append(row.line)
        }
        var begin = String(decoding: LogText.beginning(storeID, head), as: UTF8.self)
        begin.replace("\"version\":1", with: "\"version\":\(version)")
        let text = ([Array(begin.utf8)] + lines).map { $0 + [UInt8(ascii: "\n")] }.joined()
        return Array(text) + LogText.end(events: head.sequence, SHA256.hash(data: Array(text))) + [UInt8(ascii: "\n")]
    }

    @Test func `R35.1 what no version wrote is refused by name, what a later one wrote as newer`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let store = try source.open()
        try await store.commit(all: try nights.night())
        let rows = try await store.read("a test") {
            try Store.rows($0, "SELECT \(LogRow.columns) FROM events ORDER BY seq", [])
        }
        let other = try target.open()
        func changed(_ index: Int, _ change: (inout LogRow) -> Void) -> [UInt8] {
            var rows = rows
            change(&rows[index])
            return Self.made(rows)
        }
        let wrong: [(String, [UInt8])] = [
            ("line 3", changed(1) { $0.payload = "{" }), ("line 3", changed(1) { $0.payload = "{}" }),
            ("line 3", changed(1) { $0.payload = String(repeating: "[", count: 100_000) }),
            ("line 3", changed(1) { $0.occurredAt = "1900-13-01T00:00:00.000Z" }),
            ("line 3", changed(1) { $0.effectiveAt = "yesterday" }),
            ("line 3", changed(1) { $0.localOffsetMinutes = .max }),
            ("line 3", changed(1) { $0.localOffsetMinutes = .min }),
            ("line 4", changed(2) { $0.id = rows[1].id }),
            ("line 1", Array("sid,start,stop,rating\n1,2,3,4\n".utf8)), ("line 1", [0xFF, 0x0A]),
            ("line 1", [0, 0x0A]),
            ("line 1", Array("SQLite format 3\u{0}\n".utf8)), ("line 1", Array("[]\n{}\n".utf8)),
            ("line 1", [UInt8](repeating: UInt8(ascii: "x"), count: 10 << 20)),
            ("line 1", Self.made(rows, store: "")),
            ("line 1", Self.made(rows, store: String(repeating: "s", count: 129))),
            ("line 1", Self.made(rows, store: "../../../../../../../../../home/me/notes")),
            ("line 1", Self.made(rows, store: Self.storeID.uppercased())),
            ("line 3", changed(1) { $0.timeZone = "Etc/UTC\u{0}x" }), ("line 3", changed(1) { $0.bootID = "\u{0}" }),
            ("line 3", changed(1) { $0.occurredAt = Self.tooLate }),
            ("line 3", changed(1) { $0.effectiveAt = Self.tooLate }),
            ("line 3", changed(1) { $0.wall = Self.tooLate }),
        ]
        for (line, bytes) in wrong {
            let fault = try await fault(bytes, other, target)
            #expect(
                fault?.code == .unfit && fault?.context.hasPrefix(line + " of the log: ") == true,
                "\(String(describing: fault))")
            #expect(fault?.underlying == "")
        }
        for (line, bytes) in [
            ("line 1", Self.made(rows, version: 2)), ("line 1", Self.made(rows, version: .min)),
            ("line 2", changed(0) { $0.type = "dream_recorded" }), ("line 2", changed(0) { $0.entityType = "dream" }),
            ("line 2", changed(0) { $0.surface = "thought" }),
        ] {
            let fault = try await fault(bytes, other, target)
            #expect(
                fault?.underlying == "newer" && fault?.context.hasPrefix(line + " of the log: ") == true,
                "\(String(describing: fault))")
        }
        // Unusual times and clocks are valid: the log keeps what was recorded.
        for (index, change)
            in ([
                { (row: inout LogRow) in row.occurredAt = "1900-01-01T00:00:00.000Z" },
                { row in row.effectiveAt = (Self.later + Bounds.future).iso8601 },
                { row in row.counterMicroseconds = .max },
                { row in row.counterMicroseconds = .min }, { row in row.timeZone = "Nowhere/\u{7}" },
                { row in (row.wall, row.synchronised) = ((Self.later + Bounds.future).iso8601, .max) },
                { row in (row.wall, row.synchronised) = (nil, nil) }, { row in row.bootID = "" },
            ] as [(inout LogRow) -> Void]).enumerated()
        {
            for place in stride(from: index % 3, to: rows.count, by: 3) {
                let scratch = try Scratch()
                let empty = try scratch.open()
                let log = changed(place, change)
                #expect(try await Self.take(log, empty, scratch) == .beginning, "\(index) \(place)")
                _ = try await empty.load(now: Self.now)
                // The store keeps the row as it was, without a finding of its own.
                #expect(try await Self.log(empty, scratch) == log)
                #expect(try await empty.check().isSound)
                try await empty.close()
            }
        }
        for store in [store, other] { try await store.close() }
    }

    private static let tooLate = (later + Bounds.future + .milliseconds(1)).iso8601

    /// True when another program could take the lease of the store.
    private static func isFree(_ scratch: Scratch) -> Bool {
        (try? Lease.take(besides: scratch.path, surface: "test")) != nil
    }

    @Test func `R35.2 a log that is only looked at, or refused, keeps nobody from beginning the record`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let store = try source.open()
        try await store.commit(all: try nights.night())
        let bytes = try await Self.log(store, source)
        let other = try Self.unmade(target)
        let log = try await Self.read(bytes, other, target)
        #expect(!Self.isFree(target))
        await other.drop(log)
        #expect(Self.isFree(target))
        #expect(try await fault(bytes.dropLast(), other, target)?.code == .unfit)
        #expect(Self.isFree(target))
        #expect(try await Self.take(bytes, other, target) == .beginning)
        #expect(!Self.isFree(target))
        for store in [store, other] { try await store.close() }
    }

    @Test func `R35.3 a plugin that the record did not know yet goes on at the end of what was added`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let (store, other) = (try source.open(), try target.open())
        try await store.commit(all: try nights.night())
        let first = try await Self.read(try await Self.log(store, source), other, target)
        #expect(try await other.begin(with: first, plugins: ["journal"]))
        await other.drop(first)
        try await store.commit(all: try nights.night())
        let second = try await Self.read(try await Self.log(store, source), other, target)
        #expect(try await other.extend(by: second, plugins: ["hooks"]))
        await other.drop(second)
        let end = try await store.head.sequence
        #expect(try await other.load(now: nights.now).cursors == ["journal": end, "hooks": end])
        for store in [store, other] { try await store.close() }
    }

    @Test func `R35.5 an entry that began in the record is known there, whether it stands or not`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let store = try source.open()
        try await store.commit(all: try nights.night())
        let first = try await Self.log(store, source)
        let other = try target.open()
        let log = try await Self.read(first, other, target)
        let lines = try await other.lines(of: log)
        await other.drop(log)
        let dose = try #require(nights.logState.sessions.first?.doses.last)
        _ = try await store.commit(try nights.act(.delete(dose.id)))
        try await Self.take(try await Self.log(store, source), other, target)
        let scene = ImportScene(
            DecisionContext(
                clock: ClockReading(
                    wall: nights.now + .hours(48), counterMicroseconds: 0, bootID: "b", isSynchronised: true),
                zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "device-1"),
            tonight: nil, newest: nil, sequence: try await other.head.sequence)
        let plan = try await other.prepareImport(lines, scene).plan
        #expect(!plan.rows.isEmpty && plan.events.isEmpty)
        #expect(plan.rows.allSatisfy { $0.outcome == .known }, "\(plan.rows)")
        for store in [store, other] { try await store.close() }
    }

    @Test func `R35.1 events of a MiB each are taken in and added without all of them in memory`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        var nights = Nights()
        let store = try source.open()
        try await store.commit(all: try nights.night())
        let rows = try await store.read("a test") {
            try Store.rows($0, "SELECT \(LogRow.columns) FROM events ORDER BY seq", [])
        }
        let note = try #require(rows.last)
        var many = rows
        for number in 0..<8 {
            var row = note
            (row.id, row.idempotencyKey) = ("\(number)-\(note.id)", nil)
            row.deviceID = String(repeating: "d", count: 900_000)
            many.append(row)
        }
        let other = try target.open()
        try await Self.take(Self.made(rows), other, target)
        let log = try await Self.read(Self.made(many), other, target)
        let staged = try #require(log.contents as? StagedLog)
        // Five events are more than the staged log holds in memory at once.
        #expect(try staged.rows(after: Int64(rows.count)).count == 5)
        #expect(try await other.extend(by: log, plugins: []))
        await other.drop(log)
        #expect(try await Self.log(other, target) == Self.made(many))
        for store in [store, other] { try await store.close() }
    }

    @Test func `R35.6 a pipe that is open for too long is ended, however patient its reader is`() throws {
        var ends: [CInt] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        let lines = try CallersLines(
            ends[0], timeout: .seconds(600), longest: .milliseconds(20), try ExportCancellation())
        do {
            _ = try lines.read("log", mostBytes: .max) { _, _ in }
            Issue.record("nothing was ended")
        } catch { #expect(error.code == .stalled && error.context.contains("did not come within")) }
    }

    @Test func `R35.6 a log is not added where the doses would lack the room`() async throws {
        let (source, target) = (try Scratch(), try Scratch())
        guard try target.mount(size: "48m") else {
            try Test.cancel("needs to mount a file system: run Contrib/test as root")
        }
        defer { target.unmount() }
        var nights = Nights()
        let (store, other) = (try source.open(), try target.open())
        try await store.commit(all: try nights.night())
        try await Self.take(try await Self.log(store, source), other, target)
        let before = try await Self.log(other, target)
        try await store.commit(all: try nights.night())
        let log = try await Self.read(try await Self.log(store, source), other, target)
        try target.write([UInt8](repeating: 1, count: 16 << 20), "filler")
        let fault = await #expect(throws: StoreError.self) { try await other.extend(by: log, plugins: []) }
        #expect(fault?.code == .noSpace)
        await other.drop(log)
        target.remove("filler")
        #expect(try await Self.log(other, target) == before)
        try await Self.take(try await Self.log(store, source), other, target)
        #expect(try await other.head == store.head)
        for store in [store, other] { try await store.close() }
    }

    @Test func `R35.1 a store that cannot be written, or has no room, takes no log`() async throws {
        let source = try Scratch()
        let store = try source.open()
        var history = RandomHistory(seed: 3)
        for _ in 0..<20 { try await store.commit(all: history.step()) }
        let log = try await Self.log(store, source)
        try await store.close()
        let target = try Scratch()
        guard try target.mount(size: "4m") else {
            try Test.cancel("needs to mount a file system: run Contrib/test as root")
        }
        defer { target.unmount() }
        let other = try target.open()
        let fault = try await fault(log, other, target)
        #expect(fault?.code == .noSpace, "\(String(describing: fault))")
        #expect(try await other.head.sequence == 0)
        try await other.close()
    }
}
