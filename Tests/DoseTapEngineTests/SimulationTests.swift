import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct SimulationTests {
    /// The reminders of a night with a target of 225 minutes, which has few of them.
    static let short = ["window_open@150", "pre_alarm@220", "alarm@225", "closing_15@225", "followup_1@227"]
    static let rest = [
        "followup_2@229", "followup_3@231", "closing_5@235", "alarm_repeat@236", "window_closed@240",
    ]
    static let whole = short + rest

    /// The same reminders after the machine was off for a minute that no clock counted.
    static let aMinuteLater = [
        "window_open@151", "pre_alarm@221", "alarm@226", "closing_15@226", "followup_1@228", "followup_2@230",
        "followup_3@232", "closing_5@236", "alarm_repeat@237", "window_closed@241",
    ]

    /// A zone, an evening with its events, and the reminders that are told.
    static let nights: [(name: String, script: String, told: [String])] = [
        ("E1: spring forward", "zone Europe/Berlin\nstart 2026-03-28 22:30\n22:30 log dose1\nuntil 12:00", whole),
        ("E1: spring forward", "zone America/New_York\nstart 2026-03-07 23:59\n23:59 log dose1", whole),
        ("E1: spring forward", "zone Australia/Lord_Howe\nstart 2026-10-03 22:30\n22:30 log dose1", whole),
        ("E1: spring forward", "zone America/Santiago\nstart 2026-09-05 22:30\n22:30 log dose1", whole),
        ("E2: fall back", "zone Europe/Berlin\nstart 2026-10-24 22:30\n23:30 log dose1", whole),
        ("E2: fall back", "zone America/New_York\nstart 2026-10-31 22:30\n23:30 log dose1", whole),
        ("E2: fall back", "zone Australia/Lord_Howe\nstart 2026-04-04 22:30\n23:30 log dose1", whole),
        ("E2: fall back", "zone America/Santiago\nstart 2026-04-04 22:30\n23:30 log dose1", whole),
        (
            "E3: travel",
            "zone Europe/Berlin\nstart 2026-01-14 22:30\n22:30 log dose1\n+100m travel America/New_York\n+200m travel Asia/Tokyo",
            whole
        ),
        (
            "E4: three hours back: nothing changes",
            "start 2026-01-14 22:30\n22:30 log dose1\n+100m clock -3h\n+130m crash", whole
        ),
        (
            "E4: set right by the first synchronisation: nothing changes",
            "start 2026-01-14 22:20\n+0m clock -3h\n22:30 log dose1\n+100m clock +3h synchronised\n+130m crash", whole
        ),
        (
            "E4: forth and back again: told in doubt, and again at its time",
            "start 2026-01-14 22:30\n22:30 log dose1\n+20m clock +30m\n+140m clock -30m", ["window_open@120"] + whole
        ),
        (
            "E4: three hours forward: the alarm rings until the window has closed by the counter, too",
            "start 2026-01-14 22:30\n22:30 log dose1\n+230m clock +3h",
            short + ["followup_2@229", "alarm_repeat@230", "alarm_repeat@231", "alarm_repeat@236", "window_closed@240"]
        ),
        (
            "E5: asleep over the whole window", "start 2026-01-14 22:30\n22:30 log dose1\n+149m suspend 100m",
            ["window_closed@249"]
        ),
        ("E5: asleep for six hours", "start 2026-01-14 22:30\n22:30 log dose1\n+100m suspend 6h", []),
        (
            "E5: asleep over the opening", "start 2026-01-14 22:30\n22:30 log dose1\n+149m suspend 3m",
            ["window_open@152"] + whole.dropFirst()
        ),
        ("E6: a leap second", "zone UTC\nstart 2016-12-31 22:30\n22:30 log dose1", whole),
        ("E6: the end of a year", "zone Pacific/Apia\nstart 2026-12-31 22:30\n22:30 log dose1", whole),
        ("E6: a leap day", "zone Asia/Kathmandu\nstart 2028-02-28 23:30\n23:30 log dose1", whole),
        ("E6: an unset clock", "zone Europe/London\nstart 1970-01-01 00:00\n00:00 log dose1", whole),
        ("E6: the end of 31 bits", "zone UTC\nstart 2038-01-19 02:00\n02:00 log dose1", whole),
        ("E6: the end of 32 bits", "zone UTC\nstart 2106-02-07 05:00\n05:00 log dose1", whole),
        ("E6: far away", "zone Europe/Berlin\nstart 9000-12-31 22:30\n22:30 log dose1", whole),
        (
            "E4: back by half a day and started anew after the window: it stays closed",
            "start 2026-01-14 22:30\n22:30 log dose1\n+245m clock -12h\n+250m reboot 60s\nuntil 2026-01-15T22:00:00Z",
            whole
        ),
        (
            "E4: three hours back and started anew: what was counted counts",
            "start 2026-01-14 22:30\n22:30 log dose1\n+100m clock -3h\n+110m log bathroom\n+110m reboot 60s\n"
                + "until 2026-01-15T16:00:00Z",
            aMinuteLater
        ),
        (
            "F5: killed a second before", "start 2026-01-14 22:30\n22:30 log dose1\n+8999s crash 2s",
            ["window_open@150:1"] + whole.dropFirst()
        ),
        (
            "F5: killed a second before the alarm", "start 2026-01-14 22:30\n22:30 log dose1\n+13499s crash 1s", whole
        ),
        ("a reboot", "start 2026-01-14 22:30\n22:30 log dose1\n+151m reboot 60s", whole),
        (
            "E7: taken just before", "start 2026-01-14 22:30\n22:30 log dose1\n+225m log dose2",
            Array(short.dropLast())
        ),
        (
            "undo brings the reminders back",
            "start 2026-01-14 22:30\n22:30 log dose1\n+226m log dose2\n+226m30s undo", whole
        ),
        (
            "a dose told late", "start 2026-01-14 22:30\n22:30 log dose1 --ago 228m",
            ["followup_1@228"] + rest
        ),
    ]

    @Test(arguments: nights)
    func `every reminder of a night is told when it is true, once`(
        night: (name: String, script: String, told: [String])
    ) async throws {
        let lines = night.script.split(separator: "\n")
        let start = lines.firstIndex { $0.hasPrefix("start") } ?? 0
        let script = (lines[...start] + ["set target_minutes 225"] + lines[(start + 1)...]).joined(separator: "\n")
        let outcome = try await SimulationBench.run(script)
        #expect(outcome.told == night.told, "\(night.name)")
        #expect(outcome.verdict.isSound, "\(night.name): \(outcome.verdict.complaints)")
        #expect(outcome.checkInsTold.count <= 1)
        #expect(outcome.verdict.notified == night.told.count + outcome.checkInsTold.count)
    }

    /// A year that the clock is set to in the middle of a night, whether the machine is started anew, and the reminders
    /// told.
    static let clocks: [(year: String, isNewStart: Bool, told: [String])] = [
        ("1970-01-01T00:00:00Z", false, whole), ("1970-01-01T00:00:00Z", true, aMinuteLater),
        ("2106-02-07T06:28:14Z", false, ["alarm_repeat", "window_closed@240"]),
        ("2106-02-07T06:28:14Z", true, ["alarm_repeat", "window_closed@241"]),
    ]

    @Test(arguments: clocks)
    func `E6: a clock in 1970 or 2106 hides no reminder, and what is logged then is kept in order`(
        clock: (year: String, isNewStart: Bool, told: [String])
    ) async throws {
        let night = try SimulationBench.script(
            "start 2026-01-14 22:30\nset target_minutes 225\n22:30 log dose1\nuntil 2026-01-15T07:00:00Z")
        let dose1 = night.start
        let step = try Instant(iso8601: clock.year) - (dose1 + .minutes(100))
        var acts: [(Int, NightScript.Act)] = [(100, .clock(step))]
        if clock.isNewStart { acts.append((100, .reboot(.seconds(60)))) }
        var sure = CommandOptions(surface: .cli)
        sure.confirmations = Set(DoseTapDomain.Confirmation.allCases)
        acts += [
            (250, .asks(.logDose(.dose2), CommandOptions(surface: .cli), ago: nil)),
            (251, .asks(.logDose(.dose2), sure, ago: nil)), (260, .clock(.zero - step)),
            (261, .asks(.logSleepEvent("bathroom"), CommandOptions(surface: .cli), ago: nil)),
            (262, .asks(.logSleepEvent("bathroom"), sure, ago: nil)),
        ]
        let steps = night.steps + acts.map { NightScript.Step(line: 0, at: dose1 + .minutes($0.0), act: $0.1) }
        let script = NightScript(
            zone: night.zone, start: night.start, end: night.end, rules: night.rules, steps: steps)
        let bench = try SimulationBench(from: script.start, in: script.zone)
        let outcome = try await bench.simulation.run(script)
        await bench.stop()
        // While the clock is ahead, the alarm is repeated until the window has also closed by the counter. There are 29
        // repeats: one at once, then one every five minutes for 140 minutes.
        let repeats = outcome.told.filter { $0.hasPrefix("alarm_repeat") }
        if clock.told.contains("alarm_repeat") { #expect(repeats.count == 29, "\(repeats)") }
        let isRepeat = { (told: String) in clock.told.contains("alarm_repeat") && told.hasPrefix("alarm_repeat") }
        #expect(outcome.told.filter { !isRepeat($0) } == clock.told.filter { $0 != "alarm_repeat" })
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
        #expect(outcome.verdict.misled == 0)
        // The window is over by both figures. The service asks one question about the time, and none about the clock.
        let asked = outcome.timeline.compactMap { entry -> Set<DoseTapDomain.Confirmation>? in
            guard case .declined(.logDose(.dose2), .needsConfirmation(let question)) = entry.what else { return nil }
            return Set(question.confirmations)
        }
        #expect(asked == [[.late]])
        #expect(outcome.night?.dose2 != nil)
        #expect(outcome.events.contains { if case .clockStepped = $0.payload { true } else { false } })
        let log = outcome.events.map(\.occurredAt)
        #expect(zip(log, log.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test func `a channel that is dead stops nothing, and hears of what still stands when it lives again`() async throws
    {
        let outcome = try await SimulationBench.run(
            """
            start 2026-01-14 22:30
            set target_minutes 225
            22:30 log dose1
            +140m no-notifications
            +221m notifications
            """)
        #expect(outcome.told == Self.whole)
        #expect(outcome.shown.first == "pre_alarm@222")
        #expect(outcome.shown.suffix(8) == Self.whole.suffix(8))
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    @Test func `the alarm of a simulated night rings, speaks and calls when the real one would`() async throws {
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\nset target_minutes 225\n22:30 log dose1\n+230m30s log dose2\nuntil 06:00",
            hooks: ["alarm/10-light", "partner/10-phone", "dose_recorded/50-log", "alarm/20-unsafe~"])
        let alarm = 225 * 60
        let spoken = outcome.ran("speech").map { $0 - alarm }
        // The speech comes a minute after the alarm and with each reminder. The tone continues after it.
        #expect(spoken == [60, 120, 240])
        let rings = outcome.ran("sound").map { $0 - alarm }
        #expect(rings.first == 0 && rings.allSatisfy { $0 < 330 })
        #expect(zip(rings, rings.dropFirst()).allSatisfy { (1...8).contains($1 - $0) })
        let hooks = outcome.timeline.compactMap { entry -> String? in
            guard case .ran("hook", let path, worked: true) = entry.what else { return nil }
            let seconds = outcome.dose1.map { (entry.at - $0).wholeSeconds - Int64(alarm) } ?? 0
            return "\(seconds) " + path.split(separator: "/").suffix(2).joined(separator: "/")
        }
        #expect(
            hooks == [
                "-13500 dose_recorded/50-log", "120 alarm/10-light", "300 partner/10-phone", "330 dose_recorded/50-log",
            ])
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    @Test func `steps of the alarm that are switched off are not taken, and nobody misses them`() async throws {
        let outcome = try await SimulationBench.run(
            """
            start 2026-01-14 22:30
            set ladder.sound_after off
            set ladder.speech_after 120
            22:30 log dose1
            """)
        #expect(outcome.ran("sound").isEmpty)
        #expect(outcome.ran("speech").first == 167 * 60)
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    @Test func `what nobody can see or hear is asked of the person's own programs at once`() async throws {
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n+160m no-audio\n+160m no-notifications",
            hooks: ["alarm/10-light"])
        #expect(outcome.ran("sound").isEmpty && outcome.ran("speech").isEmpty)
        #expect(outcome.ran("hook").first == 165 * 60)
        // A notification "take dose 2" is withdrawn once it is wrong, though no other can take its place.
        let last = outcome.timeline.last { entry in
            switch entry.what {
            case .shown, .withdrawn: true
            default: false
            }
        }
        guard case .withdrawn(let item, _)? = last?.what else {
            Issue.record("nothing is taken away")
            return
        }
        #expect(item.id == .preAlarm || item.id == .windowOpen || item.id == .checkIn)
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    @Test func `a clock set back does not silence the alarm`() async throws {
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose1\n+200m clock -1h\nuntil 2026-01-15T12:00:00Z")
        let rings = Set(outcome.ran("sound").map { $0 / 60 })
        #expect(rings == Set(165..<240))
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    /// Nights that were found by chance. In each a clock was set, and set back.
    static let rare: [(name: String, script: String)] = [
        (
            "told before its clock was set back in another boot, the closing is not told once more as words about the clock",
            """
            start 2029-01-12T02:16:00Z
            set target_minutes 195
            set snooze_step_minutes 25
            set max_snoozes 1
            2029-01-12T03:15:54Z log dose1
            2029-01-12T05:21:37Z log bathroom
            2029-01-12T06:30:53Z reboot 458s
            2029-01-12T06:56:23Z clock -5340s
            2029-01-12T07:24:19Z reboot 2689s
            2029-01-12T08:09:08Z clock +5340s
            """
        ),
        (
            "told once more, since its clock was ahead, a repeat of the alarm is spoken once more",
            """
            start 2034-05-04T19:43:21Z
            set target_minutes 195
            set snooze_step_minutes 24
            set ladder.sound_after off
            set ladder.speech_after 30
            set ladder.hooks_after off
            2034-05-04T20:28:36Z log dose1
            2034-05-04T23:56:49Z clock +61s
            2034-05-05T00:16:24Z clock -61s synchronised
            """
        ),
        (
            "a clock that is right is believed, though it was said to be right a moment before it was",
            """
            start 2028-08-28T00:26:59Z
            set target_minutes 195
            2028-08-28T01:05:08Z log dose1
            2028-08-28T03:06:24Z rtc -18596s
            2028-08-28T03:06:24Z reboot 1916s
            2028-08-28T03:40:57Z reboot 3146s unsynchronised
            2028-08-28T04:33:23Z clock +0s synchronised
            2028-08-28T04:33:23Z clock +18596s synchronised
            """
        ),
        (
            "dropped for a window that was over, the alarm rings where only the least is known after a new start",
            """
            start 2027-03-15T22:45:36Z
            set target_minutes 165
            2027-03-15T22:56:05Z log dose1
            2027-03-15T23:51:06Z reboot 1446s
            2027-03-16T01:22:49Z suspend 7187s
            2027-03-16T03:22:36Z rtc -18821s
            2027-03-16T03:22:36Z reboot 2110s
            2027-03-16T03:57:46Z clock +18821s synchronised
            """
        ),
        (
            "told ahead of its time by a clock that was right, the alarm rings at its time after another start",
            """
            start 2029-01-12T00:00:00Z
            set target_minutes 225
            2029-01-12T00:00:00Z log dose1
            2029-01-12T01:00:00Z rtc +60m
            2029-01-12T01:00:00Z reboot 2m
            2029-01-12T01:03:00Z clock +0s synchronised
            2029-01-12T01:10:00Z clock -60m synchronised
            2029-01-12T02:45:10Z reboot 59m20s unsynchronised
            """
        ),
        (
            "where dose 1 is the only one, nothing is recorded of the clocks, and a new start may ask about the time",
            """
            start 2017-01-16T19:59:48Z
            set once_nightly true
            2017-01-16T20:53:40Z clock +8640s
            2017-01-16T20:54:10Z log dose1
            2017-01-16T21:12:53Z clock -8640s synchronised
            2017-01-16T23:47:37Z snooze
            2017-01-17T00:30:09Z reboot 2764s
            2017-01-17T01:16:13Z log dose2
            """
        ),
        (
            "a machine that stood still shows its reminders as much later",
            """
            zone Europe/London
            start 2032-03-27T20:52:35Z
            set target_minutes 195
            2032-03-27T21:02:37Z log dose1
            2032-03-27T23:00:36Z no-notifications
            2032-03-28T00:21:21Z suspend 3150s
            2032-03-28T01:13:51Z notifications
            2032-03-28T01:13:51Z pause 7046s
            2032-03-28T03:11:17Z log bathroom
            """
        ),
        (
            "dose 1 is named by a clock that is set back and forth: the closing is told once, whatever boot it is",
            """
            zone America/New_York
            start 2024-08-13T00:12:53Z
            set target_minutes 180
            2024-08-13T00:54:07Z clock +17280s
            2024-08-13T00:54:37Z log dose1 --ago 9120s
            2024-08-13T01:31:21Z clock -17220s
            2024-08-13T02:52:16Z reboot 342s
            2024-08-13T03:19:20Z clock +17220s
            2024-08-13T04:14:21Z clock -17280s synchronised
            until 2024-08-13T17:54:37Z
            """
        ),
    ]

    @Test(arguments: rare)
    func `K8: a rare night found by chance is sound`(night: (name: String, script: String)) async throws {
        let outcome = try await SimulationBench.run(night.script)
        #expect(outcome.verdict.isSound, "\(night.name): \(outcome.verdict.complaints)")
    }

    @Test(arguments: [
        "clock +2460s synchronised", "clock +3h", "clock -3h", "clock +3h\n+190m25s crash 1s",
        "clock -3h\n+190m25s crash 1s",
    ])
    func `R6.1 a clock that is set between an action and its undo hinders nothing`(step: String) async throws {
        let outcome = try await SimulationBench.run(
            "start 2020-06-29 22:30\nset target_minutes 195\n22:30 log dose1\n+190m snooze\n+190m20s \(step)\n+190m50s undo"
        )
        #expect(outcome.events.contains { if case .actionUndone = $0.payload { true } else { false } })
        #expect(outcome.verdict.isSound, "\(outcome.verdict.complaints)")
    }

    @Test func `what the rules refuse is noted and changes nothing`() async throws {
        let outcome = try await SimulationBench.run(
            "start 2026-01-14 22:30\n22:30 log dose2\n22:31 log dose1\n22:41 log dose1\n+100m log dose2\n+100m log dose2 --confirm early"
        )
        let declined = outcome.timeline.compactMap { entry in
            if case .declined(let command, _) = entry.what { command } else { nil }
        }
        #expect(declined == [.logDose(.dose2), .logDose(.dose1), .logDose(.dose2)])
        #expect(outcome.night?.dose2 != nil)
        #expect(outcome.told.isEmpty)
    }
}
