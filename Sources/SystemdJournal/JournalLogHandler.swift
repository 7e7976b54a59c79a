public import Logging

/// A swift-log backend that writes each message with its metadata as journal fields.
///
/// The metadata key `message_id` with 32 hexadecimal digits becomes `MESSAGE_ID`; every other key becomes a field of its
/// own (``JournalField/sanitised(_:)``). The logger's label is stored as `LOGGER`.
public struct JournalLogHandler: LogHandler {
    private let label: String
    private let sink: any JournalSink

    /// Metadata of every message of this logger.
    public var metadata: Logger.Metadata = [:]
    /// Metadata asked for at each message.
    public var metadataProvider: Logger.MetadataProvider?
    public var logLevel: Logger.Level

    /// Makes a handler.
    ///
    /// - Parameters:
    ///   - label: The logger's label.
    ///   - sink: The sink that gets the entries.
    ///   - level: Lowest level that is written.
    ///   - metadataProvider: Metadata asked for at each message.
    public init(
        label: String,
        sink: any JournalSink,
        level: Logger.Level = .info,
        metadataProvider: Logger.MetadataProvider? = nil
    ) {
        self.label = label
        self.sink = sink
        self.logLevel = level
        self.metadataProvider = metadataProvider
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { _, new in new } }
        if let own = event.metadata { all.merge(own) { _, new in new } }
        let messageID = all.removeValue(forKey: "message_id").map { "\($0)" }
        var fields = [("LOGGER", label)]
        fields += all.sorted { $0.key < $1.key }.map { ($0.key, "\($0.value)") }
        if let error = event.error { fields.append(("ERROR", String(describing: error))) }
        let location =
            event.level >= .warning
            ? JournalLocation(file: event.file, line: event.line, function: event.function) : nil
        sink.send(
            JournalEntry(
                messageID: messageID, message: event.message.description, priority: JournalPriority(event.level),
                fields: fields, location: location))
    }
}

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
