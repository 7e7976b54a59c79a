import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import Testing

@testable import DoseTapPlugins

@Suite(.enabled(if: MockedService.isInstalled, "needs python3-dbusmock: run Contrib/test")) struct SleepLockTests {
    static func locks(_ why: String) -> [[String]] {
        [["sleep", "DoseTap", why, "block"], ["handle-lid-switch", "DoseTap", why, "block"]]
    }

    /// The ways in which dose 2 is resolved or the plugin is switched off.
    static let ends: [(String, @Sendable (NightBench) async throws -> Void)] = [
        ("taken", { try await $0.submit(.logDose(.dose2)) }), ("skipped", { try await $0.submit(.skipDose2) }),
        ("closed", { try await $0.advance(to: NightBench.evening + .minutes(240)) }),
        ("switched off", { _ = await $0.host.set("awake", enabled: false) }),
    ]

    @Test(arguments: ends)
    func `sleep and lid are held off, with the reason, until dose 2 is resolved`(
        end: (String, @Sendable (NightBench) async throws -> Void)
    ) async throws {
        try await AwakeBench.open { bench in
            let login = try await MockedService.login(on: bench.system.address)
            #expect(try await login.inhibitors() == [])
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.sleepHeldOff)
            #expect(try await login.inhibitors() == Self.locks("Dose 2 is due at 01:15"))
            try await bench.night.advance(to: NightBench.evening + .minutes(166))
            try await end.1(bench.night)
            try await bench.awaitSaid(.sleepAllowed)
            try await login.awaitNoInhibitors()
            #expect(
                bench.said(.sleepHeldOff) == ["Held off while dose 2 is open: sleep (block), handle-lid-switch (block)"]
            )
            #expect(bench.said(.sleepNotHeldOff) == [])
            try await login.stop()
        }
    }

    @Test func `K5: a logind that comes back holds sleep off again`() async throws {
        try await AwakeBench.open { bench in
            let first = try await MockedService.login(on: bench.system.address)
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.sleepHeldOff)
            try await first.stop()
            let second = try await MockedService.login(on: bench.system.address)
            try await bench.awaitSaid(.sleepHeldOff, count: 2)
            #expect(try await second.inhibitors() == Self.locks("Dose 2 is due at 01:15"))
            try await second.stop()
        }
    }

    @Test func `K5: a system bus that is absent is said once, and used when it comes`() async throws {
        try await AwakeBench.open { bench in
            bench.system.stop()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.sleepNotHeldOff)
            try await bench.night.submit(.logSleepEvent("bathroom"))
            let again = bench.night.clock.now + .minutes(5)
            try await bench.night.retry.armings.wait { $0.contains(again) }
            try bench.system.start()
            let login = try await MockedService.login(on: bench.system.address)
            try await bench.night.advance(to: again)
            await bench.night.host.timeCame()
            try await bench.awaitSaid(.sleepHeldOff)
            #expect(bench.said(.sleepNotHeldOff).count == 1)
            try await login.stop()
        }
    }

    @Test func `E5: what became due while the machine slept is handled as it wakes, once`() async throws {
        try await AwakeBench.open { bench in
            let login = try await MockedService.login(on: bench.system.address)
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.sleepHeldOff)
            try await login.emit("org.freedesktop.login1.Manager", "PrepareForSleep", true)
            try await bench.awaitSaid(.machineSleeps)
            // The clock goes past the alarm and its repeats. No timer fires while the machine sleeps.
            bench.night.clock.advance(by: .minutes(200))
            #expect(bench.night.plugin.told.elements == [])
            try await login.emit("org.freedesktop.login1.Manager", "PrepareForSleep", false)
            try await bench.awaitSaid(.machineWoke)
            let told = try await bench.night.plugin.told.wait(count: 1)
            await bench.night.engine.published()
            #expect(told.count == 1 && told.first?.lateness ?? .zero > .minutes(1))
            try await login.stop()
        }
    }

    static let manners: [(ScriptedLogin.Manner, asked: Int, held: String?, trouble: String)] = [
        (.refusesBlock, 3, "sleep (delay)", "put off for seconds"), (.refuses, 3, nil, "AccessDenied: not you"),
        (.answersWords, 3, nil, "InvalidSignature"),
    ]

    @Test(arguments: manners)
    func `K5: a logind that refuses or answers nonsense is said once and asked again only for another reason`(
        manner: (ScriptedLogin.Manner, asked: Int, held: String?, trouble: String)
    ) async throws {
        try await AwakeBench.open { bench in
            let login = try await ScriptedLogin.start(on: bench.system.address, manner.0)
            try await bench.night.submit(.logDose(.dose1))
            try await login.asked.wait(count: manner.asked)
            try await bench.awaitSaid(.sleepNotHeldOff)
            try await login.emitGarbage()
            try await bench.night.submit(.logSleepEvent("bathroom"))
            try await bench.night.advance(to: NightBench.evening + .minutes(152))
            let before = login.asked.elements.count
            try await bench.night.submit(.snooze)
            try await login.asked.wait(count: before + manner.asked)
            #expect(before == manner.asked)
            #expect(bench.said(.sleepNotHeldOff).count == 1)
            #expect(bench.said(.sleepNotHeldOff).first?.contains(manner.trouble) == true)
            if let held = manner.held {
                try await bench.awaitSaid(.sleepHeldOff)
                #expect(bench.said(.sleepHeldOff).first?.hasSuffix(held) == true)
            } else {
                #expect(bench.said(.sleepHeldOff) == [])
            }
            await login.stop()
        }
    }

    @Test(arguments: [true, false])
    func `K5: a logind that was busy is asked again, after the machine woke or five minutes`(wakes: Bool) async throws {
        try await AwakeBench.open { bench in
            let login = try await ScriptedLogin.start(on: bench.system.address, .isBusy)
            try await bench.night.submit(.logDose(.dose1))
            try await login.asked.wait(count: 3)
            try await bench.awaitSaid(.sleepNotHeldOff)
            let again = bench.night.clock.now + .minutes(5)
            try await bench.night.retry.armings.wait { $0.contains(again) }
            if wakes {
                try await login.emit(asleep: true)
                try await login.emit(asleep: false)
            } else {
                try await bench.night.advance(to: again)
                await bench.night.host.timeCame()
            }
            try await bench.awaitSaid(.sleepHeldOff)
            #expect(
                bench.said(.sleepHeldOff) == ["Held off while dose 2 is open: sleep (block), handle-lid-switch (block)"]
            )
            await login.stop()
        }
    }
}
