/// A request that a person, a button or a script can make of the night.
public enum Command: Hashable, Sendable {
    case logDose(DoseKind)
    case snooze
    case skipDose2
    case logFinalWake
    /// A type of ``SleepEventCatalogue``, in any of its spellings.
    case logSleepEvent(String)
    /// Answers to ``Questionnaire/morning`` by key, for a night named by date or id; nil is the present or last one.
    case saveCheckIn(JSONObject, night: String?)
    /// An entry that is no part of a session's fold: the type of its event, and the values that its kind takes.
    case record(EventType, JSONObject)
    case undo
    case amend(EventID)
    case delete(EventID)
}

/// The options of every command; all but the surface have a default.
public struct CommandOptions: Hashable, Sendable {
    /// The time of the entry; nil is now.
    public var at: Instant?
    /// True if the time was said as a time ago, not as a time of day.
    public var isAgo = false
    /// The questions already answered.
    public var confirmations: Set<Confirmation> = []
    /// The answer to `clock_suspect`: true if the computer's clock is right. A value answers that question. If the question
    /// is answered without a value, the clock is not to be believed.
    public var isClockRight: Bool?
    /// The caller's own key against doubled recording.
    public var key: String?
    public var amountMilligrams: Int?
    /// The amount as written, with its unit; read once the content of a unit is known.
    public var amountText: String?
    /// The unit in which the amount was said.
    var amountUnit = AmountUnit.milligram
    /// The medicine of a dose of another record, by its id in ``MedicationCatalogue``.
    var medicationID: String?
    /// The person's words.
    public var note: String?
    /// The reason of a skip, a deletion, a discard or a count.
    public var reason: String?
    /// The only action that an undo may take back, if the undo was offered for one entry.
    public var undoes: EventID?
    /// True for a command that is decided and told, but not recorded.
    public var dryRun = false
    public var surface: Surface
    /// The process that asks, as far as the bus can tell.
    public var origin: Origin?

    /// True for an entry from a file: the import ends its nights itself (``ImportPlanner``).
    var isImport: Bool { surface == .importer && origin == .file }

    /// All options but the surface have their defaults.
    public init(surface: Surface) { self.surface = surface }
}

/// The bounds of a command's values. A value beyond a bound is an `InvalidInput` that names the bound.
public enum Bounds {
    /// Unicode scalars in a note or a reason.
    public static let noteScalars = 4_000
    /// Bytes in an idempotency key.
    public static let keyBytes = 255
    /// Milligrams in one dose. The upper bound lies above any label, so a slip of the unit is caught.
    public static let amountMilligrams = 1...20_000
    /// The time by which an entry may lie ahead of now: clocks differ a little.
    public static let future: Duration = .seconds(60)
    /// A time older than this asks `long_ago`.
    public static let longAgo: Duration = .hours(7 * 24)
    /// The same action within this time, by whatever surface, is the same tap.
    public static let sameTap: Duration = .seconds(10)
    /// Two times ago are the same if they differ by no more than this.
    public static let sameAgo: Duration = .seconds(60)

    /// Checks the free text and numbers of a command.
    ///
    /// - Parameter amounts: the amounts allowed, in mg.
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

    /// Checks that a command can take all options given with it: nothing that a person says is dropped in silence.
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
