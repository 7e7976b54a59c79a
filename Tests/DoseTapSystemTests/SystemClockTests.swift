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
