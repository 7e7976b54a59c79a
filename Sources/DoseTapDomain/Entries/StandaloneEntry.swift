/// An entry that is no part of a session's fold: it is folded from the events about it alone, whatever its kind.
public struct StandaloneEntry: Hashable, Sendable {
    /// What the events say. It is passed around often and large, so copies of the entry share it.
    private final class Fold: Hashable, Sendable {
        let events: [Event]
        let event: Event
        let payload: EntryPayload
        let entity: EntityType
        let at: Instant
        let isActive: Bool

        init(_ events: [Event], _ event: Event, _ payload: EntryPayload, at: Instant, isActive: Bool) {
            self.events = events
            self.event = event
            self.payload = payload
            self.at = at
            self.isActive = isActive
            entity = payload.entity
        }

        // All else follows from the events.
        static func == (lhs: Fold, rhs: Fold) -> Bool { lhs === rhs || lhs.events == rhs.events }
        func hash(into hasher: inout Hasher) { hasher.combine(events) }
    }

    private let fold: Fold

    /// All events about it, in the order of the log.
    public var events: [Event] { fold.events }
    /// The event that recorded it first.
    public var event: Event { fold.event }
    /// What it says now, amendments applied.
    public var payload: EntryPayload { fold.payload }
    /// When it counts.
    public var at: Instant { fold.at }
    /// Neither undone nor deleted.
    public var isActive: Bool { fold.isActive }
    /// The entry: the id of the event that recorded it first.
    public var id: EventID { fold.event.id }
    /// What it is.
    public var entity: EntityType { fold.entity }
    /// The `metadata` of the entry.
    public var metadata: JSONObject { value.metadata(event) }
    /// Other entries of its kind say something of it, or it of them.
    public var refersToOthers: Bool { type(of: value).refersToOthers }

    var value: any EntryKind { fold.payload.value }

    /// Folds the events about one entry.
    ///
    /// - Returns: nil when none of them records it.
    public init?(events: [Event]) {
        let undone = events.undoneIDs
        var found: (event: Event, value: any EntryKind)?
        for event in events {
            guard case .entry(let payload) = event.payload, payload.value.continues == nil else { continue }
            found = (event, payload.value)
            break
        }
        guard let first = found else { return nil }
        var (value, at) = (first.value, first.event.effectiveAt)
        var isActive = !undone.contains(first.event.id)
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .entry(let payload): if event.id != first.event.id { value.update(payload) }
            case .entryAmended(let change):
                at = change.at ?? at
                value.amend(change)
            case .entryDeleted: isActive = false
            default: break
            }
        }
        fold = Fold(events, first.event, EntryPayload(value), at: at, isActive: isActive)
    }
}

/// A standalone entry of a known kind.
public struct EntryOf<Kind: Hashable & Sendable>: Hashable, Sendable {
    /// The same entry, whatever its kind.
    public let entry: StandaloneEntry
    /// What it says now, amendments applied.
    public let now: Kind

    /// - Returns: nil for an entry of another kind.
    public init?(_ entry: StandaloneEntry) {
        guard let now = entry.payload.value(as: Kind.self) else { return nil }
        self.entry = entry
        self.now = now
    }

    /// Folds the events about one entry.
    ///
    /// - Returns: nil when none of them records one of this kind.
    public init?(events: [Event]) {
        guard let entry = StandaloneEntry(events: events) else { return nil }
        self.init(entry)
    }

    public var recorded: Kind { event.payload.recorded(as: Kind.self) ?? now }
    /// All events about it, in the order of the log.
    public var events: [Event] { entry.events }
    /// The event that recorded it first.
    public var event: Event { entry.event }
    /// The entry: the id of the event that recorded it first.
    public var id: EventID { entry.id }
    /// When it counts.
    public var at: Instant { entry.at }
    /// Neither undone nor deleted.
    public var isActive: Bool { entry.isActive }
    /// The `metadata` of the entry.
    public var metadata: JSONObject { entry.metadata }
}

/// Which standalone entries to look for.
public enum EntryScope: Hashable, Sendable {
    /// Those that count within a span of time.
    case around(ClosedRange<Instant>)
    /// Those of a session, and those of its date that belong to none.
    case night(SessionID, SessionDate)
    /// Those of a session date that belong to no session.
    case day(SessionDate)
    /// The newest, at most so many.
    case newest(Int)
    /// Those that were deleted, newest first, at most so many; they need not stand, and a deletion may be undone.
    case deleted(Int)
    /// An entry, those that say something of it, and the one that it says something of.
    case about(EventID)
}

extension Sequence {
    func active<Kind>(_ id: EventID) -> EntryOf<Kind>? where Element == EntryOf<Kind> {
        first { $0.id == id && $0.isActive }
    }
}

extension Sequence<Event> {
    /// The events that an undo among these counts as never recorded.
    var undoneIDs: Set<EventID> {
        var undone: Set<EventID> = []
        for case .actionUndone(let payload) in lazy.map(\.payload) { undone.formUnion(payload.events) }
        return undone
    }
}

extension [StandaloneEntry] {
    /// Takes up an event about an entry; one that is not loaded stays so.
    mutating func takeUp(_ event: Event) {
        let id = EventID(event.entityID)
        if let place = firstIndex(where: { $0.id == id }) {
            if let entry = StandaloneEntry(events: self[place].events + [event]) { self[place] = entry }
        } else if let entry = StandaloneEntry(events: [event]) {
            add(entry)
        }
    }

    /// Adds entries that were loaded; those already here stay as they are.
    mutating func merge(_ loaded: [StandaloneEntry]) {
        for entry in loaded where !contains(where: { $0.id == entry.id }) { add(entry) }
    }

    func active(_ id: EventID) -> StandaloneEntry? { first { $0.id == id && $0.isActive } }

    /// The entries of a kind, in the order in which they were begun.
    func of<Kind: EntryKind>(_ kind: Kind.Type = Kind.self) -> [EntryOf<Kind>] {
        var found: [EntryOf<Kind>] = []
        let number = count { $0.entity == Kind.entity }
        guard number > 0 else { return found }
        found.reserveCapacity(number)
        for entry in self where entry.entity == Kind.entity {
            if let entry = EntryOf<Kind>(entry) { found.append(entry) }
        }
        return found
    }

    /// Entries are kept in the order in which they were begun.
    private mutating func add(_ entry: StandaloneEntry) {
        insert(entry, at: firstIndex { $0.id.text > entry.id.text } ?? endIndex)
    }
}
