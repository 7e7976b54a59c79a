internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import Glibc
internal import Synchronization

/// The machine's clocks and zones. The zone is read anew when `/etc/localtime` is another file than before.
final class LiveSystemEnvironment: SystemEnvironment {
    private struct Cache {
        var stamp: Stamp?
        var current: SystemZone
        /// The zone named in the settings, else by `TZ`; nil stands for `/etc/localtime`.
        var variable: String?
        var named: [String: Zone] = [:]
        /// The style from the settings; nil for the locale's.
        var clockStyle: ClockStyle?
        /// The reading for which the kernel was asked if the clock is synchronised.
        var asked: SystemClock.Reading?
        /// Time of the last look at `/etc/localtime` by the counter, in microseconds.
        var looked: Int64 = .min
    }

    /// Time for which a look at `/etc/localtime` holds, in microseconds: one action asks for the zone a dozen times.
    private static let looksAgainAfter: Int64 = 2_000

    /// Identity of `/etc/localtime`.
    private struct Stamp: Equatable {
        var inode: UInt
        var device: UInt
        var seconds: Int
        var nanoseconds: Int
    }

    let deviceID: String
    /// The clock style of the service's locale, found as the C library does: an empty variable counts as unset.
    private let localeStyle: ClockStyle = {
        for name: String in ["LC_ALL", "LC_TIME", "LANG"] {
            if let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty {
                return ClockStyle(locale: value)
            }
        }
        return .hours24
    }()
    private let systemClock = SystemClock()
    private let files: ZoneFiles
    private let environment: String?
    private let cache: Mutex<Cache>

    /// - Parameters:
    ///   - fixed: the zone named in the settings; nil for that of `variable`, else the machine's.
    ///   - variable: value of `TZ`.
    ///   - clockStyle: the style from the settings; nil for the locale's.
    init(
        deviceID: String, fixed: String?, variable: String?, clockStyle: ClockStyle?, files: ZoneFiles = ZoneFiles()
    ) {
        self.deviceID = deviceID
        self.files = files
        environment = variable
        cache = Mutex(
            Cache(
                stamp: Self.stamp(files.localtime), current: files.current(variable: fixed ?? variable),
                variable: fixed ?? variable, clockStyle: clockStyle))
    }

    func clock() -> ClockReading {
        let reading = cache.withLock { cache in
            let reading = systemClock.read(asked: cache.asked)
            if !reading.isTakenOver { cache.asked = reading }
            return reading
        }
        return ClockReading(
            wall: Instant(microseconds: reading.wallMicroseconds), counterMicroseconds: reading.counterMicroseconds,
            bootID: reading.bootID, isSynchronised: reading.isSynchronised)
    }

    var clockStyle: ClockStyle { cache.withLock { $0.clockStyle } ?? localeStyle }

    func zone() -> Zone { systemZone().zone }

    /// Returns the zone in force, with its fault if the zone is unknown.
    func systemZone() -> SystemZone {
        let now = systemClock.counterMicroseconds
        return cache.withLock { cache in
            guard cache.variable == nil, now - Self.looksAgainAfter >= cache.looked else { return cache.current }
            cache.looked = now
            let stamp = Self.stamp(files.localtime)
            if cache.stamp != stamp {
                cache.stamp = stamp
                cache.current = files.current(variable: nil)
            }
            return cache.current
        }
    }

    /// Applies the settings; nil is the zone of `TZ`, else the machine's, and the clock style of the locale.
    func prefer(zone identifier: String?, clock: ClockStyle?) {
        let variable = identifier ?? environment
        cache.withLock { cache in
            cache.clockStyle = clock
            guard cache.variable != variable else { return }
            cache.variable = variable
            cache.stamp = Self.stamp(files.localtime)
            cache.current = files.current(variable: variable)
        }
    }

    func zone(named identifier: String) -> Zone? {
        if let known = cache.withLock({ $0.named[identifier] }) { return known }
        guard let zone = try? files.named(identifier) else { return nil }
        cache.withLock { cache in
            if cache.named.count > 64 { cache.named = [:] }
            cache.named[identifier] = zone
        }
        return zone
    }

    private static func stamp(_ path: String) -> Stamp? {
        var status = Glibc.stat()
        guard stat(path, &status) == 0 else { return nil }
        return Stamp(
            inode: UInt(status.st_ino), device: UInt(status.st_dev), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
