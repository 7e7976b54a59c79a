import DoseTapDomain
import GRDB

/// The rows of medicines taken; session and date were fixed when they were recorded.
struct MedicationRows: EntryRows {
    static let entity = EntityType.medication
    static let table = ProjectionTable.medicationEvents
    let database: Database

    func row(of id: String) throws -> TableRow? {
        let events = try Store.events(database, about: id, .medication)
        guard let entry = MedicationEntry(events: events), entry.isStanding else { return nil }
        return TableRow(
            .medicationEvents,
            [
                entry.id.text, entry.sessionID?.text, entry.date.text, entry.recorded.medicationID, entry.milligrams,
                entry.recorded.unit.rawValue, entry.recorded.formulation.rawValue, entry.at.iso8601,
                entry.event.localOffsetMinutes, entry.note, entry.confirmedDuplicate ? 1 : 0,
                entry.event.occurredAt.iso8601,
            ])
    }
}
