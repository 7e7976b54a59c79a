/// An entry of any kind that is no part of a session's fold. The entry is folded from the events about it alone.
public struct StandaloneEntry: Hashable, Sendable {
    /// The state that follows from the events. The state is large and is passed around often, so copies of the entry share it.
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

    /// All events about the entry, in the order of the log.
    public var events: [Event] { fold.events }
    /// The event that recorded the entry first.
    public var event: Event { fold.event }
    /// The present contents, amendments applied.
    public var payload: EntryPayload { fold.payload }
    /// The time at which the entry counts.
    public var at: Instant { fold.at }
    /// True if the entry is neither undone nor deleted.
    public var isActive: Bool { fold.isActive }
    /// The id of the event that recorded the entry first, which is the id of the entry.
    public var id: EventID { fold.event.id }
    public var entity: EntityType { fold.entity }
    /// The `metadata` of the entry.
    public var metadata: JSONObject { value.metadata(event) }
    /// True if entries of the kind refer to each other.
    public var refersToOthers: Bool { type(of: value).refersToOthers }

    var value: any EntryKind { fold.payload.value }

    /// Folds the events about one entry.
    ///
    /// - Returns: nil if no event records the entry.
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
    public let entry: StandaloneEntry
    /// The present contents, amendments applied.
    public let now: Kind

    /// - Returns: nil for an entry of another kind.
    public init?(_ entry: StandaloneEntry) {
        guard let now = entry.payload.value(as: Kind.self) else { return nil }
        self.entry = entry
        self.now = now
    }

    /// Folds the events about one entry.
    ///
    /// - Returns: nil if no event records an entry of this kind.
    public init?(events: [Event]) {
        guard let entry = StandaloneEntry(events: events) else { return nil }
        self.init(entry)
    }

    public var recorded: Kind { event.payload.recorded(as: Kind.self) ?? now }
    /// All events about the entry, in the order of the log.
    public var events: [Event] { entry.events }
    /// The event that recorded the entry first.
    public var event: Event { entry.event }
    /// The id of the event that recorded the entry first, which is the id of the entry.
    public var id: EventID { entry.id }
    /// The time at which the entry counts.
    public var at: Instant { entry.at }
    /// True if the entry is neither undone nor deleted.
    public var isActive: Bool { entry.isActive }
    /// The `metadata` of the entry.
    public var metadata: JSONObject { entry.metadata }
}

/// The standalone entries to look for.
public enum EntryScope: Hashable, Sendable {
    /// The entries that count within a span of time.
    case around(ClosedRange<Instant>)
    /// The entries of a session, and the entries of its date that belong to no session.
    case night(SessionID, SessionDate)
    /// The entries of a session date that belong to no session.
    case day(SessionDate)
    /// The newest entries, at most so many.
    case newest(Int)
    /// The entries that were deleted, the last deletion first, at most so many. Entries whose deletion was undone are among them.
    case deleted(Int)
    /// An entry, the entries that refer to it, and the entry to which it refers.
    case about(EventID)
}

extension Sequence {
    func active<Kind>(_ id: EventID) -> EntryOf<Kind>? where Element == EntryOf<Kind> {
        first { $0.id == id && $0.isActive }
    }
}

extension Sequence<Event> {
    /// The ids of the events that an undo among these events takes back.
    var undoneIDs: Set<EventID> {
        var undone: Set<EventID> = []
        for case .actionUndone(let payload) in lazy.map(\.payload) { undone.formUnion(payload.events) }
        return undone
    }
}

extension [StandaloneEntry] {
    /// Takes up an event about an entry. An entry that is not loaded stays unloaded.
    mutating func takeUp(_ event: Event) {
        let id = EventID(event.entityID)
        if let place = firstIndex(where: { $0.id == id }) {
            if let entry = StandaloneEntry(events: self[place].events + [event]) { self[place] = entry }
        } else if let entry = StandaloneEntry(events: [event]) {
            add(entry)
        }
    }

    /// Adds entries that were loaded. Entries that are here already stay as they are.
    mutating func merge(_ loaded: [StandaloneEntry]) {
        for entry in loaded where !contains(where: { $0.id == entry.id }) { add(entry) }
    }

    func active(_ id: EventID) -> StandaloneEntry? { first { $0.id == id && $0.isActive } }

    /// Returns the entries of a kind, in the order in which they were begun.
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

    /// Adds an entry at its place in the order in which entries were begun.
    private mutating func add(_ entry: StandaloneEntry) {
        insert(entry, at: firstIndex { $0.id.text > entry.id.text } ?? endIndex)
    }
}
