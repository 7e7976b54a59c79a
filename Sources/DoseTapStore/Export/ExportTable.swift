import DoseTapDomain

/// A table that follows from the log, in its exported form: the columns in their order, and beside each instant its local time
/// and offset.
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
    /// The statement for the rows after a place, in the order of the table. The last column is the place.
    let page: String

    /// - Returns: nil for a name without a table.
    init?(_ name: String) {
        guard let table = ProjectionTable.all.first(where: { $0.name == name }) else { return nil }
        self.table = table
        isInstant = table.columns.map(Self.instants.contains)
        session = table.columns.firstIndex(of: "session_id")
        entry = table == .currentSession ? nil : table.columns.firstIndex { ["id", "record_id"].contains($0) }
        header = table.columns.flatMap {
            Self.instants.contains($0) ? CSVWriter.instantColumns($0) : [$0]
        }
        let dates = ExportContent.table(name).hasDates ? "AND session_date >= ?2 AND session_date <= ?3" : ""
        page = """
            SELECT \(table.columns.joined(separator: ",")), \(table.place) FROM \(name)
            WHERE \(table.place) > ?1 \(dates) ORDER BY \(table.place) LIMIT \(Self.rows)
            """
    }

    /// Number of rows of a page, which takes some milliseconds.
    private static let rows = 500
}

extension ProjectionTable {
    /// The column of the order: the row id, which is the order of writing, or the key in a table without row ids.
    fileprivate var place: String { self == .nightMeasures ? key : "rowid" }
}
