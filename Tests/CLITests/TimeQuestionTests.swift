import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct TimeQuestionTests {
    static let repeated = [
        "--time-zone", "America/New_York", "session-key", "2026-11-01 01:30", "--rollover-hour", "1",
    ]

    @Test func `off a terminal a time shown twice names both instants`() async throws {
        let outcome = try await Tool.run(Self.repeated)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("2026-11-01T01:30:00.000-04:00 (the first time)"))
        #expect(outcome.err.contains("2026-11-01T01:30:00.000-05:00 (the second time)"))
        let json = try await Tool.run(Self.repeated + ["--json"])
        #expect(
            try json.json["error"]?["choices"]
                == .array(["2026-11-01T01:30:00.000-04:00", "2026-11-01T01:30:00.000-05:00"]))
    }

    @Test func `a recording verb never guesses which of two times is meant`() async throws {
        let outcome = try await Tool.run(
            ["log", "dose1", "--at", "2026-11-01 01:30", "--time-zone", "America/New_York", "--bus", "none"],
            ["DOSETAP_DAEMON": "/nonexistent/must-not-be-started"])
        #expect(outcome.code == 64)
    }

    @Test(arguments: [
        ["session-key", "2026-03-08 02:30", "--time-zone", "America/New_York"],
        ["log", "dose1", "--at", "2026-03-08 02:30", "--time-zone", "America/New_York", "--bus", "none"],
    ])
    func `a time that never was is refused`(arguments: [String]) async throws {
        let outcome = try await Tool.run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.err.contains("never happened"))
    }

    @Test(arguments: [("1", Int32(0)), ("2", 0), ("x", 64)])
    func `on a terminal it is asked`(answer: String, code: Int32) async throws {
        let session = try TerminalSession(Self.repeated)
        let outcome = try await session.run([(question: "Type 1 or 2", answer: answer)])
        #expect(outcome.code == code)
        #expect(outcome.screen.contains("01:30 summer time, the first 01:30"))
        if code == 0 { #expect(outcome.screen.contains("2026-11-01\r\n")) }
    }

    @Test func `a local time is read in the zone in which times are shown`() async throws {
        let folder = try ScratchFolder()
        let then = Int(time(nil)) - 1_200
        // The zones are hours apart. The time is not across midnight, since a time of another day is told with its
        // date.
        let zones = [(name: "Asia/Tokyo", hours: 9), (name: "Asia/Tashkent", hours: 5)]
        let zone = try #require(zones.first { (1...22).contains((then / 3_600 + $0.hours) % 24) })
        let cli = try CLIHarness(["TZ": "UTC", "XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "time_zone", zone.name)
        func clock(_ hours: Int) -> String {
            let shown = then + hours * 3_600
            return String(format: "%02d:%02d", shown / 3_600 % 24, shown / 60 % 60)
        }
        func counts(_ words: String...) async throws -> Bool {
            let outcome = try await cli.run(words: words + ["--json"])
            let at = try Instant(iso8601: try #require(try outcome.json["timestamp"]?.stringValue, "\(outcome)"))
            return (0..<60).contains(Int64(then) - at.milliseconds / 1_000)
        }
        #expect(try await counts("log", "dose1", "--at", clock(zone.hours)))
        #expect(try await counts("log", "bathroom", "--at", clock(0), "--time-zone", "UTC"))
        let shown = try await cli.run("log", "water", "--at", clock(zone.hours))
        #expect(shown.out.hasPrefix("Recorded: Water at \(clock(zone.hours))."), "\(shown)")
        #expect(shown.err.components(separatedBy: "no reminders will come").count == 2, "said once: \(shown.err)")
        let status = try await cli.json("status", "--at", clock(zone.hours))
        #expect(status["zone_in_force"] == .string(zone.name))
        #expect(try await cli.json("status", "--at", clock(zone.hours))["phase"] == "before_window")
        let asked = try await TerminalSession(
            cli.options + ["log", "dose2", "--at", clock(zone.hours)], cli.environment
        )
        .run([(question: "anything else stops", answer: "no")])
        #expect(asked.screen.contains("dose 2 at \(clock(zone.hours))"), "\(asked.screen)")
    }

    @Test func `where the output is for a machine nothing is asked; --plain is for a person`() async throws {
        let outcome = try await TerminalSession(Self.repeated + ["--json"]).run()
        #expect(outcome.code == 64)
        #expect(!outcome.screen.contains("Type 1 or 2"))
        let plain = try await TerminalSession(Self.repeated + ["--plain"]).run([("Type 1 or 2", "no")])
        #expect(plain.code == 64 && plain.screen.contains("Type 1 or 2"), "\(plain.screen)")
    }

    /// The clock time `ago` minutes ago, in a zone where it is ten in the evening now.
    private static func evening(_ ago: Int) -> (clock: String, seconds: Int) {
        let zone = HourZone.identifier(hour: 22)
        // Etc/GMT-5 lies five hours east.
        let east = -(Int(zone.dropFirst("Etc/GMT".count)) ?? 0)
        let shown = Int(time(nil)) + east * 3_600 - ago * 60
        return (String(format: "%02d:%02d", shown / 3_600 % 24, shown / 60 % 60), Int(time(nil)) - ago * 60)
    }

    @Test func `R23.5: the wrong half of the day is not taken for a dose, a skip or a wake`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 22)])
        // A minute may begin while this runs.
        let (clock, recent) = (Self.evening(12 * 60 + 5).clock, Self.evening(5).clock)
        let ago = /12 h [56] min ago/
        for words in [["log", "dose1"], ["log", "wake_up"], ["med", "take", "xywav"], ["skip"], ["wake"]] {
            let outcome = try await cli.run(words: words + ["--at", clock])
            #expect(outcome.code == 64, "\(words) \(outcome)")
            #expect(outcome.err.contains("\(clock) was 12 h ") && outcome.err.contains(ago), "\(outcome)")
            #expect(outcome.err.contains(", in the night of "), "\(outcome)")
            #expect(outcome.err.contains("\n  Nothing was recorded.\n"), "\(outcome)")
            #expect(outcome.err.contains("\(recent) was ") && outcome.err.contains(/was [56] min ago/), "\(outcome)")
            #expect(outcome.err.contains("say --at '20"), "\(outcome)")
        }
        // A time with its date is accepted, and so is a bare time for an entry that is no dose. The receipt tells the
        // time as it was read.
        let bathroom = try await cli.run("log", "bathroom", "--at", clock)
        #expect(bathroom.code == 0 && bathroom.out.contains("\(clock), 12 h "), "\(bathroom)")
        #expect(bathroom.out.contains(ago), "\(bathroom)")
        let error = try await cli.error(64, "log", "dose1", "--at", clock)
        let dated = try #require(error["dated"]?.stringValue)
        let dose = try await cli.run("log", "dose1", "--at", dated)
        #expect(dose.code == 0 && dose.out.contains("\(dated), 12 h ") && dose.out.contains(ago), "\(dose)")
        #expect(try await cli.json("status", "--at", clock)["phase"] != nil)
    }

    @Test func `R23.6 a clock time a little ahead asks what will be, and not for the night before`() async throws {
        let cli = try CLIHarness(["TZ": "UTC"])
        try await cli.json("log", "dose1", "--ago", "140m")
        let then = Int(time(nil)) + 1_800
        let clock = String(format: "%02d:%02d", then / 3_600 % 24, then / 60 % 60)
        let status = try await cli.json("status", "--at", clock)
        #expect(status["phase"] == "active" && status["dose1_time"]?.instantValue != nil, "\(status)")
    }

    @Test func `R4.18: a time ahead is told as it was understood`() async throws {
        let cli = try CLIHarness(["TZ": "UTC"])
        let error = try await cli.error(5, "log", "dose1", "--at", "2099-01-14 22:30")
        #expect(error["message"] == "That time lies in the future: Wed 2099-01-14 at 22:30.", "\(error)")
    }

    @Test func `R23.11: digits that are no time are answered with the same line and the time that they mean`()
        async throws
    {
        let outcome = try await Tool.run(["log", "bathroom", "--at", "2245", "--bus", "none"])
        #expect(outcome.code == 64 && outcome.err.contains("--at: \"2245\" is not a time: write 22:45."), "\(outcome)")
        #expect(outcome.err.contains("dosetap log bathroom --at 22:45"), "\(outcome)")
    }

    @Test func `R23.6: less than an hour ahead is refused as future`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 22)])
        #expect(try await cli.error(5, "log", "dose1", "--at", Self.evening(-30).clock)["reason"] == "future")
        #expect(try await cli.error(5, "log", "bathroom", "--at", Self.evening(-30).clock)["reason"] == "future")
    }

    /// The setting `time_zone` when dose 1 is logged and from then on, the machine being in UTC; the zone of the night, and hours that
    /// the night's clock is ahead of the present one.
    static let journeys: [(first: String, then: String, night: String, ahead: Int)] = [
        ("Asia/Tokyo", "", "Asia/Tokyo", 9), ("", "Asia/Tokyo", "UTC", -9),
    ]

    @Test(arguments: journeys)
    func `R23.15: in another zone the times of the night stay those of its clock, and have its name`(
        first: String, then: String, night: String, ahead: Int
    ) async throws {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["TZ": "UTC", "XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "time_zone", first)
        let recorded = try await cli.run("log", "dose1", "--ago", "100m")
        #expect(recorded.code == 0 && !recorded.out.contains("(\(night))"), "\(recorded)")
        try await cli.json("config", "set", "time_zone", then)
        let dose1 = try Instant(
            iso8601: try #require(try await cli.json("status")["dose1_time"]?.stringValue))
        func clock(_ hours: Int) -> String {
            let minutes = Int(dose1.seconds) / 60 + hours * 60
            return String(format: "%02d:%02d", minutes / 60 % 24, minutes % 60)
        }
        let there = night == "UTC" ? 0 : 9
        let (told, other) = ("\(clock(there)) (\(night))", clock(there - ahead))
        for words in [
            ["undo", "--dry-run"], [], ["status"], ["log", "dose2"], ["log", "dose1"], ["show"], ["why", "dose1"],
        ] {
            let outcome = try await cli.run(words: words)
            #expect((outcome.out + outcome.err).contains(told), "\(words): \(outcome)")
            #expect(!(outcome.out + outcome.err).contains(other), "\(words): \(outcome)")
        }
        let wait = try await cli.run("log", "dose2").err
        #expect(wait.contains(/Wait until [0-9]{2}:[0-9]{2} \([A-Z]/), "\(wait)")
        let history = try await cli.run("history").out
        #expect(history.contains(clock(there)) && history.contains(night), "\(history)")
        let asked = try await TerminalSession(
            cli.options + ["log", "dose2", "--ago", "5m"], cli.environment
        ).run([(question: "anything else stops", answer: "no")])
        #expect(asked.screen.contains(/dose 2 at .*[0-9]{2}:[0-9]{2} \([A-Z]/), "\(asked.screen)")
        // All times are told in the zone that is asked for, without a name.
        let chosen = try await cli.run("log", "dose2", "--time-zone", "Asia/Tashkent").err
        #expect(chosen.contains("dose 1 was at \(clock(5)), "), "\(chosen)")
        // Where the clocks are the same at that moment, the zone is not named.
        if night == "UTC" {
            try await cli.json("config", "set", "time_zone", "Africa/Abidjan")
            #expect(try await cli.run().out.hasPrefix("Dose 1: yes, at \(clock(0)), "))
        }
    }

    @Test func `R23.15: the proposed skip after a journey has the close of the window as its time`() async throws {
        let folder = try ScratchFolder()
        // Where the person is now it is noon, and where the night began three in the morning.
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 12), "XDG_CONFIG_HOME": folder.path("config")])
        try await cli.json("config", "set", "time_zone", HourZone.identifier(hour: 3))
        try await cli.json("log", "dose1", "--ago", "5h")
        try await cli.json("config", "set", "time_zone", "")
        let dose1 = try #require(try await cli.json("status")["dose1_time"]?.stringValue)
        let closes = try Instant(iso8601: dose1) + .minutes(240)
        let tonight = try await cli.run().out
        let typed = try #require(tonight.firstMatch(of: /dosetap skip --at ([^ \n]+T[^ \n]+)/)?.output.1, "\(tonight)")
        let skip = try await cli.json("skip", "--at", String(typed))
        let at = try Instant(iso8601: try #require(skip["timestamp"]?.stringValue, "\(skip)"))
        #expect(at <= closes && closes - at < .minutes(1), "\(typed)")
    }

    @Test func `R23.7: amend reads a bare time in the entry's own night`() async throws {
        let cli = try CLIHarness(["TZ": HourZone.identifier(hour: 22)])
        let (clock, then) = Self.evening(15)
        let yesterday = then - 86_400
        let at = Instant(seconds: Int64(yesterday - 600)).iso8601
        let id = try #require(try await cli.json("log", "dose1", "--at", at)["event_id"]?.stringValue)
        let amended = try await cli.json("amend", id, "--at", clock)
        let moved = try Instant(iso8601: try #require(amended["corrected"]?["counts_at"]?.stringValue, "\(amended)"))
        #expect((0..<60).contains(Int64(yesterday) - moved.seconds), "\(amended)")
    }

    @Test func `R23.7: after a flight a bare time of the night may be that of two clocks, and amend says which`()
        async throws
    {
        let cli = try CLIHarness(["TZ": "Etc/GMT+5"])
        try await cli.json("log", "dose1", "--ago", "100m")
        let told = try await cli.run("log", "dose1", environment: ["TZ": "Etc/GMT-1"])
        let there = try #require(told.err.firstMatch(of: /([0-9]{2}):([0-9]{2}) \(Etc\/GMT\+5\)/), "\(told)").output
        let hour = try #require(Int(there.1))
        // Six hours lie between the two.
        let clock = "\(String(format: "%02d", (hour + 6) % 24)):\(there.2)"
        let refused = try await cli.run("amend", "dose1", "--at", clock, environment: ["TZ": "Etc/GMT-1"])
        #expect(refused.code == 64 && refused.err.contains("\(clock) here"), "\(refused)")
        #expect(refused.err.contains("-05:00") && refused.err.contains("+01:00"), "\(refused)")
        let here = ["--time-zone", "Etc/GMT-1", "amend", "dose1", "--at", clock]
        let amended = try await cli.run(words: here, environment: ["TZ": "Etc/GMT-1"])
        #expect(amended.code == 0, "\(amended)")
        #expect(try await cli.json("status")["phase"] == "before_window")
    }
}
