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
    /// The person's words.
    public var note: String?
    /// Why (skip, delete).
    public var reason: String?
    /// Decide, say what would be recorded, record nothing.
    public var dryRun = false
    /// What asks.
    public var surface: Surface
    /// Who asks, as far as the bus can tell.
    public var origin: Origin?

    /// Everything but the surface has its default.
    public init(surface: Surface) { self.surface = surface }
}
