/// The outcome of a row of a file.
public enum ImportOutcome: String, Hashable, Sendable, CaseIterable {
    /// The row is recorded.
    case new
    /// An earlier import of the same source brought the row, or the file has the row twice.
    case known
    /// An entry on record says the same already, and stays as it is.
    case linked
    /// The row is too near to now: a later import takes it.
    case heldBack = "held_back"
    case notTaken = "not_taken"
}

/// The reason why a row is not recorded.
public struct ImportReason: Hashable, Sendable {
    /// The raw value is the word of the contract.
    public enum Word: String, Hashable, Sendable, CaseIterable {
        /// The row is of the night that is open.
        case tonight
        /// The row is younger than ``ImportPlanner/youngest``.
        case recent
        /// The night of the row is not over yet.
        case nightNotOver = "night_not_over"
        case future
        /// The row lies before ``ImportPlanner/oldest``.
        case tooOld = "too_old"
        /// A like entry is on record some minutes apart, perhaps the same at another time.
        case anotherTime = "another_time"
        /// The night has a dose 1 already.
        case secondDose1 = "second_dose1"
        /// The night has such an entry already, and takes only one.
        case onRecord = "on_record"
        /// A regimen on record holds at that time.
        case regimenOnRecord = "regimen_on_record"
        /// The rules refuse the entry.
        case refused
        /// The row is not valid.
        case invalid
        /// The reader of the file gave the row up.
        case source
    }

    public var word: Word
    /// Further words on the reason: a sentence with ``Word/invalid`` and ``Word/source``, the word of a ``BlockReason``
    /// with ``Word/refused``, an instant with ``Word/anotherTime``.
    public var detail: String

    public init(_ word: Word, _ detail: String = "") {
        self.word = word
        self.detail = detail
    }
}

/// A row of a file and its outcome.
public struct ImportRow: Hashable, Sendable {
    /// The place of the row in the file.
    public var row: String
    /// The word of the line.
    public var kind: String
    /// The time of the entry; nil if the time could not be read.
    public var at: Instant?
    /// The session date under which the entry counts.
    public var night: SessionDate?
    public var outcome: ImportOutcome
    public var reason: ImportReason?
    /// The questions that a person would have been asked: early, late, extra and the like.
    public var flags: [Confirmation]

    public init(
        row: String, kind: String, at: Instant? = nil, night: SessionDate? = nil, outcome: ImportOutcome,
        reason: ImportReason? = nil, flags: [Confirmation] = []
    ) {
        self.row = row
        self.kind = kind
        self.at = at
        self.night = night
        self.outcome = outcome
        self.reason = reason
        self.flags = flags
    }

    /// True for a dose of the open night that this record does not have.
    public var isDoseOfTonight: Bool { kind == "dose" && reason == ImportReason(.tonight) }

    /// The questions that say something about a dose, not about the time of asking.
    static let told: [Confirmation] = [.early, .late, .afterSkip, .afterWake, .extra, .overLimit, .onceNightly]
}
