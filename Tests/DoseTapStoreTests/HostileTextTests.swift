import DoseTapDomain
import DoseTapTestSupport
import Testing

@testable import DoseTapStore

@Suite struct HostileTextTests {
    static let texts =
        RandomHistory.words + [
            "x' UNION SELECT hash FROM events --", "1; ATTACH DATABASE '/tmp/x' AS y; --", "?1", ":name", "@x", "$y",
            "')) OR (('a'='a", "\u{FEFF}bom", String(repeating: "ß'\"", count: 1_300),
        ]

    @Test(arguments: texts)
    func `G7 SQL in every text field is kept as text`(text: String) async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        let countTables = "SELECT count(*) FROM sqlite_schema WHERE type = 'table'"
        let tables = try await store.value(Int.self, countTables)
        var nights = Nights()
        let plain = try nights.act(.logDose(.dose1), note: text, amount: 4_500)
        // Every free text of an event has the hostile text, also those texts that a person cannot type.
        let events = plain.events.map { event in
            Event(
                id: event.id, payload: event.payload, entityType: event.entityType, entityID: event.entityID,
                sessionID: event.sessionID, occurredAt: event.occurredAt, effectiveAt: event.effectiveAt,
                timeZone: "Z" + text, localOffsetMinutes: 0,
                clock: ClockReading(
                    wall: event.occurredAt, counterMicroseconds: 1, bootID: text, isSynchronised: false),
                deviceID: text, surface: .cli, origin: Origin(sender: text, processID: 1, command: text),
                idempotencyKey: event.payload.request == nil ? nil : text)
        }
        let (batch, logState) = CommitBatch.of(events, on: LogState())
        var withCursor = batch
        withCursor.cursors = [text: 1]
        let stored = try await store.commit(withCursor)
        #expect(stored.map(\.event) == events)
        #expect(try await store.events(after: 0, limit: 10) == stored)
        #expect(try await store.event(key: text)?.event == events.last)
        #expect(try await store.load(now: nights.now).cursors == [text: 1])
        #expect(try await store.summaries(SessionQuery()).nights == logState.sessions.map { NightSummary($0) })
        #expect(try await store.session(named: text) == nil)
        #expect(try await store.entryIDs(beginning: text).isEmpty)
        #expect(try await store.verify().isSound)
        #expect(try await store.check().isSound)
        #expect(try await store.value(Int.self, "SELECT count(*) FROM events") == 2)
        #expect(try await store.value(Int.self, countTables) == tables)
        try await store.close()
    }
}
