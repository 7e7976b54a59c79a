import DoseTapDomain
import Testing

@Suite struct WindowTests {
    static let dose1 = "2026-01-14T22:30:00Z"

    private func window(_ seconds: Int64, _ more: [String] = []) async throws -> String {
        let now = try Instant(iso8601: Self.dose1) + .seconds(seconds)
        let outcome = try await Tool.run(["window", "--dose1", Self.dose1, "--now", now.iso8601, "--json"] + more)
        #expect(outcome.code == 0)
        #expect(outcome.err.isEmpty)
        return outcome.out
    }

    private static func expected(
        _ phase: String, _ action: String, _ actionLeft: String, snooze: String?, skip: Bool, elapsed: String,
        remaining: String, errors: String = ""
    ) -> String {
        let reason = snooze.map { "\"\($0)\"" } ?? "null"
        return """
            {"phase":"\(phase)","primary":{"action":"\(action)","remaining_s":\(actionLeft)},\
            "snooze":{"enabled":\(snooze == nil),"reason":\(reason)},"skip":{"enabled":\(skip)},\
            "elapsed_s":\(elapsed),"remaining_s":\(remaining),"errors":[\(errors)]}

            """
    }

    @Test(arguments: [Int64(0), 1, 60, 8_999])
    func `the window waits until its last second before the opening`(second: Int64) async throws {
        #expect(
            try await window(second)
                == Self.expected(
                    "before_window", "waiting_until_earliest", "\(9_000 - second)", snooze: "too_early", skip: true,
                    elapsed: "\(second)", remaining: "\(14_400 - second)"))
    }

    @Test(arguments: [Int64(9_000), 9_001, 13_499])
    func `the window is active from its first second on`(second: Int64) async throws {
        #expect(
            try await window(second)
                == Self.expected(
                    "active", "take_now", "null", snooze: nil, skip: true, elapsed: "\(second)",
                    remaining: "\(14_400 - second)"))
    }

    @Test(arguments: [Int64(13_500), 13_501, 14_399])
    func `the window nears its close in the last fifteen minutes`(second: Int64) async throws {
        #expect(
            try await window(second)
                == Self.expected(
                    "near_close", "take_before_window_ends", "\(14_400 - second)", snooze: "near_close", skip: true,
                    elapsed: "\(second)", remaining: "\(14_400 - second)"))
    }

    @Test(arguments: [Int64(14_400), 14_401, 16_200, 86_400])
    func `the window is closed from its last second on`(second: Int64) async throws {
        #expect(
            try await window(second)
                == Self.expected(
                    "closed", "take_with_override", "null", snooze: "window_closed", skip: true,
                    elapsed: "\(second)", remaining: "0", errors: "\"window_exceeded\""))
    }

    @Test func `without dose 1 there is no window`() async throws {
        let outcome = try await Tool.run(["--json", "window", "--now", Self.dose1])
        #expect(
            outcome.out
                == Self.expected(
                    "no_dose1", "disabled", "null", snooze: "dose1_required", skip: false, elapsed: "null",
                    remaining: "null", errors: "\"dose1_required\""))
    }

    @Test(arguments: [
        (more: ["--dose2", "2026-01-15T01:10:00Z"], phase: "completed", reason: "completed"),
        (more: ["--skipped"], phase: "completed", reason: "completed"),
        (more: ["--checked-in"], phase: "completed", reason: "completed"),
        (more: ["--wake", "2026-01-15T01:10:00Z"], phase: "finalizing", reason: "session_ending"),
        (more: ["--wake", "2026-01-15T01:10:00Z", "--checked-in"], phase: "completed", reason: "completed"),
    ])
    func `what resolves the window ends it`(more: [String], phase: String, reason: String) async throws {
        #expect(
            try await window(10_000, more)
                == Self.expected(
                    phase, "disabled", "null", snooze: reason, skip: false, elapsed: "10000", remaining: "null"))
    }

    @Test(arguments: [
        (more: ["--snoozes", "2"], reason: nil), (more: ["--snoozes", "3"], reason: "snooze_limit"),
        (more: ["--snoozes", "3", "--max-snoozes", "4"], reason: nil),
        (more: ["--max-snoozes", "0"], reason: "snooze_off"),
    ])
    func `snoozes are counted against their limit`(more: [String], reason: String?) async throws {
        #expect(
            try await window(10_000, more)
                == Self.expected(
                    "active", "take_now", "null", snooze: reason, skip: true, elapsed: "10000", remaining: "4400"))
    }

    @Test(arguments: [Int64(14_400), 15_000])
    func `after the close no text says the word`(second: Int64) async throws {
        let now = try Instant(iso8601: Self.dose1) + .seconds(second)
        let outcome = try await Tool.run(["window", "--dose1", Self.dose1, "--now", now.iso8601])
        #expect(outcome.code == 0)
        #expect(outcome.out.contains("Skip: possible") && outcome.out.contains("Dose 2: the window has closed\n"))
        #expect(!outcome.out.lowercased().contains("take"))
    }
}
