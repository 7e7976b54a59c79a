public import DoseTapDomain

/// Something that a person asks for, in a form that every surface can say.
public enum Ask: Sendable {
    case dose1, dose2, extra, snooze, skip, wake, undo
    case event(String)
    case checkIn(JSONObject, night: String? = nil)
    case preSleep(JSONObject)
    case medicine(String)
    case regimen(String, total: String, ratios: [String] = [], onceNightly: Bool = false, from: String? = nil)
    case bottle(String, of: String)
    case pour(String, of: String)
    case discard(Int)
    case count(String, of: String)
    /// A kind of entry by the type of its event, with its content, and with the words that a person types.
    case record(EventType, JSONObject, [String])
    /// Corrections name a step of the night before them. A step that is not there means an entry that is not there.
    case amend(Int)
    case delete(Int)

    /// Returns the command for the engine and D-Bus.
    public func command(_ entries: [EventID]) -> NightCommand {
        switch self {
        case .dose1: return .logDose(.dose1)
        case .dose2: return .logDose(.dose2)
        case .extra: return .logDose(.extra)
        case .snooze: return .snooze
        case .skip: return .skipDose2
        case .wake: return .logFinalWake
        case .undo: return .undo
        case .event(let word): return .logSleepEvent(word)
        case .checkIn(let answers, let night): return .saveCheckIn(answers, night: night)
        case .preSleep(let answers): return .savePreSleep(answers, .complete)
        case .medicine(let id): return .takeMedication(id)
        case .bottle(let amount, let medicine):
            return .inventory(.addBottle(["amount": .string(amount), "medication_id": .string(medicine)]))
        case .pour(let dose, let medicine):
            return .inventory(.pour(["for": .string(dose), "medication_id": .string(medicine)]))
        case .discard(let step): return .inventory(.discard(Self.entry(step, entries)))
        case .count(let left, let medicine):
            return .inventory(.correct(["left": .string(left), "of": .string(medicine)]))
        case .record(let type, let said, _): return .record(type, said)
        case .amend(let step): return .amend(Self.entry(step, entries))
        case .delete(let step): return .delete(Self.entry(step, entries))
        case .regimen(let id, let total, let ratios, let onceNightly, let from):
            var draft: JSONObject = ["medication_id": .string(id), "total": .string(total)]
            if !ratios.isEmpty { draft["ratios"] = .array(ratios.map(JSONValue.string)) }
            if onceNightly { draft["once_nightly"] = true }
            draft["from"] = from.map(JSONValue.string)
            return .setRegimen(draft)
        }
    }

    /// Returns the words that a person types.
    public func words(_ entries: [EventID]) -> [String] {
        switch self {
        case .dose1: return ["log", "dose1"]
        case .dose2: return ["log", "dose2"]
        case .extra: return ["log", "extra"]
        case .snooze: return ["snooze"]
        case .skip: return ["skip"]
        case .wake: return ["wake"]
        case .undo: return ["undo"]
        case .event(let word): return ["log", word]
        case .checkIn(let answers, let night):
            return ["checkin"] + Self.set(answers) + (night.map { ["--night", $0] } ?? [])
        case .preSleep(let answers): return ["presleep"] + Self.set(answers)
        case .medicine(let id): return ["med", "take", id]
        case .bottle(let amount, let medicine): return ["inventory", "add", amount, "--medicine", medicine]
        case .pour(let dose, let medicine): return ["inventory", "pour", "--for", dose, "--medicine", medicine]
        case .discard(let step): return ["inventory", "discard", Self.entry(step, entries).text]
        case .count(let left, let medicine): return ["inventory", "correct", medicine, left]
        case .record(_, _, let words): return words
        case .amend(let step): return ["amend", Self.entry(step, entries).text]
        case .delete(let step): return ["delete", Self.entry(step, entries).text]
        case .regimen(let id, let total, let ratios, let onceNightly, let from):
            return ["regimen", "set", id, total] + (ratios.isEmpty ? [] : ["--split", ratios.joined(separator: ",")])
                + (onceNightly ? ["--once-nightly"] : []) + (from.map { ["--from", $0] } ?? [])
        }
    }

    private static func entry(_ step: Int, _ entries: [EventID]) -> EventID {
        entries.indices.contains(step) ? entries[step] : EventID("01977420-dc00-7001-8000-00000000dead")
    }

    private static func set(_ answers: JSONObject) -> [String] {
        answers.flatMap { ["--set", "\($0.key)=\($0.value.stringValue ?? $0.value.serialized())"] }
    }
}

/// One thing that a person asks for, with its options.
public struct Act: Sendable {
    public var ask: Ask
    /// The time since it happened, as the person tells it; nil is now, untold.
    public var ago: Duration?
    public var amount: String?
    public var note: String?
    /// The questions answered in advance.
    public var confirm: [Confirmation] = []

    /// - Parameter minutesAgo: nil is now, untold.
    public init(
        _ ask: Ask, _ minutesAgo: Int? = nil, amount: String? = nil, note: String? = nil, confirm: [Confirmation] = []
    ) {
        self.init(ask, ago: minutesAgo.map { .minutes($0) }, amount: amount, confirm: confirm)
        self.note = note
    }

    /// - Parameter ago: nil is now, untold.
    public init(_ ask: Ask, ago: Duration?, amount: String? = nil, confirm: [Confirmation] = []) {
        self.ask = ask
        self.ago = ago
        self.amount = amount
        self.confirm = confirm
    }

    /// Returns the line of the command.
    public func line(_ entries: [EventID], now: Instant) -> [String] {
        var words = ask.words(entries)
        if let ago { words += ["--at", (now - ago).iso8601] }
        if let amount {
            switch ask {
            case .medicine, .pour: words.append(amount)
            default: words += ["--amount", amount]
            }
        }
        if let note { words += ["--note", note] }
        return words + confirm.flatMap { ["--confirm", $0.rawValue] }
    }

    /// Fills in the options that go with the command.
    public func fill(_ options: inout CommandOptions, now: Instant) {
        options.confirmations = Set(confirm)
        options.at = ago.map { now - $0 }
        options.amountText = amount
        options.note = note
    }
}
