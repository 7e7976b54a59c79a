/// Severity of a journal entry: the syslog levels of RFC 5424, section 6.2.1, as journald's `PRIORITY` field holds them.
public enum JournalPriority: Int, Sendable, Hashable, CaseIterable {
    /// The system is unusable.
    case emergency = 0
    /// Action must be taken at once.
    case alert = 1
    /// Critical condition.
    case critical = 2
    /// Error.
    case error = 3
    /// Warning.
    case warning = 4
    /// Normal, but worth noticing.
    case notice = 5
    /// Informational.
    case info = 6
    /// For debugging only.
    case debug = 7

    /// The word a person reads on standard error.
    var word: String {
        switch self {
        case .emergency: "emergency"
        case .alert: "alert"
        case .critical: "critical"
        case .error: "error"
        case .warning: "warning"
        case .notice: "notice"
        case .info: "info"
        case .debug: "debug"
        }
    }
}
