import DoseTapDomain

/// A finding of opening that does not prevent the use of the store.
public struct OpenFinding: Hashable, Sendable {
    public var kind: Kind
    /// The last sequence number known to have been written.
    public var expectedSequence: Int64
    /// The last sequence number in the log.
    public var foundSequence: Int64
    public var sentence: String

    /// True if the end of the log records the finding already, from an earlier opening.
    public var isOnRecord = false

    /// Kinds of findings; not all put the record in doubt.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The log ends before the last event known to have been written: an older copy, or a lost write-ahead log.
        case rolledBack = "rolled_back"
        /// The log has another event in place of a known one.
        case differs
        /// The head file belongs to another store: the whole file was replaced.
        case otherStore = "other_store"
        /// The end of the hash chain does not hold.
        case brokenChain = "broken_chain"
        /// Tables were missing and were rebuilt.
        case tablesMade = "tables_made"
        /// The store cannot be written: a copy is read.
        case readOnly = "read_only"
        /// The head file is missing or unreadable, so a rollback could not be noticed.
        case unknownHead = "unknown_head"
    }

    public init(kind: Kind, expectedSequence: Int64, foundSequence: Int64, sentence: String, isOnRecord: Bool = false) {
        self.kind = kind
        self.expectedSequence = expectedSequence
        self.foundSequence = foundSequence
        self.sentence = sentence
        self.isOnRecord = isOnRecord
    }

    /// True if the log may lack events that it had.
    var isOfLoss: Bool { [.rolledBack, .differs, .otherStore, .brokenChain, .unknownHead].contains(kind) }

    /// True if the finding puts the record in doubt.
    public var isWarning: Bool { ![.unknownHead, .tablesMade, .readOnly].contains(kind) }
}

/// Sentences of a report, bounded in number.
struct Findings {
    private var told: [String] = []
    private var untold = 0
    private var seen: Set<String> = []

    /// Adds a sentence, once.
    mutating func add(_ sentence: String) {
        guard told.count < Store.mostFindings else {
            untold += 1
            return
        }
        if seen.insert(sentence).inserted { told.append(sentence) }
    }

    var isEmpty: Bool { told.isEmpty }

    /// All sentences; a last one gives the number of further ones.
    var sentences: [String] { untold == 0 ? told : told + [sent("and \(untold) more")] }
}
