import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import DoseTapText
import Foundation
import SystemdJournal
import Testing

@testable import DoseTapPlugins

/// Programs of the person that run when an event is recorded.
@Suite struct HooksTests {
    @Test(arguments: [false, true])
    func `a hook gets one line about what was recorded, neutral unless details may be shown`(details: Bool) async throws
    {
        let bench = try await AlarmBench.open(
            ["hooks.d/dose_recorded/10-a": "echo $(/usr/bin/cat) >&3"], showsDetails: details)
        let calls = try bench.awaitCalls { !$0.isEmpty }
        let line = try #require(try JSONValue.parse(Array(calls[0].utf8)).objectValue)
        let entry = try #require(try await bench.night.log().first { $0.event.type == .doseRecorded })
        #expect(line["v"] == .integer(1) && line["event"] == .string("dose_recorded"))
        #expect(line["id"] == .string(entry.event.id.text) && line["seq"] == .integer(entry.sequence))
        #expect(line["session_date"] == .string("2026-01-14") && line["phase"] == .string("before_window"))
        #expect(line["text"] == .string("Recorded: dose recorded."))
        #expect((line["details"] != nil) == details)
        await bench.night.stop()
    }

    @Test func `a hook is told that it is time only while it is`() {
        let texts = Dictionary(grouping: ReminderID.allCases, by: { ReminderText.spoken($0) }).mapValues(\.count)
        #expect(
            texts == [
                "It is nearly time.": 2, "It is time. Look at the screen.": 7,
                "It is too late now. Look at the screen.": 1, "The morning check-in is open.": 1,
            ])
        #expect(ReminderText.spoken(.windowClosed).hasPrefix("It is too late"))
        #expect(ReminderText.spoken(.checkIn).hasSuffix("check-in is open."))
    }

    @Test func `when a reminder was due is told by the clock that shows when the window closes`() throws {
        let fired = Instant(seconds: 1_768_429_800)
        let due = DueReminder(
            item: ReminderPlan.Item(id: .alarm, due: fired + .hours(2)), session: SessionID("s"),
            date: SessionDate(CivilDate(daysSinceEpoch: 20_467)), windowCloses: fired + .minutes(75), fired: fired,
            lateness: .seconds(3))
        let line = try JSONValue.parse(HookLine("alarm", due, phase: .active, text: "").bytes.dropLast()).objectValue
        #expect(line?["due"] == .string((fired - .seconds(3)).iso8601))
        let fields = JournalEntry(reminder: due).fields
        #expect(fields.contains(JournalField("DOSETAP_DUE", (fired - .seconds(3)).iso8601)))
    }

    @Test func `R2.16 the details of a reminder name the due time that the line names`() async throws {
        let bench = try await AlarmBench.open([:], showsDetails: true)
        let first = try #require(try await bench.night.log().first).event
        let shown = first.occurredAt + .hours(2)
        let event = Event(
            id: first.id, payload: .reminderFired(ReminderFired(reminder: .alarm, due: first.occurredAt)),
            entityType: .reminder, entityID: "alarm", sessionID: first.sessionID, occurredAt: first.occurredAt,
            effectiveAt: first.effectiveAt, timeZone: first.timeZone, localOffsetMinutes: first.localOffsetMinutes,
            clock: first.clock, deviceID: first.deviceID, surface: .service, origin: nil, idempotencyKey: nil)
        let stored = StoredEvent(sequence: 1, event: event, previousHash: "", hash: "")
        let line = HookLine(stored, date: nil, phase: .active, due: shown, isCertain: true, showsDetails: true).object
        #expect(line["due"] == .instant(shown) && line["details"]?.objectValue?["due"] == .instant(shown))
        await bench.night.stop()
    }

    @Test func `hooks run in turn, and one that fails is seen, journaled and stops nobody`() async throws {
        let bench = try await AlarmBench.open([
            "hooks.d/dose_recorded/10-a": "echo a >&3; echo boom; exit 7", "hooks.d/dose_recorded/20-b": "echo b >&3",
            "hooks.d/dose_recorded/30-c": "kill -KILL $$",
        ])
        try await bench.journal.wait(for: JournalMessage.hookFailed.rawValue, count: 2)
        #expect(bench.calls == ["a", "b"])
        let failed = bench.journal.entries(JournalMessage.hookFailed.rawValue)
        #expect(failed[0].message.hasSuffix("10-a exited with 7: boom ") && failed[1].message.hasSuffix("by signal 9"))
        let output = failed[0].fields.first { $0.name == "DOSETAP_OUTPUT" }
        #expect(output?.value == Array("boom ".utf8))
        try await bench.night.plugin.received.wait { $0.contains { $0.event.type == .doseRecorded } }
        await bench.night.engine.published()
        #expect(await bench.report("hooks")?.lastError.hasSuffix("by signal 9") == true)
        await bench.night.stop()
    }

    @Test func `a hook that hangs keeps nothing waiting but hooks`() async throws {
        let folder = try ScratchFolder()
        let gate = folder.path("gate")
        #expect(mkfifo(gate, 0o600) == 0)
        let bench = try await AlarmBench.open(
            ["hooks.d/dose_recorded/10-a": "echo a >&3; read < \(gate)", "bin/aplay": "echo ring >&3"], in: folder)
        try bench.awaitCalls { $0 == ["a"] }
        try await bench.night.submit(.logSleepEvent("bathroom"))
        try await bench.advance(to: 165)
        try await bench.awaitDelivered(["sound"])
        #expect(await bench.report("hooks")?.state == .running)
        try "go\n".write(toFile: gate, atomically: false, encoding: .utf8)
        await bench.night.stop()
    }

    @Test func `what is old, or over, is told to no hook`() async throws {
        let bench = try await AlarmBench.open(["bin/none": ""])
        try await bench.advance(to: 166)
        // The hooks of an event are looked up only when its turn comes. By then the test would have added some.
        try await bench.awaitDone("hooks")
        _ = await bench.night.host.set("hooks", enabled: false)
        try await bench.night.submit(.logSleepEvent("bathroom"))
        try await bench.advance(to: 167)
        try await bench.night.submit(.skipDose2)
        bench.night.clock.advance(by: .minutes(1))
        for event in ["sleep_event_recorded", "reminder_fired", "dose_skipped", "snooze_recorded"] {
            let path = bench.folder.path("hooks.d/\(event)/10-a")
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            let text = "#!/bin/bash\necho \(event) >> \(bench.folder.path("log/calls"))\n"
            try text.write(toFile: path, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        }
        bench.night.clock.advance(by: .minutes(3))
        _ = await bench.night.host.set("hooks", enabled: true)
        try bench.awaitCalls { $0.contains("dose_skipped") }
        try await bench.awaitDone("hooks")
        #expect(bench.calls == ["sleep_event_recorded", "dose_skipped"])
        _ = await bench.night.host.set("hooks", enabled: false)
        try await bench.night.submit(.logSleepEvent("snack"))
        bench.night.clock.advance(by: .minutes(6))
        _ = await bench.night.host.set("hooks", enabled: true)
        try await bench.night.submit(.logSleepEvent("water"))
        try bench.awaitCalls { $0.count == 3 }
        try await bench.awaitDone("hooks")
        try await bench.journal.wait(for: JournalMessage.hookFailed.rawValue)
        #expect(bench.said(.hookFailed) == ["Hooks were not run for 1 event: more than five minutes had passed"])
        #expect(bench.calls.last == "sleep_event_recorded" && bench.calls.count == 3)
        await bench.night.stop()
    }

    @Test(arguments: [-120, 120])
    func `R2.16 how old an event is when its hooks run is counted time`(step: Int) async throws {
        let bench = try await AlarmBench.open(["hooks.d/sleep_event_recorded/10-a": "echo ran >&3"])
        _ = await bench.night.host.set("hooks", enabled: false)
        if step < 0 { bench.night.clock.step(by: .minutes(step)) }
        try await bench.night.submit(.logSleepEvent("bathroom"))
        if step > 0 { bench.night.clock.step(by: .minutes(step)) }
        try await bench.night.advance(by: .minutes(step < 0 ? 6 : 4))
        _ = await bench.night.host.set("hooks", enabled: true)
        try await bench.awaitDone("hooks")
        #expect(bench.calls == (step < 0 ? [] : ["ran"]), "6 minutes are too long, 4 are not")
        await bench.night.stop()
    }

    @Test func `a folder named after no event is told once, with the nearest one`() async throws {
        let bench = try await AlarmBench.open([
            "hooks.d/dose_recoreded/10-a": "echo a >&3", "hooks.d/alarm/10-b": "", "hooks.d/lib/c": "",
            "hooks.d/.git/d": "",
        ])
        try await bench.night.submit(.logSleepEvent("bathroom"))
        try await bench.journal.wait(for: JournalMessage.hookFolderUnknown.rawValue, count: 2)
        await bench.night.engine.published()
        let nothing = "is ever run: there is no event of that name"
        #expect(
            bench.said(.hookFolderUnknown) == [
                "Nothing in \(bench.folder.path("hooks.d/dose_recoreded")) \(nothing). Did you mean dose_recorded?",
                "Nothing in \(bench.folder.path("hooks.d/lib")) \(nothing)",
            ])
        let entry = bench.journal.entries(JournalMessage.hookFolderUnknown.rawValue)[0]
        #expect(entry.priority == .notice && bench.calls.isEmpty)
        await bench.night.stop()
    }

    @Test(arguments: ["Contrib/hooks/README.md", "Config/man/dosetapd.8"])
    func `every event that can have hooks is listed, and no other`(page: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        let begin = page.hasSuffix("md") ? "| of | events |" : "The types are\n"
        let end = page.hasSuffix("md") ? "A folder of any other name" : "A folder of another name"
        let list = try #require(text.components(separatedBy: begin).last?.components(separatedBy: end).first)
        let named = list.matches(of: /[a-z]+(_[a-z]+)+/).map { String($0.output.0) }
        #expect(named.sorted() == EventType.allCases.map(\.rawValue).sorted())
        for rung in HookEvents.escalationSteps { #expect(text.contains("`\(rung)`") || text.contains(".Li \(rung)\n")) }
    }

    @Test func `a hook that others may write to is refused, and that is told once`() async throws {
        let bench = try await AlarmBench.open(["hooks.d/sleep_event_recorded/10-a": "echo a >&3"])
        let path = bench.folder.path("hooks.d/sleep_event_recorded/10-a")
        try FileManager.default.setAttributes([.posixPermissions: 0o722], ofItemAtPath: path)
        for event in ["bathroom", "water", "snack"] { try await bench.night.submit(.logSleepEvent(event)) }
        try await bench.journal.wait(for: JournalMessage.hookRefused.rawValue)
        try await bench.awaitDone("hooks")
        // The plugin and the doctor tell it as long as it holds.
        #expect(await bench.report("hooks")?.lastError == "\(path) is not run: others may write to it (chmod go-w)")
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
        try await bench.night.submit(.logSleepEvent("noise"))
        try bench.awaitCalls { !$0.isEmpty }
        try await bench.awaitDone("hooks")
        #expect(await bench.report("hooks")?.lastError == "")
        #expect(bench.said(.hookRefused) == ["The hook \(path) is not run: others may write to it (chmod go-w)"])
        await bench.night.stop()
    }
}
