import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import SDBus
import Testing

@testable import DoseTapPlugins

@Suite struct WakeTimerTests {
    /// Ten seconds before the window opens at 01:00.
    private let first = NightBench.evening + .minutes(150) - .seconds(10)

    private func microseconds(_ instant: Instant) -> UInt64 { UInt64(instant.microseconds) }

    @Test func `the machine is woken for the next reminder, and no longer once dose 2 is resolved`() async throws {
        try await AwakeBench.open { bench in
            let unit = UserManager.unit(at: first)
            let manager = try await ScriptedManager.start(
                on: bench.session.address, version: "254.1-3", elapses: microseconds(first),
                left: ["dosetap-wake-1.timer"])
            try await bench.connect()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.wakeTimerSet)
            try await bench.night.submit(.skipDose2)
            let heard = try await manager.heard.wait(count: 3)
            #expect(
                heard == [
                    .stopped("dosetap-wake-1.timer"),
                    .started(unit, calendar: "2026-01-15 00:59:50 UTC", wakes: true), .stopped(unit),
                ])
            await manager.stop()
        }
    }

    @Test func `a timer that an earlier life left for the same instant stays`() async throws {
        try await AwakeBench.open { bench in
            let unit = UserManager.unit(at: first)
            let manager = try await ScriptedManager.start(
                on: bench.session.address, version: "254.1-3", elapses: microseconds(first),
                left: ["dosetap-wake-1.timer", unit])
            try await bench.connect()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.wakeTimerSet)
            try await bench.night.submit(.skipDose2)
            #expect(try await manager.heard.wait(count: 2) == [.stopped("dosetap-wake-1.timer"), .stopped(unit)])
            await manager.stop()
        }
    }

    @Test func `a timer is replaced as the plan goes on`() async throws {
        try await AwakeBench.open { bench in
            let manager = try await ScriptedManager.start(
                on: bench.session.address, version: "v255", elapses: microseconds(first))
            try await bench.connect()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.wakeTimerSet)
            try await bench.night.advance(to: NightBench.evening + .minutes(150))
            let second = UserManager.unit(at: NightBench.evening + .minutes(160) - .seconds(10))
            let heard = try await manager.heard.wait { $0.contains(.stopped(UserManager.unit(at: first))) }
            #expect(heard.contains(.started(second, calendar: "2026-01-15 01:09:50 UTC", wakes: true)))
            // The scripted manager reports the first instant as the elapse of every timer.
            try await bench.awaitSaid(.wakeTimerRefused)
            #expect(bench.said(.wakeTimerRefused).first?.contains("elapses at 2026-01-15T00:59:50") == true)
            await manager.stop()
        }
    }

    @Test(.enabled(if: MockedService.isInstalled, "needs python3-dbusmock: run Contrib/test"))
    func `who suspends between the waking and the reminder is woken for the reminder itself`() async throws {
        try await AwakeBench.open { bench in
            let login = try await MockedService.login(on: bench.system.address)
            let manager = try await ScriptedManager.start(
                on: bench.session.address, version: "254.1-3", elapses: microseconds(first))
            try await bench.connect()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.wakeTimerSet)
            try await bench.awaitSaid(.sleepHeldOff)
            bench.night.clock.advance(to: first + .seconds(5))
            try await login.emit("org.freedesktop.login1.Manager", "PrepareForSleep", true)
            let opens = NightBench.evening + .minutes(150)
            let timer = ScriptedManager.Heard.started(
                UserManager.unit(at: opens), calendar: "2026-01-15 01:00:00 UTC", wakes: true)
            try await manager.heard.wait { $0.contains(timer) }
            await manager.stop()
            try await login.stop()
        }
    }

    static let refusals: [(version: String, result: String, wakes: Bool, why: String)] = [
        ("252.39-1~deb12u1", "done", true, "systemd 252: wake timers need 254"),
        ("next", "done", true, "does not tell its version"),
        ("254", "failed", true, "could not start the timer (failed)"),
        ("254", "done", false, "there is no clock in this machine that can wake it"),
    ]

    @Test(arguments: refusals)
    func `what stands in the way is said once`(
        refusal: (version: String, result: String, wakes: Bool, why: String)
    ) async throws {
        try await AwakeBench.open(wakes: refusal.wakes) { bench in
            let manager = try await ScriptedManager.start(
                on: bench.session.address, version: refusal.version, elapses: microseconds(first),
                result: refusal.result)
            try await bench.connect()
            try await bench.night.submit(.logDose(.dose1))
            try await bench.awaitSaid(.wakeTimerRefused)
            try await bench.night.advance(to: NightBench.evening + .minutes(170))
            #expect(bench.said(.wakeTimerRefused).count == 1)
            #expect(bench.said(.wakeTimerRefused).first?.contains(refusal.why) == true)
            await manager.stop()
        }
    }

    @Test(arguments: [("252.39-1~deb12u1", 252), ("v255.4", 255), ("256~rc1", 256), ("", nil), ("x1", nil)])
    func `the major version of a service manager`(text: String, major: Int?) {
        #expect(UserManager.major(text) == major)
    }
}
