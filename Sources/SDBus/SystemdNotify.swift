internal import CSystemd
internal import Glibc

/// Reports the state of this process to the service manager (sd_notify(3)). Does nothing without a manager.
public enum SystemdNotify {
    public static func ready(status: String? = nil) { send("READY=1", status) }
    public static func stopping() { send("STOPPING=1", nil) }
    public static func status(_ text: String) { send(nil, text) }
    public static func watchdog() { send("WATCHDOG=1", nil) }

    /// The interval in which the manager expects ``watchdog()``, nil when it does not. Send at half of it.
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
