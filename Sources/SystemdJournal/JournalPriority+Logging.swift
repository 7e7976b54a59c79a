public import Logging

extension JournalPriority {
    /// The journal's priority for a swift-log level; trace and debug share one, as syslog has no lower.
    public init(_ level: Logger.Level) {
        switch level {
        case .trace, .debug: self = .debug
        case .info: self = .info
        case .notice: self = .notice
        case .warning: self = .warning
        case .error: self = .error
        case .critical: self = .critical
        }
    }
}
