/// Why the store did not take or give something.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault: each has its own D-Bus error and its own next step.
    public let code: Code
    /// What was being done, in words a person can use; no medicine names, no notes.
    public let context: String
    /// What lies below, for the journal.
    public let underlying: String

    /// Kinds of faults.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No space left on the device; nothing of the transaction is kept.
        case noSpace = "no_space"
        /// The file or its file system cannot be written.
        case readOnly = "read_only"
        /// A flush failed: whether the events are safe is only known by asking for them by key.
        case outcomeUnknown = "outcome_unknown"
        /// Another process holds the store.
        case locked
        /// The file is damaged: unreadable, truncated, or its chain is broken.
        case damaged
        /// The file was written by a newer version.
        case newer
        /// The file is a database, but not ours, or no database at all.
        case foreign
        /// Something stands in the store that no version of ours makes, such as a trigger; what lies below is the statement
        /// of SQL that takes it away, empty where a shell would not read it as it is.
        case altered
        /// The file or folder is missing or may not be read.
        case unavailable
        /// The key was used before by another event.
        case keyTaken = "key_taken"
        /// The work was broken off for something more urgent, or because nobody waits for it any more; nothing has changed.
        case interrupted
        /// Anything else.
        case `internal`
    }

    /// Memberwise.
    public init(code: Code, context: String, underlying: String = "") {
        self.code = code
        self.context = context
        self.underlying = underlying
    }

    /// What is wrong, in words.
    public var description: String {
        underlying.isEmpty ? "\(context) (\(code.rawValue))" : "\(context) (\(code.rawValue): \(underlying))"
    }
}
