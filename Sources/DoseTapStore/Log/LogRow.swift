import Crypto
import DoseTapDomain
import GRDB

/// One row of `events`, column for column.
struct LogRow: Hashable, Sendable {
    var sequence: Int64
    var id: String
    var type: String
    var entityType: String
    var entityID: String
    var sessionID: String?
    var occurredAt: String
    var effectiveAt: String
    var timeZone: String
    var localOffsetMinutes: Int64
    var counterMicroseconds: Int64
    var bootID: String
    var deviceID: String
    var surface: String
    var idempotencyKey: String?
    var payload: String
    var previousHash: String
    var hash: String
    /// The wall clock; nil in rows older than schema 5, which have only `occurred_at`.
    var wall: String?
    /// 1 if the wall clock was synchronised, else 0; nil in rows older than schema 5.
    var synchronised: Int64?
}

extension LogRow {
    /// The row of a new event after the end of the log.
    init(_ event: Event, after head: ChainHead) {
        sequence = head.sequence + 1
        id = event.id.text
        type = event.type.rawValue
        entityType = event.entityType.rawValue
        entityID = event.entityID
        sessionID = event.sessionID?.text
        occurredAt = event.occurredAt.iso8601
        effectiveAt = event.effectiveAt.iso8601
        timeZone = event.timeZone
        localOffsetMinutes = Int64(event.localOffsetMinutes)
        counterMicroseconds = event.clock.counterMicroseconds
        bootID = event.clock.bootID
        wall = event.clock.wall.iso8601
        synchronised = event.clock.isSynchronised ? 1 : 0
        deviceID = event.deviceID
        surface = event.surface.rawValue
        idempotencyKey = event.idempotencyKey
        payload = event.payload.json(origin: event.origin).serialized()
        previousHash = head.hash
        hash = ""
        hash = computedHash()
    }

    /// - Throws: `.damaged`, naming the sequence number and the column, never the content.
    func event() throws(StoreError) -> Event {
        guard let type = EventType(rawValue: type) else { throw fault("type") }
        guard let entityType = EntityType(rawValue: entityType) else { throw fault("entity_type") }
        guard let surface = Surface(rawValue: surface) else { throw fault("surface") }
        let json: JSONValue
        let payload: EventPayload
        do {
            json = try JSONValue.parse(self.payload)
            payload = try EventPayload(type: type, json: json)
        } catch {
            throw fault("payload")
        }
        let occurred = try instant(occurredAt, "occurred_at")
        let clock = ClockReading(
            wall: try wall.map { text throws(StoreError) in try instant(text, "wall_utc") } ?? occurred,
            counterMicroseconds: counterMicroseconds, bootID: bootID, isSynchronised: synchronised == 1)
        return Event(
            id: EventID(id), payload: payload, entityType: entityType, entityID: entityID,
            sessionID: sessionID.map(SessionID.init), occurredAt: occurred,
            effectiveAt: try instant(effectiveAt, "effective_at"), timeZone: timeZone,
            localOffsetMinutes: Int(localOffsetMinutes), clock: clock, deviceID: deviceID, surface: surface,
            origin: EventPayload.origin(in: json),
            idempotencyKey: idempotencyKey)
    }

    func stored() throws(StoreError) -> StoredEvent {
        StoredEvent(sequence: sequence, event: try event(), previousHash: previousHash, hash: hash)
    }

    private func instant(_ text: String, _ column: String) throws(StoreError) -> Instant {
        do { return try Instant(iso8601: text) } catch { throw fault(column) }
    }

    private func fault(_ column: String) -> StoreError {
        StoreError(
            code: .damaged, context: "event \(sequence) of the log cannot be read", underlying: "column \(column)")
    }

