import DoseTapDomain
@testable import DoseTapStore

extension FuzzTarget {
    /// An exported log: the lines as they are, and then its events in a new chain that holds, because no mutation would
    /// find one. An accepted line is written again with the same bytes, and its nights can be made from it.
    static let logs = FuzzTarget("logs", longest: 32_768) { bytes in
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
        // The time is later than all times in the seeds, because future times are refused.
        let now = Instant(seconds: 2_000_000_000)
        let store = "0197dbc0-47a8-75ec-ab99-26a454cbd273"
        var reader = LogReader(now: now)
        for line in lines {
            do throws(LogFault) {
                if let row = try reader.take(line) { promise(row.line == line, "a line is not written as it was read") }
            } catch {
                promise(!error.description.isEmpty, "a fault without a name")
                break
            }
        }
        var rows: [LogRow] = []
        var head = ChainHead(sequence: 0, hash: store)
        for line in lines {
            guard var row = try? LogRow(line: line) else { continue }
            row.sequence = head.sequence + 1
            row.previousHash = head.hash
            row.hash = row.computedHash()
            head = ChainHead(sequence: row.sequence, hash: row.hash)
            rows.append(row)
        }
        var chained = LogReader(now: now)
        guard (try? chained.take(LogText.beginning(store, head))) != nil || chained.beginning != nil else {
            return promise(false, "a beginning is not read")
        }
        var events: [Event] = []
        for row in rows {
            do throws(LogFault) {
                guard let read = try chained.take(row.line), let event = try? read.event() else {
                    return promise(false, "an event that was taken cannot be read")
                }
                events.append(event)
            } catch { break }
        }
        var entries = LogEntries()
        for (_, events) in Dictionary(grouping: events, by: { $0.sessionID?.text ?? "" }) {
            guard let night = Session(events: events) else { continue }
            _ = SessionRows.of(night)
            entries.add(night) { _ in 0 }
        }
        promise(entries.file != nil, "a short log has too many entries")
    }
}
