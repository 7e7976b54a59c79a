import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// Answers of a questionnaire are not lost.
@Suite struct InterviewLossTests {
    private typealias Keys = [(question: String, answer: String)]

    private func answers(_ cli: CLIHarness) async throws -> JSONValue? {
        try await cli.json("show", "today")["nights"]?.arrayValue?.first?["entries"]?.arrayValue?.last?["metadata"]?[
            "answers"]
    }

    private func enters(_ range: ClosedRange<Int>, of count: Int = InterviewTests.questions) -> Keys {
        range.map { ("\n\($0)/\(count)  ", "\r") }
    }

    @Test func `details of what is denied after all are left out of a check-in`() async throws {
        let cli = try await CheckInTests.morning()
        let change: Keys = [
            ("10/19  ", "y"), ("11/26  ", "c\r"), ("12/26  ", "b"), ("11/26  ", "b"), ("10/26  ", "n"),
        ]
        let outcome = try await TerminalSession(cli.options + ["checkin"], cli.environment)
            .run(enters(1...9) + change + enters(11...19), end: "")
        #expect(outcome.code == 0, "\(outcome.screen)")
        let answers = try #require(try await answers(cli))
        #expect(answers["has_physical_symptoms"] == false && answers["pain_areas"] == nil)
    }

    @Test func `and out of a pre-sleep log`() async throws {
        let cli = try CLIHarness()
        let keys: Keys = [
            ("1/14  ", "\r"), ("2/14  ", "3"), ("3/17  ", "1\r"), ("4/17  ", "b"), ("3/17  ", "b"), ("2/17  ", "0"),
            ("3/14  ", "\u{3}"),
        ]
        let outcome = try await TerminalSession(cli.options + ["presleep"]).run(keys, end: "")
        #expect(outcome.code == 0 && outcome.screen.contains("It is partial."), "\(outcome.screen)")
    }

    @Test func `a check-in that cannot be recorded is kept, and goes on at its last question`() async throws {
        let cli = try await CheckInTests.morning()
        let environment = cli.environment
        let (store, away) = (cli.store, cli.store + ".away")
        let keys: Keys = [("\n1/19  ", "5")] + enters(2...19)
        let failed = try await TerminalSession(cli.options + ["checkin"], environment).run(keys, end: "") {
            // A symbolic link replaces the store while the questions are asked.
            guard !FileManager.default.fileExists(atPath: away) else { return }
            try? FileManager.default.moveItem(atPath: store, toPath: away)
            try? FileManager.default.createSymbolicLink(atPath: store, withDestinationPath: away)
        }
        #expect(failed.code != 0 && failed.screen.contains("Your answers are kept."), "\(failed.screen)")
        #expect(failed.screen.contains("then: dosetap --bus none"), "\(failed.screen)")
        try FileManager.default.removeItem(atPath: store)
        try FileManager.default.moveItem(atPath: away, toPath: store)
        let again = try await TerminalSession(cli.options + ["checkin"], environment).run(enters(19...19), end: "")
        #expect(again.code == 0 && again.screen.contains("Continuing where you stopped"), "\(again.screen)")
        #expect(try await answers(cli)?["sleep_quality"] == 5)
        #expect(!FileManager.default.fileExists(atPath: cli.store + ".checkin"))
    }

    @Test func `a pre-sleep log that is refused is kept, and can be put right`() async throws {
        let cli = try CLIHarness()
        let environment = cli.environment
        let keys: Keys =
            enters(1...3, of: 14) + [("4/14  ", "2")] + enters(5...6, of: 18) + [
                ("7/18  ", "100\r"), ("8/18  ", "50\r"),
            ] + enters(9...18, of: 18)
        let refused = try await TerminalSession(cli.options + ["presleep"], environment).run(keys, end: "")
        #expect(refused.code == 64 && refused.screen.contains("Your answers are kept."), "\(refused.screen)")
        let back: Keys = (9...18).reversed().map { ("\n\($0)/18  ", "\u{7F}") }
        let right: Keys = back + [("8/18  ", "200\r")] + enters(9...18, of: 18)
        let saved = try await TerminalSession(cli.options + ["presleep"], environment).run(right, end: "")
        #expect(saved.code == 0, "\(saved.screen)")
        let log = try await cli.json("presleep", "--set", "nap=none")
        #expect(log["metadata"]?["answers"]?["caffeine_last_mg"] == 100)
        #expect(log["metadata"]?["answers"]?["caffeine_total_mg"] == 200)
        #expect(!FileManager.default.fileExists(atPath: cli.store + ".presleep"))
    }

