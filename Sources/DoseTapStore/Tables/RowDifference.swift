/// What has to be written to bring the tables from one state of some sessions to another.
struct RowDifference {
    /// Rows that go.
    private(set) var deletions: [TableRow] = []
    /// Rows that change, with their former values.
    private(set) var updates: [(before: TableRow, after: TableRow)] = []
    /// Rows that come.
    private(set) var insertions: [TableRow] = []

    init(from before: [TableRow], to after: [TableRow]) {
        var former: [TableRow.Key: TableRow] = [:]
        for row in before { former[row.key] = row }
        for row in after {
            guard let old = former.removeValue(forKey: row.key) else {
                insertions.append(row)
                continue
            }
            if old != row { updates.append((old, row)) }
        }
        deletions = before.filter { former[$0.key] != nil }
    }

    var isEmpty: Bool { deletions.isEmpty && updates.isEmpty && insertions.isEmpty }
}
