import Crypto
import DoseTapDomain

/// Reads an exported log line by line, and keeps only its place in memory. Every hash, the chain, the count and the sum at the
/// end are checked (R35.1).
struct LogReader {
    /// The content of the first line.
    struct Beginning: Hashable {
        let storeID: String
        let head: ChainHead
    }

    /// Latest time of an event: no trustworthy clock recorded a later one.
    private let latest: Instant
    private(set) var beginning: Beginning?
    /// The last event read.
    private var place = ChainHead(sequence: 0, hash: "")
    private var sum = SHA256()
    private(set) var isEnded = false

    init(now: Instant) { latest = now + Bounds.future }

    /// Takes the next line, without its end.
    ///
    /// - Returns: the event of the line; nil for the first and the last line.
    /// - Throws: ``LogFault`` with the fault of the line.
    mutating func take(_ line: [UInt8]) throws(LogFault) -> LogRow? {
        guard !isEnded else { throw LogFault("something follows the end") }
        guard let beginning else {
            let found = try Self.beginning(line)
            beginning = found
            place = ChainHead(sequence: 0, hash: found.storeID)
            add(line)
            return nil
        }
        guard !line.starts(with: #"{"events":"#.utf8) else {
            try end(line, beginning)
            return nil
        }
        let row = try LogRow(line: line)
        guard row.sequence == place.sequence + 1 else {
            throw LogFault("event \(place.sequence + 1) has its place here, not event \(row.sequence)")
        }
        guard row.sequence <= beginning.head.sequence else {
            throw LogFault("the first line says that the log ends at event \(beginning.head.sequence)")
        }
        if let fault = ChainCheck.fault(of: row, after: place) { throw LogFault(fault) }
        try check(row)
        place = ChainHead(sequence: row.sequence, hash: row.hash)
        add(line)
        return row
    }

    /// - Throws: ``LogFault`` if the log is cut.
    func finish() throws(LogFault) {
        guard isEnded else { throw LogFault("the log is cut: its end is missing") }
    }

    private mutating func add(_ line: [UInt8]) {
        sum.update(data: line)
        sum.update(data: [UInt8(ascii: "\n")])
    }

    private static func beginning(_ line: [UInt8]) throws(LogFault) -> Beginning {
        guard let object = (try? JSONValue.parse(line))?.objectValue, object["format"] == .string(LogText.format) else {
            throw LogFault("this is no log that was exported")
        }
        guard let version = object["version"]?.integerValue, version == LogText.version else {
            let word = object["version"]?.integerValue.map { "\($0)" } ?? "?"
            throw LogFault("the log has version \(word) of its format, not \(LogText.version)", isNewer: true)
        }
        guard let storeID = object["store_id"]?.stringValue, let head = object["head"]?.objectValue,
            let sequence = head["sequence"]?.integerValue, let hash = head["hash"]?.stringValue, sequence >= 0,
            StoreWipe.Order.isID(storeID), case let found = ChainHead(sequence: sequence, hash: hash),
            LogText.beginning(storeID, found) == line
        else { throw LogFault("it is not as the first line of a log is written") }
        return Beginning(storeID: storeID, head: found)
    }

    private mutating func end(_ line: [UInt8], _ beginning: Beginning) throws(LogFault) {
        guard let object = (try? JSONValue.parse(line))?.objectValue, let count = object["events"]?.integerValue,
            let digest = object["sha256"]?.stringValue
        else { throw LogFault("it is not as the last line of a log is written") }
        guard place == beginning.head else {
            throw LogFault("the log ends at event \(place.sequence), its first line says \(beginning.head.sequence)")
        }
        guard count == place.sequence else {
            throw LogFault("the end counts \(Plural.of(count, "event", "events")), there are \(place.sequence)")
        }
        let found = sum.finalize()
        guard Hexadecimal.text(found) == digest else {
            throw LogFault("the SHA-256 at the end is not that of the lines before it")
        }
        guard LogText.end(events: count, found) == line else {
            throw LogFault("it is not as the last line of a log is written")
        }
        isEnded = true
    }

    /// Throws if this version cannot read an event, or if a time of the event is still to come.
    private func check(_ row: LogRow) throws(LogFault) {
        func unknown(_ what: String, _ word: String) -> LogFault {
            LogFault("this version knows no \(what) '\(word.prefix(40))'", isNewer: true)
        }
        guard EventType(rawValue: row.type) != nil else { throw unknown("type of event", row.type) }
        guard EntityType(rawValue: row.entityType) != nil else { throw unknown("kind of entry", row.entityType) }
        guard Surface(rawValue: row.surface) != nil else { throw unknown("surface", row.surface) }
        guard LogRow.offsets.contains(row.localOffsetMinutes) else {
            throw LogFault("event \(row.sequence) has an offset from UTC that no zone has")
        }
        let event: Event
        do { event = try row.event() } catch {
            throw LogFault("event \(row.sequence) cannot be read: \(error.underlying)")
        }
        guard max(event.occurredAt, event.effectiveAt, event.clock.wall) <= latest else {
            throw LogFault("event \(row.sequence) has a time that is still to come")
        }
    }
}
