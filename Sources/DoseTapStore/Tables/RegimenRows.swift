import DoseTapDomain
import GRDB

/// The rows of regimens.
struct RegimenRows: EntryRows {
    static let entity = EntityType.regimen
    static let table = ProjectionTable.regimens
    let database: Database

    func row(of id: String) throws -> TableRow? {
        let events = try Store.events(database, about: id, .regimen)
        guard let entry = RegimenEntry(events: events), entry.isStanding else { return nil }
        let regimen = entry.regimen
        let json = regimen.json
        return TableRow(
            .regimens,
            [
                entry.id.text, regimen.medicationID, regimen.from.text, regimen.until?.text, regimen.total.text,
                regimen.totalMilligrams(on: regimen.from), regimen.concentration?.text, regimen.split.word,
                json["ratios"]?.serialized(), regimen.onceNightly ? 1 : 0, json["steps"]?.serialized(),
                entry.recorded.note, entry.event.occurredAt.iso8601,
            ])
    }
}
