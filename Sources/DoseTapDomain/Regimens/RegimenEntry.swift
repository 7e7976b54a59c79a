/// A regimen that was set, folded from the events about it.
public struct RegimenEntry: LooseEntry {
    /// All events about it, in the order of the log.
    public let events: [Event]
    /// The event that set it.
    public let event: Event
    /// What was set.
    public let recorded: RegimenSet
    /// Neither undone nor deleted.
    public let isStanding: Bool

    /// The entry: the id of the event that set it.
    public var id: EventID { event.id }
    /// The regimen.
    public var regimen: Regimen { recorded.regimen }

    /// Folds the events about one regimen.
    ///
    /// - Returns: nil when none of them sets it.
    public init?(events: [Event]) {
        let first = events.lazy.compactMap { event -> (event: Event, payload: RegimenSet)? in
            if case .regimenSet(let payload) = event.payload { (event, payload) } else { nil }
        }.first
        guard let found = first else { return nil }
        let undone = events.undoneIDs
        let isDeleted = events.contains { event in
            if case .entryDeleted = event.payload { !undone.contains(event.id) } else { false }
        }
        self.events = events
        event = found.event
        recorded = found.payload
        isStanding = !undone.contains(found.event.id) && !isDeleted
    }

    /// The regimen with its id and what it comes to on a session date.
    public func json(on date: SessionDate) -> JSONObject {
        var object: JSONObject = ["id": .string(id.text)]
        for entry in regimen.json { object[entry.key] = entry.value }
        for entry in regimen.derived(on: max(date, regimen.from)) { object[entry.key] = entry.value }
        object["note"] = recorded.note.map(JSONValue.string)
        object["recorded_at"] = .instant(event.occurredAt)
        return object
    }
}

extension Diary {
    /// The regimen of a session date: of those that hold on it the one set last.
    public func regimen(on date: SessionDate) -> RegimenEntry? {
        regimens.last { $0.isStanding && $0.regimen.isActive(on: date) }
    }

    /// Standing regimens, the one set last first.
    public var regimenHistory: [RegimenEntry] { regimens.filter(\.isStanding).reversed() }

    /// The rules that hold for a night from now on: what was prescribed when its dose 1 was taken stays.
    public func rules(_ rules: NightRules, for session: Session) -> NightRules {
        var rules = self.rules(rules, on: session.date)
        if session.dose1 != nil { rules.onceNightly = session.rules.onceNightly }
        return rules
    }

    /// The rules of a night of a session date: whether it has one dose follows from the regimen where there is one.
    public func rules(_ rules: NightRules, on date: SessionDate) -> NightRules {
        var rules = rules
        if let entry = regimen(on: date) { rules.onceNightly = entry.regimen.onceNightly }
        return rules
    }
}
