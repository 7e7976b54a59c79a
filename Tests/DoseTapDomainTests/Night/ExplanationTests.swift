import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// R20.9: an event explained.
struct ExplanationTests {
    /// A night with an early dose 2, corrections, an undo, a nap and reminders.
    static func night() throws -> SimulatedMachine {
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1)) { options in
            options.amountMilligrams = 2_250
            options.origin = Origin(sender: ":1.7", processID: 42, command: "dosetap")
        }
        machine.pass(.minutes(100))
        try machine.performConfirmed(.logDose(.dose2)) { $0.confirmations = [.early] }
        machine.pass(.minutes(1))
        try machine.perform(.undo)
        machine.pass(.minutes(60))
        machine.meetDeadline()
        try machine.perform(.logSleepEvent("bathroom")) { $0.surface = .notification }
        machine.pass(.minutes(5))
        try machine.perform(.logDose(.dose2)) { $0.note = "half asleep" }
        let dose2 = try #require(machine.night?.dose2?.id)
        try machine.perform(.amend(dose2)) { $0.amountMilligrams = 2_250 }
        return machine
    }

    private func explanations(_ machine: SimulatedMachine) -> [Explanation] {
        machine.log.enumerated().map { Explanation($1, sequence: Int64($0 + 1), among: machine.log) }
    }

    @Test func `R20.9 every event names who asked, what it met, what it led to and what corrected it`() throws {
        let machine = try Self.night()
        let all = explanations(machine)
        func of(_ type: EventType, _ place: Int = 0) throws -> Explanation {
            let found = all.filter { $0.event.type == type.rawValue }
            return try #require(found.indices.contains(place) ? found[place] : nil)
        }
        let dose1 = try of(.doseRecorded)
        #expect(dose1.phase == .noDose1 && dose1.elapsedSeconds == nil && dose1.state == .active)
        #expect(dose1.process?.command == "dosetap" && dose1.process?.processID == 42)
        #expect(dose1.consequences.map(\.type) == ["session_opened"] && dose1.rules.map(\.rule) == ["R4.1", "R2.1"])
        #expect(dose1.event.metadata["kind"] == "dose1" && dose1.event.metadata["amount_mg"] == 2_250)
        #expect(try of(.sessionOpened).cause?.id == dose1.event.id)

        let early = try of(.doseRecorded, 1)
        #expect(early.phase == .beforeWindow && early.elapsedSeconds == 6_000 && early.answers == [.early])
        #expect(early.rules.map(\.rule) == ["R4.2", "R4.3"] && early.state == .undone)
        let undo = try of(.actionUndone)
        #expect(early.corrections.map(\.id) == [undo.event.id] && undo.cause?.id == early.event.id)
        #expect(undo.rules.map(\.rule) == ["R6.1", "R6.2"])

        let dose2 = try of(.doseRecorded, 2)
        #expect(dose2.phase == .active && dose2.state == .amended && dose2.sessionDate?.text == "2026-01-14")
        #expect(dose2.corrections.map(\.type) == ["entry_amended"])
        #expect(dose2.corrections.first?.metadata["amount_mg"] == 2_250, "a correction says what it changed")
        #expect(dose2.event.metadata["amount_mg"] == nil, "the original stays what it was")
        let bathroom = try of(.sleepEventRecorded)
        #expect(bathroom.event.surface == "notification" && bathroom.process == nil)
        #expect(try of(.reminderFired).rules.map(\.rule) == ["R7.1"])
    }

    @Test func `R20.9 what no longer counts says why`() throws {
        var slept = try SimulatedMachine.after(.minutes(300))
        #expect(explanations(slept).last { $0.event.type == "dose_skipped" }?.state == .active)
        try slept.performConfirmed(.logDose(.dose2)) { $0.at = utc("2026-01-15T01:00:00Z") }
        let skip = try #require(explanations(slept).last { $0.event.type == "dose_skipped" })
        #expect(skip.state == .superseded && skip.rules.map(\.rule) == ["R2.10"])
        let dose2 = try #require(slept.night?.dose2?.id)
        try slept.perform(.delete(dose2))
        #expect(explanations(slept).last { $0.event.id == dose2 }?.state == .deleted)
        // A deletion that was taken back deletes nothing.
        try slept.perform(.undo)
        let again = try #require(explanations(slept).last { $0.event.id == dose2 })
        #expect(again.state == .active)
        #expect(again.corrections.map(\.type) == ["entry_deleted", "action_undone"])
    }

    @Test func `R20.9 an explanation travels as JSON, and every rule it names is in the list of rules`() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/DoseTapDomain/Domain.docc/Rules.md")
        let rules = try String(contentsOf: page, encoding: .utf8)
        var named: Set<String> = []
        let request = Request(at: nil, confirmations: Confirmation.allCases)
        let payloads =
            PayloadSamples.all
            + DoseKind.allCases.map {
                .doseRecorded(DoseRecorded(kind: $0, amountMilligrams: nil, note: nil, request: request))
            }
            + [.incompleteMissedCheckin, .incompletePrepRollover, .backfilled, .incompleteSleptThrough].map {
                .sessionClosed(SessionClosed(state: $0, cause: nil))
            }
            + ReminderDrop.allCases.map {
                .reminderDropped(ReminderDropped(reminder: .alarm, due: .min, reason: $0))
            }
            + SleepEventCatalogue.standard.types.map {
                .sleepEventRecorded(SleepEventRecorded(type: $0.word, note: nil, request: request))
            }
        var machine = SimulatedMachine.evening()
        try machine.perform(.logDose(.dose1))
        let model = try #require(machine.log.first)
        for payload in payloads {
            let event = Event(
                id: EventID("e"), payload: payload, entityType: .dose, entityID: "e", sessionID: model.sessionID,
                occurredAt: model.occurredAt, effectiveAt: model.effectiveAt, timeZone: "UTC", localOffsetMinutes: 0,
                clock: model.clock, deviceID: "d", surface: .cli, origin: Origin(command: "x"),
                idempotencyKey: nil)
            let explanation = Explanation(event, sequence: 7, among: machine.log + [event])
            #expect(try Explanation(json: explanation.json) == explanation)
            #expect(!explanation.rules.isEmpty, "\(payload)")
            named.formUnion(explanation.rules.map(\.rule))
        }
        for rule in named { #expect(rules.contains("- **\(rule)** "), "\(rule) is not in Rules.md") }
        #expect(named.count > 25)
    }
}
