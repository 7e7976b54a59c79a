/// What a correction did to an entry: amended, deleted, or one of them or the entry itself taken back.
public struct CorrectedEntry: Hashable, Sendable {
    /// The wire word of the entry.
    public var type: String
    /// When it counted before; nil when it did not stand.
    public var countedAt: Instant?
    /// When it counts since; nil when it stands no more.
    public var countsAt: Instant?

    /// Memberwise.
    public init(type: String, countedAt: Instant?, countsAt: Instant?) {
        self.type = type
        self.countedAt = countedAt
        self.countsAt = countsAt
    }

    /// - Parameters:
    ///   - event: the action.
    ///   - before: the diary right before it, the entry loaded.
    ///   - after: the diary right after it.
    /// - Returns: nil when the action is no correction.
    public init?(by event: Event, before: Diary, after: Diary) {
        guard Receipt.word(event.payload).target != nil else { return nil }
        let id = EventID(event.entityID)
        let (old, new) = (before.standingEntry(id), after.standingEntry(id))
        guard let entry = old ?? new else { return nil }
        self.init(type: Receipt.word(entry.event.payload).type, countedAt: old?.at, countsAt: new?.at)
    }
}

extension Diary {
    /// The event that recorded a standing entry of any kind, and when the entry counts.
    func standingEntry(_ id: EventID) -> (event: Event, at: Instant)? {
        for session in sessions {
            if let entry = session.timedEntries.first(where: { $0.event.id == id }) { return entry }
        }
        return standalone.standing(id).map { ($0.event, $0.at) }
    }
}

extension CorrectedEntry {
    /// Null is "did not stand".
    var json: JSONObject { ["type": .string(type), "counted_at": .orNull(countedAt), "counts_at": .orNull(countsAt)] }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            type: try reader.string("type"), countedAt: try reader.optionalInstant("counted_at"),
            countsAt: try reader.optionalInstant("counts_at"))
    }
}
