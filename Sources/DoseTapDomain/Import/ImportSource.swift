/// The sources from which records can be brought in; the raw value is the word of the command line.
public enum ImportSource: String, Hashable, Sendable, CaseIterable {
    /// A log that `dosetap export log` wrote.
    case log
    /// The iOS app: its database, its CSV files or its bundle.
    case ios
    case appleHealth = "apple-health"
    case gadgetbridge
    case sleepAsAndroid = "sleep-as-android"
    case plees
    case fitbit
    case oura
}
