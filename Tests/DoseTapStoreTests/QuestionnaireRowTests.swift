import DoseTapDomain
import GRDB
import Testing

@testable import DoseTapStore

/// The rows of the tables for questionnaires.
@Suite struct QuestionnaireRowTests {
    @Test
    func `R9.12 a check-in has codes in its columns and objects in its JSON, and answers of no column in the log`()
        async throws
    {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        _ = try await store.commit(try nights.act(.logFinalWake))
        nights.pass(.minutes(20))
        let answers: JSONObject = [
            "feel_rested": "well", "pain_areas": ["neck", "head"], "therapy_device": "cpap", "fell_out_of_bed": true,
            "stress_level": 4, "notes": "n",
        ]
        _ = try await store.commit(try nights.act(.saveCheckIn(answers, night: nil)))
        let row = try #require(try await store.dump()["morning_checkins"]?.first)
        let columns = ProjectionTable.morningCheckins.columns
        func value(_ column: String) -> DatabaseValue? { columns.firstIndex(of: column).map { row[$0] } }
        let expected: [String: any DatabaseValueConvertible] = [
            "sleep_quality": 3, "feel_rested": "well", "grogginess": "mild", "mood": "neutral",
            "has_physical_symptoms": 1, "fell_out_of_bed": 1, "had_hallucinations": 0, "used_sleep_therapy": 1,
            "has_respiratory_symptoms": 0, "notes": "n",
            "physical_symptoms_json": """
            {"pain_areas":["head","neck"],"pain_severity":0,"pain_type":"aching","headache":false,\
            "muscle_stiffness":"none","muscle_soreness":"none"}
            """,
            "sleep_therapy_json": #"{"therapy_device":"cpap","therapy_compliance":100}"#,
        ]
        for (column, wanted) in expected { #expect(value(column) == wanted.databaseValue, "\(column)") }
        #expect(!row.contains { $0 == 4.databaseValue }, "stress has no column")
        let saved = try await store.events(after: 0, limit: 100).last { $0.event.type == .checkinRecorded }
        guard case .checkinRecorded(let kept)? = saved?.event.payload else {
            Issue.record("no check-in in the log")
            return
        }
        #expect(kept.answers["stress_level"] == 4)
        #expect(value("respiratory_symptoms_json") == .null && value("sleep_environment_json") == .null)
        #expect(try await store.value(Int.self, "SELECT count(*) FROM current_session") == 0)
        #expect(
            try await store.value(String.self, "SELECT terminal_state FROM sleep_sessions") == "checkin_completed")
        try await store.close()
    }

    @Test func `a pre-sleep log follows its night, also one that comes later, goes or is rebuilt`() async throws {
        let scratch = try Scratch()
        let store = try scratch.open()
        var nights = Nights()
        let link = "SELECT coalesce(session_id, 'none') FROM pre_sleep_logs"
        let saved = try nights.act(.savePreSleep(["stimulants": "tea"], .partial))
        _ = try await store.commit(saved)
        #expect(try await store.value(String.self, link) == "none")
        nights.pass(.minutes(120))
        let opened = try nights.act(.logDose(.dose1))
        _ = try await store.commit(opened)
        let session = try #require(opened.events.first?.sessionID)
        #expect(try await store.value(String.self, link) == session.text)
        let night = EntryScope.night(session, SessionDate(CivilDate(daysSinceEpoch: 0)))
        #expect(try await store.entries([.preSleep], night).first == saved.events)
        #expect(try await store.summaries(SessionQuery()).nights.first?.preSleep == .partial)
        #expect(try await store.rebuild().repairs.isEmpty)
        _ = try await store.commit(try nights.act(.undo))
        #expect(try await store.value(String.self, link) == "none")
        _ = try await store.commit(try nights.act(.delete(saved.events[0].id)))
        #expect(try await store.value(Int.self, "SELECT count(*) FROM pre_sleep_logs") == 0)
        #expect(try await store.events(about: saved.events[0].id).count == 2, "the log keeps it")
        #expect(try await store.check().isSound)
        try await store.close()
    }
}
