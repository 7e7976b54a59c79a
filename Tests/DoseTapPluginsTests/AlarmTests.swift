import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import DoseTapText
import Foundation
import Testing

@testable import DoseTapPlugins

/// The alarm ladder with the real engine and real programs. The test moves the clock.
@Suite struct AlarmTests {
    /// Writes down the call and the checksum of the tone.
    static let player = "echo player $* $(/usr/bin/md5sum) >&3"
    static let endless = "echo player $$ >&3; while :; do /usr/bin/sleep 1000; done"
    static let everything = [
        "bin/paplay": "echo player $* >&3", "bin/espeak-ng": "echo voice $* >&3",
        "hooks.d/alarm/10-light": "echo light $(/usr/bin/cat) >&3",
        "hooks.d/partner/10-phone": "echo phone $(/usr/bin/cat) >&3",
    ]

    @Test func `each rung comes at its time, is journaled and is on record`() async throws {
        let bench = try await AlarmBench.open(Self.everything)
        try await bench.advance(to: 164, seconds: 59)
        #expect(bench.calls.isEmpty)
        try await bench.advance(to: 165)
        try await bench.awaitDelivered(["sound"])
        #expect(bench.calls == ["player --property=media.role=alarm /dev/stdin"])
        try await bench.awaitWish(165, seconds: 8)
        for (seconds, word, channel) in [
            (60, "voice", "speech"), (120, "light", "hook"), (300, "phone", "partner"),
        ] {
            try await bench.advance(to: 165, seconds: seconds - 1)
            #expect(!bench.calls.contains { $0.hasPrefix(word) }, "\(word)")
            try await bench.awaitWish(165, seconds: seconds)
            try await bench.advance(to: 165, seconds: seconds)
            try await bench.awaitDelivered([channel])
            #expect(bench.calls.contains { $0.hasPrefix(word) }, "\(word)")
        }
        #expect(bench.calls.first { $0.hasPrefix("voice") } == "voice -- It is time. Look at the screen.")
        let light = try #require(bench.calls.first { $0.hasPrefix("light") }?.dropFirst(6))
        let line = try JSONValue.parse(Array(light.utf8)).objectValue
        #expect(line?["v"] == .integer(1) && line?["event"] == .string("alarm"))
        #expect(line?["reminder"] != nil && line?["urgency"] == .string("critical"))
        #expect(line?["text"] == .string("It is time. Look at the screen."))
        for message in [JournalMessage.alarmSound, .alarmSpeech, .alarmHooks, .alarmPartner] {
            #expect(bench.said(message).count == 1, "\(message)")
        }
        #expect(bench.said(.alarmStepFailed).isEmpty)
        await bench.night.stop()
    }

    @Test func `R38.2 words of the person's own are said as they are, those of the default in their language`() {
        Speech.addressPerson(in: .german)
        defer { Speech.addressPerson(in: .english) }
        var own = AlarmPreferences()
        #expect(own.wordsToPartner != own.partnerText, "the default is said in German")
        // Each text is a phrase of the tables, or contains one.
        for words in ["The alarm is off", "Night shift: do not call before 7", "medicine"] {
            own.partnerText = words
            #expect(own.wordsToPartner == words)
        }
    }

    @Test func `R2.17 in doubt neither the voice nor a hook says the person's own words`() async throws {
        var alarm = AlarmPreferences()
        alarm.text = "Take dose 2 now."
        var programs = Self.everything
        programs["hooks.d/reminder_fired/10-told"] = "echo told $(/usr/bin/cat) >&3"
        let bench = try await AlarmBench.open(programs, alarm: alarm)
        try await bench.advance(to: 100)
        bench.night.clock.step(by: .hours(1))
        await bench.night.deadline()
        // A program ends by real time. Until then the plugin reckons with the clock from before the step.
        for (seconds, channel) in [(0, "sound"), (60, "speech")] {
            try await bench.advance(to: 165, seconds: seconds)
            try await bench.awaitDelivered([channel])
        }
        try await bench.advance(to: 165, seconds: 120)
        let said = try bench.awaitCalls { calls in
            ["voice", "light", "told"].allSatisfy { word in calls.contains { $0.hasPrefix(word) } }
        }
        for call in said where !call.hasPrefix("player") {
            #expect(call.contains("clock may be wrong") && !call.contains("Take"), "\(call)")
        }
        await bench.night.stop()
    }

