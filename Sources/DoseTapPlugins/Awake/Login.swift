internal import SDBus

/// The machine's keeper of sleep and lid (`org.freedesktop.login1`, systemd-logind), as far as it matters here.
enum Login {
    /// The name on the bus.
    static let name = "org.freedesktop.login1"
    static let path: ObjectPath = "/org/freedesktop/login1"
    static let manager = "org.freedesktop.login1.Manager"
    /// How long it may take.
    static let limit: Duration = .seconds(5)

    /// What can be held off; the raw value is the word on the bus. One lock each: a lock for several is refused to some
    /// who may have each of them.
    enum What: String, Hashable, Sendable, CaseIterable {
        case sleep
        case lid = "handle-lid-switch"
    }

    /// How strictly; the raw value is the word on the bus.
    enum Mode: String, Hashable, Sendable {
        /// Until the lock is given up.
        case block
        /// For a few seconds, to get ready.
        case delay
    }

    /// A lock that is held for as long as this value lives.
    struct Lock: Sendable {
        let mode: Mode
        /// What people read in `systemd-inhibit --list`.
        let why: String
        let descriptor: UnixFD
    }

    /// Takes a lock.
    static func inhibit(_ what: What, _ mode: Mode, why: String, on bus: Connection) async throws(BusError) -> Lock {
        let descriptor = try await bus.call(
            name, path, manager, "Inhibit", what.rawValue, "DoseTap", why, mode.rawValue, returning: UnixFD.self,
            timeout: limit)
        return Lock(mode: mode, why: why, descriptor: descriptor)
    }
}
