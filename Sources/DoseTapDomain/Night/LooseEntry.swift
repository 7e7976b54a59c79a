/// An entry that is no part of a session's fold: it is folded from the events about it alone.
protocol LooseEntry: Hashable, Sendable {
    /// - Parameter events: all events about it, in the order of the log.
    /// - Returns: nil when none of them records it.
    init?(events: [Event])
    /// All events about it, in the order of the log.
    var events: [Event] { get }
    /// The entry: the id of the event that recorded it.
    var id: EventID { get }
    /// Neither undone nor deleted.
    var isStanding: Bool { get }
}

extension Array where Element: LooseEntry {
    /// Takes up an event about an entry; one that is not loaded stays so.
    mutating func takeUp(_ event: Event) {
        let id = EventID(event.entityID)
        if let place = firstIndex(where: { $0.id == id }) {
            if let entry = Element(events: self[place].events + [event]) { self[place] = entry }
        } else if let entry = Element(events: [event]) {
            add(entry)
        }
    }

    /// Adds entries that were loaded; those already here stay as they are.
    mutating func merge(_ loaded: [Element]) {
        for entry in loaded where !contains(where: { $0.id == entry.id }) { add(entry) }
    }

    /// The standing entry with an id.
    func standing(_ id: EventID) -> Element? { first { $0.id == id && $0.isStanding } }

    /// Entries are kept in the order in which they were begun.
    private mutating func add(_ entry: Element) {
        insert(entry, at: firstIndex { $0.id.text > entry.id.text } ?? endIndex)
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
