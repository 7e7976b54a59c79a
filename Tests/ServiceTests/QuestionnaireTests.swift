import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct QuestionnaireTests {
    @Test func `a check-in over the bus ends the night, is announced, changed and undone`() async throws {
        let bench = try await ServiceBench.start(environment: ["TZ": HourZone.dawn])
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .hours(8) }
        try await bench.submit(.logDose(.dose2)) { $0.at = ServiceBench.now - .minutes(318) }
        try await bench.submit(.logFinalWake) { $0.at = ServiceBench.now - .minutes(10) }
        #expect(try Self.pending(bench) == "b true\n")
        let saved = try await bench.submit(.saveCheckIn(["mood": "great", "pain_areas": ["neck"]], night: nil)) {
            options in
            options.key = "morning"
            options.note = "fine"
        }
        #expect(saved.type == "checkin" && saved.phase == .completed && saved.metadata["wellness_score"] == 54)
        #expect(saved.metadata["answers"]?["notes"] == "fine")
        try await bench.awaitRecorded(.sessionClosed)
        #expect(try Self.pending(bench) == "b false\n")
        let again = try await bench.submit(.saveCheckIn(["mood": "great", "pain_areas": ["neck"]], night: nil)) {
            options in
            options.key = "morning"
            options.note = "fine"
        }
        #expect(again.duplicate && again.eventID == saved.eventID)
        let other = await bench.refusal(.saveCheckIn(["mood": "low"], night: nil)) { $0.key = "morning" }
        #expect(other?.kind == .invalidInput)
        let night = try #require(try await bench.client.show(saved.eventID.text).first)
        #expect(night.summary.terminalState == .checkinCompleted && night.summary.wellnessScore == 54)
        #expect(try await bench.client.find(SessionQuery()).nights == [night.summary])
        try await bench.submit(.amend(saved.eventID)) { $0.note = "" }
        try await bench.submit(.undo)
        try await bench.submit(.undo)
        #expect(try Self.pending(bench) == "b true\n")
        for member in [Client.Examination.check, .verify] {
            #expect(try await bench.client.examine(member)["ok"] == true)
        }
        try await bench.stop()
    }

    @Test func `a pre-sleep log finds its night over the bus, whichever comes first`() async throws {
        let bench = try await ServiceBench.start()
        let early = ServiceBench.now - .minutes(100)
        let saved = try await bench.submit(
            .savePreSleep(["stimulants": "tea", "caffeine_last_at": .instant(early)], .partial)
        ) {
            $0.at = early
        }
        #expect(saved.sessionID == nil && saved.metadata["completion_state"] == "partial")
        #expect(saved.metadata["answers"]?["caffeine_last_at"]?.instantValue == early)
        #expect(try await bench.client.shown(saved.eventID.text).entries { $0 == .preSleep }.count == 1)
        let dose = try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(20) }
        #expect(try await bench.client.show(saved.eventID.text).first?.summary.sessionID == dose.sessionID)
        #expect(try await bench.client.find(SessionQuery()).nights.first?.preSleep == .partial)
        try await bench.submit(.undo)
        #expect(try await bench.client.shown(saved.eventID.text).entries { $0 == .preSleep }.count == 1)
        try await bench.stop()
        let later = try await bench.again()
        let more = try await later.submit(.savePreSleep(["alcohol": "none"], .complete))
        #expect(more.target == saved.eventID && more.metadata["answers"]?["stimulants"] == "tea")
        #expect(try await later.client.examine(.rebuild)["repairs"] == .array([]))
        try await later.stop()
    }

    @Test func `the questions are the same data as the checks`() async throws {
        let bench = try await ServiceBench.start()
        for kind in Questionnaire.Kind.allCases {
            let text = try bench.busctl(
                "call", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.diary, "Questions", "s",
                kind.rawValue
            ).text
            let items = Questionnaire.of(kind).items
            #expect(text.hasPrefix("aa{sv} \(items.count) "))
            for item in items { #expect(text.contains("\"key\" s \"\(item.key)\"")) }
        }
        try await bench.stop()
    }

    /// Calls that the service must refuse: member, its arguments, a part of the error.
    static let invalid: [(String, [String], String)] = [
        ("SaveCheckIn", ["1", "moood", "s", "good", "0"], "the nearest is 'mood'"),
        ("SaveCheckIn", ["1", "mood", "s", "grate", "0"], "the nearest is 'great'"),
        ("SaveCheckIn", ["1", "sleep_quality", "u", "9", "0"], "the nearest is 5"),
        ("SaveCheckIn", ["1", "sleep_quality", "t", "18446744073709551615", "0"], "the nearest is 5"),
        ("SaveCheckIn", ["1", "mood", "o", "/a", "0"], "a type that no answer has"),
        ("SaveCheckIn", ["0", "1", "night", "s", "2020-01-01"], "There is no night '2020-01-01'"),
        ("SaveCheckIn", ["0", "1", "night", "u", "7"], "'night' has the wrong type"),
        ("SaveCheckIn", ["0", "1", "completion", "s", "partial"], "Unknown option 'completion'"),
        ("SaveCheckIn", ["1", "notes", "s", String(repeating: "x", count: 5_000), "0"], "longer than 4000"),
        ("SaveCheckIn", ["1", "notes", "s", "a\u{1B}[2J", "0"], "control"),
        ("SavePreSleep", ["0", "1", "completion", "s", "done"], "unknown value 'done'"),
        ("SavePreSleep", ["1", "nap", "s", "none", "1", "completion", "s", "skipped"], "has no answers"),
        ("SavePreSleep", ["1", "pain_entries", "as", "1", "knee", "0"], "needs body_pain"),
        ("SavePreSleep", ["2", "nap", "s", "short", "nap_last_end_at", "t", "999999999999999999", "0"], "year 9999"),
        ("Questions", ["evening"], "There is no questionnaire 'evening'"),
    ]

    @Test func `nothing that is wrong is recorded`() async throws {
        let bench = try await ServiceBench.start()
        // The night can have a check-in, and no reminder is due in it. The outcome of a reminder would be recorded a
        // moment later.
        try await bench.submit(.logSleepEvent("lights_out"))
        let before = try await bench.client.examine(.verify)["events"]
        for (member, arguments, text) in Self.invalid {
            let signature = member == "Questions" ? "s" : "a{sv}a{sv}"
            let outcome = try TestProgram.run(
                [
                    "timeout", "20", "busctl", "--address=\(bench.bus.address)", "call", Contract.name,
                    "/org/dosetap/DoseTap1", Contract.InterfaceName.diary, member, signature,
                ] + arguments)
            #expect(outcome.status != 0, "\(member) \(text)")
            #expect(outcome.errors.contains(text), "\(member) \(text): \(outcome.errors.prefix(300))")
        }
        #expect(try await bench.client.examine(.verify)["events"] == before)
        try await bench.stop()
    }

    private static func pending(_ bench: ServiceBench) throws -> String {
        try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.diary, "CheckInPending"
        ).text
    }
}
