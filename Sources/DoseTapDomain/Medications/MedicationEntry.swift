/// A medicine that was taken, folded from the events about it, amendments applied.
public struct MedicationEntry: LooseEntry {
    /// All events about it, in the order of the log.
    public let events: [Event]
    /// The event that recorded it.
    public let event: Event
    /// What was recorded.
    public let recorded: MedicationRecorded
    /// When it was taken.
    public let at: Instant
    /// The session date it counts under.
    public let date: SessionDate
    /// How much, in mg.
    public let milligrams: Int
    /// The person's words.
    public let note: String?
    /// Taken although another one was near, and the person said so.
    public let confirmedDuplicate: Bool
    /// Neither undone nor deleted.
    public let isStanding: Bool

    /// The entry: the id of the event that recorded it.
    public var id: EventID { event.id }
    /// The session it was recorded in, if any; fixed from then on.
    public var sessionID: SessionID? { event.sessionID }

    /// Folds the events about one medicine taken.
    ///
    /// - Returns: nil when none of them records it.
    public init?(events: [Event]) {
        let undone = events.undoneIDs
        let first = events.lazy.compactMap { event -> (event: Event, payload: MedicationRecorded)? in
            if case .medicationRecorded(let payload) = event.payload { (event, payload) } else { nil }
        }.first
        guard let found = first else { return nil }
        var isStanding = !undone.contains(found.event.id)
        var (at, date, milligrams) = (found.event.effectiveAt, found.payload.date, found.payload.milligrams)
        var (note, confirmed) = (found.payload.note, found.payload.confirmedDuplicate)
        for event in events where !undone.contains(event.id) {
            switch event.payload {
            case .entryAmended(let change):
                at = change.at ?? at
                date = change.date ?? date
                milligrams = change.amountMilligrams ?? milligrams
                note = change.note ?? note
                if change.request.confirmations.contains(.duplicate) { confirmed = true }
            case .entryDeleted: isStanding = false
            default: break
            }
        }
        self.events = events
        event = found.event
        recorded = found.payload
        self.at = at
        self.date = date
        self.milligrams = milligrams
        self.note = note?.isEmpty == true ? nil : note
        confirmedDuplicate = confirmed
        self.isStanding = isStanding
    }

    /// The `metadata` of the entry.
    public var metadata: JSONObject {
        var object: JSONObject = [
            "medication_id": .string(recorded.medicationID), "dose_mg": .integer(Int64(milligrams)),
            "dose_unit": .string(recorded.unit.rawValue), "formulation": .string(recorded.formulation.rawValue),
        ]
        if recorded.isUsualDose, milligrams == recorded.milligrams { object["usual_dose"] = true }
        if confirmedDuplicate { object["confirmed_duplicate"] = true }
        object["warning"] = recorded.warning.map { .object($0.json) }
        object["note"] = note.map(JSONValue.string)
        object["surface"] = .string(event.surface.rawValue)
        object["source"] = .string(event.surface == .importer ? "imported" : "manual")
        object["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
        return object
    }
}

/// Which medicines taken to look for.
public enum MedicationScope: Hashable, Sendable {
    /// Those that count within a span of time.
    case around(ClosedRange<Instant>)
    /// Those of a session, and those of its date that belong to none.
    case night(SessionID, SessionDate)
    /// Those of a session date that belong to no session.
    case day(SessionDate)
    /// The newest, at most so many.
    case newest(Int)
}
