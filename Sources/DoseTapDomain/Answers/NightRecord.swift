/// One night with all its entries, as `show` prints it.
public struct NightRecord: Hashable, Sendable {
    /// The night in a line.
    public var summary: NightSummary
    /// Standing entries in order of time.
    public var entries: [Entry]
    /// The naps of the night in order of time, unfinished ones included.
    public var naps: [Nap]
    /// What was corrected, in order of recording: the originals stay in the log.
    public var corrections: [Entry]
    /// What the sleep diary measures.
    public var sleepDiary: SleepDiary
    /// What was taken compared with what was prescribed; nil without a regimen.
    public var bundle: DoseBundle?
    /// The rules as the night had them last; nil from a service that does not tell.
    public var rules: NightRules?

    /// The type of an entry that says that nobody recorded a dose 2.
    public static let notRecorded = "dose2_not_recorded"

    /// One entry or correction.
    public struct Entry: Hashable, Sendable {
        /// The entry's id, or the correction's own.
        public var id: EventID
        /// A dose event type, the wire word of a sleep event, or the event type of a correction.
        public var type: String
        /// When it counts.
        public var timestamp: Instant
        /// When it was recorded.
        public var recordedAt: Instant
        /// What asked for it.
        public var surface: String
        /// Metadata of the entry.
        public var metadata: JSONObject
        /// For a correction the entry it is about.
        public var target: EventID?
    }

    /// Collects a session.
    ///
    /// - Parameters:
    ///   - standalone: the standing entries that belong to it, or to its date, and are no part of its fold.
    ///   - regimen: that of its date.
    public init(
        _ session: Session, standalone: [StandaloneEntry] = [], regimen: Regimen? = nil
    ) {
        bundle = regimen.map { DoseBundle(session.doses, $0, on: session.date) }
        summary = NightSummary(session, preSleep: standalone.of())
        var entries = session.doses.map {
            Entry($0.event, $0.kind.rawValue, at: $0.wall, session.metadata(of: $0))
        }
        // What time alone has recorded is no act, and nothing at all once a dose took its place.
        entries += session.skips.filter { !$0.isAutomatic || session.dose2 == nil }.map { skip in
            Entry(
                skip.event, skip.isAutomatic ? Self.notRecorded : "dose2_skipped", at: skip.wall,
                session.metadata(of: skip))
        }
        entries += session.snoozes.map { Entry($0.event, "snooze", at: $0.wall, session.metadata(of: $0)) }
        entries += session.wakes.map { wake in
            var metadata = JSONObject()
            metadata["note"] = wake.note.map(JSONValue.string)
            return Entry(wake.event, "wake_final", at: wake.wall, metadata)
        }
        entries += session.sleepEvents.map { Entry($0.event, $0.type, at: $0.wall, session.metadata(of: $0)) }
        if let checkIn = session.checkIn {
            entries.append(
                Entry(checkIn.event, EntityType.checkin.rawValue, at: checkIn.wall, session.metadata(of: checkIn)))
        }
        entries += standalone.map(Entry.init)
        naps = session.naps.all
        rules = session.rules
        sleepDiary = session.sleepDiary
        self.entries = entries.sorted { ($0.timestamp, $0.recordedAt) < ($1.timestamp, $1.recordedAt) }
        corrections = session.events.compactMap { event in
            switch event.payload {
            case .entryAmended(let payload): Entry(event, event.type.rawValue, target: payload.target, payload.changes)
            case .entryDeleted(let payload): Entry(event, event.type.rawValue, target: payload.target, JSONObject())
            case .actionUndone(let payload): Entry(event, event.type.rawValue, target: payload.action, JSONObject())
            default: nil
            }
        }
    }
}

extension NightRecord.Entry {
    /// An entry that is no part of a session's fold.
    public init(_ entry: StandaloneEntry) {
        self.init(entry.event, entry.entity.rawValue, at: entry.at, entry.metadata)
    }

    init(_ event: Event, _ type: String, at: Instant, _ metadata: JSONObject) {
        self.init(
            id: event.id, type: type, timestamp: at, recordedAt: event.occurredAt, surface: event.surface.rawValue,
            metadata: metadata, target: nil)
    }

    init(_ event: Event, _ type: String, target: EventID, _ metadata: JSONObject) {
        self.init(
            id: event.id, type: type, timestamp: event.effectiveAt, recordedAt: event.occurredAt,
            surface: event.surface.rawValue, metadata: metadata, target: target)
    }
}

extension CheckInRecorded {
    /// What a later save answered.
    fileprivate var changes: JSONObject {
        JSONObject(given.map { ($0, answers[$0] ?? .null) })
    }
}

extension EntryAmended {
    /// What the amendment changed.
    fileprivate var changes: JSONObject {
        var object = JSONObject()
        if let at { object["at"] = .instant(at) }
        if let amountMilligrams { object["amount_mg"] = .integer(Int64(amountMilligrams)) }
        if let note { object["note"] = .string(note) }
        return object
    }
}

/// The `show --json` object.
extension NightRecord {
    /// The keys of the night in a line, and its entries and corrections.
    public var json: JSONObject {
        var object = summary.json
        object["entries"] = .array(entries.map { .object($0.json) })
        object["naps"] = .array(naps.map { .object($0.json) })
        object["corrections"] = .array(corrections.map { .object($0.json) })
        object["sleep_diary"] = .object(sleepDiary.json)
        if let rules { object["rules"] = rules.json }
        if let bundle { object["bundle"] = .object(bundle.json) }
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("night", json)
        summary = try NightSummary(reader)
        entries = []
        for value in try reader.list("entries") { entries.append(try Entry(PayloadReader("entry", json: value))) }
        naps = []
        if reader.value("naps") != nil {
            for value in try reader.list("naps") { naps.append(try Nap(PayloadReader("nap", json: value))) }
        }
        corrections = []
        for value in try reader.list("corrections") {
            corrections.append(try Entry(PayloadReader("correction", json: value)))
        }
        bundle = nil
        if let nested = try reader.optionalNested("bundle") { bundle = try DoseBundle(nested) }
        rules = nil
        if let nested = try reader.optionalNested("rules") { rules = try NightRules(nested) }
        sleepDiary = try SleepDiary(
            try reader.optionalNested("sleep_diary") ?? PayloadReader("sleep diary", JSONObject()))
    }
}

extension NightRecord.Entry {
    /// One entry or correction as JSON.
    public var json: JSONObject {
        var object = JSONObject()
        object["id"] = .string(id.text)
        object["type"] = .string(type)
        object["timestamp"] = .instant(timestamp)
        object["recorded_at"] = .instant(recordedAt)
        object["surface"] = .string(surface)
        object["metadata"] = .object(metadata)
        if let target { object["target"] = .string(target.text) }
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) { try self.init(PayloadReader("entry", json)) }

    init(_ reader: PayloadReader) throws(PayloadError) {
        var metadata = JSONObject()
        if case .object(let object)? = reader.value("metadata") { metadata = object }
        self.init(
            id: try reader.eventID("id"), type: try reader.string("type"), timestamp: try reader.instant("timestamp"),
            recordedAt: try reader.instant("recorded_at"), surface: try reader.string("surface"), metadata: metadata,
            target: try reader.optionalEventID("target"))
    }
}
