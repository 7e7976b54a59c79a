import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The real command runs the real service as its child.
@Suite struct RecordingTests {
    static let receiptKeys = [
        "event_id", "type", "session_id", "session_date", "timestamp", "phase", "dose_index", "metadata", "duplicate",
        "interval_min", "time_zone", "handle", "warnings",
    ]

    @Test func `a first dose comes back as its receipt`() async throws {
        let cli = try CLIHarness()
        let receipt = try await cli.json("log", "dose1", "--ago", "20m", "--amount", "2.25g", "--note", "after tea")
        #expect(CLIHarness.keys(receipt) == Self.receiptKeys)
        #expect(receipt["type"] == "dose1")
        #expect(receipt["phase"] == "before_window")
        #expect(receipt["dose_index"] == 1)
        #expect(receipt["duplicate"] == false)
        #expect(receipt["interval_min"]?.isNull == true)
        #expect(receipt["metadata"]?["amount_mg"] == 2_250)
        let at = try Instant(iso8601: try #require(receipt["timestamp"]?.stringValue))
        let status = try await cli.json("status")
        #expect(status["dose1_time"]?.stringValue == at.iso8601)
        #expect(status["phase"] == "before_window")
        #expect(status["window_opens"]?.stringValue == (at + .minutes(150)).iso8601)
        // The command leaves no service that could tell a reminder.
        #expect(status["next_reminder"]?.isNull == true)
        for verb in [[], ["status"]] {
            let text = try await cli.run(words: verb)
            #expect(text.code == 0 && !text.out.lowercased().contains("reminder"), "\(text)")
            #expect(text.err.contains("no reminders will come"))
        }
    }

    @Test func `a status has the keys of the contract first`() async throws {
        let cli = try CLIHarness()
        let status = try await cli.json("status")
        let window = [
            "phase", "primary", "snooze", "skip", "elapsed_s", "remaining_s", "errors",
        ]
        #expect(Array(CLIHarness.keys(status).prefix(window.count)) == window)
        for key in [
            "session_id", "session_date", "dose1_time", "dose2_time", "dose2_skipped", "snooze_count",
            "terminal_state", "next_reminder",
        ] {
            #expect(CLIHarness.keys(status).contains(key))
        }
        #expect(status["phase"] == "no_dose1")
        #expect(status["session_id"]?.isNull == true)
        let then = try await cli.json("status", "--at", try #require(status["at"]?.stringValue))
        #expect(CLIHarness.keys(then) == CLIHarness.keys(status) && then["phase"] == "no_dose1")
    }

    @Test func `a second dose on time tells the interval`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "3h")
        let receipt = try await cli.json("log", "dose2", "--ago", "12m")
        #expect(receipt["type"] == "dose2")
        #expect(receipt["phase"] == "completed")
        #expect(receipt["dose_index"] == 2)
        let interval = try #require(receipt["interval_min"]?.integerValue)
        #expect((167...168).contains(interval))
    }

