/// A kind of entry that is no part of a session's fold: its payload, and all that the rules ask of it. What most kinds have
/// in common is a default.
///
/// A value says first what was recorded, and after folding what it says now.
protocol EntryKind: Hashable, Sendable {
    // MARK: Identity
    static var type: EventType { get }
    static var entity: EntityType { get }
    /// What is recorded, in a person's words; without medicines, amounts and notes.
    static var words: String { get }

    // MARK: Payload
    init(_ reader: PayloadReader) throws(PayloadError)
    func write(into object: inout JSONObject)
    /// What the surface said.
    var request: Request { get }
    /// The person's words.
    var note: String? { get set }
    /// The session date it counts under; nil where that is not part of it.
    var countsUnder: SessionDate? { get set }
    /// The entry it goes on with; nil for a new one.
    var continues: EventID? { get }

    // MARK: Folding
    mutating func amend(_ change: EntryAmended)
    /// It was recorded anew under the same entry.
    mutating func update(_ later: EntryPayload)
    /// It is in memory whatever its age.
    static var isAlwaysLoaded: Bool { get }
    /// Its time can be amended. False for what is set anew instead, and for what has a time of its own.
    static var canBeMoved: Bool { get }
    /// Programs record it by themselves: then it is no action of a person (R30).
    static var isSentByPrograms: Bool { get }
    /// It belongs to the lab (R34).
    static var isOfLab: Bool { get }

    // MARK: Answers
    /// The metadata that are its own.
    ///
    /// - Parameter event: the event that recorded it.
    func details(_ event: Event) -> JSONObject
    /// The metadata of its receipt.
    ///
    /// - Parameter open: the open session.
    func receipt(_ event: Event, open: Session?) -> JSONObject
    /// It may change the open night, though it is no part of it.
    static var concernsOpenNight: Bool { get }
    /// It is listed with the entries of its night.
    static var isShownInNight: Bool { get }
    /// The list that has its entries in what `show` answers, where they belong to no night that is shown: its key, and what
    /// it has. Nil for a kind that has none.
    static var list: (key: String, prose: String)? { get }
    /// The rules that speak about it.
    var rules: [RuleNote] { get }
    /// More words by which `last` finds it.
    var names: [String] { get }
    /// What the journal says when it is recorded.
    var journalLine: String { get }
    /// Further fields of that journal entry.
    var journalFields: [(String, String)] { get }

    // MARK: Recording, by what is said in a `Command.record`
    /// Judges it, and records it.
    static func record(_ said: JSONObject, _ decision: inout CommandDecision) throws(CommandFailure)
        -> CommandHandler.Recording
    /// Checks the words of it.
    static func check(_ said: JSONObject) throws(CommandFailure)
    /// The same in wire words.
    static func inWireWords(_ said: JSONObject, _ context: DecisionContext) -> JSONObject
    /// The same with the person's words, where they are part of it.
    static func taking(note: String, _ said: JSONObject) throws(CommandFailure) -> JSONObject
    /// An amount may go with it.
    static func hasAmount(_ said: JSONObject) -> Bool
    /// A reason may go with it.
    static func hasReason(_ said: JSONObject) -> Bool
    /// The medicine by which an amount of it is read.
    static func medicine(_ said: JSONObject) -> String?
    /// It makes a night, as a dose does.
    static func isOfNight(_ said: JSONObject) -> Bool
    /// An event recorded the same: the key that came with it is used again.
    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool
    /// An event recorded the same a moment ago: a second tap.
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool
    /// Entries of its kind this near to its time matter to it.
    static var reach: Duration? { get }
    /// The CLI words for it.
    static func verb(_ said: JSONObject) -> String

    // MARK: Correcting
    /// The amounts that it may have, in mg.
    var amounts: ClosedRange<Int> { get }
    /// The medicine by which an amount of it is read: its id, the session date whose regimen counts, its own strength.
    var medicine: (id: String?, date: SessionDate?, concentration: Concentration?) { get }
    /// Other entries of its kind say something of it, or it of them.
    static var refersToOthers: Bool { get }
    /// Judges an amendment, and completes it.
    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision) throws(CommandFailure)
    /// Judges a deletion, and records it.
    func delete(
        _ entry: StandaloneEntry, _ payload: EventPayload, _ decision: inout CommandDecision
    ) throws(CommandFailure)
        -> CommandHandler.Recording
}

extension EntryKind {
    var countsUnder: SessionDate? {
        get { nil }
        set {}  // It has none.
    }
    var continues: EventID? { nil }

