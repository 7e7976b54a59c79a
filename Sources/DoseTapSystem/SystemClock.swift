internal import CLinux
import Glibc

/// This machine's clocks. Only this file asks the system for the time; all other code gets a reading.
public struct SystemClock: Sendable {
    public struct Reading: Sendable, Hashable {
        /// CLOCK_REALTIME: microseconds since 1970-01-01T00:00:00Z. The clock may be set forwards and backwards.
        public let wallMicroseconds: Int64
        /// CLOCK_BOOTTIME: microseconds since the machine booted, time asleep included. The clock never steps, but is slewed as
        /// CLOCK_REALTIME is: timers are armed on it, nothing is measured by it.
        public let bootMicroseconds: Int64
        /// The counter: CLOCK_MONOTONIC_RAW and the time asleep, in microseconds. The counter is neither stepped nor slewed.
        public let counterMicroseconds: Int64
        /// True if the kernel calls CLOCK_REALTIME synchronised; false if the kernel cannot be asked.
        public let isSynchronised: Bool
        /// True if ``isSynchronised`` was taken over from an earlier reading.
        public let isTakenOver: Bool
        /// UUID of the boot. Boot times of different boots cannot be compared.
        public let bootID: String

        /// Makes a reading, for clocks of other kinds.
        public init(
            wallMicroseconds: Int64, bootMicroseconds: Int64, counterMicroseconds: Int64, isSynchronised: Bool,
            isTakenOver: Bool = false, bootID: String
        ) {
            self.wallMicroseconds = wallMicroseconds
            self.bootMicroseconds = bootMicroseconds
            self.counterMicroseconds = counterMicroseconds
            self.isSynchronised = isSynchronised
            self.isTakenOver = isTakenOver
            self.bootID = bootID
        }
    }

    /// The running boot's id (random(4)), read once.
    public let bootID: String

    /// Reads the id of the running boot.
    ///
    /// If the kernel's id is hidden, as by `ProcSubset=pid`, this process gets an id of its own. Its boot times are then never
    /// compared with those of another process, and the wall clock counts.
    public init() { self.init(bootIDPath: "/proc/sys/kernel/random/boot_id") }

    init(bootIDPath: String) {
        let text = (try? SystemFile.read(bootIDPath, limit: 128)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let id = text.prefix { $0.isHexDigit || $0 == "-" }.lowercased()
        bootID = id.utf8.count == 36 ? id : Self.substitute()
    }

    /// Time for which the kernel's answer about the wall clock is taken over, in microseconds.
    private static let askedAgainAfter: Int64 = 2_000
    /// Least difference between the progress of two clocks, in microseconds, by which one of them counts as set.
    private static let readingApart: Int64 = 20

    /// Reads all clocks.
    ///
    /// - Parameter asked: an earlier reading for which the kernel was asked if the wall clock is synchronised. The answer is
    ///   taken over for 2 ms, unless the wall clock was set since: the question is a system call, reading the clocks is none.
    public func read(asked: Reading? = nil) -> Reading {
        let boot = Self.microseconds(CLOCK_BOOTTIME)
        let wall = Self.microseconds(CLOCK_REALTIME)
        let known = asked.flatMap { asked -> Bool? in
            let (passed, gained) = (boot - asked.bootMicroseconds, wall - asked.wallMicroseconds)
            let isFresh = (0..<Self.askedAgainAfter).contains(passed) && abs(gained - passed) < Self.readingApart
            return isFresh ? asked.isSynchronised : nil
        }
        return Reading(
            wallMicroseconds: wall, bootMicroseconds: boot, counterMicroseconds: counterMicroseconds,
            isSynchronised: known ?? Self.isSynchronised(), isTakenOver: known != nil, bootID: bootID)
    }

    /// The counter alone.
    public var counterMicroseconds: Int64 { Self.microseconds(CLOCK_MONOTONIC_RAW) + Self.microsecondsAsleep() }

    /// CLOCK_BOOTTIME less CLOCK_MONOTONIC. The two are slewed alike, so that only sleep makes the difference grow. The clocks
    /// cannot be read at once: of a few differences the smallest has the least time between the two readings.
    private static func microsecondsAsleep() -> Int64 {
        var least = Int64.max
        for _ in 0..<3 {
            let monotonic = microseconds(CLOCK_MONOTONIC)
            least = min(least, microseconds(CLOCK_BOOTTIME) - monotonic)
        }
        return least
    }

    /// Returns true if adjtimex(2) says that the clock is less than 16 s off, the error of a clock that nothing keeps right.
    ///
    /// The flag STA_UNSYNC is ignored, as timedatectl does: the flag only keeps the kernel from setting the hardware clock.
    /// chrony sets it unless chrony has the option rtcsync, timesyncd if the hardware clock has local time. The result is false
    /// if a sandbox forbids the call.
    static func isSynchronised() -> Bool {
        var kernel = timex()
        return adjtimex(&kernel) >= 0 && isSynchronised(maximumError: Int64(kernel.maxerror))
    }

    /// - Parameter maximumError: in microseconds.
    static func isSynchronised(maximumError: Int64) -> Bool { maximumError < 16_000_000 }

    /// Reads a clock in microseconds. The call fails for no clock that Linux has, so a failure reads as 0 and callers need not
    /// handle an error.
    private static func microseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
    }

    private static func substitute() -> String {
        var hex = ""
        for _ in 0..<16 {
            let byte = String(UInt8.random(in: .min ... .max), radix: 16)
            hex += (byte.utf8.count == 1 ? "0" : "") + byte
        }
        let digits = Array(hex)
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
