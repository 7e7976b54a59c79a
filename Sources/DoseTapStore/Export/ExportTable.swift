import DoseTapDomain

/// A table that follows from the log, in its exported form: the columns in their order, beside each instant its local time and
/// offset, and for the doses a mark of skips that no longer hold.
struct ExportTable: Sendable {
    /// The columns of all tables that hold an instant.
    static let instants: Set<String> = [
        "timestamp", "start_utc", "end_utc", "created_at", "updated_at", "dose1_time", "dose2_time",
        "session_start_utc", "session_end_utc", "created_at_utc", "taken_at_utc", "at_utc", "in_bed_utc", "asleep_utc",
        "lights_out_utc",
    ]

    let table: ProjectionTable
    /// True for each column that holds an instant.
    let isInstant: [Bool]
    /// Place of the column that names the session, which gives the zone; nil for a table without one.
    let session: Int?
    /// Place of the column that names an entry of the log; nil for a table without one.
    let entry: Int?
    let header: [String]
    /// True if a last cell marks the rows that no longer hold.
    let isMarked: Bool
    /// The statement for the rows after a place, in the order of the table. Behind the columns of the table stand the place and,
    /// if there is one, the mark.
    let page: String

    /// - Returns: nil for a name without a table.
    init?(_ name: String) {
        guard let table = ProjectionTable.all.first(where: { $0.name == name }) else { return nil }
        self.table = table
        isInstant = table.columns.map(Self.instants.contains)
        session = table.columns.firstIndex(of: "session_id")
        entry = table == .currentSession ? nil : table.columns.firstIndex { ["id", "record_id"].contains($0) }
        isMarked = table == .doseEvents
        let columns = table.columns.flatMap {
            Self.instants.contains($0) ? CSVWriter.instantColumns($0) : [$0]
        }
        header = isMarked ? columns + ["superseded"] : columns
        let dates = ExportContent.table(name).hasDates ? "AND session_date >= ?2 AND session_date <= ?3" : ""
        page = """
            SELECT \(table.columns.joined(separator: ",")), \(table.place)\(isMarked ? ", " + Self.superseded : "")
            FROM \(name)
            WHERE \(table.place) > ?1 \(dates) ORDER BY \(table.place) LIMIT \(Self.rows)
            """
    }

    /// 1 for a skip, of a person or of time alone, in whose night dose 2 was taken after all.
    private static let superseded = """
        (event_type = 'dose2_skipped' AND EXISTS (
          SELECT 1 FROM dose_events d WHERE d.session_id = dose_events.session_id AND d.event_type = 'dose2'))
        """

    /// Number of rows of a page, which takes some milliseconds.
    private static let rows = 500
}

extension ProjectionTable {
    /// The column of the order: the row id, which is the order of writing, or the key in a table without row ids.
    fileprivate var place: String { self == .nightMeasures ? key : "rowid" }
}
