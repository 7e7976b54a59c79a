import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// Faults that new users found.
@Suite struct StrangerTests {
    /// Prep time, 18:00, lies in this window. Dose 2 ends the night, and the wake begins another night.
    @Test func `doses of a night that the evening ended are named by the next one`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 19)])
        try await cli.json("log", "dose1", "--ago", "165m")
        try await cli.json("log", "dose2")
        try await cli.json("wake")
        let shown = try await cli.run()
        #expect(shown.out.contains("In the night of "), "\(shown)")
        #expect(shown.out.contains(", dose 1: yes, at ") && shown.out.contains("Dose 2: yes, at "), "\(shown)")
        // The doses were taken an hour ago, so no line calls them those of last night.
        #expect(shown.out.contains("No dose since.\n") && !shown.out.contains("Last night"), "\(shown)")
    }

    @Test func `a night that has just ended is told once, by its date`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "4h")
        try await cli.json("log", "dose2", "--ago", "1h")
        try await cli.json("checkin", "--set", "mood=good")
        let shown = try await cli.run().out
        #expect(
            shown.contains(try Regex("^In the night of .*, 3 h later\\. No dose since\\.\nThat night is over\\.\n")),
            "\(shown)")
        #expect(shown.contains("Last night") == false)
        // A nap does not make them doses of another night.
        try await cli.json("log", "nap_start")
        #expect(try await cli.run().out.contains("3 h later. No dose since.\nThat night is over.\nA nap began at "))
    }

    @Test func `R20.22 an undone and a deleted dose 2 are told with their times and the reason`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "4h")
        try await cli.json("log", "dose2", "--ago", "70m")
        try await cli.json("undo")
        let removed = try Regex("Dose 2: no\\. Dose 2 of [0-9:]{5} was taken off the record at [0-9:]{5}\\.\n")
        for verb in [[], ["status"]] { #expect(try await cli.run(words: verb).out.contains(removed), "\(verb)") }
        let undone = try await cli.run("show").out
        #expect(undone.contains(try Regex("undone .*\n +dose 2 of [0-9:]{5}, entry ")), "\(undone)")
        try await cli.json("log", "dose2", "--ago", "69m")
        #expect(try await cli.run().out.contains("off the record") == false)
        try await cli.json("delete", "dose2", "--reason", "spilled")
        // Both are told: each may have been taken.
        let both = try Regex("Dose 2: no\\.( Dose 2 of [0-9:]{5} was taken off the record at [0-9:]{5}\\.){2}")
        let told = try await cli.run().out.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(told.contains(both), "\(told)")
        let deleted = try await cli.run("show").out
        #expect(
            deleted.contains(try Regex("deleted .*\n +dose 2 of [0-9:]{5}, entry .*reason:\\s+spilled")), "\(deleted)")
    }

    @Test func `R20.23 R23.8 a nap after the check-in hides neither the doses nor their names`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 20)])
        try await cli.json("log", "dose1", "--ago", "21h", "--confirm", "long_ago")
        try await cli.json("log", "dose2", "--ago", "18h", "--confirm", "long_ago")
        try await cli.json("checkin", "--ago", "13h", "--set", "mood=good")
        try await cli.json("log", "nap_start", "--ago", "7h")
        try await cli.json("log", "nap_end", "--ago", "6h")
        let overview = try await cli.run().out
        #expect(overview.contains("Last night: dose 1 at ") && !overview.contains("not recorded"), "\(overview)")
        #expect(try await cli.json("status")["previous"]?["dose2"] != .null)
        #expect(try await cli.run("why", "dose2").code == 0)
        try await cli.json("log", "wake")
        #expect(try await cli.run("status").out.contains("dose 1 at "))
        #expect(try await cli.run("amend", "dose2", "--at", "yesterday 12:00").err.contains("newest night") == false)
    }

    @Test func `dose 2 once more with its own time is told as the one on record`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "5h")
        let at = try #require(try await cli.json("log", "dose2", "--ago", "2h")["timestamp"]?.stringValue)
        let error = try await cli.error(4, "log", "dose2", "--at", at)
        let message = try #require(error["message"]?.stringValue)
        #expect(message.contains(" dose 2 is on record already.") && !message.contains("Too early"))
        #expect(error["confirmations"] == ["early", "extra", "extra_understood"])
    }

    @Test func `after the close no sentence speaks of a window that opens, and none of a skip that is on record`()
        async throws
    {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "250m")
        let again = try await cli.error(5, "log", "dose1")["message"]?.stringValue
        #expect(again?.hasSuffix("A second dose is dose 2, and its window has closed.") == true, "\(again ?? "")")
        let both = " If it was taken, record it: 'dosetap log dose2 --at TIME'. If not: 'dosetap skip'."
        #expect(try await cli.error(4, "log", "dose2")["message"]?.stringValue?.hasSuffix(both) == true)
        try await cli.json("skip")
        let late = try #require(try await cli.error(4, "log", "dose2")["message"]?.stringValue)
        #expect(late.hasPrefix("Too late: ") && !late.contains("dosetap skip"), "\(late)")
    }

    @Test func `R20.16 dose 2 without dose 1 is led to dose 1 with its time, then to dose 2 with its own`() async throws
    {
        let cli = try CLIHarness()
        let error = try await cli.error(5, "log", "dose2")
        #expect(error["reason"] == "dose1_required" && error["hint"] == "dosetap log dose1 --at TIME")
        let message = try #require(error["message"]?.stringValue)
        #expect(
            message.contains("When was it?")
                && message.contains("then dose 2 with its own: dosetap log dose2 --at TIME"))
        _ = try await cli.json("log", "dose1", "--at", "3h ago")
        #expect(try await cli.json("log", "dose2", "--at", "10m ago")["interval_min"] == 170)
        // A refused skip or snooze does not propose dose 2.
        let other = try CLIHarness()
        for verb in ["skip", "snooze"] {
            #expect(try await other.error(5, verb)["message"]?.stringValue?.contains("log dose2") == false)
        }
    }

    static let question = "Did you have dose 2 in the night? Nothing is recorded of it."

    @Test(arguments: [true, false])
    func `R20.19 the morning asks once what became of a dose 2 that nobody recorded`(wakes: Bool) async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "5h")
        for verb in [[], ["status"]] { #expect(try await cli.run(words: verb).out.contains(Self.question), "\(verb)") }
        let ahead = try await cli.run("status", "--at", "in 1h").out
        #expect(ahead.contains("not recorded") && !ahead.contains(Self.question), "nothing is asked of another moment")
        if wakes {
            let wake = try await cli.run("wake")
            #expect(wake.out.contains("\n\(Self.question)\nIf you did, with its time: dosetap log dose2 --at TIME\n"))
            #expect(wake.out.contains("\nIf you did not: dosetap skip --at '20"), "\(wake.out)")
            #expect(!wake.out.lowercased().contains("take"))
        }
        let checkIn = try await cli.run("checkin", "--set", "mood=good")
        #expect(checkIn.out.contains(Self.question) == !wakes, "\(checkIn.out)")
        #expect(try await cli.run("checkin", "--set", "mood=great").out.contains(Self.question) == false)
        // The question stays until it is answered, also after the end of the night.
        let tonight = try await cli.run().out
        #expect(tonight.contains(Self.question) && !tonight.lowercased().contains("take"), "\(tonight)")
        let line = try #require(tonight.split(separator: "\n").first { $0.hasPrefix("If you did not: ") })
        let at = try #require(line.split(separator: "'").dropFirst().first)
        let skip = try await cli.json("skip", "--at", String(at))
        #expect(skip["type"] == "dose2_skipped")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["outcome"] == "skipped")
        for verb in [[], ["status"]] { #expect(try await cli.run(words: verb).out.contains(Self.question) == false) }
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R20.19 a refused skip names the time that a skip of the night has`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "5h")
        let hint = try #require(try await cli.error(5, "skip")["hint"]?.stringValue)
        let at = try #require(hint.split(separator: "'").dropFirst().first)
        #expect(try await cli.json("skip", "--at", String(at))["type"] == "dose2_skipped")
        #expect(try await cli.json("status")["dose2_skipped"] == true)
    }

    @Test(arguments: [["--bus", "none", "--store"], ["--bus=none", "--store"]])
    func `R20.17 every command that is proposed asks the store of the line`(_ options: [String]) async throws {
        let cli = try CLIHarness(["DOSETAP_BUS": "auto", "DOSETAP_STORE": ""])
        let line = options + [cli.store]
        let told = "dosetap " + line.joined(separator: " ")
        func said(_ words: String...) async throws -> String {
            let outcome = try await cli.run(words: line + words)
            return outcome.out + outcome.err
        }
        #expect(try await said().contains("with: " + told.dropFirst(8)))
        #expect(try await said("log", "dose2").contains("with its own: \(told) log dose2 --at TIME"))
        #expect(
            try await said("log", "dose1", "--ago", "170m").contains("Wrong? \(told) undo, or \(told) amend dose1 --at")
        )
        #expect(try await said().contains("Once it is taken: \(told) log dose2\n"))
        #expect(try await said("log", "dose1").contains("Next: \(told) amend dose1 --at TIME"))
        let question = try await said("checkin", "--set", "mood=good")
        #expect(question.contains("'\(told) log dose2 --at TIME'") && question.contains("Next: \(told) status"))
        // A command in a note is not completed with the options of the line.
        #expect(try await said("log", "bathroom", "--note", "then dosetap undo").contains("Wrong?"))
        #expect(try await said("show", "tonight").contains("then dosetap undo"))
    }

    @Test func `R20.17 nothing is proposed or told that nobody did`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "160m")
        let would = try await cli.run("skip", "--dry-run")
        #expect(would.out.contains("Reminders for this dose 2 would end."), "\(would)")
        for verb in ["checkin", "presleep"] {
            #expect(try await cli.error(64, verb)["hint"]?.stringValue == "dosetap \(verb) --questions")
        }
        try await cli.json("skip", "--confirm", "late")
        try await cli.json("wake")
        let asked = try await cli.error(4, "log", "dose2", "--at", "now")["message"]?.stringValue ?? ""
        #expect(asked.ranges(of: "nobody should drive").count == 1, "\(asked)")
    }

    @Test func `R20.20 a dose typed as two words is answered with the one`() async throws {
        let cli = try CLIHarness()
        let error = try await cli.error(64, "log", "dose", "2", "--ago", "5m")
        #expect(error["hint"]?.stringValue == "dosetap log dose2 --ago 5m")
        #expect(try await cli.json("status")["dose1_time"] == .null)
    }

    @Test func `R20.17 a refused deletion proposes no other deletion, a mistaken wake no skip`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "3h")
        _ = try await cli.json("log", "dose2", "--ago", "10m")
        #expect(try await cli.error(5, "delete", "dose1")["hint"]?.stringValue?.hasPrefix("dosetap amend ") == true)
        let other = try CLIHarness()
        _ = try await other.json("log", "dose1")
        _ = try await other.json("wake", "--confirm", "window_unresolved")
        let night = try await other.run().out
        #expect(!night.contains("dosetap skip") && night.contains("dosetap delete last wake"), "\(night)")
        #expect(try await other.run("delete", "last", "wake").code == 0)
        #expect(try await other.run().out.contains("Too early for dose 2"))
    }

    @Test func `R20.18 a dose that is moved too near another one says where help is`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "3h")
        _ = try await cli.json("log", "dose2", "--ago", "10m")
        #expect(try await cli.run("amend", "dose2", "--ago", "5m").out.contains("Help:") == false)
        let dose2 = try await cli.run("amend", "dose2", "--ago", "100m", "--confirm", "early")
        #expect(dose2.code == 0 && dose2.out.contains("\nHelp: the emergency number"), "\(dose2.out)")
        #expect(try await cli.run("amend", "dose2", "--note", "x").out.contains("Help:") == false)
        _ = try await cli.json("amend", "dose2", "--ago", "5m")
        #expect(try await cli.run("undo").out.contains("\nHelp: the emergency number"))
        _ = try await cli.json("amend", "dose2", "--ago", "5m")
        let dose1 = try await cli.run("amend", "dose1", "--ago", "100m", "--confirm", "early")
        #expect(dose1.code == 0 && dose1.out.contains("\nHelp: the emergency number"), "\(dose1.out)")
        _ = try await cli.json("amend", "dose1", "--ago", "3h")
        _ = try await cli.json(
            "log", "extra", "--confirm", "extra", "--confirm", "extra_understood", "--confirm", "early")
        let extra = try await cli.json("amend", "extra", "--ago", "1m", "--confirm", "early")
        #expect(extra["metadata"]?["is_extra_dose"] == true && extra["metadata"]?["is_early"] == true)
    }

    @Test func `R9.9 R20.13 a wellness score that nobody answered is not shown, a part of one is marked`() async throws
    {
        let cli = try await CheckInTests.morning()
        let none = try await cli.run("checkin", "--set", "notes=hello")
        #expect(none.out.contains("No wellness score: nothing of it was answered.") && !none.out.contains("58 of 100"))
        #expect(try await cli.run("history").out.contains("Wellness") == false)
        #expect(try await cli.run("stats").out.contains("Wellness") == false)
        #expect(try await cli.run("show").out.contains("wellness") == false)
        let part = try await cli.run("checkin", "--set", "mood=good")
        #expect(part.out.contains("Wellness 61 of 100, 4 of its 5 answers by default."), "\(part.out)")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.first?["wellness_score"] == 61)
        let all = try await cli.run(
            "checkin", "--set", "sleep_quality=3", "--set", "feel_rested=moderate", "--set", "mental_clarity=5",
            "--set",
            "readiness_for_day=3")
        #expect(all.out.contains("Wellness 61 of 100.\n"), "\(all.out)")
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R14.12 what is thrown away twice is asked about, one more is recorded by a word`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("inventory", "add", "180mL", "--medicine", "xyrem", "--count", "2")
        let pour = ["inventory", "pour", "2.25g", "--medicine", "xyrem"]
        _ = try await cli.json(pour)
        #expect(try await cli.run(words: pour).out.contains("If it is one more: the same with --confirm duplicate"))
        _ = try await cli.json(pour + ["--confirm", "duplicate"])
        #expect(try await cli.json("inventory")["cups"]?.arrayValue?.count == 2)
        for (what, count) in [("cup", 2), ("bottle", 2)] {
            _ = try await cli.json("inventory", "discard", "last", what)
            let again = try await cli.error(4, "inventory", "discard", "last", what)
            #expect(again["confirmations"] == ["duplicate"] && again["hint"] == "dosetap inventory")
            #expect(again["message"]?.stringValue?.hasPrefix("One was thrown away at ") == true)
            _ = try await cli.json("inventory", "discard", "last", what, "--confirm", "duplicate")
            #expect(try await cli.json("inventory", "discard", "last", what)["duplicate"] == true, "\(what) \(count)")
        }
        let left = try await cli.json("inventory")
        #expect(
            left["cups"] == .array([]) && left["supplies"]?.arrayValue?.first?["left_mg"] == 0, "\(left.serialized())")
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `R8.10 an entry after the check-in says that it stands beside the night that is over`() async throws {
        let cli = try await CheckInTests.morning()
        _ = try await cli.json("checkin", "--set", "mood=good")
        let bathroom = try await cli.run("log", "bathroom")
        #expect(
            bathroom.out.contains(" ended at ")
                && bathroom.out.contains(" with its check-in: this entry stands beside it"))
        #expect(bathroom.out.contains("If it was in that night: dosetap undo, then: dosetap log bathroom --at TIME"))
        #expect(try await cli.run("history").out.contains("belongs to the night before, open"))
        // The hint comes only once.
        #expect(try await cli.run("log", "water").out.contains("stands beside") == false)
        _ = try await cli.json("undo")
        _ = try await cli.json("undo")
        _ = try await cli.json("log", "bathroom", "--at", "20m ago")
        #expect(try await cli.json("history")["nights"]?.arrayValue?.count == 1)
    }

    static let lines: [(words: [String], next: String)] = [
        (["log", "dose1", "--ago", "20"], "dosetap log dose1 --ago 20m"),
        (["log", "dose1", "--ago", "3"], "dosetap log --help"),
        (["log", "dose1", "--ago", "soon"], "dosetap log --help"),
        (["log", "dose1", "--amount", "heaps"], "dosetap log --help"),
        (["log", "dose1", "--at", "22:30", "--ago", "4m"], "dosetap log --help"),
        (["amend", "last", "--amount", "9"], "dosetap amend --help"),
        (["med", "take", "modafinill", "100mg", "--note", "a b"], "dosetap med take modafinil 100mg --note 'a b'"),
        (["log", "bathrom", "--ago", "5m"], "dosetap log bathroom --ago 5m"),
        (["log", "lihgts out", "--ago", "5m"], "dosetap log lights_out --ago 5m"),
        (["lgo", "dose1", "--at", "22:30"], "dosetap log dose1 --at 22:30"),
        (["log", "dsoe1", "--at", "22:30"], "dosetap log --help"),
        (["history", "--only", "lat", "--nights", "3"], "dosetap history --only late --nights 3"),
        (["presleep", "--set", "stimulnts=tea", "--ago", "5m"], "dosetap presleep --set stimulants=tea --ago 5m"),
        (
            ["inventory", "add", "90mL", "--medicine", "xyrm", "--count", "3"],
            "dosetap inventory add 90mL --medicine xyrem --count 3"
        ),
    ]

    @Test(arguments: lines)
    func `R20.20 what was typed wrongly has a next command that loses nothing`(
        line: (words: [String], next: String)
    ) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: line.words)
        #expect(outcome.code == 64, "\(outcome)")
        let isAgain = !line.next.hasSuffix("--help")
        let next = isAgain ? line.next : line.next
        #expect(outcome.err.hasSuffix("\n  Next: \(next)\n"), "\(outcome.err)")
    }

    @Test func `a channel that is mistyped has the nearest one, another one all`() async throws {
        let cli = try CLIHarness()
        let near = try await cli.error(3, "reminders", "--test", "soun")
        #expect(near["hint"] == "dosetap reminders --test sound")
        #expect(near["message"]?.stringValue?.hasSuffix("Did you mean 'sound'?") == true)
        let far = try await cli.error(3, "reminders", "--test", "xyzzyxyz")
        #expect(far["hint"] == "dosetap reminders --test")
        #expect(far["message"]?.stringValue?.contains("Known: hook, journal, notification") == true)
    }

    @Test func `a session bus on which nothing starts the service is told with danger and action`() async throws {
        let bus = try PrivateBus()
        let outcome = try await Tool.run([], ["DBUS_SESSION_BUS_ADDRESS": bus.address])
        #expect(outcome.code == 6 && outcome.out.isEmpty && outcome.err.split(separator: "\n").count == 1)
        #expect(
            outcome.err
                == "dosetap: Nothing was recorded; no reminders will come: the service dosetapd does not run, and nothing "
                + "on the session bus starts it. Set an alarm clock. Try: "
                + (UnreachableTests.isBooted
                    ? "systemctl --user enable --now dosetapd (not installed yet: Contrib/install)"
                    : "start dosetapd in another terminal")
                + ", or without reminders: dosetap --bus none\n", "\(outcome.err)")
    }

    @Test func `R20.10 before the window status says when it opens, and no drive is promised before dose 2 is settled`()
        async throws
    {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "20m")
        let status = try await cli.run("status").out
        #expect(status.contains(/\nOpens in +2 h (9|10) min\n/) && status.contains(/\nCloses in +3 h (39|40) min\n/))
        #expect(!status.contains("Remaining") && status.contains("; after a dose 2 later"), "\(status)")
        func drive() async throws -> JSONValue? {
            try await cli.json("status")["clearance"]?.arrayValue?.first { $0["kind"] == "earliest_drive" }
        }
        #expect(try await drive()?["detail"] == "at_least")
        _ = try await cli.json("skip")
        #expect(try await drive()?["detail"]?.isNull == true)
        #expect(try await cli.run("status").out.contains("after a dose 2 later") == false)
    }

    @Test func `R20.10 six hours after dose 1 the drive still waits for a dose 2 that nobody recorded`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "361m")
        let clearance = try await cli.json("status")["clearance"]?.arrayValue
        let drive = try #require(clearance?.first { $0["kind"] == "earliest_drive" })
        let (at, until) = (drive["at"]?.stringValue ?? "", drive["until"]?.stringValue ?? "")
        #expect(try Instant(iso8601: until) - Instant(iso8601: at) == .minutes(600))
        #expect(try await cli.run("status").out.contains("Earliest drive"))
        try await cli.json("log", "dose2", "--ago", "125m", "--confirm", "late")
        #expect(try await cli.run("status").out.contains("Earliest drive"))
    }

    @Test func `in doubt a simulation says once what every reminder says`() async throws {
        let script = ManualTests.root.path + "/Contrib/nights/virtual-machine.txt"
        let out = try await Tool.run(["simulate", script]).out
        #expect(out.components(separatedBy: "TOLD Dose 2: the computer's clock may be wrong.").count == 2, "\(out)")
        #expect(out.contains("TOLD the same, as alarm [journal, notifications, audio]"))
    }

    @Test func `a question and a refusal show times by the zone of the call, as the receipt does`() async throws {
        let cli = try CLIHarness()
        for zone in ["Asia/Tokyo", "America/New_York"] {
            let here = ["--time-zone", zone]
            try await cli.json(["log", "dose1", "--ago", "100m"] + here)
            let seen = try #require(
                try await cli.run(words: ["status"] + here).out.firstMatch(of: /Dose 1: yes, at (..:..)/))
            let early = try await cli.run(words: ["log", "dose2"] + here)
            #expect(early.code == 4 && early.err.contains("dose 1 was at \(seen.1)"), "\(zone): \(early.err)")
            let again = try await cli.run(words: ["log", "dose1"] + here)
            #expect(again.code == 5 && again.err.contains("on record at \(seen.1)"), "\(zone): \(again.err)")
            try await cli.json(["undo"] + here)
        }
    }

    @Test func `once time alone has recorded the skip no next step says that dose 2 is settled`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "395m")
        let snooze = try await cli.error(5, "snooze")
        #expect(snooze["message"] == "Dose 2 is not recorded, and its window is over.")
        #expect(try await cli.error(4, "log", "dose2")["hint"] == "dosetap status")
        let other = try CLIHarness()
        try await other.json("log", "dose1", "--ago", "245m")
        #expect(try await other.error(4, "log", "dose2")["hint"] == "dosetap status")
        #expect(try await other.error(5, "snooze")["hint"] == "dosetap status")
        try await other.json("skip")
    }

    @Test func `a nap that has ended is shown, not ended again, and no dose 2 is offered before dose 1`() async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1", "--ago", "1h")
        #expect(try await cli.error(5, "log", "dose1", "--ago", "2h")["confirm_with"] == nil)
        #expect(try await cli.error(5, "log", "dose1")["confirm_with"]?.stringValue?.contains("log dose2") == true)
        try await cli.json("log", "nap_start", "--ago", "30m")
        try await cli.json("log", "nap_end", "--ago", "10m")
        #expect(try await cli.error(5, "log", "nap_start", "--ago", "20m")["hint"] == "dosetap show last")
    }

    @Test func `a short word that is far from every other one is not guessed`() async throws {
        let cli = try CLIHarness()
        let error = try await cli.error(64, "checkin", "--set", "foo=1")
        #expect(error["nearest"] == nil && error["hint"]?.stringValue?.contains("mood") == false, "\(error)")
    }
}