    @Test func `the tone waits for a voice that can be heard, and not for one that hangs`() async throws {
        let bench = try await AlarmBench.open([
            "bin/aplay": "echo tone >&3",
            "bin/espeak-ng": """
            echo voice >&3
            [ -e \(Self.mark) ] || { : > \(Self.mark); exit 0; }
            while [ ! -e \(Self.mark).end ]; do /bin/sleep 0.02; done
            """,
        ])
        defer { for path in [Self.mark, Self.mark + ".end"] { try? FileManager.default.removeItem(atPath: path) } }
        try await bench.advance(to: 166)
        try await bench.awaitDelivered(["speech"])
        // The voice was heard once, so the tone goes on at once.
        #expect(try bench.awaitCalls { $0.last == "tone" && $0.contains("voice") }.count { $0 == "voice" } == 1)
        try await bench.advance(to: 167)
        let before = try bench.awaitCalls { $0.count { $0 == "voice" } == 2 }
        for second in [4, 8, 12] {
            try await bench.advance(to: 167, seconds: second)
            #expect(bench.calls == before)
        }
        #expect(FileManager.default.createFile(atPath: Self.mark + ".end", contents: nil))
        try bench.awaitCalls { $0 == before + ["tone"] }
        await bench.night.stop()
        // In the second night the voice hangs from the start.
        try? FileManager.default.removeItem(atPath: Self.mark + ".end")
        let other = try await AlarmBench.open([
            "bin/aplay": "echo tone >&3", "bin/espeak-ng": "echo voice >&3; exec /bin/sleep 60",
        ])
        try await other.advance(to: 166)
        let silent = try other.awaitCalls { $0.last == "voice" }
        try await other.advance(to: 166, seconds: 3)
        #expect(other.calls == silent)
        try await other.advance(to: 166, seconds: 4)
        try other.awaitCalls { $0 == silent + ["tone"] }
        await other.night.stop()
    }

    @Test func `a voice that hangs before the tone is due wakes nobody until then`() async throws {
        var alarm = AlarmPreferences()
        alarm.ladder = AlarmLadder(delays: [.speech: .zero, .sound: .seconds(120)])
        let bench = try await AlarmBench.open(
            ["bin/aplay": "echo tone >&3", "bin/espeak-ng": "echo voice >&3; exec /bin/sleep 60"], alarm: alarm)
        try await bench.advance(to: 165)
        try bench.awaitCalls { $0 == ["voice"] }
        try await bench.advance(to: 165, seconds: 5)
        try await bench.awaitWish(165, seconds: 120)
        await bench.night.stop()
    }

    private static let mark = FileManager.default.temporaryDirectory.path + "/dosetap-voice-\(UUID().uuidString)"

    static let answers: [NightCommand] = [.logDose(.dose2), .skipDose2, .snooze]

    @Test(arguments: answers)
    func `an answer ends the tone at once, and undoing it brings it back`(answer: NightCommand) async throws {
        let bench = try await AlarmBench.open(["bin/aplay": Self.endless])
        try await bench.advance(to: 165)
        let first = try bench.awaitCalls { $0.count == 1 }[0].dropFirst(7)
        #expect(ProgramBench.isAlive(String(first)))
        try await bench.night.submit(answer)
        // The service records the delivery after the player has ended.
        try await bench.awaitDelivered(["sound"])
        #expect(ProgramBench.isGone(String(first)))
        let rings = bench.calls.count
        try await bench.advance(to: 166)
        #expect(bench.calls.count == rings)
        try await bench.night.submit(.undo)
        try bench.awaitCalls { $0.count == rings + 1 }
        await bench.night.stop()
        #expect(bench.said(.alarmSound).count >= 1)
    }