    @Test func `R26.12 answers on the command line replace those that were kept to the same questions alone`()
        async throws
    {
        let cli = try await CheckInTests.morning()
        let draft = cli.store + ".checkin"
        let environment = cli.environment
        _ = try await TerminalSession(cli.options + ["checkin"], environment)
            .run([("1/19  ", "5"), ("2/19  ", "\u{3}")], end: "")
        #expect(FileManager.default.fileExists(atPath: draft))
        let tried = try await cli.run("checkin", "--set", "sleep_quality=4", "--dry-run", environment: environment)
        #expect(tried.code == 0 && !tried.err.contains("Kept and not on record"), "\(tried)")
        let said = try await cli.run("checkin", "--set", "mood=good", environment: environment)
        let told = "Kept and not on record: 1 of your earlier answers. To go on with them: dosetap checkin\n"
        #expect(said.code == 0 && said.err.contains(told), "\(said)")
        let again = try await TerminalSession(cli.options + ["checkin"], environment).run(enters(2...19), end: "")
        #expect(again.code == 0 && again.screen.contains("Continuing where you stopped"), "\(again.screen)")
        let both = try await answers(cli)
        #expect(both?["sleep_quality"] == 5 && both?["mood"] == "good")
        #expect(!FileManager.default.fileExists(atPath: draft))
        _ = try await TerminalSession(cli.options + ["checkin"], environment)
            .run([("1/19  ", "2"), ("2/19  ", "\u{3}")], end: "")
        #expect(FileManager.default.fileExists(atPath: draft))
        let same = try await cli.run("checkin", "--set", "sleep_quality=4", environment: environment)
        #expect(same.code == 0 && !same.err.contains("Kept and not on record"), "\(same)")
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test func `R26.12 an evening's answers that were kept outlast others on the command line, and a skip`()
        async throws
    {
        let cli = try CLIHarness()
        let keys: Keys =
            enters(1...3, of: 14) + [("4/14  ", "2")] + enters(5...6, of: 18) + [
                ("7/18  ", "100\r"), ("8/18  ", "50\r"),
            ] + enters(9...18, of: 18)
        // The sum is less than the last alone, so nothing is recorded.
        let refused = try await TerminalSession(cli.options + ["presleep"], cli.environment).run(keys, end: "")
        #expect(refused.code == 64 && refused.screen.contains("Your answers are kept."), "\(refused.screen)")
        for words in [["presleep", "--set", "nap=none"], ["presleep", "--skip"]] {
            let said = try await cli.run(words: words)
            let told = "Kept and not on record: 3 of your earlier answers. To go on with them: dosetap presleep\n"
            #expect(said.code == 0 && said.err.contains(told), "\(said)")
        }
        #expect(FileManager.default.fileExists(atPath: cli.store + ".presleep"))
        let sets = ["stimulants=tea", "caffeine_last_mg=100", "caffeine_total_mg=200"].flatMap { ["--set", $0] }
        let all = try await cli.run(words: ["presleep"] + sets)
        #expect(all.code == 0 && !all.err.contains("Kept and not on record"), "\(all)")
        #expect(!FileManager.default.fileExists(atPath: cli.store + ".presleep"))
    }

    @Test func `R26.12 the answers of a check-in that was stopped go with the record`() async throws {
        let cli = try await CheckInTests.morning()
        _ = try await TerminalSession(cli.options + ["checkin"], cli.environment)
            .run([("1/19  ", "5"), ("2/19  ", "\u{3}")], end: "")
        let draft = cli.store + ".checkin"
        #expect(try String(contentsOfFile: draft, encoding: .utf8).contains("sleep_quality"))
        let look = try await cli.json("db", "wipe", "--dry-run")
        #expect(look["files"]?.arrayValue?.contains("dosetap.db.checkin") == true, "\(look)")
        try await cli.json("db", "wipe", "--confirm", "wipe", "--confirm", "window_unresolved")
        #expect(!FileManager.default.fileExists(atPath: draft))
        let folder = String(cli.store.dropLast("/dosetap.db".count))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["dosetap.db.lease"])
    }

