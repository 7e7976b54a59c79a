/// A regimen that was set, folded from the events about it.
public typealias RegimenEntry = EntryOf<RegimenSet>

extension RegimenEntry {
    /// The regimen.
    public var regimen: Regimen { now.regimen }

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
    /// All regimens that were set, those undone and deleted included, in the order of the log.
    public var regimens: [RegimenEntry] { standalone.of() }

    /// The regimen of a session date: of those that hold on it the one set last.
    public func regimen(on date: SessionDate) -> RegimenEntry? {
        for entry in standalone.reversed() where entry.isStanding {
            if let entry = RegimenEntry(entry), entry.regimen.isActive(on: date) { return entry }
        }
        return nil
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