    @Test func `switched off, a tone that rings ends at once; switched on, it goes on`() async throws {
        let bench = try await AlarmBench.open(["bin/aplay": Self.endless])
        try await bench.advance(to: 165)
        let first = try bench.awaitCalls { $0.count == 1 }[0].dropFirst(7)
        #expect(ProgramBench.isAlive(String(first)))
        _ = await bench.night.host.set("alarm", enabled: false)
        try await bench.awaitDelivered(["sound"])
        #expect(ProgramBench.isGone(String(first)))
        try await bench.advance(to: 166)
        #expect(bench.calls.count == 1)
        _ = await bench.night.host.set("alarm", enabled: true)
        try bench.awaitCalls { $0.count == 2 }
        await bench.night.stop()
    }

    @Test func `the tone is repeated, each time as loud as before or louder, until the window is over`() async throws {
        // A player that cannot play is tried once.
        let bench = try await AlarmBench.open([
            "bin/pw-play": "echo broken >&3; exit 1", "bin/paplay": Self.player,
        ])
        try await bench.advance(to: 165)
        for ring in 0..<3 {
            try await bench.awaitWish(165, seconds: 8 * (ring + 1))
            try bench.awaitCalls { $0.count == ring + 2 }
            try await bench.awaitDelivered(["sound"])
            try await bench.advance(to: 165, seconds: 8 * (ring + 1))
        }
        #expect(Set(bench.calls).count == bench.calls.count, "every ring was another file")
        #expect(bench.calls.count { $0 == "broken" } == 1)
        try await bench.advance(to: 240)
        let rings = bench.calls.count
        // Each step is a time at which a ring would be due.
        for second in stride(from: 0, through: 120, by: 8) { try await bench.advance(to: 241, seconds: second) }
        #expect(bench.calls.count <= rings + 1)
        await bench.night.stop()
    }

