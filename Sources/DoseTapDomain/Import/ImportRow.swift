/// What becomes of a row of a file.
public enum ImportOutcome: String, Hashable, Sendable, CaseIterable {
    /// It is recorded.
    case new
    /// An earlier import of the same source brought it, or the file has it twice.
    case known
    /// An entry on record says it already; that stays as it is.
    case linked
    /// It is too near to now: a later import takes it.
    case heldBack = "held_back"
    case notTaken = "not_taken"
}

/// Why a row is not recorded.
public struct ImportReason: Hashable, Sendable {
    /// The raw value is the word of the contract.
    public enum Word: String, Hashable, Sendable, CaseIterable {
        /// It is of the night that is open.
        case tonight
        /// It is younger than ``ImportPlanner/youngest``.
        case recent
        /// Its night is not over yet.
        case nightNotOver = "night_not_over"
        case future
        /// It lies before ``ImportPlanner/oldest``.
        case tooOld = "too_old"
        /// The same is on record some minutes apart: perhaps it is the same at another time.
        case anotherTime = "another_time"
        /// The night has a dose 1 already.
        case secondDose1 = "second_dose1"
        /// The night has such an entry already, and only one.
        case onRecord = "on_record"
        /// A regimen on record holds at that time.
        case regimenOnRecord = "regimen_on_record"
        /// The rules refuse it.
        case refused
        /// It cannot be.
        case invalid
        /// The reader of the file gave it up.
        case source
    }

    public var word: Word
    /// What else is to be told: a sentence with ``Word/invalid`` and ``Word/source``, the word of a ``BlockReason`` with
    /// ``Word/refused``, an instant with ``Word/anotherTime``.
    public var detail: String

    public init(_ word: Word, _ detail: String = "") {
        self.word = word
        self.detail = detail
    }
}

/// A row of a file and what becomes of it.
public struct ImportRow: Hashable, Sendable {
    /// Its place in the file.
    public var row: String
    /// The word of its line.
    public var kind: String
    /// When it happened; nil where nobody could read that.
    public var at: Instant?
    /// The session date it counts under.
    public var night: SessionDate?
    public var outcome: ImportOutcome
    public var reason: ImportReason?
    /// What would have been asked of a person: early, late, extra and the like.
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

    /// The questions that say something about a dose, not about the time of asking.
    static let told: [Confirmation] = [.early, .late, .afterSkip, .afterWake, .extra, .overLimit, .onceNightly]
}
