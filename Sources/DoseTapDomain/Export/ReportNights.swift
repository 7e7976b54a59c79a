/// How many nights a report has (R32.1).
public enum ReportNights {
    /// From the first night to the last, the days without one counted.
    public static let range = 1...3_700
    /// Without another wish.
    public static let usual = 90
}