    @Test func `an early dose needs its confirmation and names the person's own command`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "138m")
        let outcome = try await cli.run(words: cli.options + ["log", "dose2", "--note", "could not wait", "--json"])
        let error = try #require(try outcome.json["error"])
        #expect(outcome.code == 4)
        #expect(error["kind"] == "requires_confirmation")
        #expect(error["confirmations"] == ["early"])
        #expect(error.objectValue?.keys.prefix(4) == ["kind", "confirmations", "message", "hint"])
        let minutes = try #require(error["minutes_to_open"]?.integerValue)
        #expect((12...13).contains(minutes))
        #expect(
            error["confirm_with"]?.stringValue
                == "dosetap --bus none --store \(cli.store) log dose2 --note 'could not wait' --confirm early")
        #expect(try await cli.json("status")["dose2_time"]?.isNull == true, "nothing was recorded")
        let text = try await cli.run("log", "dose2")
        #expect(text.code == 4)
        #expect(text.out.isEmpty)
        #expect(error["hint"]?.stringValue == "dosetap --bus none --store \(cli.store) status --follow")
        #expect(
            text.err.contains(
                "\n  Nothing was recorded.\n  Next: dosetap status --follow\n  Only if it was really taken: dosetap "))
        #expect(text.err.hasSuffix(" log dose2 --confirm early\n"))
        let receipt = try await cli.json("log", "dose2", "--confirm", "early")
        #expect(receipt["metadata"]?["is_early"] == true)
        let told = try CLIHarness()
        try await told.json("log", "dose1", "--ago", "100m")
        let early = try await told.run("log", "dose2", "--confirm", "early")
        #expect(early.out.contains("\nHelp: the emergency number "), "\(early)")
    }

    @Test(arguments: ["4h10m", "5h"]) func `a dose 1 whose window is over is told so`(ago: String) async throws {
        let late = try await CLIHarness().run("log", "dose1", "--ago", ago)
        #expect(late.code == 0 && late.out.contains("\nThe window for dose 2 was from "), "\(late)")
    }

    @Test func `R20.16 where both doses are on record another dose 1 can only be an extra dose`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "170m")
        try await cli.json("log", "dose2", "--ago", "10m")
        let third = try await cli.run("log", "dose1", "--ago", "5m")
        #expect(third.code == 5 && !third.err.contains("dose 2") && !third.err.contains("dose2"), "\(third)")
        #expect(
            third.err.contains("If that is not its time, correct it.\n  Nothing was recorded.\n  Next: dosetap amend "),
            "\(third)")
        #expect(third.err.hasSuffix("\n  Only if it was really taken: dosetap log extra --ago 5m\n"), "\(third)")
    }

    @Test func `R20.16 a dose that is refused names the command that records what was taken`() async throws {
        let cli = try CLIHarness()
        let none = try await cli.run("log", "dose2", "--ago", "5m")
        #expect(none.code == 5 && none.err.contains("When was it?"), "\(none)")
        #expect(none.err.hasSuffix("\n  Next: dosetap log dose1 --at TIME\n"))
        try await cli.json("log", "dose1", "--ago", "20m")
        let twice = try await cli.run(
            words: cli.options + ["log", "dose1", "--ago", "12m", "--note", "again"])
        let amend = "\n  Next: dosetap --bus none --store \(cli.store) amend "
        #expect(twice.code == 5 && twice.err.contains("\(amend)dose1 --ago 12m\n"), "\(twice)")
        #expect(
            twice.err.hasSuffix(
                "\n  Only if it was really taken: dosetap --bus none --store \(cli.store) log dose2 --ago 12m --note again\n"
            ))
        // The time that was typed for dose 2 is never offered as the time of dose 1.
        let before = try await cli.run("log", "dose2", "--ago", "40m")
        #expect(before.code == 5 && before.err.contains("\n  Next: dosetap amend dose1 --at TIME\n"), "\(before)")
        // A confirmation for one dose is not taken over for the other, in any spelling.
        for words in [["dose1", "--confirm", "early"], ["Dose 1"]] {
            let other = try await cli.run(words: cli.options + ["log"] + words)
            let line = "dosetap --bus none --store \(cli.store) log dose2\n"
            #expect(other.code == 5 && other.err.hasSuffix("\n  Only if it was really taken: \(line)"), "\(other)")
        }
        // The named command asks once and then records the dose.
        let asked = try await cli.error(4, "log", "dose2", "--ago", "12m", "--note", "again")
        #expect(asked["confirmations"] == ["early"] && asked["confirm_with"] != nil)
        let taken = try await cli.json("log", "dose2", "--ago", "12m", "--note", "again", "--confirm", "early")
        #expect(taken["dose_index"] == 2)
    }

    @Test func `R20.17 the morning after proposes no dose, and after an undo none either`() async throws {
        let cli = try CLIHarness()
        let status = try await cli.json("status")
        #expect(status["next"]?["command"] == "dosetap log dose1" && status["next"]?["when"] == "once_taken")
        try await cli.json("log", "dose1", "--ago", "6h")
        try await cli.json("log", "dose2", "--ago", "3h")
        try await cli.json("checkin", "--set", "mood=good")
        let after = try await cli.run()
        #expect(!after.out.contains("log dose1") && after.out.contains("\nNext: dosetap show "), "\(after)")
        let again = try await cli.error(4, "log", "dose1")
        #expect(again["confirmations"] == ["extra", "extra_understood"] && again["night_ended"] != nil)
        let late = try await cli.error(5, "log", "dose2")
        #expect(late["hint"] == "dosetap log dose2 --at TIME")
        // R20.16: both doses and the danger come before any step.
        for kind in ["dose2", "extra"] {
            let told = try await cli.error(5, "log", kind)["message"]?.stringValue ?? ""
            #expect(told.contains(" with 2 doses on record: ") && told.contains("can stop breathing"), "\(told)")
        }
        let undone = try CLIHarness()
        try await undone.json("log", "dose1")
        try await undone.json("undo")
        let back = try await undone.run()
        #expect(back.out.contains("\nNext: dosetap status\n") && !back.out.contains("log dose"), "\(back)")
    }

    @Test func `an extra dose needs both its confirmations`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "6h")
        try await cli.json("log", "dose2", "--ago", "3h20m")
        let error = try await cli.error(4, "log", "extra")
        let kinds = error["confirmations"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(kinds.contains("extra") && kinds.contains("extra_understood"))
        _ = try await cli.error(4, "log", "extra", "--confirm", "extra")
        let flags = kinds.flatMap { ["--confirm", $0] }
        let outcome = try await cli.run(words: ["log", "extra", "--json"] + flags)
        #expect(outcome.code == 0)
        #expect(try outcome.json["type"] == "extra_dose")
        #expect(try outcome.json["dose_index"] == 3)
    }

    @Test func `R20.16 to one dose too many nobody is told to wait, whatever was confirmed`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "30m")
        try await cli.json("log", "dose2", "--confirm", "early")
        let both = ["--confirm", "extra", "--confirm", "extra_understood"]
        for confirmed in [[], ["--confirm", "extra"], both] {
            let asked = try await cli.run(words: ["log", "extra"] + confirmed)
            #expect(asked.code == 4 && asked.err.contains("Too early: dose 2 was at "), "\(asked)")
            #expect(!asked.err.contains("Wait") && asked.err.contains("Nothing more is due tonight."), "\(asked)")
        }
        let status = try await cli.run("status")
        #expect(status.out.contains("\nHelp: the emergency number"), "\(status)")
    }

    @Test func `R23.3 a window opens, and is waited for, at the same minute, the next whole one`() async throws {
        let cli = try CLIHarness()
        let now = Instant(seconds: Int64(Date().timeIntervalSince1970))
        // Dose 1 is half a minute past a whole minute, so the opening is rounded up.
        let dose1 = Instant(seconds: (now - .minutes(20)).milliseconds / 60_000 * 60 + 30)
        let receipt = try await cli.run("log", "dose1", "--at", dose1.iso8601)
        let told = receipt.out.split(separator: "\nThe window for dose 2 opens at ", maxSplits: 1)
        let opens = String(try #require(told.last).prefix(5))
        let minute = (dose1 + .minutes(150) + .seconds(30)).milliseconds / 60_000 % 60
        #expect(Int64(opens.suffix(2)) == minute, "\(receipt)")
        let asked = try await cli.run("log", "dose2")
        #expect(asked.err.contains("Wait until \(opens)."), "\(asked)")
        for answer in try await [cli.run(), cli.run("status")] {
            #expect(answer.out.contains(opens), "\(answer)")
        }
    }

    @Test func `a refusal names its reason and exits with 5`() async throws {
        let cli = try CLIHarness()
        for verb in ["snooze", "skip"] {
            let error = try await cli.error(5, verb)
            #expect(error["kind"] == "refused")
            #expect(error["reason"] == "dose1_required")
            #expect(error["hint"]?.stringValue?.isEmpty == false)
        }
        try await cli.json("log", "dose1", "--ago", "30m")
        #expect(try await cli.error(5, "log", "dose1", "--ago", "10m")["reason"] == "dose1_already_taken")
        #expect(try await cli.error(5, "log", "dose2", "--at", "2999-01-01T00:00:00Z")["reason"] == "future")
    }

    @Test func `R20.12 a dose 2 that nobody recorded is not recorded, and nothing once it is entered`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "5h")
        let status = try await cli.json("status")
        #expect(status["dose2_skipped"] == false && status["outcome"] == "not_recorded")
        for verb in [[], ["status"], ["show", "today"], ["history"]] {
            let text = try await cli.run(words: verb).out
            #expect(text.contains("not recorded"), "\(verb): \(text)")
            #expect(
                !text.contains("skipped") && !text.contains("slept through") && !text.contains("automatic"), "\(text)")
        }
        let night = try await cli.json("history")["nights"]?.arrayValue?.first
        #expect(night?["dose2_skipped"] == false && night?["outcome"] == "not_recorded")
        let skip = try await cli.error(5, "skip")
        #expect(
            skip["reason"] == "already_skipped" && skip["hint"]?.stringValue?.hasPrefix("dosetap skip --at '") == true)
        #expect(skip["message"]?.stringValue?.hasPrefix("Dose 2 is not recorded") == true)
        let late = try await cli.error(4, "log", "dose2", "--ago", "20m")
        #expect(late["confirmations"] == ["late"], "nobody decided that skip")
        try await cli.json("log", "dose2", "--ago", "2h")
        let entries = try await cli.json("show", "today")["nights"]?.arrayValue?.first?["entries"]?.arrayValue ?? []
        #expect(entries.compactMap { $0["type"]?.stringValue } == ["dose1", "dose2"])
        #expect(try await cli.json("db", "check")["ok"] == true)
        // A person's skip stays a skip.
        let skipped = try CLIHarness()
        try await skipped.json("log", "dose1", "--ago", "3h")
        try await skipped.json("skip")
        let own = try await skipped.json("status")
        #expect(own["dose2_skipped"] == true && own["outcome"] == "skipped")
    }

    @Test func `R20.13 R20.14 defaults are marked, a pre-sleep log is part of tonight, another night has its date`()
        async throws
    {
        let cli = try CLIHarness()
        try await cli.json("presleep", "--set", "stress_level=2")
        let tonight = try await cli.run()
        #expect(
            tonight.out.contains("The pre-sleep log of ") && !tonight.out.contains("Nothing is on record"), "\(tonight)"
        )
        #expect(try await cli.json("status")["pre_sleep"]?["completion_state"] != nil)
        #expect(try await cli.run("status").out.contains("Pre-sleep"))
        try await cli.json("log", "dose1", "--ago", "7h")
        try await cli.json("log", "dose2", "--ago", "4h")
        try await cli.json("checkin", "--set", "mood=good")
        let night = try await cli.json("show", "last")["nights"]?.arrayValue?.first
        let checkIn = night?["entries"]?.arrayValue?.first { $0["type"] == "checkin" }
        let defaults = checkIn?["metadata"]?["defaults"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(defaults.contains("sleep_quality") && !defaults.contains("mood"))
        #expect(try await cli.run("show", "last").out.contains("by default:"))
        try await cli.json("checkin", "--set", "sleep_quality=3")
        let again = try await cli.json("show", "last")["nights"]?.arrayValue?.first?["entries"]?.arrayValue
        let changed = again?.first { $0["type"] == "checkin" }?["metadata"]?["defaults"]?.arrayValue ?? []
        #expect(!changed.contains("sleep_quality"), "answered as the default it is an answer")
        let other = try await cli.run("status", "--at", "2026-01-15 03:00")
        #expect(other.out.hasPrefix("Night of Wed 2026-01-14: "), "\(other)")
        #expect(!(try await cli.run("status").out.hasPrefix("Night of ")))
    }

    @Test func `R4.11 R12.4 after a once-nightly dose nobody is told to wait for another one`() async throws {
        let cli = try CLIHarness()
        try await cli.json("med", "take", "lumryz", "6g", "--ago", "20m")
        let status = try await cli.run()
        #expect(status.out.contains("One dose a night."))
        let asked = try await cli.error(4, "log", "dose2")
        #expect(asked["confirmations"] == ["early", "once_nightly"])
        #expect(asked["message"]?.stringValue?.contains("Wait") == false)
        // R4.11: nothing is awaited, so nothing is skipped or put off, and a second dose is one too many.
        let danger = "one dose a night is prescribed. A second one can stop breathing"
        for kind in ["dose1", "extra"] {
            let again = try await cli.error(5, "log", kind)
            let message = again["message"]?.stringValue ?? ""
            #expect(
                message.contains(danger) && !message.contains("next one") && !message.contains("window"), "\(message)")
            #expect(again["record_as"] == "dose2")
        }
        let skip = try await cli.error(5, "skip")
        #expect(skip["message"] == "One dose a night is prescribed: there is no dose 2 to skip.")
        let snooze = try await cli.error(5, "snooze")
        #expect(snooze["message"] == "One dose a night is prescribed: there is no alarm to put off.")
        try await cli.json("wake")
        let driving = try await cli.error(4, "log", "dose2")["message"]?.stringValue ?? ""
        #expect(driving.contains("(Lumryz label)") && !driving.contains("Xyrem"), "\(driving)")
        try await cli.json("checkin", "--set", "mood=good")
        let morning = try await cli.run().out
        #expect(morning.contains(". One dose a night.") && !morning.contains("Dose 2: no"), "\(morning)")
    }

    @Test func `R4.11 R13.6 a second dose where one a night is prescribed is told as one more, and judged nowhere`()
        async throws
    {
        let cli = try CLIHarness()
        try await cli.json("med", "take", "lumryz", "6g", "--ago", "6h")
        let told = try await cli.run("log", "dose2", "--ago", "1h", "--confirm", "once_nightly").out
        #expect(told.contains("300 min after dose 1.\n") && told.contains("this is one more"), "\(told)")
        let night = try await cli.json("show", "last")["nights"]?.arrayValue?.first
        #expect(night?["outcome"] == "once_nightly" && night?["interval_min"] == 300)
        #expect(night?["on_time"]?.isNull == true)
        let shown = try await cli.run("show", "last").out
        #expect(shown.contains(": one dose more than prescribed") && !shown.contains(" late\n"), "\(shown)")
        let listed = try await cli.run("history", environment: ["COLUMNS": "200"]).out
        #expect(listed.contains("one dose more than prescribed") && !listed.contains("late"), "\(listed)")
        #expect(try await cli.json("stats")["interval"]?["count"] == 0)
        #expect(try await cli.json("stats", "--intervals")["groups"]?.arrayValue?.isEmpty == true)
        #expect(try await cli.json("usual")["usual_interval_min"]?.isNull == true)
    }

    @Test func `a dry run says what would be and records nothing`() async throws {
        let cli = try CLIHarness()
        let receipt = try await cli.json("log", "dose1", "--dry-run")
        #expect(receipt["dry_run"] == true)
        #expect(try await cli.json("status")["phase"] == "no_dose1")
    }

    @Test func `the same key records only once`() async throws {
        let cli = try CLIHarness()
        let at = "--at=\((Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1e6)) - .minutes(5)).iso8601)"
        let first = try await cli.json("log", "dose1", at, "--key", "k1")
        let second = try await cli.json("log", "dose1", at, "--key", "k1")
        #expect(second["event_id"] == first["event_id"])
        #expect(second["duplicate"] == true)
        _ = try await cli.error(64, "log", "dose1", at, "--key", "k1", "--note", "other")
    }

    @Test func `skip, wake and snooze come back as receipts`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "160m")
        let snooze = try await cli.json("snooze")
        #expect(snooze["type"] == "snooze")
        #expect(snooze["metadata"]?["count"] == 1)
        let skip = try await cli.json("skip", "--reason", "asleep")
        #expect(skip["type"] == "dose2_skipped")
        #expect(skip["phase"] == "completed")
        #expect(skip["metadata"]?["reason"] == "asleep")
        let wake = try await cli.json("wake")
        #expect(wake["type"] == "wake_final")
        #expect(wake["phase"] == "finalizing")
    }

    @Test func `a snooze repeated after dose 2 promises no alarm`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "155m")
        #expect(try await cli.run("snooze").out.contains("You will not hear the alarm of "))
        try await cli.json("log", "dose2")
        let again = try await cli.run("snooze")
        #expect(again.code == 5 && again.out.isEmpty && !again.err.contains("rings"), "\(again)")
        #expect(again.err.contains("already taken or skipped"))
        // The next command is for the morning. Run at once it would end the night.
        let tonight = try await cli.run().out
        #expect(tonight.contains("\nIn the morning: dosetap wake\n") && !tonight.contains("Next: "))
    }

    @Test func `an amount without a unit is asked for one, and no command is made up`() async throws {
        let outcome = try await CLIHarness().run("log", "dose2", "--amount", "2.25")
        #expect(outcome.code == 64)
        let said = "dosetap: 2.25 what? Give a unit: 2.25mL, 2.25g or 2250mg."
        #expect(outcome.err == "\(said)\n  Nothing was recorded.\n  Next: dosetap log --help\n")
    }

    @Test func `a child service says that no reminders will come, once`() async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run("log", "dose1")
        #expect(outcome.code == 0)
        #expect(outcome.err.components(separatedBy: "no reminders will come").count == 2)
        let quiet = try await cli.run("--quiet", "status")
        #expect(quiet.err.isEmpty)
        #expect(!quiet.out.isEmpty)
        let event = try await cli.run("--quiet", "log", "bathroom")
        #expect(event.err.isEmpty && event.out.contains("Recorded: Bathroom"), "\(event)")
    }

    @Test(arguments: [">&-", "2>&-", "<&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"])
    func `a dose is recorded whichever standard streams are closed`(closed: String) async throws {
        let cli = try CLIHarness()
        let words = cli.options.map { "'\($0)'" }.joined(separator: " ")
        _ = try TestProgram.run(
            ["bash", "-c", "'\(Tool.program.path)' \(words) log dose1 \(closed)"],
            environment: Tool.environment(home: NSTemporaryDirectory(), cli.environment))
        #expect(try await cli.json("status")["dose1_time"]?.stringValue != nil)
    }

    @Test func `a held store is answered with Locked`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "bathroom")
        let follower = try FollowSession(cli.options + ["status", "--follow", "--json"])
        _ = try await follower.line()
        let error = try await cli.error(1, "log", "dose1")
        #expect(error["kind"] == "locked")
        #expect(try await follower.end(SIGTERM) == 0)
    }

    @Test func `R20.19 after the close bare dosetap asks what became of dose 2, and suggests none`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "245m")
        let outcome = try await cli.run()
        #expect(outcome.code == 0)
        #expect(outcome.out.hasPrefix("Dose 1: yes"))
        let asked = [
            "Did you have dose 2 in the night? Nothing is recorded of it.",
            "If you did, with its time: dosetap log dose2 --at TIME", "If you did not: dosetap skip",
        ]
        #expect(asked.allSatisfy { outcome.out.contains($0) } && !outcome.out.contains("Next: "), "\(outcome.out)")
        #expect(!outcome.out.lowercased().contains("take"))
        // A dose is named only with a time that the person has to give: it was had, and none is due.
        #expect(!outcome.out.replacing("log dose2 --at TIME", with: "").contains("log dose2"))
        #expect(try await cli.json("status")["next"]?["command"] == "dosetap skip")
        let status = try await cli.run("status")
        #expect(asked.allSatisfy { status.out.contains($0) }, "\(status.out)")
        #expect(!status.out.lowercased().contains("take"))
    }

    @Test(arguments: [
        (ago: "20m", phase: "before_window", next: "dosetap status --follow"),
        (ago: "160m", phase: "active", next: "dosetap log dose2"),
        (ago: "230m", phase: "near_close", next: "dosetap log dose2"),
    ])
    func `bare dosetap answers first whether dose 1 was had`(ago: String, phase: String, next: String) async throws {
        let cli = try CLIHarness()
        #expect(try await cli.run().out.hasPrefix("Dose 1: no."))
        try await cli.json("log", "dose1", "--ago", ago)
        let text = try await cli.run().out
        #expect(text.hasPrefix("Dose 1: yes, at "))
        let label = next == "dosetap log dose2" ? "Once it is taken" : "Next"
        #expect(text.contains("\n\(label): \(next)\n"))
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let formatted = try await cli.run("status", "--format", "<{phase}|{snoozes}|{{}}>")
        #expect(formatted.out == "<\(phase)|0|{}>\n")
    }

    @Test(arguments: [("early", Int32(0)), ("y", 4), ("no", 4), ("late", 4)])
    func `on a terminal a needed confirmation is asked for, an early dose by its word`(
        answer: String, code: Int32
    ) async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "100m")
        let session = try TerminalSession(cli.options + ["log", "dose2"])
        let outcome = try await session.run([(question: "anything else stops", answer: answer)])
        #expect(outcome.code == code)
        #expect(outcome.screen.contains("Too early"))
        #expect(outcome.screen.contains("dose 2"))
        // The screen shows no option that answers the question in advance.
        #expect(!outcome.screen.contains("--confirm"))
        #expect(outcome.screen.contains("Nothing was recorded.") == (code == 4))
        let status = try await cli.json("status")
        #expect((status["dose2_time"]?.isNull == true) == (code == 4))
    }
}
