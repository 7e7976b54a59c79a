import DoseTapDomain
import DoseTapExchange
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapStore

/// Every sample of every kind of entry, in every export.
@Suite struct EntryExportTests {
    /// The formats for other programs that contain entries of a kind. The switch has no `default`, so a new kind does
    /// not compile before its formats are chosen here.
    private static func formats(of entity: EntityType) -> Set<Format> {
        switch entity {
        case .dose: [.fhir, .ical, .ios]
        case .snooze: [.ios]
        case .skip, .wake, .sleepEvent, .checkin, .preSleep, .medication: [.fhir, .ios]
        case .regimen, .sleepRecord: [.fhir]
        case .inventory, .labQuestion, .labPlan, .labNight: []
        case .session, .reminder, .setting, .clock, .store: []
        }
    }

    /// The exports of a store, and the regimens that the command puts before the nights.
    private struct Exports {
        let log: [JSONObject]
        let rows: [[String]]
        var made: [Format: [UInt8]] = [:]

        init(_ store: Store, _ scratch: Scratch, table: String, _ state: LogState) async throws {
            log = try await Self.text(.log, store, scratch).split(separator: "\n").compactMap {
                try JSONValue.parse(String($0)).objectValue
            }
            rows = try await Self.text(.table(table), store, scratch).split(separator: "\r\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            let regimens = state.standalone.filter { $0.isActive && $0.entity == .regimen }.reversed().map { entry in
                var object = entry.metadata
                object["id"] = .string(entry.id.text)
                object["recorded_at"] = .instant(entry.event.occurredAt)
                if object["until"] == nil { object["until"] = .null }
                return JSONValue.object(object)
            }
            let nights =
                JSONValue.object(["history": .array(regimens)]).serialized() + "\n"
                + (try await Self.text(.nights, store, scratch))
            for format in [Format.fhir, .ical, .ios] {
                let run = try ExchangeRun(format, profile: .full, identity: Identity(salt: [7]))
                var bytes: [UInt8] = []
                var output = Output { part in
                    bytes += part
                    return 0
                }
                try run.write(LineReader(Array(nights.utf8)), to: &output)
                made[format] = bytes
            }
        }

        private static func text(_ content: ExportContent, _ store: Store, _ scratch: Scratch) async throws -> String {
            let descriptor = Foundation.open(scratch.folder + "/out", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            try #require(descriptor >= 0)
            defer { close(descriptor) }
            let report = try await store.export(
                ExportRequest(content), into: descriptor, timeout: .seconds(30), zone: { _ in .utc })
            #expect(report?.isComplete == true)
            return String(decoding: try scratch.bytes("out"), as: UTF8.self)
        }
    }

    @Test(arguments: EntrySample.all)
    func `R27 R28 log and table have it, and each format for others where it is decided so`(
        sample: EntrySample
    ) async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights(start: Instant(seconds: 1_768_446_000))
        var events: [EventID] = []
        func commit(_ act: Act) async throws -> Event {
            let (now, ids) = (nights.now, events)
            let batch = try nights.act(act.ask.command(ids)) { act.fill(&$0, now: now) }
            _ = try await store.commit(batch)
            return try #require(batch.events.last { $0.payload.request != nil })
        }
        for act in sample.before {
            events.append(try await commit(act).id)
            nights.pass(.seconds(11))
        }
        _ = try await store.commit(nights.settle())
        // Formats for other programs contain entries of nights only. Where there is no night, the recorded entry begins
        // one.
        var trial = nights
        let now = nights.now
        let first = try trial.act(sample.act.ask.command(events)) { sample.act.fill(&$0, now: now) }
        let recorded = try #require(first.events.last { $0.payload.request != nil })
        if recorded.sessionID == nil, EntityType.shownInNight.contains(recorded.entityType) {
            _ = try await store.commit(try nights.act(.logSleepEvent("bathroom"), at: recorded.effectiveAt))
        }
        let before = try await Exports(store, scratch, table: sample.table, nights.logState)
        let event = try await commit(sample.act)
        let after = try await Exports(store, scratch, table: sample.table, nights.logState)

        let lines = after.log.filter { $0["id"]?.stringValue == event.id.text }
        #expect(lines.count == 1 && lines.first?["type"]?.stringValue == sample.type.rawValue)
        #expect(!before.log.contains { $0["id"]?.stringValue == event.id.text })
        #expect(after.rows.first?.first == before.rows.first?.first, "the head stays")
        #expect(after.rows.count { $0.first == event.entityID } == 1 && after.rows != before.rows)
        let changed = Set(after.made.keys.filter { after.made[$0] != before.made[$0] })
        #expect(changed == Self.formats(of: event.entityType), "\(sample)")
        try await store.close()
    }
}
