/// One night with all its entries, as `show` prints it.
public struct NightRecord: Hashable, Sendable {
    /// The night in a line.
    public var summary: NightSummary
    /// Standing entries in order of time.
    public var entries: [Entry]
    /// The naps of the night in order of time, unfinished ones included.
    public var naps: [Nap]
    /// The corrections, in order of recording; the originals stay in the log.
    public var corrections: [Entry]
    /// The measures of the sleep diary.
    public var sleepDiary: SleepDiary
    /// The sleep that the one source of the night recorded; nil without a source.
    public var recordedSleep: RecordedSleep?
    /// The doses taken compared with the prescribed doses; nil without a regimen.
    public var bundle: DoseBundle?
    /// The rules as the night had them last; nil from a service that does not send them.
    public var rules: NightRules?

    /// True if a dose, recorded sleep, going to bed, lights out or the final wake is on record (R32.5).
    public var isNight: Bool {
        recordedSleep != nil
            || summary.belongsTo == nil
                && entries.contains {
                    DoseKind(rawValue: $0.type) != nil
                        || [SleepEventWord.inBed, SleepEventWord.lightsOut, SleepEventWord.finalWake].contains($0.type)
                }
    }

    /// The corrections without undos and without those that an undo took back (R6.1).
    public var standingCorrections: [Entry] {
        let undos = corrections.filter { $0.type == EventType.actionUndone.rawValue }
        let undone = Set(undos.compactMap(\.target) + undos.map(\.id))
        return corrections.filter { !undone.contains($0.id) }
    }

    /// The naps with both ends, in order of time: those that the person told, and those that a source recorded at other
    /// times.
    public var napSpans: [ClosedRange<Instant>] {
        let told = naps.compactMap { nap in
            nap.start.flatMap { start in nap.end.flatMap { $0 >= start ? start...$0 : nil } }
        }
        let recorded = entries.compactMap { entry -> ClosedRange<Instant>? in
            guard entry.type == EntityType.sleepRecord.rawValue,
                entry.metadata["part"]?.stringValue == ImportedSleep.Part.nap.rawValue,
                let end = entry.metadata["end_utc"]?.instantValue, end >= entry.timestamp
            else { return nil }
            return entry.timestamp...end
        }
        // The person and two devices may each have recorded the same nap.
        return recorded.reduce(into: told) { spans, span in
            if !spans.contains(where: { $0.overlaps(span) }) { spans.append(span) }
        }
        .sorted { $0.lowerBound < $1.lowerBound }
    }

    /// The type of an entry that says that nobody recorded a dose 2.
    public static let notRecorded = "dose2_not_recorded"
    /// The type of an entry by which the person skipped dose 2.
    public static let skip = "dose2_skipped"

    /// One entry or correction.
    public struct Entry: Hashable, Sendable {
        /// The entry's id, or the correction's own.
        public var id: EventID
        /// A dose event type, the wire word of a sleep event, or the event type of a correction.
        public var type: String
        /// The time at which the entry counts.
        public var timestamp: Instant
        public var recordedAt: Instant
        /// The wire word of the surface that asked for the entry.
        public var surface: String
        public var metadata: JSONObject
        /// The entry that a correction is about; nil for an entry.
        public var target: EventID?
    }

    /// Returns true if an entry is a skip of a dose 2 that was taken after all.
    public func isSuperseded(_ entry: Entry) -> Bool { entry.type == Self.skip && summary.dose2 != nil }

