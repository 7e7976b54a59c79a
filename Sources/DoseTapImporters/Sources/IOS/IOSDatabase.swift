internal import DoseTapDomain
internal import DoseTapExchange

/// The app's SQLite database. Versions of the app added columns, so only the columns that are present are read.
enum IOSDatabase {
    private static let tables: [(name: String, columns: [String], needed: [String])] = [
        (
            "dose_events", ["id", "event_type", "timestamp", "session_date", "session_id", "metadata"],
            ["event_type", "timestamp"]
        ),
        (
            "sleep_events", ["id", "event_type", "timestamp", "session_date", "session_id", "notes"],
            ["event_type", "timestamp"]
        ),
        (
            "medication_events",
            [
                "id", "session_id", "session_date", "medication_id", "dose_mg", "dose_unit", "taken_at_utc",
                "local_offset_minutes", "notes",
            ], ["medication_id", "taken_at_utc"]
        ),
        (
            "pre_sleep_logs",
            ["id", "session_id", "created_at_utc", "local_offset_minutes", "completion_state", "answers_json"],
            ["created_at_utc", "answers_json"]
        ),
        ("morning_checkins", [], ["timestamp"]),
    ]

    /// `application_id` of the record of this program, "DTap" in ASCII. Some of its tables have names of the app's, and other columns.
    private static let ownRecord: Int64 = 0x4454_6170

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        let database = try SQLiteFile(file)
        try refuseOwnRecord(database)
        try writer.begin(
            [
                IOSAnswers.note,
                sent(
                    "Where the app could not read a time it shows the present one; such rows are named and not taken."),
                sent("Tables beside the entries (current_session, sleep_sessions, checkin_submissions) are not read."),
            ] + database.notes)
        let dates = try dates(database)
        var isAny = false
        for table in tables {
            guard let columns = try database.columns(of: table.name) else { continue }
            isAny = true
            for name in table.needed where columns[name.uppercased()] == nil {
                throw ExchangeFault(.stream, sent("\(table.name) in the database has no column \(name)."))
            }
            let wanted = table.columns.isEmpty ? columns.values.sorted() : table.columns
            let names = wanted.compactMap { columns[$0.uppercased()] }
            var number = 0
            try database.rows(of: table.name, names, by: "rowid") { values throws(ExchangeFault) in
                number += 1
                var row: [String: String] = [:]
                for (name, value) in zip(names, values) { row[name.lowercased()] = value.text }
                if row["session_date"] == nil, let id = row["session_id"] { row["session_date"] = dates[id] }
                try take(table.name, IOSRow("\(table.name), row \(number)", row), into: &writer)
                return true
            }
        }
        guard isAny else { throw ExchangeFault(.stream, sent("The database has none of the tables of the iOS app.")) }
    }

    private static func refuseOwnRecord(_ database: SQLiteFile) throws(ExchangeFault) {
        var isOwn = false
        try database.each("PRAGMA application_id") { values throws(ExchangeFault) in
            isOwn = values.first == .integer(ownRecord)
            return false
        }
        guard isOwn else { return }
        throw ExchangeFault(
            .stream,
            sent(
                "It is a record of DoseTap for Linux, or a backup of one, not the database of the iOS app. dosetap db restore FILE puts it in the place of the record; dosetap import log FILE takes in the file that dosetap export log wrote of it."
            ))
    }

    /// Returns the dates of the sessions by their identities.
    private static func dates(_ database: SQLiteFile) throws(ExchangeFault) -> [String: String] {
        guard let columns = try database.columns(of: "sleep_sessions"), let id = columns["SESSION_ID"],
            let date = columns["SESSION_DATE"]
        else { return [:] }
        var dates: [String: String] = [:]
        try database.rows(of: "sleep_sessions", [id, date]) { values throws(ExchangeFault) in
            if let id = values[0].text.flatMap(PlainText.id), let date = values[1].text.flatMap(PlainText.id) {
                dates[id] = date
            }
            return dates.count < 100_000
        }
        return dates
    }

    private static func take(
        _ table: String, _ row: IOSRow, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        switch table {
        case "dose_events": try IOSRows.event(row, into: &writer)
        case "sleep_events": try IOSRows.event(row, isSleepTable: true, into: &writer)
        case "medication_events": try IOSRows.medication(row, into: &writer)
        case "pre_sleep_logs":
            guard let text = row["answers_json"], let said = (try? JSONValue.parse(text))?.objectValue else {
                return try writer.notTaken(row.place, sent("its answers_json is no JSON object"))
            }
            try IOSAnswers.preSleep(row, said, "created_at_utc", row.night, into: &writer)
        default: try IOSAnswers.checkIn(row, into: &writer)
        }
    }
}