    @Test func `a player that others may write to is not run: an installed one rings`() async throws {
        var alarm = AlarmPreferences()
        alarm.player = "mine"
        let bench = try await AlarmBench.open(
            ["bin/mine": "echo mine >&3", "bin/paplay": Self.player], alarm: alarm)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o722], ofItemAtPath: bench.folder.path("bin/mine"))
        try await bench.advance(to: 165)
        try bench.awaitCalls { !$0.isEmpty }
        #expect(bench.calls.allSatisfy { $0.hasPrefix("player") }, "\(bench.calls)")
        await bench.night.stop()
    }

    @Test func `what does not work is told once and costs no time`() async throws {
        let bench = try await AlarmBench.open([
            "bin/pw-play": "echo no server; exit 1", "bin/aplay": "echo no card >&2; exit 1",
            "bin/spd-say": "echo voice $* >&3", "hooks.d/partner/10-phone": "echo phone >&3",
        ])
        try await bench.advance(to: 165)
        try await bench.awaitDelivered(["speech"])
        #expect(bench.calls == ["voice -w -P important -- It is time. Look at the screen."])
        let failures = bench.said(.alarmStepFailed)
        #expect(failures.count == 1 && failures[0].contains("aplay exited with 1: no card"), "\(failures)")
        #expect(await bench.report("alarm")?.lastError.contains("no card") == true)
        // The voice has worked, so the partner is not called before the time.
        try await bench.advance(to: 169, seconds: 59)
        #expect(!bench.calls.contains("phone"))
        try await bench.advance(to: 170)
        try await bench.awaitDelivered(["partner"])
        #expect(bench.said(.alarmStepFailed).count == 1, "\(bench.said(.alarmStepFailed))")
        await bench.night.stop()
    }

    @Test func `with nothing that can be heard the partner is called all the same, at the time`() async throws {
        let bench = try await AlarmBench.open(["hooks.d/partner/10-phone": "echo phone $(/usr/bin/cat) >&3"])
        try await bench.advance(to: 165)
        try await bench.advance(to: 169, seconds: 59)
        try await bench.awaitWish(170, seconds: 0)
        #expect(bench.calls.isEmpty)
        try await bench.advance(to: 170)
        try await bench.awaitDelivered(["partner"])
        let line = try JSONValue.parse(Array(try #require(bench.calls.first).dropFirst(6).utf8)).objectValue
        #expect(line?["text"] == .string("An alarm was not answered. Please look in."))
        await bench.night.stop()
    }

    @Test func `a hook that failed is tried again, later each time, until it works`() async throws {
        let bench = try await AlarmBench.open([
            "bin/paplay": "echo player >&3",
            "hooks.d/alarm/10-push": "echo push >&3; [ -e \"${0%/*}/network\" ] || { echo no network; exit 6; }",
        ])
        for minute in [165, 166] { try await bench.advance(to: minute) }
        func pushes() -> Int { bench.calls.count { $0 == "push" } }
        for (count, minute) in [(1, 167), (2, 168), (3, 170)] {
            try await bench.advance(to: minute - 1, seconds: 59)
            try await bench.awaitWish(minute, seconds: 0)
            #expect(pushes() == count - 1)
            try await bench.advance(to: minute)
            try await bench.journal.wait(for: JournalMessage.hookFailed.rawValue, count: count)
        }
        #expect(bench.said(.alarmStepFailed).count { $0.contains("10-push") } == 1, "said once")
        #expect(await bench.report("alarm")?.lastError.contains("exited with 6: no network") == true)
        try "".write(toFile: bench.folder.path("hooks.d/alarm/network"), atomically: false, encoding: .utf8)
        try await bench.advance(to: 173, seconds: 59)
        try await bench.awaitWish(174, seconds: 0)
        try await bench.advance(to: 174)
        try await bench.awaitDelivered(["hook"])
        try await bench.advance(to: 190)
        #expect(pushes() == 4)
        await bench.night.stop()
    }

    @Test func `what was answered while one hook runs reaches nobody by the next`() async throws {
        let bench = try await AlarmBench.open([
            "bin/paplay": "echo player >&3", "hooks.d/alarm/10-light": Self.endless,
            "hooks.d/alarm/20-push": "echo push >&3",
        ])
        for minute in [165, 166] { try await bench.advance(to: minute) }
        try await bench.advance(to: 166, seconds: 59)
        try await bench.awaitWish(167, seconds: 0)
        try await bench.advance(to: 167)
        let light = try bench.awaitCalls { $0.last != "player" }.last?.dropFirst(7)
        try await bench.night.submit(.logDose(.dose2))
        try await bench.advance(to: 168)
        #expect(ProgramBench.isGone(String(try #require(light))))
        try await bench.advance(to: 169)
        #expect(!bench.calls.contains("push"))
        #expect(bench.journal.entries(JournalMessage.hookFailed.rawValue).isEmpty, "ended on purpose")
        await bench.night.stop()
    }

    @Test(arguments: [-600, 1_800])
    func `E4: setting the clock neither silences an alarm that rings nor calls anybody sooner`(step: Int) async throws {
        let bench = try await AlarmBench.open(Self.everything)
        try await bench.advance(to: 165)
        try await bench.awaitWish(165, seconds: 8)
        bench.night.clock.step(by: .seconds(step))
        await bench.night.deadline()
        await bench.night.host.timeCame()
        let rings = bench.calls.count { $0.hasPrefix("player") }
        // The time of the wish is by the clock after the step.
        let wish = bench.dose1 + .minutes(165) + .seconds(8 + step)
        try await bench.night.retry.armings.wait { $0.contains(wish) }
        try await bench.advance(to: 165, seconds: 8 + step)
        try bench.awaitCalls { $0.count { $0.hasPrefix("player") } > rings }
        #expect(!bench.calls.contains { $0.hasPrefix("light") || $0.hasPrefix("phone") })
        await bench.night.stop()
    }

    @Test func `a tone that does not end is waited for, and asks for nothing meanwhile`() async throws {
        let bench = try await AlarmBench.open(["bin/aplay": Self.endless])
        try await bench.advance(to: 165)
        try bench.awaitCalls { $0.count == 1 }
        try await bench.advance(to: 165, seconds: 20)
        let now = bench.night.clock.now
        #expect(bench.night.retry.armings.elements.last.map { $0 > now } == true, "it would spin")
        await bench.night.stop()
    }

    @Test func `a rung that is off is never taken`() async throws {
        var alarm = AlarmPreferences()
        alarm.ladder = AlarmLadder(delays: [.speech: .seconds(10)])
        alarm.text = "Hello."
        let bench = try await AlarmBench.open(Self.everything, alarm: alarm)
        try await bench.advance(to: 165)
        try await bench.awaitWish(165, seconds: 10)
        try await bench.advance(to: 165, seconds: 10)
        try await bench.awaitDelivered(["speech"])
        try await bench.advance(to: 172)
        #expect(Set(bench.calls) == ["voice -- Hello."])
        await bench.night.stop()
    }

    @Test func `after a crash the ladder goes on where it was: nobody is called twice`() async throws {
        let bench = try await AlarmBench.open(Self.everything)
        for (seconds, channel) in [(0, "sound"), (60, "speech"), (120, "hook"), (300, "partner")] {
            if seconds > 0 {
                try await bench.advance(to: 165, seconds: seconds - 1)
                try await bench.awaitWish(165, seconds: seconds)
            }
            try await bench.advance(to: 165, seconds: seconds)
            try await bench.awaitDelivered([channel])
        }
        await bench.night.engine.published()
        let calls = bench.calls
        try await bench.night.crash()
        let again = try await AlarmBench.open([:], in: bench.folder, clock: bench.night.clock)
        try await again.advance(to: 171)
        try again.awaitCalls { $0.count { $0.hasPrefix("player") } > calls.count { $0.hasPrefix("player") } }
        try await again.advance(to: 172)
        for word in ["light", "phone"] { #expect(again.calls.count { $0.hasPrefix(word) } == 1, "\(word)") }
        await again.night.stop()
    }

    @Test func `who was away for the alarm is woken first: others are called as much later as the rungs are apart`()
        async throws
    {
        let bench = try await AlarmBench.open(Self.everything)
        try await bench.advance(to: 164)
        try await bench.night.crash()
        bench.night.clock.advance(to: bench.dose1 + .minutes(175))
        let late = try await AlarmBench.open([:], in: bench.folder, clock: bench.night.clock)
        try await late.advance(to: 175)
        try await late.awaitDelivered(["sound", "speech"])
        for (minute, word, channel) in [(176, "light", "hook"), (179, "phone", "partner")] {
            try await late.advance(to: minute - 1, seconds: 59)
            #expect(!late.calls.contains { $0.hasPrefix(word) }, "\(word)")
            try await late.awaitWish(minute, seconds: 0)
            try await late.advance(to: minute)
            try await late.awaitDelivered([channel])
            #expect(late.calls.count { $0.hasPrefix(word) } == 1, "\(word)")
        }
        await late.night.stop()
    }

    static let channels: [(channel: String, call: String)] = [
        ("sound", "player --property=media.role=alarm /dev/stdin"),
        ("speech", "voice -- This is a test. No reminder is due."),
        ("hook", "light"), ("partner", "phone"),
    ]

    @Test(arguments: channels)
    func `a rung can be tried, and says so when it does not work`(row: (channel: String, call: String)) async throws {
        let bench = try await AlarmBench.open(Self.everything)
        #expect(try await bench.night.host.test(row.channel))
        #expect(bench.calls.count == 1 && bench.calls[0].hasPrefix(row.call))
        #expect(bench.said(.channelTested) == ["Test of the channel \(row.channel): no reminder is due"])
        await bench.night.stop()
        let empty = try await AlarmBench.open([:])
        await #expect(throws: PluginFailure.self) { try await empty.night.host.test(row.channel) }
        await empty.night.stop()
    }
}
