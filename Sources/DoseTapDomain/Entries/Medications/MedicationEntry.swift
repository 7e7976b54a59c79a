/// A medicine that was taken, folded from the events about it, amendments applied.
public typealias MedicationEntry = EntryOf<MedicationRecorded>

extension MedicationEntry {
    /// The session date it counts under.
    public var date: SessionDate { now.date }
    /// How much, in mg.
    public var milligrams: Int { now.milligrams }
    /// The person's words.
    public var note: String? { now.note?.isEmpty == true ? nil : now.note }
    /// Taken although another one was near, and the person said so.
    public var confirmedDuplicate: Bool { now.confirmedDuplicate }
    /// The session it was recorded in, if any; fixed from then on.
    public var sessionID: SessionID? { event.sessionID }
}

extension Diary {
    /// Loaded medicines taken, those undone and deleted included.
    public var medications: [MedicationEntry] { standalone.of() }
}
