internal import CSystemd

/// Tells the service manager how the service is (sd_notify(3)); does nothing without one.
public enum SystemdNotify {
    /// The service can be used.
    public static func ready(status: String) { send("READY=1\nSTATUS=\(status)") }
    /// The service reloads its settings.
    public static func reloading() { send("RELOADING=1") }
    /// The service is ending.
    public static func stopping() { send("STOPPING=1") }
    /// One line for `systemctl status`.
    public static func status(_ text: String) { send("STATUS=\(text)") }
    /// The service is alive.
    public static func watchdog() { send("WATCHDOG=1") }

    /// How often the service manager wants to hear ``watchdog()``; nil when it does not.
    public static var watchdogInterval: Duration? {
        var microseconds: UInt64 = 0
        return sd_watchdog_enabled(0, &microseconds) > 0 ? .microseconds(Int64(clamping: microseconds)) : nil
    }

    private static func send(_ state: String) { sd_notify(0, state) }
}
