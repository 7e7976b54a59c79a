/// A person's name for an entry, without the whole id.
public enum Handle: Hashable, Sendable {
    /// A dose of the newest night: `dose1`, `dose2`, `extra`.
    case dose(DoseKind)
    /// The entry recorded last, or the last one of a kind: `last`, `last bathroom`.
    case last(String?)
    /// Characters of an id: its beginning, from eight on, or its end, from four on.
    case id(String)

    /// Fewest characters of the end of an id.
    static var shortestEnd: Int { 4 }
    /// Fewest characters of the beginning of an id.
    public static var shortestBeginning: Int { 8 }
    /// Characters of an id.
    public static var idLength: Int { 36 }
    /// The longest text that is examined, in bytes.
    static var limit: Int { 64 }

    /// Reads a handle. Case and repeated blanks do not matter.
    ///
    /// - Returns: nil for a text that can name no entry.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.limit else { return nil }
        let words = text.lowercased().split { $0 == " " || $0 == "\t" }.map(String.init)
        switch words.first {
        case "last" where words.count == 1: self = .last(nil)
        case "last":
            // A person's own medicine may have any word as its name.
            self = .last(Self.kind(words.dropFirst().joined(separator: "_")))
        case let word? where words.count <= 2:
            if let kind = Self.dose(words.joined()) {
                self = .dose(kind)
            } else if words.count == 1, (Self.shortestEnd...Self.idLength).contains(word.utf8.count),
                word.utf8.allSatisfy(\.isOfID)
            {
                self = .id(word)
            } else {
                return nil
            }
        default: return nil
        }
    }

    /// Returns true if the handle may have named the entry. A part of an id must match; any other handle changes its meaning.
    public func canName(_ id: EventID) -> Bool {
        guard case .id(let part) = self else { return true }
        return id.text.hasPrefix(part) || id.text.hasSuffix(part)
    }

    private static func dose(_ word: String) -> DoseKind? {
        switch word.filter({ $0 != "-" && $0 != "_" }) {
        case "dose1", "d1": .dose1
        case "dose2", "d2": .dose2
        case "extra", "extradose": .extra
        default: nil
        }
    }

    /// Returns the wire word for a word after `last`.
    private static func kind(_ word: String) -> String {
        if let dose = dose(word) { return dose.rawValue }
        switch SleepEventWord.normalised(word) {
        case "skip", "skipped": return "dose2_skipped"
        case "check_in": return EntityType.checkin.rawValue
        case "presleep": return EntityType.preSleep.rawValue
        case "med", "medicine": return EntityType.medication.rawValue
        case let word: return SleepEventCatalogue.word(word)
        }
    }
}

/// An active entry with the words that name it.
public struct NamedEntry: Hashable, Sendable {
    public let id: EventID
    /// The wire word of the entry.
    public let type: String
    /// The time at which the entry counts.
    public let at: Instant
    /// Further words for the entry: `dose`, the medicine's id, `bottle` or `cup`.
    let others: [String]
    /// The zone of the night of the entry; nil for an entry of no night.
    public let timeZone: String?
}

extension LogState {
    /// The active entries, automatic skips apart, in the order of recording.
    private var named: [NamedEntry] {
        var all: [NamedEntry] = []
        var zone: String?
        func add(_ id: EventID, _ type: String, _ at: Instant, _ others: [String] = []) {
            all.append(NamedEntry(id: id, type: type, at: at, others: others, timeZone: zone))
        }
        for session in sessions {
            zone = session.timeZone
            for dose in session.doses { add(dose.id, dose.kind.rawValue, dose.wall, ["dose"]) }
            for skip in session.skips where !skip.isAutomatic { add(skip.id, "dose2_skipped", skip.wall) }
            for snooze in session.snoozes { add(snooze.id, "snooze", snooze.wall) }
            for wake in session.wakes { add(wake.id, SleepEventWord.finalWake, wake.wall) }
            for event in session.sleepEvents { add(event.id, event.type, event.wall) }
            if let checkIn = session.checkIn { add(checkIn.id, EntityType.checkin.rawValue, checkIn.wall) }
        }
        for entry in standalone where entry.isActive {
            zone = entry.event.sessionID.flatMap { session($0) }?.timeZone
            add(entry.id, entry.entity.rawValue, entry.at, entry.value.names)
        }
        // Ids carry the time of recording.
        return all.sorted { $0.id.text < $1.id.text }
    }

    /// The events of programs, of files and of the lab (R34.11). A person who says `last` does not mean these.
    private var notByHand: Set<EventID> {
        let events = sessions.flatMap(\.events) + standalone.map(\.event)
        return Set(events.filter { $0.isOfDevice || $0.isImported || $0.isOfLab }.map(\.id))
    }

    /// Returns the entries that a handle may mean: none, one, or several if the handle is ambiguous.
    public func entries(_ handle: Handle) -> [NamedEntry] {
        switch handle {
        case .dose(let kind):
            // A dose of an older night has another name.
            guard let newest = newestNight else { return [] }
            let doses = newest.doses.filter { $0.kind == kind }
            return doses.suffix(1).map {
                NamedEntry(id: $0.id, type: kind.rawValue, at: $0.wall, others: [], timeZone: newest.timeZone)
            }
        case .last(nil):
            let passed = notByHand
            let byHand = named.filter { !passed.contains($0.id) }
            // After a regimen `last` may mean the regimen or the entry before it, such as a dose: both are returned.
            guard let regimen = byHand.last, regimen.type == EntityType.regimen.rawValue else {
                return byHand.suffix(1)
            }
            return byHand.filter { $0.type != regimen.type }.suffix(1) + [regimen]
        case .last(let word?):
            return named.filter { $0.type == word || $0.others.contains(word) }.suffix(1)
        case .id(let part):
            return named.filter { entry in
                entry.id.text.hasSuffix(part)
                    || part.utf8.count >= Handle.shortestBeginning && entry.id.text.hasPrefix(part)
            }
        }
    }

    /// Returns true if the newest night on record is certainly loaded.
    ///
    /// - Parameter reach: the time back to which all nights are loaded.
    public func holdsNewestNight(since reach: Instant) -> Bool {
        open?.hasBegun == true || newestNight.map { $0.hasBegun && $0.start >= reach } ?? false
    }

    /// The night whose doses have names. A nap after the check-in begins no other one (R23.8).
    private var newestNight: Session? {
        open.flatMap { $0.hasBegun ? $0 : nil } ?? sessions.last(where: \.hasBegun) ?? open ?? sessions.last
    }

    /// Returns the shortest name by which a person finds an entry again: `dose1`, or the end of its id; nil for an entry that is
    /// not active or not loaded.
    ///
    /// - Parameter reach: the time back to which all nights are loaded.
    public func handle(of id: EventID, since reach: Instant) -> String? {
        if holdsNewestNight(since: reach) {
            for kind in [DoseKind.dose1, .dose2] where entries(.dose(kind)).first?.id == id { return kind.rawValue }
        }
        let ids = named.map(\.id)
        guard ids.contains(id) else { return nil }
        let others = ids.map(\.text).filter { $0 != id.text }
        let text = id.text
        for count in Handle.shortestEnd..<max(Handle.shortestEnd, text.utf8.count) {
            let end = String(text.suffix(count))
            if end.utf8.first != UInt8(ascii: "-"), !others.contains(where: { $0.hasSuffix(end) }) { return end }
        }
        return text
    }
}

extension UInt8 {
    /// True for a digit of an id, or the hyphen between them.
    fileprivate var isOfID: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
