import DoseTapDomain
import GRDB
import Glibc

/// A source of rows of the log, read a piece at a time.
protocol LogSource {
    /// Number of pieces.
    var count: Int { get }
    /// Number of pieces among which the first event is looked for.
    var firstPieces: Int { get }
    /// Returns the rows of a piece, each proven by its hash.
    func rows(at place: Int) -> [LogRow]
}

/// Rows of an encrypted log, whose pages only the library can read. They come from a copy, number by number if a page is
/// damaged.
final class SealedLog: LogSource {
    private static let piece: Int64 = 64
    /// Count of numbers that are tried beyond the last known one.
    private static let beyond: Int64 = 256

    private let queue: DatabaseQueue
    private let copy: String
    let count: Int
    let firstPieces = 1

    /// Nil if the copy cannot be opened.
    ///
    /// - Parameters:
    ///   - copy: path of the copy, which is removed with this object.
    ///   - known: the last known number.
    ///   - mustYield: returns true to break the copying off for something more urgent.
    /// - Throws: if the file cannot be copied; `.interrupted` after a break.
    init?(
        _ path: String, copy: String, key: StoreKey, known: Int64, migrator: Migrator, mustYield: () -> Bool
    ) throws(StoreError) {
        var size = 0
        do throws(StoreError) {
            for suffix in ["", "-wal"] {
                try RawFile.copy(path + suffix, to: copy + suffix, mustYield: mustYield)
                size += RawFile(copy + suffix)?.size ?? 0
            }
        } catch {
            for suffix in ["", "-wal"] { unlink(copy + suffix) }
            throw error
        }
        guard let queue = try? Connection.database(copy, key: key, migrator: migrator, isNew: false) else {
            for suffix in ["", "-wal"] { unlink(copy + suffix) }
            return nil
        }
        ClosedQueues.keep(queue)
        let counted = queue.writeWithoutTransaction { database in
            ["SELECT max(seq) FROM events", "SELECT seq FROM sqlite_sequence WHERE name = 'events'"].compactMap {
                try? Int64.fetchOne(database, sql: $0)
            }.max()
        }
        // No row is shorter than this number of bytes.
        let end = min(max(counted ?? 0, known, 0), Int64(size / 128)) + Self.beyond
        count = Int((end + Self.piece - 1) / Self.piece)
        self.queue = queue
        self.copy = copy
    }

    deinit {
        try? queue.close()
        for suffix in ["", "-wal"] { unlink(copy + suffix) }
    }

    func rows(at place: Int) -> [LogRow] {
        let first = Int64(place) * Self.piece + 1
        return queue.writeWithoutTransaction { database in
            let sql = "SELECT \(LogRow.columns) FROM events NOT INDEXED WHERE seq BETWEEN ? AND ?"
            func rows(_ first: Int64, _ last: Int64) throws -> [LogRow] {
                try Row.fetchAll(database.cachedStatement(sql: sql), arguments: [first, last])
                    .compactMap { try? LogRow($0) }
                    .filter { LogRow.offsets.contains($0.localOffsetMinutes) && $0.computedHash() == $0.hash }
            }
            if let found = try? rows(first, first + Self.piece - 1) { return found }
            return (first..<first + Self.piece).flatMap { (try? rows($0, $0)) ?? [] }
        }
    }
}
