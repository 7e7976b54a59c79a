import CLinux
import Foundation
import Glibc
import Testing

@testable import DoseTapSystem

@Suite struct SystemClockTests {
    @Test func `both clocks agree with the system's`() throws {
        let clock = SystemClock()
        let before = Date().timeIntervalSince1970
        let reading = clock.read()
        let after = Date().timeIntervalSince1970
        #expect(Double(reading.wallMicroseconds) / 1e6 >= before - 0.001)
        #expect(Double(reading.wallMicroseconds) / 1e6 <= after + 0.001)
        let uptime = try String(contentsOfFile: "/proc/uptime", encoding: .utf8)
        let seconds = try #require(uptime.split(separator: " ").first.flatMap { Double($0) })
        #expect(abs(Double(reading.bootMicroseconds) / 1e6 - seconds) < 5)
        #expect(clock.read().bootMicroseconds >= reading.bootMicroseconds)
        #expect(clock.read().counterMicroseconds >= reading.counterMicroseconds)
    }

    @Test func `R2.16 the counter is the raw clock and the time asleep`() {
        func nanoseconds(_ clock: clockid_t) -> Int64 {
            var time = timespec()
            clock_gettime(clock, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
        let asleep = (0..<9).map { _ in 0 - nanoseconds(CLOCK_MONOTONIC) + nanoseconds(CLOCK_BOOTTIME) }.min() ?? 0
        let before = nanoseconds(CLOCK_MONOTONIC_RAW) + asleep
        let counter = SystemClock().read().counterMicroseconds * 1_000
        let after = nanoseconds(CLOCK_MONOTONIC_RAW) + asleep
        #expect(counter >= before - 1_000_000 && counter <= after + 1_000_000)
    }

    @Test(arguments: [(error: Int64(0), isSynchronised: true), (15_999_999, true), (16_000_000, false), (.max, false)])
    func `R2.16 the wall clock is synchronised when it is less than 16 s off, whatever the kernel's flag says`(
        error: Int64, isSynchronised: Bool
    ) {
        #expect(SystemClock.isSynchronised(maximumError: error) == isSynchronised)
    }

    @Test func `R2.16 what adjtimex says of this machine is what is read`() {
        var kernel = timex()
        let state = adjtimex(&kernel)
        let expected = SystemClock.isSynchronised(maximumError: Int64(kernel.maxerror))
        #expect(state < 0 || SystemClock().read().isSynchronised == expected)
    }

    @Test func `R2.16 what the kernel says of the clock is taken over for 2 ms, and not where the clock was set`() {
        let clock = SystemClock()
        let now = clock.read()
        func asked(ago: Int64, set: Int64 = 0) -> SystemClock.Reading {
            SystemClock.Reading(
                wallMicroseconds: now.wallMicroseconds - ago - set, bootMicroseconds: now.bootMicroseconds - ago,
                counterMicroseconds: now.counterMicroseconds - ago, isSynchronised: !now.isSynchronised, bootID: "")
        }
        // The thread may be interrupted between the readings of two clocks, so one of twenty tries must succeed.
        #expect((0..<20).contains { _ in clock.read(asked: clock.read()).isTakenOver })
        #expect(clock.read(asked: asked(ago: 5_000)).isSynchronised == now.isSynchronised)
        for set: Int64 in [-3_600_000_000, -1_000, 1_000, 3_600_000_000] {
            let reading = clock.read(asked: asked(ago: 0, set: set))
            #expect(!reading.isTakenOver && reading.isSynchronised == now.isSynchronised, "set by \(set) µs")
        }
        #expect(!clock.read(asked: asked(ago: -1_000_000)).isTakenOver)
    }

    @Test func `the boot id is the kernel's`() throws {
        let kernel = try String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        #expect(SystemClock().bootID == kernel.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    @Test func `a hidden boot id is replaced by one no other process has`() throws {
        let one = SystemClock(bootIDPath: "/nonexistent"), other = SystemClock(bootIDPath: "/nonexistent")
        #expect(one.bootID != other.bootID)
        #expect(UUID(uuidString: one.bootID) != nil)
        #expect(one.read().bootID == one.bootID)
    }
}
