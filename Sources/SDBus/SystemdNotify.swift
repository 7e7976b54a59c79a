internal import CSystemd
internal import Glibc

/// Tells the service manager about the state of this process (sd_notify(3)). Without a manager nothing happens.
public enum SystemdNotify {
    /// The service is up.
    public static func ready(status: String? = nil) { send("READY=1", status) }
    /// The service is going down.
    public static func stopping(status: String? = nil) { send("STOPPING=1", status) }
    /// The configuration is being read again; ``ready(status:)`` follows.
    public static func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(csd_clock_microseconds(CLOCK_MONOTONIC))", nil)
    }
    /// One line for people.
    public static func status(_ text: String) { send(nil, text) }
    /// The service is alive.
    public static func watchdog() { send("WATCHDOG=1", nil) }

    /// How often the manager wants ``watchdog()``; nil when it does not. Tell at half of it.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0 else { return nil }
        return .microseconds(Int64(clamping: microseconds))
    }

    private static func send(_ state: String?, _ status: String?) {
        var lines: [String] = []
        if let state { lines.append(state) }
        // A line break would begin another assignment.
        if let status { lines.append("STATUS=" + String(status.map { $0.isNewline ? " " : $0 })) }
        _ = csd_notify(lines.joined(separator: "\n"))
    }
}
