import Testing

@Suite struct SleepPlanTests {
    @Test(arguments: [
        ([], "2026-01-14T22:55:00.000Z", "2026-01-14T23:15:00.000Z", "2026-01-15T07:30:00.000Z"),
        (["--wake", "6:00"], "2026-01-14T21:25:00.000Z", "2026-01-14T21:45:00.000Z", "2026-01-15T06:00:00.000Z"),
        (
            ["--wake", "06:00", "--wake", "thu=09:00", "--sleep", "420", "--latency", "0", "--wind-down", "60"],
            "2026-01-15T01:00:00.000Z", "2026-01-15T02:00:00.000Z", "2026-01-15T09:00:00.000Z"
        ),
    ])
    func `R13 the plan is worked back from the wake time of the morning after`(
        arguments: [String], windDown: String, inBed: String, up: String
    ) async throws {
        let outcome = try await Tool.run(
            ["sleep-plan", "--night", "2026-01-14", "--time-zone", "UTC", "--json"] + arguments)
        #expect(
            outcome.out == """
                {"session_date":"2026-01-14","wind_down_start":"\(windDown)","in_bed_by":"\(inBed)","wake_by":"\(up)",\
                "expected_sleep_min":null}

                """)
        let text = try await Tool.run(["sleep-plan", "--night", "2026-01-14", "--time-zone", "UTC"] + arguments)
        #expect(text.out.contains("in bed by \(inBed.dropFirst(11).prefix(5)), up by \(up.dropFirst(11).prefix(5))"))
    }

    @Test(arguments: [
        (["--wake", "25:00"], "--wake takes HH:MM"), (["--wake", "som=09:00"], "There is no day 'som'"),
        (["--sleep", "1441"], "--sleep goes from 0 to 1440"), (["--night", "tomorrow"], "--night takes a date"),
    ])
    func `bad parts of a plan are named`(arguments: [String], message: String) async throws {
        let outcome = try await Tool.run(["sleep-plan"] + arguments)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains(message))
    }
}