    /// SHA-256 over every column but `hash`, each behind its length, in the order of the table; lowercase hexadecimal.
    ///
    /// Columns of schema 5 that are NULL are left out: older rows keep their hash.
    func computedHash() -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(768 + payload.utf8.count)
        Self.append(String(sequence), to: &bytes)
        Self.append(id, to: &bytes)
        Self.append(type, to: &bytes)
        Self.append(entityType, to: &bytes)
        Self.append(entityID, to: &bytes)
        Self.append(sessionID, to: &bytes)
        Self.append(occurredAt, to: &bytes)
        Self.append(effectiveAt, to: &bytes)
        Self.append(timeZone, to: &bytes)
        Self.append(String(localOffsetMinutes), to: &bytes)
        Self.append(String(counterMicroseconds), to: &bytes)
        Self.append(bootID, to: &bytes)
        Self.append(deviceID, to: &bytes)
        Self.append(surface, to: &bytes)
        Self.append(idempotencyKey, to: &bytes)
        Self.append(payload, to: &bytes)
        Self.append(previousHash, to: &bytes)
        if wall != nil || synchronised != nil {
            Self.append(wall, to: &bytes)
            Self.append(synchronised.map { String($0) }, to: &bytes)
        }
        return Hexadecimal.text(SHA256.hash(data: bytes))
    }

    /// Appends a length of four bytes, most significant first, then the UTF-8; NULL is the length 0xFFFFFFFF alone.
    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else {
            bytes.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
            return
        }
        let length = UInt32(truncatingIfNeeded: text.utf8.count)
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        bytes.append(contentsOf: text.utf8)
    }

    /// Numbers of events and offsets in minutes that a log of DoseTap can have. Others are read as faults: calculating with them
    /// may overflow.
    static let sequences: ClosedRange<Int64> = 1...(1 << 53)
    static let offsets = Int64(Zone.offsetMinutes.lowerBound)...Int64(Zone.offsetMinutes.upperBound)

    static let columns =
        "seq, id, type, entity_type, entity_id, session_id, occurred_at, effective_at, time_zone, "
        + "local_offset_minutes, boot_time_us, boot_id, device_id, surface, idempotency_key, payload, prev_hash, hash, "
        + "wall_utc, synchronised"

    /// The names of ``columns`` as keys of JSON, each with its colon.
    static let names: [[UInt8]] = columns.split(separator: ", ").map { Array("\"\($0)\":".utf8) }

    static let insertion =
        "INSERT INTO events(\(columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"

    func insert(_ database: Database) throws {
        let statement = try database.cachedStatement(sql: Self.insertion)
        statement.setUncheckedArguments(arguments)
        try statement.execute()
    }

    /// The values of ``columns``.
    var arguments: StatementArguments {
        [
            sequence, id, type, entityType, entityID, sessionID, occurredAt, effectiveAt, timeZone, localOffsetMinutes,
            counterMicroseconds, bootID, deviceID, surface, idempotencyKey, payload, previousHash, hash,
            wall, synchronised,
        ]
    }

    /// Reads a row of ``columns``, strictly: a column of another storage class is a fault, as SQLite compares the
    /// same bytes as text and as blob differently.
    init(_ row: Row) throws(LogRowFault) {
        var reader = Reader(row: row)
        sequence = try reader.integer("seq")
        guard Self.sequences.contains(sequence) else { throw LogRowFault(sequence: sequence, column: "seq") }
        id = try reader.text("id")
        type = try reader.text("type")
        entityType = try reader.text("entity_type")
        entityID = try reader.text("entity_id")
        sessionID = try reader.optionalText("session_id")
        occurredAt = try reader.text("occurred_at")
        effectiveAt = try reader.text("effective_at")
        timeZone = try reader.text("time_zone")
        localOffsetMinutes = try reader.integer("local_offset_minutes")
        counterMicroseconds = try reader.integer("boot_time_us")
        bootID = try reader.text("boot_id")
        deviceID = try reader.text("device_id")
        surface = try reader.text("surface")
        idempotencyKey = try reader.optionalText("idempotency_key")
        payload = try reader.text("payload")
        previousHash = try reader.text("prev_hash")
        hash = try reader.text("hash")
        wall = try reader.optionalText("wall_utc")
        synchronised = try reader.optionalInteger("synchronised")
    }

    private struct Reader {
        let row: Row
        var index = 0
        var sequence: Int64 = 0

        private mutating func next() -> DatabaseValue.Storage {
            defer { index += 1 }
            let value: DatabaseValue = row[index]
            return value.storage
        }

        mutating func integer(_ column: String) throws(LogRowFault) -> Int64 {
            guard case .int64(let value) = next() else { throw LogRowFault(sequence: sequence, column: column) }
            if index == 1 { sequence = value }
            return value
        }

        mutating func text(_ column: String) throws(LogRowFault) -> String {
            guard case .string(let value) = next() else { throw LogRowFault(sequence: sequence, column: column) }
            return value
        }

        mutating func optionalInteger(_ column: String) throws(LogRowFault) -> Int64? {
            switch next() {
            case .null: return nil
            case .int64(let value): return value
            case .string, .double, .blob: throw LogRowFault(sequence: sequence, column: column)
            }
        }

        mutating func optionalText(_ column: String) throws(LogRowFault) -> String? {
            switch next() {
            case .null: return nil
            case .string(let value): return value
            case .int64, .double, .blob: throw LogRowFault(sequence: sequence, column: column)
            }
        }
    }
}

/// A column of `events` with another kind of value than was written.
struct LogRowFault: Error, Hashable {
    /// Sequence number of the event, as far as it is readable.
    let sequence: Int64
    let column: String

    var storeError: StoreError {
        StoreError(
            code: .damaged, context: "event \(sequence) of the log cannot be read",
            underlying: "storage class of column \(column)")
    }
}
