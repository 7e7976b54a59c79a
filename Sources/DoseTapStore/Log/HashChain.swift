import DoseTapDomain
import GRDB
import Glibc

/// The end of the log: the place and the hash of its last event.
struct ChainHead: Hashable, Sendable {
    /// Sequence number of the last event; 0 for an empty log.
    var sequence: Int64
    /// Hash of the last event; the store's id for an empty log.
    var hash: String
}

enum ChainCheck {
    /// Returns the fault of a row after a known one, in words; nil for a right row.
    static func fault(of row: LogRow, after previous: ChainHead) -> String? {
        if row.sequence != previous.sequence + 1 {
            return row.sequence == previous.sequence + 2
                ? sent("event \(previous.sequence + 1) is missing")
                : sent("events \(previous.sequence + 1) to \(row.sequence - 1) are missing")
        }
        if row.previousHash != previous.hash { return sent("event \(row.sequence) does not follow the one before it") }
        if row.computedHash() != row.hash { return sent("event \(row.sequence) is not what was recorded") }
        return nil
    }
}

/// The last events of the log, read when the log is opened: enough to notice a torn or foreign end, at a cost that does not
/// grow with history. ``Store/verify()`` walks the whole chain.
struct Tail {
    static let length = 64

    let storeID: String
    let head: ChainHead
    let findings: [OpenFinding]
    /// Findings that these events already record.
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
                fault = fault ?? sent("event \(error.sequence) has a malformed column \(error.column)")
                previous = try Self.bareHead(row) ?? previous
            }
        }
        let head = previous ?? ChainHead(sequence: 0, hash: storeID)
        let counted = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'events'") ?? 0
        if counted > head.sequence {
            fault = fault ?? sent("the log ends at event \(head.sequence), \(counted) have been recorded")
        }
        self.head = head
        self.told = told
        findings =
            fault.map { fault in
                let sentence = sent("the end of the log does not hold: \(fault)")
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

    /// Returns the predecessor of the first row read: the store itself, or the one that the row names if the predecessor is not
    /// read.
    private static func genesis(_ row: LogRow, _ storeID: String) -> ChainHead {
        row.sequence == 1
            ? ChainHead(sequence: 0, hash: storeID) : ChainHead(sequence: row.sequence - 1, hash: row.previousHash)
    }

    /// Returns place and hash of an event that is otherwise unreadable.
    private static func bareHead(_ row: Row) throws -> ChainHead? {
        guard case .int64(let sequence) = (row[0] as DatabaseValue).storage, LogRow.sequences.contains(sequence),
            case .string(let hash) = (row[17] as DatabaseValue).storage
        else { return nil }
        return ChainHead(sequence: sequence, hash: hash)
    }

    /// Compares the log with the head kept outside the database.
    func compare(with content: HeadFile.Content, in database: Database) throws -> [OpenFinding] {
        guard case .head(let known, let storeID) = content else {
            guard head.sequence > 0 else { return [] }
            return [
                finding(
                    .unknownHead, head.sequence,
                    sent("the file with the end of the log is missing or torn: an older copy could not be told"))
            ]
        }
        let recorded = Plural.of(known.sequence, "event", "events")
        guard storeID == self.storeID else {
            guard known.sequence > 0 else { return [] }
            return [
                finding(
                    .otherStore, known.sequence,
                    sent("another store with \(recorded) was here before: its file was replaced or removed"))
            ]
        }
        guard known.sequence <= head.sequence else {
            return [
                finding(
                    .rolledBack, known.sequence,
                    sent(
                        "the log ends at event \(head.sequence), but \(recorded) had been recorded: this is an older copy, or its write-ahead log was lost"
                    ))
            ]
        }
        guard try hash(at: known.sequence, in: database) != known.hash else { return [] }
        return [
            finding(
                .differs, known.sequence,
                sent("event \(known.sequence) is not the one that had been recorded: the file was replaced or changed"))
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

/// The chain's head kept outside the database, so that an older copy of the file is noticed.
///
/// The file is written after each commit without a flush: it may lag behind the log, it never leads.
final class HeadFile: Sendable {
    enum Content: Hashable, Sendable {
        /// No file, an empty one, or one that is torn.
        case unknown
        case head(ChainHead, storeID: String)
    }

    private let descriptor: CInt

    private init(descriptor: CInt) { self.descriptor = descriptor }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Opens or makes the file. If that fails, the head stays unknown, which is not fatal.
    static func open(besides path: String) -> HeadFile {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let descriptor = Glibc.open(path + ".head", flags, 0o600)
        guard descriptor >= 0 else { return .none }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            Glibc.close(descriptor)
            return .none
        }
        _ = fchmod(descriptor, 0o600)
        return HeadFile(descriptor: descriptor)
    }

    /// The head file of a store without a file.
    static var none: HeadFile { HeadFile(descriptor: -1) }

    /// Reads the head beside a store; no file is made.
    static func read(besides path: String) -> Content {
        let descriptor = Glibc.open(path + ".head", O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        return HeadFile(descriptor: descriptor).read()
    }

    func read() -> Content {
        guard descriptor >= 0 else { return .unknown }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return .unknown }
        return Self.parse(String(decoding: bytes.prefix(count), as: UTF8.self))
    }

    /// Writes the head with one call.
    func write(_ head: ChainHead, storeID: String) {
        guard descriptor >= 0 else { return }
        let bytes = Array(Self.text(head, storeID: storeID).utf8)
        // A failed write leaves an older head; the commit is safe already.
        while pwrite(descriptor, bytes, bytes.count, 0) < 0 && errno == EINTR {}
    }

    static func text(_ head: ChainHead, storeID: String) -> String {
        let digits = String(head.sequence)
        let padded = String(repeating: "0", count: max(0, 19 - digits.utf8.count)) + digits
        let line = "dosetap-head 1 \(storeID) \(padded) \(head.hash)"
        return "\(line) \(checkWord(line))\n"
    }

    static func parse(_ text: String) -> Content {
        guard let line = text.split(separator: "\n", omittingEmptySubsequences: false).first, text.contains("\n") else {
            return .unknown
        }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        guard words.count == 6, words[0] == "dosetap-head", words[1] == "1", let sequence = Int64(words[3]),
            sequence >= 0, words[5] == checkWord(words[0..<5].joined(separator: " "))
        else { return .unknown }
        return .head(ChainHead(sequence: sequence, hash: words[4]), storeID: words[2])
    }

    /// Returns FNV-1a over a line, to detect a torn write.
    static func checkWord(_ line: String) -> String { checkWord(line.utf8) }

    /// Returns FNV-1a over bytes.
    static func checkWord(_ line: some Sequence<UInt8>) -> String {
        var word: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in line { word = (word ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
