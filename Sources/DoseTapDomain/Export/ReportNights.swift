/// The number of nights in a report (R32.1).
public enum ReportNights {
    /// From the first night to the last, the days without one counted.
    public static let range = 1...3_700
    /// The number of nights where no other number is chosen.
    public static let usual = 90
}
