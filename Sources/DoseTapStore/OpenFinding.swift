/// Something noticed while opening that does not keep the store from serving the night.
public struct OpenFinding: Hashable, Sendable {
    /// What was noticed.
    public var kind: Kind
    /// The last sequence number known to have been written.
    public var expectedSequence: Int64
    /// The last sequence number in the log.
    public var foundSequence: Int64
    /// What was noticed, in a sentence for people.
    public var sentence: String

    /// The end of the log tells of it already: it was found when the store was opened before.
    public var isOnRecord = false

    /// Kinds of findings; not all of them mean that what is on record may not be all that was recorded.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The log ends before the last event known to have been written: an older copy, or a lost write-ahead log.
        case rolledBack = "rolled_back"
        /// The log has another event where a known one was.
        case differs
        /// The head file belongs to another store: the whole file was replaced.
        case otherStore = "other_store"
        /// The end of the hash chain does not hold.
        case brokenChain = "broken_chain"
        /// Tables were missing and were rebuilt.
        case tablesMade = "tables_made"
        /// The store lies where nothing can be written: what is read is a copy.
        case readOnly = "read_only"
        /// The head file is missing or unreadable, so a rollback could not be noticed.
        case unknownHead = "unknown_head"
    }

    /// Memberwise.
    public init(kind: Kind, expectedSequence: Int64, foundSequence: Int64, sentence: String, isOnRecord: Bool = false) {
        self.kind = kind
        self.expectedSequence = expectedSequence
        self.foundSequence = foundSequence
        self.sentence = sentence
        self.isOnRecord = isOnRecord
    }

    /// Whether what is on record is in doubt.
    public var isWarning: Bool { ![.unknownHead, .tablesMade, .readOnly].contains(kind) }
}
