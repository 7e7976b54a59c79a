import DoseTapDomain
import Testing

@Suite struct NightScriptTests {
    private func read(_ text: String) throws(NightScriptFault) -> NightScript {
        try NightScript(text, zone: .utc) { name in name == "UTC" ? .utc : nil }
    }

    /// Wrong scripts, each with its line and a word of the message.
    static let wrong: [(script: String, line: Int, word: String)] = [
        ("", 0, "begins"), ("22:30 log dose1", 1, "start"), ("start 22:30", 1, "date"),
        ("start 2026-01-14 22:30\nstart 2026-01-14 22:30", 2, "before"), ("zone Nowhere", 1, "time zone"),
        ("start 2026-01-14 22:30\n25:00 log dose1", 2, "hours go"),
        ("start 2026-01-14 22:30\n# a remark\n22:40 lug dose1", 3, "'log'"),
        ("start 2026-01-14 22:30\n22:40", 2, "What happens"), ("start 2026-01-14 22:30\n22:40 log", 2, "Log what"),
        ("start 2026-01-14 22:30\n+5m log dose1\n+0m snooze\n+1m\n", 4, "What happens"),
        ("start 2026-01-14 22:30\n+60m snooze\n+50m snooze", 3, "order"),
        ("start 2026-01-14 22:30\n+60m suspend 20m\n+70m snooze", 3, "away by line 2"),
        ("start 2026-01-14 22:30\n+60m suspend", 2, "How long"),
        ("start 2026-01-14 22:30\n+60m suspend 0s", 2, "second"),
        ("start 2026-01-14 22:30\n+60m clock 3h", 2, "By how much"),
        ("start 2026-01-14 22:30\n+60m clock +49h", 2, "At most 48 h at a time"),
        ("start 2026-01-14 22:30\n+60m clock +1h soon", 2, "By how much"),
        ("start 2026-01-14 22:30\n+60m pause", 2, "How long"), ("start 2026-01-14 22:30\n+60m rtc", 2, "By how much"),
        ("start 2026-01-14 22:30\n+60m slew 90s", 2, "By how much"),
        ("start 2026-01-14 22:30\n+60m slew +0s", 2, "second"),
        ("start 2026-01-14 22:30\n+60m slew +61m", 2, "At most 1 h at a time"),
        ("start 2026-01-14 22:30\n+60m reboot unsynchronised 1m", 2, "duration"),
        ("start 2026-01-14 22:30\n+60m pause 20m\n+70m snooze", 3, "away by line 2"),
        ("start 2026-01-14 22:30\n+60m travel Nowhere", 2, "time zone"),
        ("start 2026-01-14 22:30\n+400h snooze", 2, "14 days"), ("start 2026-01-14 22:30\nuntil +400h", 2, "14 days"),
        ("start 2026-01-14 22:30\nuntil 07:00\n08:00 snooze", 3, "until"), ("set target_minutes 170", 1, "no value"),
        ("set target 180", 1, "no setting"), ("set wake 7", 1, "no value"),
        ("start 2026-01-14 22:30\n22:40 log dose1 --confirm soon", 2, "confirmation"),
        ("start 2026-01-14 22:30\n22:40 log dose1 --ago never", 2, "duration"),
        ("start 2026-01-14 22:30\n+0m log dose1 heaps", 2, "no amount"),
        ("start 2026-01-14 22:30\n+0m log dose1 2.25", 2, "Give a unit"),
        ("start 2026-01-14 22:30\n+0m log dose1 0.5mg", 2, "no whole number"),
        ("start 2026-01-14 22:30\n+0m log dose1 2.25g heaps", 2, "'heaps' says nothing"),
        ("start 2026-01-14 22:30\n+0m log bathroom heaps", 2, "'heaps' says nothing"),
        ("start 2026-01-14 22:30\n22:40 skip\u{1b}[2J", 2, "control"),
        (String(repeating: "\n", count: 1_000) + "start 2026-01-14 22:30", 0, "1000 lines"),
        ("#" + String(repeating: "x", count: 65_536), 0, "64 KiB"),
    ]

    @Test(arguments: wrong)
    func `what is wrong with a script is told with its line`(script: String, line: Int, word: String) {
        let fault = #expect(throws: NightScriptFault.self) { try read(script) }
        #expect(fault?.line == line, "\(script.prefix(80)): \(fault?.description ?? "")")
        #expect(fault?.message.contains(word) == true, "\(fault?.message ?? "")")
    }

    @Test func `times are those ahead, after dose 1, or instants`() throws {
        let start = try Instant(iso8601: "2026-01-14T22:30:00Z")
        let script = try read(
            """
            start 2026-01-14 22:30
            +1m log bathroom
            22:40 log dose1 2.25g --ago 5m   # in bed
            +150m snooze
            2026-01-15T02:00:00Z log dose2 --confirm early,late
            01:00 wake
            until 07:00
            """)
        #expect(
            script.steps.map { ($0.at - start).wholeMinutes } == [1, 10, 155, 210, 1_590])
        #expect(script.steps.map(\.line) == [2, 3, 4, 5, 6])
        #expect(script.end == start + .minutes(1_950))
    }

    @Test func `a step that sets what holds already reads back from its text`() throws {
        let script = try read(
            "start 2026-01-14 22:30\nset target_minutes 180\n23:10 log dose1\nset target_minutes 180\n23:20 wake\n")
        #expect(script.steps.count == 3)
        #expect(try read(script.text).steps.map(\.act) == script.steps.map(\.act))
    }

    @Test func `what befalls the clocks reads back from its text`() throws {
        let head = "zone UTC\nstart 2026-01-14T22:30:00.000Z\n"
        let lines = [
            "clock +7200s", "clock -7200s synchronised", "clock +0s", "clock +0s synchronised", "pause 60s",
            "rtc -10800s", "rtc +60s", "slew -90s", "slew +90s", "reboot 60s", "reboot 60s unsynchronised",
        ].enumerated().map { "2026-01-14T2\(3 + $0.offset / 60):\(10 + 4 * $0.offset):00.000Z \($0.element)\n" }
        let script = try read(head + lines.joined())
        #expect(try read(script.text).steps.map(\.act) == script.steps.map(\.act))
        for line in lines { #expect(script.text.contains(line)) }
        #expect(script.steps.map(\.act.outage).filter { $0 > .zero } == [.seconds(60), .seconds(60), .seconds(60)])
    }
}
