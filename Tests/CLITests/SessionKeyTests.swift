import Testing

@Suite struct SessionKeyTests {
    @Test(arguments: [
        (["2026-01-14T17:59:59.999Z"], "2026-01-13"), (["2026-01-14T18:00:00.000Z"], "2026-01-14"),
        (["2026-01-15T02:00:00Z"], "2026-01-14"),
        (["2026-01-14T22:30:00-05:00", "--time-zone", "America/New_York"], "2026-01-14"),
        (["2026-01-14T22:30:00-05:00", "--time-zone", "Asia/Tokyo"], "2026-01-14"),
        (["2026-01-14T22:30:00-05:00", "--time-zone", "Pacific/Auckland"], "2026-01-14"),
        (["2026-01-15T00:30:00Z", "--rollover-hour", "0"], "2026-01-15"),
        (["2026-01-15T03:59:59Z", "--rollover-hour", "4"], "2026-01-14"),
        (["2011-12-31T00:30:00+14:00", "--time-zone", "Pacific/Apia"], "2011-12-29"),
    ])
    func `the key is the date on which the rollover hour was last reached`(
        arguments: [String], date: String
    ) async throws {
        let outcome = try await Tool.run(["session-key"] + arguments + ["--json"])
        #expect(outcome.code == 0)
        #expect(outcome.out == "{\"session_date\":\"\(date)\"}\n")
        let text = try await Tool.run(["session-key"] + arguments)
        #expect(text.out == "\(date)\n")
    }

    @Test(arguments: [
        ["--json", "--time-zone", "Asia/Tokyo", "session-key", "2026-01-14 17:59"],
        ["session-key", "2026-01-14 17:59", "--time-zone", "Asia/Tokyo", "--json"],
        ["--time-zone", "Asia/Tokyo", "session-key", "--json", "2026-01-14 17:59"],
    ])
    func `options for all verbs stand before or after the verb`(arguments: [String]) async throws {
        #expect(try await Tool.run(arguments).out == "{\"session_date\":\"2026-01-13\"}\n")
    }

    @Test func `variables mirror the options`() async throws {
        let outcome = try await Tool.run(
            ["session-key", "2026-01-14 17:59"], ["DOSETAP_JSON": "1", "DOSETAP_TIME_ZONE": "Asia/Tokyo"])
        #expect(outcome.out == "{\"session_date\":\"2026-01-13\"}\n")
        let other = try await Tool.run(
            ["session-key", "2026-01-14T17:59:00+09:00", "--time-zone", "UTC"], ["DOSETAP_TIME_ZONE": "Asia/Tokyo"])
        #expect(other.out == "2026-01-13\n", "the command line wins")
    }
}
