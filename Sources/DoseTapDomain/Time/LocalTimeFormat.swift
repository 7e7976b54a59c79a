/// Instants with their offset, offsets and lengths of time, in ASCII digits. Clock times are ``Moments``'.
public enum LocalTimeFormat {
    /// `YYYY-MM-DDTHH:MM:SS.mmm±HH:MM`, which ``Instant/init(iso8601:)`` reads back as the same instant.
    ///
    /// Where an old local time differs from UTC by seconds too, these are left out of the offset and of the time.
    public static func iso8601(_ instant: Instant, in zone: Zone) -> String {
        let minutes = Int64(zone.offsetMinutes(at: instant))
        let local = LocalDateTime(millisecondsSinceEpoch: instant.milliseconds + minutes * 60_000)
        var text = TimeText()
        text.append(local, separator: "T", fraction: true)
        text.append(offsetSeconds: Int(minutes) * 60)
        return text.string
    }

    /// `+02:00`, seconds cut off towards zero.
    ///
    /// - Parameter seconds: Seconds east of UTC.
    public static func offset(seconds: Int) -> String {
        var text = TimeText()
        text.append(offsetSeconds: seconds)
        return text.string
    }

    /// `2 h 45 min`, `12 min` or, below one minute, `45 s`; what is finer is cut off.
    public static func interval(_ duration: Duration) -> String {
        let total = duration.wholeSeconds
        let sign = total < 0 ? "-" : ""
        let seconds = total.magnitude
        let hours = seconds / 3600
        let minutes = seconds / 60 % 60
        if seconds < 60 { return seconds == 0 ? "0 min" : "\(sign)\(seconds) s" }
        if hours == 0 { return "\(sign)\(minutes) min" }
        return minutes == 0 ? "\(sign)\(hours) h" : "\(sign)\(hours) h \(minutes) min"
    }
}