    /// Collects a session.
    ///
    /// - Parameters:
    ///   - night: the night to which the session belongs (R8.11).
    ///   - standalone: the active entries of the session, or of its date, that are no part of its fold.
    ///   - regimen: the regimen of the session's date.
    ///   - sources: the choice between sources of sleep.
    public init(
        _ session: Session, behind night: Session? = nil, standalone: [StandaloneEntry] = [], regimen: Regimen? = nil,
        sources: SleepSources = SleepSources()
    ) {
        bundle = regimen.map { DoseBundle(session, $0) }
        let slept = (standalone.of() as [SleepRecord]).map { SleepCandidate($0) }
        recordedSleep = sources.choice(slept, lightsOut: session.lightsOut, end: session.end)
        summary = NightSummary(session, behind: night, preSleep: standalone.of())
        if let recordedSleep, night == nil { summary.nightScore = session.nightScore(recordedSleep) }
        var entries = session.doses.map {
            Entry($0.event, $0.kind.rawValue, at: $0.wall, session.metadata(of: $0))
        }
        // An automatic skip is no act of the person, and is left out once a dose 2 took its place.
        entries += session.skips.filter { !$0.isAutomatic || session.dose2 == nil }.map { skip in
            Entry(
                skip.event, skip.isAutomatic ? Self.notRecorded : Self.skip, at: skip.wall,
                session.metadata(of: skip))
        }
        entries += session.snoozes.map { Entry($0.event, "snooze", at: $0.wall, session.metadata(of: $0)) }
        entries += session.wakes.map { wake in
            var metadata = JSONObject()
            metadata["note"] = wake.note.map(JSONValue.string)
            metadata["local_offset_minutes"] = .integer(Int64(wake.event.localOffsetMinutes))
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
            case .entryAmended(let payload):
                Entry(event, about: payload.target, payload.changes.describing(payload.target, of: session.events))
            case .entryDeleted(let payload):
                Entry(event, about: payload.target, payload.changes.describing(payload.target, of: session.events))
            case .actionUndone(let payload):
                Entry(event, about: payload.action, JSONObject().describing(payload.action, of: session.events))
            case .checkinRecorded(let payload):
                payload.amends.map { Entry(event, about: $0, payload.changes) }
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

    init(_ event: Event, about target: EventID, _ metadata: JSONObject) {
        self.init(
            id: event.id, type: event.type.rawValue, timestamp: event.effectiveAt, recordedAt: event.occurredAt,
            surface: event.surface.rawValue, metadata: metadata, target: target)
    }
}

extension CheckInRecorded {
    /// The answers that a later save gave.
    fileprivate var changes: JSONObject {
        JSONObject(given.map { ($0, takenBack.contains($0) ? .null : answers[$0] ?? .null) })
    }
}

extension JSONObject {
    /// Adds the first version of a corrected entry, which is no longer among the entries or has changed there.
    fileprivate func describing(_ target: EventID, of events: [Event]) -> JSONObject {
        guard let event = events.first(where: { $0.id == target }) else { return self }
        let type: String
        var dose: DoseRecorded?
        switch event.payload {
        case .doseRecorded(let recorded): (type, dose) = (recorded.kind.rawValue, recorded)
        case .sleepEventRecorded(let sleepEvent): type = sleepEvent.type
        case .finalWakeRecorded: type = SleepEventWord.finalWake
        case .doseSkipped(let skip): type = skip.isAutomatic ? NightRecord.notRecorded : NightRecord.skip
        default: return self
        }
        // The keys are in the order in which they come back from the bus.
        var said = JSONObject()
        said["amount_mg"] = dose?.amountMilligrams.map { .integer(Int64($0)) }
        said["local_offset_minutes"] = .integer(Int64(event.localOffsetMinutes))
        said["medication_id"] = dose?.medicationID.map(JSONValue.string)
        said["timestamp"] = .instant(event.effectiveAt)
        said["type"] = .string(type)
        var told = self
        told["original"] = .object(said)
        return told
    }
}

extension EntryAmended {
    /// The values that the amendment changed.
    fileprivate var changes: JSONObject {
        var object = JSONObject()
        if let at { object["at"] = .instant(at) }
        if let amountMilligrams { object["amount_mg"] = .integer(Int64(amountMilligrams)) }
        if let note { object["note"] = .string(note) }
        return object
    }
}

extension EntryDeleted {
    /// The person's reason.
    fileprivate var changes: JSONObject {
        var object = JSONObject()
        object["reason"] = reason.map(JSONValue.string)
        return object
    }
}

// MARK: Keys

extension NightRecord {
    public static let description = RecordDescription(
        NightRecord()
    ) { it in
        it.part(NightSummary.description, get: { $0.summary }, set: { $0.summary = $1 })
        it.records("entries", Entry.description, get: { $0.entries }, set: { $0.entries = $1 })
        it.records("naps", Nap.description, get: { $0.naps }, set: { $0.naps = $1 })
        it.records("corrections", Entry.description, get: { $0.corrections }, set: { $0.corrections = $1 })
        it.record("sleep_diary", SleepDiary.description, get: { $0.sleepDiary }, set: { $0.sleepDiary = $1 })
        it.recordOrNull(
            "recorded_sleep", RecordedSleep.description, "what a source recorded, apart from the sleep diary",
            null: .absent, get: { $0.recordedSleep }, set: { $0.recordedSleep = $1 })
        it.recordOrNull(
            "rules", NightRules.description, "the settings of its rules as the night had them last",
            null: .never, get: { $0.rules }, set: { $0.rules = $1 })
        it.recordOrNull(
            "bundle", DoseBundle.description, "what was taken compared with the regimen", null: .absent,
            get: { $0.bundle }, set: { $0.bundle = $1 })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("night", json))
    }

    private init() {
        summary = .blank
        (entries, naps, corrections) = ([], [], [])
        sleepDiary = SleepDiary(SleepDiary.Facts())
    }
}

extension NightRecord.Entry {
    static let blank = NightRecord.Entry(
        id: EventID(""), type: "", timestamp: .min, recordedAt: .min, surface: "", metadata: JSONObject(),
        target: nil)

