import Crypto
import DoseTapDomain

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
    /// What the wall clock said; nil in what was recorded before schema 5, where `occurred_at` is all there is.
    var wall: String?
    /// Whether the wall clock was synchronised, as 0 or 1; nil likewise.
    var synchronised: Int64?
}

extension LogRow {
    /// The row of a new event behind the end of the log.
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

    /// The event of this row.
    ///
    /// - Throws: `.damaged`, naming the sequence number and the column, never its content.
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

    /// The event with its place in the log.
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
}

extension LogRow {
    /// SHA-256 over every column but `hash`, each behind its length, in the order of the table; lowercase hexadecimal.
    ///
    /// The columns of schema 5 take part where they hold something: what was recorded before keeps its hash.
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
        return Self.hexadecimal(SHA256.hash(data: bytes))
    }

    /// A length of four bytes, most significant first, then the UTF-8; NULL is the length 0xFFFFFFFF alone.
    private static func append(_ text: String?, to bytes: inout [UInt8]) {
        guard let text else {
            bytes.append(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF])
            return
        }
        let length = UInt32(truncatingIfNeeded: text.utf8.count)
        for shift: UInt32 in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: length >> shift)) }
        bytes.append(contentsOf: text.utf8)
    }

    private static func hexadecimal(_ digest: some Sequence<UInt8>) -> String {
        String(unsafeUninitializedCapacity: 64) { buffer in
            var position = 0
            for byte in digest {
                for nibble in [byte >> 4, byte & 0xF] where position < 64 {
                    buffer[position] = nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
                    position += 1
                }
            }
            return position
        }
    }
}
