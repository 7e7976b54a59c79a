import DoseTapDomain
import Testing

@Suite struct PlanRemindersTests {
    static let dose1 = "2026-01-14T22:30:00Z"

    private func plan(_ more: [String], after seconds: Int64 = 0) async throws -> [String] {
        let start = try Instant(iso8601: Self.dose1)
        let outcome = try await Tool.run(
            ["plan-reminders", "--dose1", Self.dose1, "--now", (start + .seconds(seconds)).iso8601, "--json"] + more)
        #expect(outcome.code == 0)
        let items = try #require(try outcome.json["reminders"]?.arrayValue)
        return try items.map { item in
            let offset = try #require(item["offset_min"]?.integerValue)
            let at = try Instant(iso8601: try #require(item["at"]?.stringValue))
            #expect(at == start + .seconds(offset * 60))
            return "\(item["id"]?.stringValue ?? "?")@\(offset)/\(item["urgency"]?.stringValue ?? "?")"
        }
    }

    @Test func `the last reminders of a night come as exact JSON`() async throws {
        let outcome = try await Tool.run([
            "plan-reminders", "--dose1", Self.dose1, "--now", "2026-01-15T02:24:59.999Z", "--target", "225", "--json",
        ])
        #expect(
            outcome.out == """
                {"reminders":[\
                {"id":"closing_5","at":"2026-01-15T02:25:00.000Z","offset_min":235,"urgency":"critical"},\
                {"id":"alarm_repeat","at":"2026-01-15T02:26:00.000Z","offset_min":236,"urgency":"critical"},\
                {"id":"window_closed","at":"2026-01-15T02:30:00.000Z","offset_min":240,"urgency":"normal"}]}

                """)
    }

    @Test func `the plan of the standard target is whole`() async throws {
        let repeats = stride(from: 176, to: 240, by: 5).map { "alarm_repeat@\($0)/critical" }
        let plan = try await plan([])
        #expect(
            Set(plan)
                == Set(
                    repeats + [
                        "window_open@150/normal", "pre_alarm@160/normal", "alarm@165/critical",
                        "followup_1@167/critical", "followup_2@169/critical", "followup_3@171/critical",
                        "closing_15@225/critical", "closing_5@235/critical", "window_closed@240/normal",
                    ]))
        #expect(plan.first == "window_open@150/normal")
        #expect(plan.last == "window_closed@240/normal")
    }

    @Test func `with a wake time the check-in is among them, at its first moment after dose 1`() async throws {
        #expect(try await plan(["--wake", "07:00"]).last == "check_in@510/normal")
        #expect(try await plan(["--wake", "01:15"]).prefix(3).last == "alarm@165/critical")
        #expect(try await plan(["--wake", "01:15"]).dropFirst(3).first == "check_in@165/normal")
        #expect(try await plan(["--wake", "22:30"]).last == "check_in@1440/normal")
    }

    @Test(arguments: [
        (second: Int64(9_000) - 1, first: "window_open@150/normal"), (second: 9_000, first: "pre_alarm@160/normal"),
        (second: 14_399, first: "window_closed@240/normal"),
    ])
    func `only what lies strictly after now is planned`(second: Int64, first: String) async throws {
        #expect(try await plan([], after: second).first == first)
    }

    @Test func `after the close nothing is planned`() async throws {
        #expect(try await plan([], after: 14_400).isEmpty)
    }

    @Test func `a snoozed alarm moves its followers`() async throws {
        let plan = try await plan(["--target", "195", "--snoozed-to", "225"])
        #expect(plan.contains("alarm@225/critical"))
        #expect(plan.contains("followup_3@231/critical"))
        #expect(!plan.contains { $0.hasPrefix("alarm@195") })
    }

    @Test(arguments: [
        ["--target", "170"], ["--snoozed-to", "226"], ["--target", "195", "--snoozed-to", "180"], ["--target", "x"],
        ["--wake", "25:00"], ["--wake", "7"],
    ])
    func `targets and snoozes out of range are wrong usage`(more: [String]) async throws {
        let outcome = try await Tool.run(["plan-reminders", "--dose1", Self.dose1, "--now", Self.dose1] + more)
        #expect(outcome.code == 64)
        #expect(outcome.out.isEmpty)
    }
}
