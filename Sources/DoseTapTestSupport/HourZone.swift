import Glibc

/// Zones by the hour it is there now: a night's boundaries follow the local clock, and what a test expects of a night must
/// not depend on when it runs.
public enum HourZone {
    /// A zone where it is in this hour of the day, whenever this runs.
    public static func identifier(hour: Int) -> String {
        let east = (hour - (time(nil) / 3_600) % 24 + 35) % 24 - 11
        return east > 0 ? "Etc/GMT-\(east)" : "Etc/GMT+\(-east)"
    }

    /// Where it is past three at night, as of the start of this process: the evening is nine hours ago, the morning is to
    /// come.
    public static let night = identifier(hour: 3)
    /// Where it is past six in the morning.
    public static let dawn = identifier(hour: 6)
}
