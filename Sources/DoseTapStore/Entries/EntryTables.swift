import DoseTapDomain
import GRDB

/// The tables of the kinds of entries, in the order in which they are checked.
extension EntryTable {
    static let all = [
        preSleepLogs, medicationEvents, regimens, inventoryEvents, sleepRecords, labQuestions, labPlans, labNights,
    ]

    static let medicationEvents = EntryTable(
        .medication, "medication_events", time: "taken_at_utc",
        [
            "id": { entry, _ in entry.id.text },
            "session_id": { entry, _ in entry.event.sessionID?.text },
            "session_date": own { (taken: MedicationEntry) in taken.date.text },
            "medication_id": own { (taken: MedicationEntry) in taken.now.medicationID },
            "dose_mg": own { (taken: MedicationEntry) in taken.milligrams },
            "dose_unit": own { (taken: MedicationEntry) in taken.now.unit.rawValue },
            "formulation": own { (taken: MedicationEntry) in taken.now.formulation.rawValue },
            "taken_at_utc": { entry, _ in entry.at.iso8601 },
            "local_offset_minutes": { entry, _ in entry.event.localOffsetMinutes },
            "notes": own { (taken: MedicationEntry) in taken.note },
            "confirmed_duplicate": own { (taken: MedicationEntry) in taken.confirmedDuplicate ? 1 : 0 },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    static let regimens = EntryTable(
        .regimen, "regimens", time: "created_at",
        [
            "id": { entry, _ in entry.id.text },
            "medication_id": own { (set: RegimenEntry) in set.regimen.medicationID },
            "from_date": own { (set: RegimenEntry) in set.regimen.from.text },
            "until_date": own { (set: RegimenEntry) in set.regimen.until?.text },
            "total": own { (set: RegimenEntry) in set.regimen.total.text },
            "total_mg": own { (set: RegimenEntry) in set.regimen.totalMilligrams(on: set.regimen.from) },
            "concentration": own { (set: RegimenEntry) in set.regimen.concentration?.text },
            "split": own { (set: RegimenEntry) in set.regimen.split.word },
            "ratios_json": own { (set: RegimenEntry) in set.regimen.json["ratios"]?.serialized() },
            "once_nightly": own { (set: RegimenEntry) in set.regimen.onceNightly ? 1 : 0 },
            "steps_json": own { (set: RegimenEntry) in set.regimen.json["steps"]?.serialized() },
            "notes": own { (set: RegimenEntry) in set.now.note },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    /// The session of a log is not part of the log: it follows from the table of sessions, which is written first.
    static let preSleepLogs = EntryTable(
        .preSleep, "pre_sleep_logs", time: "created_at_utc",
        [
            "id": { entry, _ in entry.id.text },
            "session_id": { entry, database in try PreSleepLog(entry).flatMap { try link(of: $0, database) } },
            "created_at_utc": { entry, _ in entry.at.iso8601 },
            "local_offset_minutes": { entry, _ in entry.event.localOffsetMinutes },
            "completion_state": own { (log: PreSleepLog) in log.completion.rawValue },
            "answers_json": own { (log: PreSleepLog) in JSONValue.object(log.answers.values).serialized() },
            "created_at": { entry, _ in entry.event.occurredAt.iso8601 },
        ])

    private static func link(of log: PreSleepLog, _ database: Database) throws -> String? {
        let sql = """
            SELECT session_id, start_utc FROM sleep_sessions WHERE start_utc BETWEEN ? AND ?
            ORDER BY start_utc, created_at, session_id
            """
        let found = try Row.fetchAll(
            database.cachedStatement(sql: sql), arguments: [log.at.iso8601, (log.at + PreSleepLog.reach).iso8601])
        let sessions = try found.compactMap { row -> (id: SessionID, start: Instant)? in
            guard let id = row[0] as String?, let start = row[1] as String? else { return nil }
            return (SessionID(id), try Instant(iso8601: start))
        }
        return log.link(among: sessions)?.text
    }

    /// Finds the session anew for every log that may have had a session that came or went.
    static func relinkPreSleepLogs(_ changes: [SessionChange], _ database: Database) throws {
        for change in changes where (change.before == nil) != (change.after == nil) {
            guard let start = (change.before ?? change.after)?.start else { continue }
            let sql = "SELECT id FROM pre_sleep_logs WHERE created_at_utc BETWEEN ? AND ?"
            let ids = try String.fetchAll(
                database.cachedStatement(sql: sql), arguments: [(start - PreSleepLog.reach).iso8601, start.iso8601])
            for id in ids { try preSleepLogs.write(id, database) }
        }
    }
}