    public static let description = RecordDescription(
        "entry", "One entry or correction", NightRecord.Entry.blank
    ) { it in
        it.text("id", get: { $0.id.text }, set: { $0.id = EventID($1) })
        it.text("type", get: { $0.type }, set: { $0.type = $1 })
        it.instant("timestamp", "when it counts", get: { $0.timestamp }, set: { $0.timestamp = $1 })
        it.instant("recorded_at", get: { $0.recordedAt }, set: { $0.recordedAt = $1 })
        it.text("surface", get: { $0.surface }, set: { $0.surface = $1 })
        it.object(
            "metadata", .open { NightRecord.Entry.metadata }, get: { $0.metadata }, set: { $0.metadata = $1 })
        it.textOrNull(
            "target", "for a correction the entry it is about", null: .absent, get: { $0.target?.text },
            set: { $0.target = $1.map(EventID.init) })
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("entry", json))
    }
}

extension NightRecord.Entry {
    /// The metadata of an entry, as far as D-Bus has to know the types. Each kind of entry has metadata of its own. The
    /// metadata of a corrected check-in hold its answers.
    static let metadata = Shape(
        Questionnaire.answers.keys + [
            Key("answers", .object { Questionnaire.answers }, .absent),
            Key(
                "original", .object { Shape([Key("timestamp", .instant)]) }, .absent,
                "what a corrected entry said first"),
            Key(Receipt.dose2Unknown, .object { Shape([Key("window_closes", .instant, .null)]) }, .absent),
            Key("until", .date, .zero),
            Key("end_utc", .instant, .absent, "of a recorded sleep"),
            Key(
                "stages",
                .list(
                    .object { Shape([Key("stage", .text), Key("start_utc", .instant), Key("end_utc", .instant)]) }),
                .absent, "of a recorded sleep"),
        ])
}

// MARK: Several nights

/// The nights and entries that a name means: the answer of D-Bus `Show`.
public struct ShownNights: Hashable, Sendable {
    /// The nights with everything that belongs to them.
    public var nights: [NightRecord]
    /// The entries that belong to none of the nights, by the key of their list.
    private var lists: [String: [NightRecord.Entry]] = [:]

    /// Holds nights alone; entries that belong to none of the nights are added later.
    public init(nights: [NightRecord] = []) { self.nights = nights }

    /// Adds an entry that belongs to none of the nights to the list of its kind, if the kind has a list.
    public mutating func add(_ entry: StandaloneEntry) {
        guard let list = type(of: entry.value).list else { return }
        lists[list.key, default: []].append(NightRecord.Entry(entry))
    }

    /// Returns the entries that belong to none of the nights.
    public func entries(where isAsked: (EntityType) -> Bool = { _ in true }) -> [NightRecord.Entry] {
        EntityType.kinds.filter { isAsked($0.entity) }.flatMap { $0.list.flatMap { lists[$0.key] } ?? [] }
    }

    public static let description = RecordDescription(
        ShownNights(nights: [])
    ) { it in
        it.records("nights", NightRecord.description, get: { $0.nights }, set: { $0.nights = $1 })
        for list in EntityType.kinds.compactMap({ $0.list }) {
            it.records(
                list.key, NightRecord.Entry.description, list.prose, null: .absent,
                get: { $0.lists[list.key] ?? [] }, set: { $0.lists[list.key] = $1.isEmpty ? nil : $1 })
        }
    }

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("show", json))
    }

    /// True if nothing was found.
    public var isEmpty: Bool { nights.isEmpty && lists.isEmpty }
}
