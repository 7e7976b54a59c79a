/// Whether an event follows the one before it.
enum ChainCheck {
    /// What is wrong with a row behind a known one, in words; nil when it holds.
    static func fault(of row: LogRow, after previous: ChainHead) -> String? {
        if row.sequence != previous.sequence + 1 {
            return row.sequence == previous.sequence + 2
                ? "event \(previous.sequence + 1) is missing"
                : "events \(previous.sequence + 1) to \(row.sequence - 1) are missing"
        }
        if row.previousHash != previous.hash { return "event \(row.sequence) does not follow the one before it" }
        if row.computedHash() != row.hash { return "event \(row.sequence) is not what was recorded" }
        return nil
    }
}
