internal import CLinux
import Glibc

/// This machine's clocks. Only this file asks the system for the time; all other code is handed a reading.
public struct SystemClock: Sendable {
    public struct Reading: Sendable, Hashable {
        /// CLOCK_REALTIME: microseconds since 1970-01-01T00:00:00Z. May be set forwards and backwards.
        public let wallMicroseconds: Int64
        /// CLOCK_BOOTTIME: microseconds since the machine booted, time asleep included. Never steps, but is slewed
        /// as CLOCK_REALTIME is: timers are armed on it, nothing is measured by it.
        public let bootMicroseconds: Int64
        /// The counter: CLOCK_MONOTONIC_RAW and the time asleep, in microseconds. Neither stepped nor slewed.
        public let counterMicroseconds: Int64
        /// Whether the kernel calls CLOCK_REALTIME synchronised; false where it cannot be asked.
        public let isSynchronised: Bool
        /// Whether ``isSynchronised`` was taken over from an earlier reading.
        public let isTakenOver: Bool
        /// Which boot that was: a UUID. Boot times of different boots cannot be compared.
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

    /// The running boot's id (random(4)), asked for once.
    public let bootID: String

    /// Learns which boot this is.
    ///
    /// Where the kernel's id is hidden, as by `ProcSubset=pid`, this process gets an id of its own: then nothing
    /// compares its boot times with another process's, and the wall clock counts.
    public init() { self.init(bootIDPath: "/proc/sys/kernel/random/boot_id") }

    init(bootIDPath: String) {
        let text = (try? SystemFile.read(bootIDPath, limit: 128)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let id = text.prefix { $0.isHexDigit || $0 == "-" }.lowercased()
        bootID = id.utf8.count == 36 ? id : Self.substitute()
    }

    /// How long what the kernel says of the wall clock holds, in microseconds.
    private static let askedAgainAfter: Int64 = 2_000
    /// Two clocks that are read one after the other differ by less, in microseconds, unless one of them was set.
    private static let readingApart: Int64 = 20

    /// Reads all clocks.
    ///
    /// - Parameter asked: an earlier reading for which the kernel was asked whether the wall clock is synchronised. For
    ///   2 ms its answer is taken over, unless the wall clock was set since: to ask is a system call, the clocks are none.
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

    /// CLOCK_BOOTTIME less CLOCK_MONOTONIC. The two are slewed alike, so that only sleep makes it grow. They cannot be
    /// read at once: of a few differences the smallest is the one with the least between the two readings.
    private static func microsecondsAsleep() -> Int64 {
        var least = Int64.max
        for _ in 0..<3 {
            let monotonic = microseconds(CLOCK_MONOTONIC)
            least = min(least, microseconds(CLOCK_BOOTTIME) - monotonic)
        }
        return least
    }

    /// Reads adjtimex(2): whether the clock is less than 16 s off, the error of a clock that nothing keeps right.
    ///
    /// The flag STA_UNSYNC is ignored, as timedatectl does: it only keeps the kernel from setting the hardware clock. chrony
    /// sets it unless it has the option rtcsync, timesyncd where the hardware clock has local time. False where a sandbox
    /// forbids the call.
    static func isSynchronised() -> Bool {
        var kernel = timex()
        return adjtimex(&kernel) >= 0 && isSynchronised(maximumError: Int64(kernel.maxerror))
    }

    /// - Parameter maximumError: in microseconds.
    static func isSynchronised(maximumError: Int64) -> Bool { maximumError < 16_000_000 }

    /// Fails for no clock that Linux has, so a failure reads as 0 instead of being an error everyone must handle.
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
