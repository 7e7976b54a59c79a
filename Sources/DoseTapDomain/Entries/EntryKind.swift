/// A kind of entry that is no part of a session's fold: its payload, and all that the rules ask of the kind. The common answers
/// of most kinds are defaults.
///
/// A value first holds the recorded contents, and after folding the present contents of the entry.
protocol EntryKind: Hashable, Sendable {
    // MARK: Identity
    static var type: EventType { get }
    static var entity: EntityType { get }
    /// The name of an entry in a person's words, without medicines, amounts and notes.
    static var words: String { get }

    // MARK: Payload
    init(_ reader: PayloadReader) throws(PayloadError)
    func write(into object: inout JSONObject)
    /// The person's input.
    var request: Request { get }
    /// The person's words.
    var note: String? { get set }
    /// The session date under which the entry counts; nil if the kind has none.
    var countsUnder: SessionDate? { get set }
    /// The entry that the payload continues; nil for a new entry.
    var continues: EventID? { get }

    // MARK: Folding
    mutating func amend(_ change: EntryAmended)
    /// Takes up a later recording of the same entry.
    mutating func update(_ later: EntryPayload)
    /// True if an entry is in memory whatever its age.
    static var isAlwaysLoaded: Bool { get }
    /// True if the time can be amended. False for a kind that is set anew instead, or that has a time of its own.
    static var canBeMoved: Bool { get }
    /// True if programs record the kind by themselves. Such an entry is no action of a person (R30).
    static var isSentByPrograms: Bool { get }
    /// True if the kind belongs to the lab (R34).
    static var isOfLab: Bool { get }

    // MARK: Answers
    /// Returns the metadata of the kind itself.
    ///
    /// - Parameter event: the event that recorded the entry.
    func details(_ event: Event) -> JSONObject
    /// Returns the metadata of the receipt.
    ///
    /// - Parameter open: the open session.
    func receipt(_ event: Event, open: Session?) -> JSONObject
    /// True if the entry may change the open night, though it is no part of that night.
    static var concernsOpenNight: Bool { get }
    /// True if the entries are listed with the other entries of their night.
    static var isShownInNight: Bool { get }
    /// The list in the answer of `show` for entries that belong to no shown night: its key, and its contents in words. Nil if the
    /// kind has no list.
    static var list: (key: String, prose: String)? { get }
    /// The rules that speak about the entry.
    var rules: [RuleNote] { get }
    /// Further words by which `last` finds the entry.
    var names: [String] { get }
    /// The journal line about the recording.
    var journalLine: String { get }
    /// Further fields of that journal entry.
    var journalFields: [(String, String)] { get }

    // MARK: Recording, by what is said in a `Command.record`
    /// Judges and records an entry.
    static func record(_ said: JSONObject, _ decision: inout CommandDecision) throws(CommandFailure)
        -> CommandHandler.Recording
    /// Checks the words that are said.
    static func check(_ said: JSONObject) throws(CommandFailure)
    /// Returns what is said in wire words.
    static func inWireWords(_ said: JSONObject, _ context: DecisionContext) -> JSONObject
    /// Returns what is said with the note added, if the kind keeps a note there.
    static func taking(note: String, _ said: JSONObject) throws(CommandFailure) -> JSONObject
    /// Returns true if an amount may go with what is said.
    static func hasAmount(_ said: JSONObject) -> Bool
    /// Returns true if a reason may go with what is said.
    static func hasReason(_ said: JSONObject) -> Bool
    /// Returns the medicine by which an amount is read.
    static func medicine(_ said: JSONObject) -> String?
    /// Returns true if the entry belongs to a night as a dose does.
    static func isOfNight(_ said: JSONObject) -> Bool
    /// Returns true if an event recorded the same entry, which is asked again under the same key.
    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool
    /// Returns true if an event of a moment ago recorded the same entry: a second tap.
    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool
    /// Returns true if a later action took the place of the entry, or changed what it said: the same said once more is then no
    /// second tap.
    func isOvertaken(by later: Event) -> Bool
    /// The distance in time within which other entries of the kind matter; nil if none do.
    static var reach: Duration? { get }
    /// Returns the CLI words for what is said.
    static func verb(_ said: JSONObject) -> String

    // MARK: Correcting
    /// The amounts that the entry may have, in mg.
    var amounts: ClosedRange<Int> { get }
    /// The medicine by which an amount is read: its id, the session date whose regimen counts, the strength in the entry itself.
    var medicine: (id: String?, date: SessionDate?, concentration: Concentration?) { get }
    /// True if entries of the kind refer to each other.
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
        set {}  // The kind has no session date.
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
    func isOvertaken(by later: Event) -> Bool { false }
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
    /// Returns all metadata of the entry.
    func metadata(_ event: Event) -> JSONObject {
        var object = details(event)
        object.complete(note: note?.isEmpty == true ? nil : note, isAutomatic: false, event)
        return object
    }

    fileprivate func isEqual(_ other: any EntryKind) -> Bool { EntryPayload(other).value(as: Self.self) == self }
}

/// A person's request to record an entry, and the state in which the request is judged.
struct EntryRequest {
    let said: JSONObject
    let options: CommandOptions
    let logState: LogState
    let context: DecisionContext
}

/// The recorded contents of an entry of any kind that is no part of a session's fold.
public struct EntryPayload: Hashable, Sendable {
    /// An existential in place would make every event a value that is only copied through its witnesses.
    private final class Box: Sendable {
        let value: any EntryKind

        init(_ value: any EntryKind) { self.value = value }
    }

    private let box: Box
    var value: any EntryKind { box.value }

    init(_ value: any EntryKind) { box = Box(value) }

    /// Returns the payload as one of a kind; nil for a payload of another kind.
    public func value<Kind>(as kind: Kind.Type = Kind.self) -> Kind? {
        // A failing cast costs more than a comparison of types.
        Swift.type(of: value) == kind ? value as? Kind : nil
    }

    var type: EventType { Swift.type(of: value).type }
    var entity: EntityType { Swift.type(of: value).entity }
    /// The journal line about the recording.
    public var journalLine: String { value.journalLine }
    /// Further fields of that journal entry.
    public var journalFields: [(String, String)] { value.journalFields }

    func isOvertaken(by later: Event) -> Bool { value.isOvertaken(by: later) }

    /// Returns true if both have the same kind and the same contents.
    public static func == (lhs: EntryPayload, rhs: EntryPayload) -> Bool { lhs.value.isEqual(rhs.value) }

    /// Hashes the contents.
    public func hash(into hasher: inout Hasher) { value.hash(into: &hasher) }
}

extension EventPayload {
    /// Returns the recorded contents of an entry of this kind; nil for any other event.
    public func recorded<Kind>(as kind: Kind.Type = Kind.self) -> Kind? {
        if case .entry(let entry) = self { entry.value(as: kind) } else { nil }
    }

    /// True if the entry may change the open night, though it is no part of that night.
    var concernsOpenNight: Bool {
        if case .entry(let entry) = self { Swift.type(of: entry.value).concernsOpenNight } else { false }
    }
}
