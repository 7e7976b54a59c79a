/// An action on the inventory.
public enum InventoryAction: Hashable, Sendable {
    /// Bottles or packets came in: `amount` and optional `medication_id`, `concentration`, `count`.
    case addBottle(JSONObject)
    /// A cup was poured: optional `medication_id` and `for`; the amount is an option of every command.
    case pour(JSONObject)
    /// A cup, or one bottle of an entry, was thrown away.
    case discard(EventID)
    /// The stock was counted: `left`, and `of`, a medicine or an entry of bottles; `packet` for packets.
    case correct(JSONObject)

    /// Creates the action of a command; nil for a command that is no action on the stock.
    public init?(_ command: Command) {
        guard case .record(.inventoryRecorded, let said) = command else { return nil }
        self.init(said)
    }

    init?(_ said: JSONObject) {
        let draft = said["said"]?.objectValue ?? JSONObject()
        switch said["action"]?.stringValue {
        case "add_bottle": self = .addBottle(draft)
        case "pour": self = .pour(draft)
        case "correct": self = .correct(draft)
        case "discard": self = .discard(EventID(said["entry"]?.stringValue ?? ""))
        default: return nil
        }
    }

    fileprivate var said: JSONObject {
        switch self {
        case .addBottle(let draft): ["action": "add_bottle", "said": .object(draft)]
        case .pour(let draft): ["action": "pour", "said": .object(draft)]
        case .discard(let id): ["action": "discard", "entry": .string(id.text)]
        case .correct(let draft): ["action": "correct", "said": .object(draft)]
        }
    }
}

extension Command {
    /// Returns the command for an action on the stock.
    public static func inventory(_ action: InventoryAction) -> Command { .record(.inventoryRecorded, action.said) }
}

extension CommandDecision {
    /// Records an item of the stock. The record opens no session and asks nothing of the night.
    fileprivate mutating func record(_ action: InventoryAction) throws(CommandFailure) -> CommandHandler.Recording {
        try checkTime()
        let item = try item(action)
        try answer(.allowed, wouldRecord: EntityType.inventory.rawValue)
        let payload = InventoryRecorded(
            item: item, date: date(of: at), reason: options.reason, note: options.note, request: request)
        return record(payload)
    }

    private func item(_ action: InventoryAction) throws(CommandFailure) -> InventoryItem {
        switch action {
        case .addBottle(let object): return try draft(object).bottles()
        case .pour(let object): return try draft(object).cup(options.amountMilligrams)
        case .discard(let id): return try discarded(id)
        case .correct(let object):
            let bottles = try bottles(named: object["of"]?.stringValue)
            if let bottles, at < bottles.at {
                throw .refused(.order, Refusal(existing: bottles.id, existingAt: bottles.at))
            }
            return try draft(object).counted(bottles)
        }
    }

    private func draft(_ object: JSONObject) -> InventoryDraft {
        let date = date(of: at)
        return InventoryDraft(
            object: object, catalogue: context.medications, regimen: logState.regimen(on: date), date: date)
    }

    /// Returns the bottles that are counted; nil if a medicine is named.
    private func bottles(named word: String?) throws(CommandFailure) -> InventoryEntry? {
        guard let word, context.medications[word] == nil, word.utf8.count == 36 else { return nil }
        guard let entry = logState.inventory.active(EventID(word.lowercased())) else { throw .notFound(word) }
        guard case .bottles = entry.item else {
            throw .invalidInput(sent("only bottles are counted: a poured cup is amended"))
        }
        return entry
    }

    private func discarded(_ id: EventID) throws(CommandFailure) -> InventoryItem {
        guard let entry = logState.inventory.active(id) else { throw .notFound(id.text) }
        let gone = logState.inventory.filter { $0.isActive && $0.item.isDiscard && $0.item.target == id }
        let item: InventoryItem
        var most = 1
        switch entry.item {
        case .cup: item = .cupDiscarded(id)
        case .bottles(let bottles): (item, most) = (.bottleDiscarded(id), bottles.count)
        case .cupDiscarded, .bottleDiscarded, .counted:
            throw .invalidInput(sent("only a cup or a bottle is thrown away: what was noted by mistake is deleted"))
        }
        if gone.count >= most, let last = gone.last {
            throw .refused(.alreadyDiscarded, Refusal(existing: last.id, existingAt: last.at))
        }
        if let dose = logState.cups(at: at).drunk[id] {
            throw .refused(.alreadyUsed, Refusal(existing: dose.id, existingAt: dose.at))
        }
        guard at >= entry.at else { throw .refused(.order, Refusal(existing: id, existingAt: entry.at)) }
        // The next of several bottles may be thrown away at once, or a hand may have slipped: a question tells which.
        if options.at == nil, let last = gone.last,
            context.clock.elapsed(since: last.event).magnitude <= Bounds.sameTap
        {
            var facts = RegistrationPolicy.Facts()
            (facts.existing, facts.existingAt) = (last.id, last.at)
            try answer(.requiresConfirmation([.duplicate], facts), wouldRecord: EntityType.inventory.rawValue)
        }
        return item
    }

    // MARK: Correcting

