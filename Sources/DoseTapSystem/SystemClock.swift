import Glibc

/// This machine's clocks. The only file that asks the system what time it is; everyone else is handed a reading.
public struct SystemClock: Sendable {
    /// Both clocks, read one right after the other.
    public struct Reading: Sendable, Hashable {
        /// CLOCK_REALTIME: microseconds since 1970-01-01T00:00:00Z. May be set forwards and backwards.
        public let wallMicroseconds: Int64
        /// CLOCK_BOOTTIME: microseconds since the machine booted, time asleep included. Never steps.
        public let bootMicroseconds: Int64
        /// Which boot that was: a UUID. Boot times of different boots cannot be compared.
        public let bootID: String

        /// Makes a reading, for clocks of other kinds.
        public init(wallMicroseconds: Int64, bootMicroseconds: Int64, bootID: String) {
            self.wallMicroseconds = wallMicroseconds
            self.bootMicroseconds = bootMicroseconds
            self.bootID = bootID
        }
    }

    /// The running boot's id (random(4)), asked for once.
    public let bootID: String

    /// Learns which boot this is.
    ///
    /// Where the kernel's id is hidden, as by `ProcSubset=pid`, this process gets one of its own: then nothing compares
    /// its boot times with another process's, and the wall clock counts.
    public init() { self.init(bootIDPath: "/proc/sys/kernel/random/boot_id") }

    init(bootIDPath: String) {
        let text = (try? SystemFile.read(bootIDPath, limit: 128)).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let id = text.prefix { $0.isHexDigit || $0 == "-" }.lowercased()
        bootID = id.utf8.count == 36 ? id : Self.substitute()
    }

    /// Reads both clocks.
    public func read() -> Reading {
        Reading(
            wallMicroseconds: Self.microseconds(CLOCK_REALTIME),
            bootMicroseconds: Self.microseconds(CLOCK_BOOTTIME), bootID: bootID)
    }

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
