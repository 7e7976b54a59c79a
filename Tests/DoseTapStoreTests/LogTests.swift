import DoseTapDomain
import Testing

@testable import DoseTapStore

@Suite struct LogTests {
    @Test func `a commit returns its events as they stand in the log`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let first = try nights.act(.logDose(.dose1), key: "k1", amount: 4_500)
        let stored = try await store.commit(first)
        #expect(stored.map(\.event) == first.events)
        #expect(stored.map(\.sequence) == [1, 2])
        #expect(stored.first?.previousHash == store.storeID)
        #expect(stored.last?.previousHash == stored.first?.hash)
        #expect(try await store.events(after: 0, limit: 100) == stored)
        #expect(try await store.events(after: 1, limit: 100) == Array(stored.suffix(1)))
        #expect(try await store.events(after: 0, limit: 1) == Array(stored.prefix(1)))
        #expect(try await store.events(after: 2, limit: 100).isEmpty)
        #expect(try await store.commit(CommitBatch(events: [], changes: [])).isEmpty)
        try await store.close()
    }

    @Test func `a key is taken once, and nothing of the second batch is kept`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let first = try nights.act(.logDose(.dose1), key: "k1")
        _ = try await store.commit(first)
        nights.pass(.minutes(170))
        var other = nights
        let clash = try other.act(.logDose(.dose2), key: "k1")
        await #expect { try await store.commit(clash) } throws: { ($0 as? StoreError)?.code == .keyTaken }
        #expect(try await store.value(Int.self, "SELECT count(*) FROM events") == 2)
        #expect(try await store.value(Int.self, "SELECT count(*) FROM dose_events") == 1)
        let keyed = try #require(try await store.event(key: "k1"))
        #expect(keyed.event == first.events.last)
        #expect(keyed.session == first.events)
        #expect(try await store.event(key: "k2") == nil)
        _ = try await store.commit(try nights.act(.logDose(.dose2), key: "k2"))
        #expect(try await store.event(key: "k1")?.session == first.events)
        #expect(try await store.event(key: "k2")?.session.count == 3)
        #expect(try await store.verify().isSound)
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `a keyed event comes with what was recorded in one breath`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let long = nights.now - .hours(20)
        let batch = try nights.act(.logDose(.dose1), key: "late", at: long)
        #expect(batch.events.count > 2)
        _ = try await store.commit(batch)
        #expect(try await store.event(key: "late")?.session == batch.events)
        try await store.close()
    }

    @Test func `cursors are written with a commit and survive a rebuild`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        var batch = try nights.act(.logDose(.dose1))
        batch.cursors = ["bell": 1, "journal": 2]
        _ = try await store.commit(batch)
        _ = try await store.commit(CommitBatch(events: [], changes: [], cursors: ["bell": 2, "sly": 900]))
        _ = try await store.rebuild()
        #expect(try await store.load(now: nights.now).cursors == ["bell": 2, "journal": 2, "sly": 2])
        try await store.close()
    }

    @Test func `sessions are found by id, date, entry and beginnings of ids`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<3 { try await store.commit(all: try nights.night()) }
        let sessions = nights.logState.sessions
        for session in sessions {
            #expect(try await store.session(named: session.id.text) == session.events)
            #expect(try await store.session(named: session.id.text.uppercased()) == session.events)
            #expect(try await store.session(named: String(session.id.text.prefix(13))) == session.events)
            #expect(try await store.session(named: session.date.text) == session.events)
            for dose in session.doses {
                #expect(try await store.session(named: dose.id.text) == session.events)
                #expect(try await store.entryIDs(beginning: dose.id.text) == [dose.id])
                #expect(try await store.entryIDs(beginning: String(dose.id.text.prefix(20))) == [dose.id])
            }
            #expect(try await store.sessions(on: session.date) == [session.events])
        }
        #expect(try await store.session(named: "0197") == nil)
        #expect(try await store.session(named: "2024-01-01") == nil)
        #expect(try await store.session(named: "ffffffff") == nil)
        #expect(try await store.session(named: "' OR 1=1 --") == nil)
        #expect(try await store.entryIDs(beginning: "0197").isEmpty)
        #expect(try await store.entryIDs(beginning: "%%%%%%%%").isEmpty)
        try await store.close()
    }

    @Test func `a beginning that leads to several entries gives several, one that leads to two sessions gives none`()
        async throws
    {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        // Two nights recorded within a minute share the first eight characters of their ids.
        let at = nights.now
        _ = try await store.commit(try nights.act(.logDose(.dose1), at: at - .hours(24 * 3)))
        nights.pass(.seconds(1))
        _ = try await store.commit(try nights.act(.logDose(.dose1), at: at - .hours(24 * 5)))
        let ids = nights.logState.sessions.compactMap { $0.dose1?.id.text.prefix(8) }
        #expect(ids.count == 2 && ids[0] == ids[1])
        let prefix = String(try #require(ids.first))
        #expect(try await store.entryIDs(beginning: prefix).count > 1)
        #expect(try await store.session(named: prefix) == nil)
        try await store.close()
    }

    @Test func `sessions that touch a span are found by their start and end`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<4 { try await store.commit(all: try nights.night()) }
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let sessions = nights.logState.sessions
        #expect(sessions.count == 5)
        for (index, session) in sessions.enumerated() {
            let touched = try await store.sessions(around: session.start...session.start)
            #expect(touched == [session.events], "\(index)")
            guard let end = session.end else { continue }
            #expect(try await store.sessions(around: end...end) == [session.events])
            #expect(try await store.sessions(around: (end + .milliseconds(1))...(end + .milliseconds(1))).isEmpty)
        }
        let before = sessions[0].start - .milliseconds(1)
        #expect(try await store.sessions(around: before...before).isEmpty)
        #expect(try await store.sessions(around: .min ... .max).count == 5)
        let all = try await store.sessions(around: before...nights.now)
        #expect(all == sessions.map(\.events))
        try await store.close()
    }

    @Test func `pages of nights are whole, newest first and without overlap`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<11 { try await store.commit(all: try nights.night()) }
        let expected = nights.logState.sessions.map { NightSummary($0) }.reversed()
        var found: [NightSummary] = []
        var query = SessionQuery(limit: 4)
        var pages = 0
        repeat {
            let page = try await store.summaries(query)
            #expect(page.nights.count <= 4)
            found += page.nights
            query.cursor = page.next
            pages += 1
        } while !query.cursor.isEmpty
        #expect(pages == 3)
        #expect(found == Array(expected))
        let third = nights.logState.sessions[2]
        let fifth = nights.logState.sessions[4]
        let some = try await store.summaries(SessionQuery(from: third.start, to: fifth.start))
        #expect(some.nights.map(\.sessionID) == [nights.logState.sessions[3].id, third.id])
        #expect(some.next.isEmpty)
        #expect(try await store.summaries(SessionQuery(limit: 0)).nights.count == 1)
        #expect(try await store.summaries(SessionQuery(limit: .max)).nights.count == 11)
        for cursor in ["x", "2025-01-01|", "a|b|c", "'; DROP TABLE events; --|x"] {
            await #expect(throws: StoreError.self) { try await store.summaries(SessionQuery(cursor: cursor)) }
        }
        try await store.close()
    }

    @Test func `what is loaded at start does not grow with history`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        for _ in 0..<20 { try await store.commit(all: try nights.night()) }
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        let snapshot = try await store.load(now: nights.now)
        let logState = LogState(sessions: snapshot.sessions, recent: snapshot.recent, newest: snapshot.newest)
        #expect(logState.open == nights.logState.open && logState.open != nil)
        #expect(logState.sessions == Array(nights.logState.sessions.suffix(3)))
        #expect(snapshot.lastSequence == 122)
        #expect(snapshot.recent.count == 3)
        try await store.close()
    }

    @Test func `tonight is found although its table rows are gone`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        try await store.commit(all: try nights.night())
        _ = try await store.commit(try nights.act(.logDose(.dose1)))
        for table in ProjectionTable.all { try await store.run("DELETE FROM \(table.name)") }
        let snapshot = try await store.load(now: nights.now)
        let logState = LogState(sessions: snapshot.sessions, recent: snapshot.recent, newest: snapshot.newest)
        #expect(logState.open == nights.logState.open && logState.open != nil)
        #expect(try await store.check().isSound == false)
        // A wrong table does not keep the store from recording.
        nights.pass(.minutes(170))
        _ = try await store.commit(try nights.act(.logDose(.dose2)))
        let report = try await store.rebuild()
        #expect(!report.repairs.isEmpty)
        #expect(try await store.check().isSound)
        try await store.close()
    }

    @Test func `ping answers on a thread of its own, and a thousand callers are served in order`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<1_000 { group.addTask { await store.ping() } }
            try await group.waitForAll()
        }
        #expect(await store.threadName == "store")
        try await store.close()
    }
}
