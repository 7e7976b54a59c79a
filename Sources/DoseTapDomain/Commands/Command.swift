/// What a person, a button or a script can ask of the night.
public enum Command: Hashable, Sendable {
    case logDose(DoseKind)
    case snooze
    case skipDose2
    case logFinalWake
    /// A type of ``SleepEventCatalogue``, in any of its spellings.
    case logSleepEvent(String)
    /// Answers to ``Questionnaire/morning`` by key, for a night named by date or id; nil is the present or last one.
    case saveCheckIn(JSONObject, night: String?)
    /// An entry that is no part of a session's fold, by the type of its event, and what its kind wants to be told.
    case record(EventType, JSONObject)
    case undo
    case amend(EventID)
    case delete(EventID)
}

/// What goes with every command; everything has a default.
public struct CommandOptions: Hashable, Sendable {
    /// When it happened; nil is now.
    public var at: Instant?
    /// They said how long ago it was, not a time of day.
    public var isAgo = false
    /// The questions already answered.
    public var confirmations: Set<Confirmation> = []
    /// The answer to `clock_suspect`: whether the computer's clock is right. Given, it answers that question; the question
    /// answered without it means that the clock is not to be believed.
    public var isClockRight: Bool?
    /// The caller's own key against doubled recording.
    public var key: String?
    /// Amount in mg.
    public var amountMilligrams: Int?
    /// Amount as it was written, with its unit; read where it is known what a unit holds.
    public var amountText: String?
    /// The unit in which the amount was said.
    var amountUnit = AmountUnit.milligram
    /// The medicine of a dose of another record, by its id in ``MedicationCatalogue``.
    var medicationID: String?
    /// The person's words.
    public var note: String?
    /// Why (skip, delete).
    public var reason: String?
    /// For an undo that was offered for one entry: it takes back no other one.
    public var undoes: EventID?
    /// Decide, say what would be recorded, record nothing.
    public var dryRun = false
    /// What asks.
    public var surface: Surface
    /// Who asks, as far as the bus can tell.
    public var origin: Origin?

    /// It is taken from a file: the import ends its nights itself (``ImportPlanner``).
    var isImport: Bool { surface == .importer && origin == .file }

    /// Everything but the surface has its default.
    public init(surface: Surface) { self.surface = surface }
}

/// What a command may carry; beyond it is an `InvalidInput` that names the bound.
public enum Bounds {
    /// Unicode scalars in a note or a reason.
    public static let noteScalars = 4_000
    /// Bytes in an idempotency key.
    public static let keyBytes = 255
    /// Milligrams in one dose: beyond any label, so a slip of the unit is caught.
    public static let amountMilligrams = 1...20_000
    /// How far ahead of now a time may lie: clocks differ a little.
    public static let future: Duration = .seconds(60)
    /// A time older than this asks `long_ago`.
    public static let longAgo: Duration = .hours(7 * 24)
    /// The same action within this time, by whatever surface, is the same tap.
    public static let sameTap: Duration = .seconds(10)
    /// Up to this much more or less before now is the same time ago.
    public static let sameAgo: Duration = .seconds(60)

    /// Checks the free text and numbers of a command.
    ///
    /// - Parameter amounts: that may be said, in mg.
    static func check(
        _ options: CommandOptions, amounts: ClosedRange<Int> = amountMilligrams
    ) throws(CommandFailure) {
        for (name, text) in [("note", options.note), ("reason", options.reason)] {
            guard let text else { continue }
            guard text.unicodeScalars.count <= noteScalars else {
                throw .invalidInput(sent("\(name) is longer than \(noteScalars) characters"))
            }
            guard !text.unicodeScalars.contains(where: \.isControlOrBidirectional) else {
                throw .invalidInput(sent("\(name) holds a control or text-direction character"))
            }
        }
        if let key = options.key {
            guard (1...keyBytes).contains(key.utf8.count),
                !key.unicodeScalars.contains(where: \.isControlOrBidirectional)
            else { throw .invalidInput(sent("key must have 1 to \(keyBytes) bytes and no control characters")) }
        }
        if let amount = options.amountMilligrams, !amounts.contains(amount) {
            throw .invalidInput(
                sent("an amount of \(amount) mg is outside \(amounts.lowerBound) to \(amounts.upperBound) mg"))
        }
    }

    /// Checks that a command can take what is given with it: nothing a person says is dropped in silence.
    static func check(_ options: CommandOptions, fit command: Command) throws(CommandFailure) {
        switch command {
        case .logDose, .amend: break
        case .record(let type, let said) where type.kind?.hasAmount(said) == true: break
        default:
            guard options.amountMilligrams == nil, options.amountText == nil else {
                throw .invalidInput(sent("only a dose, a medicine or a poured cup has an amount"))
            }
        }
        switch command {
        case .skipDose2, .delete: break
        case .record(let type, let said) where type.kind?.hasReason(said) == true: break
        default:
            guard options.reason == nil else {
                throw .invalidInput(sent("only a skip, a deletion, a discard or a count has a reason: give a note"))
            }
        }
    }

    /// Checks the words of the command itself.
    static func check(_ command: Command) throws(CommandFailure) {
        switch command {
        case .logSleepEvent(let text): try check(sleepEvent: text)
        case .record(let type, let said): try type.kind?.check(said)
        default: return
        }
    }

    /// Checks the name of a type of sleep events.
    ///
    /// - Throws: ``CommandFailure/invalidInput(_:)``.
    public static func check(sleepEvent text: String) throws(CommandFailure) {
        try check(word: text, sent("a sleep event"))
    }

    static func check(word text: String, _ what: String) throws(CommandFailure) {
        guard (1...SleepEventWord.scalars).contains(text.unicodeScalars.count),
            !text.unicodeScalars.contains(where: \.isControlOrBidirectional)
        else {
            throw .invalidInput(sent("\(what) has 1 to \(SleepEventWord.scalars) characters and no control characters"))
        }
    }
}
