import DoseTapDomain
import DoseTapTestSupport
import Glibc
import Testing

@Suite struct CorrectionTests {
    @Test func `undo takes back the newest entry and then has nothing to do`() async throws {
        let cli = try CLIHarness()
        #expect(try await cli.error(2, "undo")["kind"] == "nothing_to_do")
        let dose = try await cli.json("log", "dose1")
        let undone = try await cli.json("undo")
        #expect(undone["type"] == "action_undone")
        #expect(undone["target"] == dose["event_id"])
        #expect(try await cli.json("status")["phase"] == "no_dose1")
        #expect(try await cli.error(2, "undo")["kind"] == "nothing_to_do")
    }

    @Test func `R20.21 doses of another night that are hours old are told beside tonight's`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "5h")
        _ = try await cli.json("log", "dose2", "--ago", "2h")
        #expect(try await cli.run("status").err.contains("Another night") == false)
        _ = try await cli.json("checkin", "--set", "sleep_quality=3")
        let again = ["log", "dose1", "--confirm", "extra", "--confirm", "extra_understood"]
        _ = try await cli.run(words: again + ["--confirm", "early"])
        let status = try await cli.run("status")
        let told = status.err + status.out
        #expect(told.contains("Another night's doses are on record as well: "), "\(told)")
        let codes = try await cli.json("status")["warnings"]?.arrayValue?.compactMap { $0["code"]?.stringValue }
        #expect(codes?.contains("other_doses") == true, "\(codes ?? [])")
        // With dose 2 skipped no dose is expected that could be one too many.
        _ = try await cli.json("skip")
        #expect(try await cli.run("status").err.contains("Another night") == false)
    }

    @Test func `a skip that a dose came after is marked where the night is shown`() async throws {
        let cli = try CLIHarness()
        _ = try await cli.json("log", "dose1", "--ago", "170m")
        _ = try await cli.json("skip")
        #expect(try await cli.run("show", "last").out.contains("no longer holds") == false)
        _ = try await cli.json("log", "dose2", "--ago", "5m", "--confirm", "after_skip")
        #expect(try await cli.run("show", "last").out.contains("no longer holds: dose 2 was taken"))
        #expect(try await cli.run("delete", "dose2").out.contains(" The skip of dose 2 counts again.\n"))
    }

    @Test func `amend moves an entry and keeps the original in the log`() async throws {
        let cli = try CLIHarness()
        let dose = try await cli.json("log", "dose1", "--ago", "30m")
        let id = try #require(dose["event_id"]?.stringValue)
        let at = try Instant(iso8601: try #require(dose["timestamp"]?.stringValue)) - .minutes(7)
        let amended = try await cli.json("amend", id, "--at", at.iso8601, "--amount", "3g", "--note", "looked it up")
        #expect(amended["type"] == "entry_amended")
        #expect(amended["target"]?.stringValue == id && amended["metadata"]?["amount_mg"] == 3_000)
        let same = try await cli.error(2, "amend", id, "--at", at.iso8601)
        #expect(same["kind"] == "nothing_to_do")
        #expect(same["message"] == "Dose 1 is on record with that time already. Nothing was changed.", "\(same)")
        let seconds = try await cli.run("amend", id, "--at", Instant(seconds: at.seconds / 60 * 60 + 1).iso8601)
        let next = try await cli.run("amend", id, "--at", Instant(seconds: at.seconds / 60 * 60 + 2).iso8601)
        #expect(seconds.code == 0 && next.out.contains("Changed by seconds: dose 1 counts at "), "\(next)")
        try await cli.json("amend", id, "--at", at.iso8601)
        let told = try await cli.run("amend", id, "--amount", "2.5g")
        #expect(told.out.contains("Amount: 2500 mg."), "\(told.out)")
        #expect(try await cli.json("status")["dose1_time"]?.stringValue == at.iso8601)
        let night = try #require(try await cli.json("show", "today")["nights"]?.arrayValue?.first)
        let entry = try #require(night["entries"]?.arrayValue?.first)
        #expect(entry["metadata"]?["amount_mg"] == 2_500)
        #expect(night["corrections"]?.arrayValue?.first?["target"]?.stringValue == id)
    }

    @Test func `R6.6 each correction says in a sentence what it did and what is waited for`() async throws {
        let cli = try CLIHarness()
        let dose = try await cli.json("log", "dose1", "--ago", "2h")
        let id = try #require(dose["event_id"]?.stringValue)
        func said(_ words: String...) async throws -> String {
            let outcome = try await cli.run(words: words)
            #expect(outcome.code == 0, "\(words): \(outcome.err)")
            return outcome.out
        }
        let amended = try await said("amend", id, "--at", "170m ago")
        #expect(amended.hasPrefix("Changed: dose 1 counts at ") && amended.contains(", no longer at "))
        #expect(amended.contains("The window for dose 2 opened at "))
        for ago in ["250m ago", "300m ago"] {
            let over = try await said("amend", id, "--at", ago)
            #expect(
                over.contains("\nThe window for dose 2 was from ") && over.contains(": no reminder comes.\n"), "\(over)"
            )
        }
        // An amount moves nothing.
        #expect(try await !said("amend", id, "--amount", "2.5g").contains("no reminder comes"))
        #expect(try await said("amend", id, "--at", "170m ago").contains("The window for dose 2 opened at "))
        let snoozed = try await said("snooze")
        // No service keeps running, so no alarm is promised.
        #expect(snoozed.contains("You will not hear the alarm of ") && !snoozed.contains("rings"))
        let undone = try await said("undo")
        #expect(undone.hasPrefix("Undone: snooze of ") && undone.contains(" is no longer on record.\n"))
        let tried = try await said("delete", id, "--dry-run")
        #expect(tried.hasPrefix("Would delete: dose 1 of ") && tried.contains(" Nothing was changed.\n"), "\(tried)")
        let moved = try await said("amend", id, "--at", "160m ago", "--dry-run")
        #expect(moved.hasPrefix("Would change: dose 1 would count at ") && !moved.contains("Changed"), "\(moved)")
        #expect(moved.contains(". Nothing was changed.\n"), "\(moved)")
        #expect(try await said("delete", id).hasPrefix("Deleted: dose 1 of "))
        let back = try await said("undo")
        #expect(back.hasPrefix("Undone: dose 1 of ") && back.contains(" is on record again.\nThe window for dose 2 "))
    }

    @Test func `R6.13 an undo after a declined entry asks before it takes the dose before that`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_DATA_HOME": folder.path("")]
        let daemon = try DaemonProcess(arguments: ["--address", bus.address], environment: environment)
        try daemon.awaitReady()
        func run(_ words: String...) async throws -> Tool.Outcome { try await Tool.run(words, environment) }
        #expect(try await run("log", "dose1", "--ago", "20m").code == 0)
        let refused = try await run("log", "dose1", "--ago", "10m")
        #expect(
            refused.code == 5 && refused.err.contains("\n  Nothing was recorded.\n  Next: dosetap amend "), "\(refused)"
        )
        let asked = try await run("undo")
        #expect(asked.code == 4 && asked.err.contains("The newest entry is the dose of "), "\(asked)")
        #expect(asked.err.contains("Only if it was not taken: dosetap undo --confirm undo_dose"), "\(asked)")
        #expect(try await run("log", "bathroom").code == 0)
        #expect(try await run("log", "dose2").code == 4)
        #expect(try await run("undo").code == 0, "what is no dose goes without a question")
        #expect(try await run("undo", "--confirm", "undo_dose").code == 0)
        // A dry run counts as no declined entry. After another entry an undo takes back that entry.
        #expect(try await run("log", "dose1", "--ago", "20m").code == 0)
        #expect(try await run("log", "dose2", "--dry-run").code == 4)
        #expect(try await run("undo").code == 0)
        #expect(try await run("log", "dose1", "--ago", "20m").code == 0)
        #expect(try await run("log", "dose2").code == 4)
        #expect(try await run("log", "bathroom").code == 0)
        #expect(try await run("undo").code == 0)
        #expect(try await run("log", "dose2").code == 4)
        #expect(try await run("undo").code == 4)
        #expect(try await run("undo", "--confirm", "undo_dose").code == 0)
        // A repeat records nothing. An undo after a repeat asks, since the person may mean the repeat.
        #expect(try await run("log", "dose1").code == 0)
        let repeated = try await run("log", "dose1")
        #expect(repeated.code == 0 && repeated.out.contains("Already on record"), "\(repeated)")
        #expect(try await run("undo").code == 4)
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }

    @Test func `who takes dose 1 off the record is told that no reminders will come`() async throws {
        let cli = try CLIHarness()
        let silence = "No reminders for dose 2 will come tonight."
        try await cli.json("log", "dose1", "--ago", "170m")
        try await cli.json("log", "bathroom")
        #expect(try await cli.run("undo").out.contains(silence) == false)
        let tried = try await cli.run("undo", "--dry-run", "--confirm", "undo_dose").out
        #expect(tried.contains("No reminders for dose 2 would come tonight. Nothing was changed."), "\(tried)")
        let second = try await cli.run("undo", "--confirm", "undo_dose")
        #expect(second.out.contains(" is no longer on record. \(silence)\n"))
        let night = try #require(try await cli.json("log", "dose1", "--ago", "6h")["event_id"]?.stringValue)
        #expect(try await cli.run("delete", night).out.contains(silence) == false, "none were to come")
    }

    @Test func `delete removes an entry, but never dose 1 under a dose 2`() async throws {
        let cli = try CLIHarness()
        let first = try #require(try await cli.json("log", "dose1", "--ago", "3h")["event_id"]?.stringValue)
        let second = try #require(try await cli.json("log", "dose2", "--ago", "10m")["event_id"]?.stringValue)
        let refused = try await cli.error(5, "delete", first)
        #expect(refused["reason"] == "order")
        #expect(refused["message"]?.stringValue?.hasSuffix(" delete dose2 first.") == true, "\(refused)")
        #expect(try await cli.json("delete", second)["type"] == "entry_deleted")
        #expect(try await cli.json("status")["dose2_time"]?.isNull == true)
    }

    @Test(arguments: [["delete", "nothing"], ["amend", "nothing", "--note", "x"]])
    func `an unknown entry is not found`(arguments: [String]) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: arguments + ["--json"])
        #expect(outcome.code == 3)
        #expect(try outcome.json["error"]?["kind"] == "not_found")
    }

    @Test func `a note that tries to control the terminal is refused or written out`() async throws {
        let cli = try CLIHarness()
        let refused = try await cli.run("log", "dose1", "--note", "\u{1B}[2J")
        #expect(refused.code == 64)
        #expect(!refused.err.contains("\u{1B}"))
        try await cli.json("log", "dose1", "--note", "line one\nline two")
        let shown = try await cli.run("show", "today")
        #expect(shown.out.contains("line one\\nline two"))
    }
}
