/// A regimen was set. From its first date on, the regimen goes before regimens that were set earlier.
public struct RegimenSet: Hashable, Sendable {
    public var regimen: Regimen
    /// The cautions that the person was told with the regimen.
    public var cautions: [Medication.Caution]
    /// The person's words.
    public var note: String?
    /// The person's input.
    public var request: Request

    public init(regimen: Regimen, cautions: [Medication.Caution], note: String?, request: Request) {
        self.regimen = regimen
        self.cautions = cautions
        self.note = note
        self.request = request
    }
}

extension EventPayload {
    public static func regimenSet(_ regimen: RegimenSet) -> EventPayload { .entry(EntryPayload(regimen)) }
}

extension RegimenSet: EntryKind {
    static var type: EventType { .regimenSet }
    static var entity: EntityType { .regimen }
    static var words: String { "the regimen" }
    static var canBeMoved: Bool { false }
    static var isAlwaysLoaded: Bool { true }
    static var concernsOpenNight: Bool { true }
    static var isShownInNight: Bool { false }
    static var list: (key: String, prose: String)? { nil }

    func write(into object: inout JSONObject) {
        object["regimen"] = .object(regimen.json)
        object["cautions"] = cautions.isEmpty ? nil : .array(cautions.map { .object($0.json) })
        object["note"] = note.map(JSONValue.string)
        object["request"] = request.json
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        let regimen: Regimen
        do throws(RegimenFault) {
            // The first date of the regimen is always written, so the present date is never looked at.
            let unused = SessionDate(CivilDate(daysSinceEpoch: 0))
            regimen = try Regimen(try reader.drafted("regimen"), .standard, today: unused)
        } catch { throw reader.fault("regimen") }
        var cautions: [Medication.Caution] = []
        for value in reader.value("cautions") == nil ? [] : try reader.list("cautions") {
            guard let caution = Medication.Caution(json: value) else { throw reader.fault("cautions") }
            cautions.append(caution)
        }
        self.init(
            regimen: regimen, cautions: cautions, note: try reader.optionalString("note"), request: try reader.request()
        )
    }

    func details(_ event: Event) -> JSONObject {
        var object = regimen.json
        for entry in regimen.derived(on: regimen.from) { object[entry.key] = entry.value }
        object["cautions"] = .array(cautions.map { .object($0.json) })
        return object
    }

    func receipt(_ event: Event, open: Session?) -> JSONObject {
        var object = details(event)
        guard let open, open.dose1 != nil else { return object }
        let isChanged = open.events.contains { $0.payload.cause == event.id }
        let word = open.rules.onceNightly ? "one_dose" : "two_doses"
        object["tonight"] = .string(isChanged ? word : "unchanged")
        return object
    }

    var rules: [RuleNote] {
        [RuleNote("R12.1", "Of the regimens that hold on a session date the one set last counts.")]
    }
    var journalLine: String { "Set a regimen" }

    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        throw .invalidInput(sent("a regimen is not amended: set another one, or delete it"))
    }
}

extension PayloadReader {
    fileprivate func drafted(_ key: String) throws(RegimenFault) -> JSONObject {
        guard let object = value(key)?.objectValue, object["from"] != nil else { throw RegimenFault(key) }
        // Keys of a later version are passed over.
        return JSONObject(object.filter { Regimen.keys.contains($0.key) }.map { ($0.key, $0.value) })
    }
}

/// A regimen that was set, folded from the events about it.
public typealias RegimenEntry = EntryOf<RegimenSet>

extension RegimenEntry {
    public var regimen: Regimen { now.regimen }

    /// Returns the regimen with its id, and the total and the parts on a session date.
    public func json(on date: SessionDate) -> JSONObject {
        var object: JSONObject = ["id": .string(id.text)]
        for entry in regimen.json { object[entry.key] = entry.value }
        for entry in regimen.derived(on: max(date, regimen.from)) { object[entry.key] = entry.value }
        object["note"] = recorded.note.map(JSONValue.string)
        object["recorded_at"] = .instant(event.occurredAt)
        return object
    }
}

extension LogState {
    /// All regimens that were set, those undone and deleted included, in the order of the log.
    public var regimens: [RegimenEntry] { standalone.of() }

    /// Returns the regimen of a session date: the one set last among those that hold on that date.
    public func regimen(on date: SessionDate) -> RegimenEntry? {
        for entry in standalone.reversed() where entry.entity == .regimen && entry.isActive {
            if let entry = RegimenEntry(entry), entry.regimen.isActive(on: date) { return entry }
        }
        return nil
    }

    /// Active regimens, the one set last first.
    public var regimenHistory: [RegimenEntry] { regimens.filter(\.isActive).reversed() }

    /// Returns the rules for a night from now on. The number of doses that was prescribed when dose 1 was taken stays.
    public func rules(_ rules: NightRules, for session: Session) -> NightRules {
        var rules = self.rules(rules, on: session.date)
        if session.dose1 != nil { rules.onceNightly = session.rules.onceNightly }
        return rules
    }

    /// Returns the rules for a night of a session date. The number of doses follows from the regimen if there is one.
    public func rules(_ rules: NightRules, on date: SessionDate) -> NightRules {
        var rules = rules
        if let entry = regimen(on: date) { rules.onceNightly = entry.regimen.onceNightly }
        return rules
    }
}