    mutating func amend(_ change: EntryAmended) {
        if let words = change.note { note = words }
        if let date = change.date { countsUnder = date }
    }
    mutating func update(_ later: EntryPayload) {}
    static var isAlwaysLoaded: Bool { false }
    static var canBeMoved: Bool { true }
    static var isSentByPrograms: Bool { isOfLab }
    static var isOfLab: Bool { false }

    func receipt(_ event: Event, open: Session?) -> JSONObject { metadata(event) }
    static var concernsOpenNight: Bool { false }
    static var isShownInNight: Bool { true }
    static var list: (key: String, prose: String)? { (entity.rawValue, "\(words) that belongs to no night") }
    var names: [String] { [] }
    var journalLine: String { "Recorded \(Self.words)" }
    var journalFields: [(String, String)] { [] }

    static func check(_ said: JSONObject) throws(CommandFailure) {}
    static func inWireWords(_ said: JSONObject, _ context: DecisionContext) -> JSONObject { said }
    static func taking(note: String, _ said: JSONObject) throws(CommandFailure) -> JSONObject { said }
    static func hasAmount(_ said: JSONObject) -> Bool { false }
    static func hasReason(_ said: JSONObject) -> Bool { false }
    static func medicine(_ said: JSONObject) -> String? { nil }
    static func isOfNight(_ said: JSONObject) -> Bool { false }
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool { isRepeat(first, asked) }
    static var reach: Duration? { nil }
    static func verb(_ said: JSONObject) -> String { entity.rawValue }

    var amounts: ClosedRange<Int> { Bounds.amountMilligrams }
    var medicine: (id: String?, date: SessionDate?, concentration: Concentration?) { (nil, nil, nil) }
    static var refersToOthers: Bool { false }
    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        guard change.amountMilligrams == nil else {
            throw .invalidInput(sent("only a dose or a medicine has an amount"))
        }
        if change.at != nil {
            try decision.checkTime()
            if countsUnder != nil { change.date = decision.date(of: decision.at) }
        }
        try decision.answer(.allowed, wouldRecord: EventType.entryAmended.rawValue)
    }
    func delete(
        _ entry: StandaloneEntry, _ payload: EventPayload, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording { decision.correct(entry.event, payload) }
}

extension EntryKind {
    /// All metadata of the entry.
    func metadata(_ event: Event) -> JSONObject {
        var object = details(event)
        object.complete(note: note?.isEmpty == true ? nil : note, isAutomatic: false, event)
        return object
    }

    fileprivate func isEqual(_ other: any EntryKind) -> Bool { EntryPayload(other).value(as: Self.self) == self }
}

/// What a person asks to be recorded, and where.
struct EntryRequest {
    let said: JSONObject
    let options: CommandOptions
    let logState: LogState
    let context: DecisionContext
}

/// What was recorded of an entry that is no part of a session's fold, whatever its kind.
public struct EntryPayload: Hashable, Sendable {
    /// An existential in place would make every event a value that is only copied through its witnesses.
    private final class Box: Sendable {
        let value: any EntryKind

        init(_ value: any EntryKind) { self.value = value }
    }

    private let box: Box
    var value: any EntryKind { box.value }

    init(_ value: any EntryKind) { box = Box(value) }

    /// The payload of a kind; nil for another one.
    public func value<Kind>(as kind: Kind.Type = Kind.self) -> Kind? {
        // A cast alone that fails costs more.
        Swift.type(of: value) == kind ? value as? Kind : nil
    }

    var type: EventType { Swift.type(of: value).type }
    var entity: EntityType { Swift.type(of: value).entity }
    /// What the journal says when it is recorded.
    public var journalLine: String { value.journalLine }
    /// Further fields of that journal entry.
    public var journalFields: [(String, String)] { value.journalFields }

    /// Same kind, same contents.
    public static func == (lhs: EntryPayload, rhs: EntryPayload) -> Bool { lhs.value.isEqual(rhs.value) }

    /// By its contents.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension EventPayload {
    /// What was recorded, where it is an entry of this kind.
    public func recorded<Kind>(as kind: Kind.Type = Kind.self) -> Kind? {
        if case .entry(let entry) = self { entry.value(as: kind) } else { nil }
    }

    /// It may change the open night, though it is no part of it.
    var concernsOpenNight: Bool {
        if case .entry(let entry) = self { Swift.type(of: entry.value).concernsOpenNight } else { false }
    }
}
