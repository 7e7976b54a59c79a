import DoseTapDomain
import GRDB

/// The last events of the log, looked at when it is opened: enough to notice a torn or foreign end at a cost that does
/// not grow with history. The whole chain is walked by ``Store/verify()``.
struct Tail {
    /// How many events are looked at.
    static let length = 64

    let storeID: String
    /// The end of the log.
    let head: ChainHead
    /// What does not hold.
    let findings: [OpenFinding]
    /// The findings the looked at events tell of.
    private let told: Set<String>

    init(_ database: Database, storeID: String) throws {
        self.storeID = storeID
        let sql = "SELECT \(LogRow.columns) FROM events ORDER BY seq DESC LIMIT \(Self.length)"
        let rows = try Row.fetchAll(database, sql: sql).reversed()
        var fault: String?
        var previous: ChainHead?
        var told: Set<String> = []
        for row in rows {
            do throws(LogRowFault) {
                let logRow = try LogRow(row)
                fault = fault ?? ChainCheck.fault(of: logRow, after: previous ?? Self.genesis(logRow, storeID))
                previous = ChainHead(sequence: logRow.sequence, hash: logRow.hash)
                if case .storeRestored(let restored)? = Self.restored(logRow) { told.insert(restored.finding) }
            } catch {
                fault = fault ?? "event \(error.sequence) has a malformed column \(error.column)"
                previous = try Self.bareHead(row) ?? previous
            }
        }
        let head = previous ?? ChainHead(sequence: 0, hash: storeID)
        let counted = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
        if counted > head.sequence {
            fault = fault ?? "the log ends at event \(head.sequence), \(counted) have been recorded"
        }
        self.head = head
        self.told = told
        findings =
            fault.map { fault in
                let sentence = "the end of the log does not hold: \(fault)"
                return [
                    OpenFinding(
                        kind: .brokenChain, expectedSequence: max(counted, head.sequence), foundSequence: head.sequence,
                        sentence: sentence, isOnRecord: told.contains(sentence))
                ]
            } ?? []
    }

    private static func restored(_ row: LogRow) -> EventPayload? {
        row.type == EventType.storeRestored.rawValue ? try? row.event().payload : nil
    }

    /// The first event follows the store itself; a later one whose predecessor is not looked at is taken at its word.
    private static func genesis(_ row: LogRow, _ storeID: String) -> ChainHead {
        row.sequence == 1
            ? ChainHead(sequence: 0, hash: storeID) : ChainHead(sequence: row.sequence - 1, hash: row.previousHash)
    }

    /// Place and hash of an event that cannot be read otherwise.
    private static func bareHead(_ row: Row) throws -> ChainHead? {
        guard case .int64(let sequence) = (row[0] as DatabaseValue).storage,
            case .string(let hash) = (row[17] as DatabaseValue).storage
        else { return nil }
        return ChainHead(sequence: sequence, hash: hash)
    }

    /// What the head kept outside the database says of this log.
    func compare(with content: HeadFile.Content, in database: Database) throws -> [OpenFinding] {
        guard case .head(let known, let storeID) = content else {
            guard head.sequence > 0 else { return [] }
            return [
                finding(
                    .unknownHead, head.sequence,
                    "the file with the end of the log is missing or torn: an older copy could not be told")
            ]
        }
        guard storeID == self.storeID else {
            guard known.sequence > 0 else { return [] }
            return [
                finding(
                    .otherStore, known.sequence,
                    "another store with \(known.sequence) events was here before: its file was replaced or removed")
            ]
        }
        guard known.sequence <= head.sequence else {
            return [
                finding(
                    .rolledBack, known.sequence,
                    "the log ends at event \(head.sequence), but \(known.sequence) events had been recorded: this is "
                        + "an older copy, or its write-ahead log was lost")
            ]
        }
        guard try hash(at: known.sequence, in: database) != known.hash else { return [] }
        return [
            finding(
                .differs, known.sequence,
                "event \(known.sequence) is not the one that had been recorded: the file was replaced or changed")
        ]
    }

    private func hash(at sequence: Int64, in database: Database) throws -> String? {
        guard sequence > 0 else { return storeID }
        return try String.fetchOne(database, sql: "SELECT hash FROM events WHERE seq = ?", arguments: [sequence])
    }

    private func finding(_ kind: OpenFinding.Kind, _ expected: Int64, _ sentence: String) -> OpenFinding {
        OpenFinding(
            kind: kind, expectedSequence: expected, foundSequence: head.sequence, sentence: sentence,
            isOnRecord: told.contains(sentence))
    }
}
