import GRDB

extension LogRow {
    /// The columns in the order of the table and of the hash.
    static let columns =
        "seq, id, type, entity_type, entity_id, session_id, occurred_at, effective_at, time_zone, "
        + "local_offset_minutes, boot_time_us, boot_id, device_id, surface, idempotency_key, payload, prev_hash, hash, "
        + "wall_utc, synchronised"

    static let insertion =
        "INSERT INTO events(\(columns)) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"

    /// Adds the row to the table.
    func insert(_ database: Database) throws {
        let statement = try database.cachedStatement(sql: Self.insertion)
        statement.setUncheckedArguments([
            sequence, id, type, entityType, entityID, sessionID, occurredAt, effectiveAt, timeZone, localOffsetMinutes,
            counterMicroseconds, bootID, deviceID, surface, idempotencyKey, payload, previousHash, hash,
            wall, synchronised,
        ])
        try statement.execute()
    }

    /// Reads a row of ``columns``, strictly: a column of another storage class is a fault, as SQLite compares the
    /// same bytes as text and as blob differently.
    init(_ row: Row) throws(LogRowFault) {
        var reader = Reader(row: row)
        sequence = try reader.integer("seq")
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