    /// Refuses a time that puts an item before the entry to which it refers.
    fileprivate func checkOrder(of item: InventoryItem, _ id: EventID) throws(CommandFailure) {
        let before = item.target.flatMap { logState.inventory.active($0) }
        if let before, at < before.at { throw .refused(.order, Refusal(existing: before.id, existingAt: before.at)) }
        let after = logState.inventory.filter { $0.isActive && $0.item.target == id }.min { $0.at < $1.at }
        if let after, at > after.at { throw .refused(.order, Refusal(existing: after.id, existingAt: after.at)) }
    }
}

extension InventoryRecorded {
    func judge(
        _ change: inout EntryAmended, of entry: StandaloneEntry, _ decision: CommandDecision
    ) throws(CommandFailure) {
        if change.amountMilligrams != nil, item.isDiscard {
            throw .invalidInput(sent("what was thrown away has the amount of its own entry"))
        }
        if change.at != nil {
            try decision.checkTime()
            try decision.checkOrder(of: item, entry.id)
            change.date = decision.date(of: decision.at)
        }
        try decision.answer(.allowed, wouldRecord: EventType.entryAmended.rawValue)
    }

    func delete(
        _ entry: StandaloneEntry, _ payload: EventPayload, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        let others = decision.logState.inventory
        if let leaning = others.last(where: { $0.isActive && $0.item.target == entry.id }) {
            throw .refused(.order, Refusal(existing: leaning.id, existingAt: leaning.at))
        }
        return decision.correct(entry.event, payload)
    }
}

extension InventoryItem {
    var isDiscard: Bool {
        switch self {
        case .cupDiscarded, .bottleDiscarded: true
        case .bottles, .cup, .counted: false
        }
    }

    /// True if an amount of the item may be that of whole bottles.
    var isStock: Bool {
        switch self {
        case .bottles(let bottles): bottles.concentration != nil
        case .counted: true
        case .cup, .cupDiscarded, .bottleDiscarded: false
        }
    }
}

extension InventoryRecorded {
    static func verb(_ said: JSONObject) -> String {
        switch InventoryAction(said) {
        case .addBottle: "inventory add"
        case .pour: "inventory pour"
        case .discard(let id): "inventory discard \(id.text)"
        case .correct: "inventory correct"
        case nil: "inventory"
        }
    }

    static func hasAmount(_ said: JSONObject) -> Bool { if case .pour = InventoryAction(said) { true } else { false } }

    static func hasReason(_ said: JSONObject) -> Bool {
        switch InventoryAction(said) {
        case .discard, .correct: true
        case .addBottle, .pour, nil: false
        }
    }

    static func medicine(_ said: JSONObject) -> String? {
        if case .pour(let draft) = InventoryAction(said) { draft["medication_id"]?.stringValue } else { nil }
    }

    static func record(
        _ said: JSONObject, _ decision: inout CommandDecision
    ) throws(CommandFailure) -> CommandHandler.Recording {
        guard let action = InventoryAction(said) else { throw .invalidInput(sent("the stock knows no such action")) }
        return try decision.record(action)
    }

    static func isSameTap(_ first: Event, _ asked: EntryRequest) -> Bool {
        isRepeat(first, asked) && !isOneMore(first.payload, asked)
    }

    /// Returns true for a count after which something else was noted of the stock, or a dose taken out of it.
    func isOvertaken(by later: Event) -> Bool {
        if case .counted = item { [.inventory, .dose].contains(later.entityType) } else { false }
    }

    /// Returns true if a repeat within a moment may be one more item all the same: the entry has another bottle, which raises a
    /// question, or the person said so.
    private static func isOneMore(_ first: EventPayload, _ asked: EntryRequest) -> Bool {
        if asked.options.confirmations.contains(.duplicate) {
            return first.request?.confirmations.contains(.duplicate) != true
        }
        guard case .discard(let id) = InventoryAction(asked.said), let entry = asked.logState.inventory.active(id),
            case .bottles(let bottles) = entry.item
        else { return false }
        return asked.logState.inventory.count { $0.isActive && $0.item.isDiscard && $0.item.target == id }
            < bottles.count
    }

    /// Returns true if an event noted the same item as it is said now, whatever became of regimens since.
    static func isRepeat(_ first: Event, _ asked: EntryRequest) -> Bool {
        let options = asked.options
        guard let action = InventoryAction(asked.said), let noted: Self = first.payload.recorded(),
            noted.note == options.note, noted.reason == options.reason
        else { return false }
        func draft(_ object: JSONObject) -> InventoryDraft {
            var object = object
            let key = if case .correct = action { "of" } else { "medication_id" }
            // A medicine that nobody named is the one of the recorded item.
            if object[key] == nil { object[key] = noted.item.medicationID.map(JSONValue.string) }
            return InventoryDraft(
                object: object, catalogue: asked.context.medications, regimen: nil, date: noted.date)
        }
        switch (action, noted.item) {
        case (.addBottle(let object), .bottles(let bottles)):
            var object = object
            if object["concentration"] == nil {
                object["concentration"] = bottles.concentration.map { .string($0.text) }
            }
            return (try? draft(object).bottles()) == noted.item
        case (.pour(let object), .cup): return (try? draft(object).cup(options.amountMilligrams)) == noted.item.stated
        case (.discard(let id), .cupDiscarded(let target)), (.discard(let id), .bottleDiscarded(let target)):
            return id == target
        case (.correct(let object), .counted(let count)):
            if let target = count.target, object["of"]?.stringValue?.lowercased() != target.text { return false }
            return (try? draft(object).left(of: count)) == count.milligrams
        default: return false
        }
    }
}