    /// A check-in that was stopped after its first answer, in the place where an earlier version kept it.
    private func earlier(_ cli: CLIHarness, in state: ScratchFolder) async throws -> String {
        _ = try await TerminalSession(cli.options + ["checkin"], cli.environment)
            .run([("1/19  ", "5"), ("2/19  ", "\u{3}")], end: "")
        let folder = state.path("dosetap")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: cli.store + ".checkin", toPath: folder + "/checkin.json")
        return folder + "/checkin.json"
    }

    @Test func `R26.12 answers that an earlier version kept are taken over`() async throws {
        let (cli, state) = (try await CheckInTests.morning(), try ScratchFolder())
        let old = try await earlier(cli, in: state)
        let environment = cli.environment.merging(["XDG_STATE_HOME": state.path("")]) { $1 }
        let again = try await TerminalSession(cli.options + ["checkin"], environment)
            .run([("2/19  ", "\u{3}")], end: "")
        #expect(again.screen.contains("Continuing where you stopped"), "\(again.screen)")
        #expect(!FileManager.default.fileExists(atPath: old))
        #expect(try String(contentsOfFile: cli.store + ".checkin", encoding: .utf8).contains("sleep_quality"))
    }

    @Test func `R26.12 and those that were not taken over go with the record`() async throws {
        let (cli, state) = (try await CheckInTests.morning(), try ScratchFolder())
        let old = try await earlier(cli, in: state)
        let evening = state.path("dosetap/presleep.json")
        try Data("{}".utf8).write(to: URL(filePath: evening))
        let mine = state.path("dosetap/mine.json")
        try Data("{}".utf8).write(to: URL(filePath: mine))
        let environment = cli.environment.merging(["XDG_STATE_HOME": state.path("")]) { $1 }
        let look = try await cli.run("db", "wipe", "--dry-run", "--json", environment: environment).json
        let files = look["files"]?.arrayValue ?? []
        #expect(files.contains("checkin.json") && files.contains("presleep.json"), "\(look)")
        #expect(FileManager.default.fileExists(atPath: old))
        let words = ["db", "wipe", "--confirm", "wipe", "--confirm", "window_unresolved"]
        #expect(try await cli.run(words: words, environment: environment).code == 0)
        #expect(!FileManager.default.fileExists(atPath: old) && !FileManager.default.fileExists(atPath: evening))
        #expect(FileManager.default.fileExists(atPath: mine))
    }

    @Test func `R26.12 on a bus the answers lie beside the record of the service`() async throws {
        let (bus, folder, home) = (try PrivateBus(), try ScratchFolder(), try ScratchFolder())
        let store = folder.path("dosetap.db")
        let daemon = try DaemonProcess(arguments: ["--store", store, "--address", bus.address])
        try daemon.awaitReady()
        let environment = [
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "TZ": HourZone.dawn, "XDG_DATA_HOME": home.path("data"),
        ]
        for words in [
            ["log", "dose1", "--ago", "8h"], ["log", "dose2", "--ago", "5h20m"], ["wake", "--ago", "10m"],
        ] {
            let outcome = try await Tool.run(words, environment)
            #expect(outcome.code == 0, "\(words): \(outcome.err)")
        }
        let stopped = try await TerminalSession(["checkin"], environment)
            .run([("1/19  ", "5"), ("2/19  ", "\u{3}")], end: "")
        #expect(stopped.screen.contains("your answers so far are kept"), "\(stopped.screen)")
        #expect(try String(contentsOfFile: store + ".checkin", encoding: .utf8).contains("sleep_quality"))
        #expect(!FileManager.default.fileExists(atPath: home.path("data")))
        daemon.signal(SIGTERM)
        #expect(try daemon.awaitExit() == 0)
    }
}
