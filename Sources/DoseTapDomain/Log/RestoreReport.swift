/// The changes of a restore, as a preview or afterwards.
public struct RestoreReport: Hashable, Sendable {
    /// Events that one log has and the other lacks.
    public struct Difference: Hashable, Sendable {
        public var events: Int64 = 0
        public var nights = 0
        /// The times of recording of the first and the last of these events.
        public var from: Instant?
        public var to: Instant?

        public init() {}

        /// Counts one more event.
        ///
        /// - Parameter isNewNight: true for the first event of its night in this difference.
        public mutating func add(at instant: Instant?, isNewNight: Bool) {
            events += 1
            if isNewNight { nights += 1 }
            guard let instant else { return }
            from = min(from ?? instant, instant)
            to = max(to ?? instant, instant)
        }
    }

    /// All events of the backup.
    public var backup = Difference()
    /// Events that the present record lacks.
    public var gained = Difference()
    /// Events that the backup lacks and that are not brought in.
    public var lost = Difference()
    /// Events that are brought in from the present record: those of the last day, with their nights and entries (R24.10).
    public var broughtIn: Int64 = 0
    /// True if the backup is of the present record, or if the present record is empty.
    public var isSameRecord = true
    /// True if the backup was made on another computer, or before this record was begun.
    public var isForeignDevice = false
    /// True if the backup is encrypted and the restored record is not, because the present record is not (R25.10).
    public var isDecrypted = false
    /// The path of the replaced record; nil for a preview, and if there was none.
    public var replaced: String?
    public var isDryRun = true
    /// Further facts, a sentence each.
    public var notes: [String] = []

    public init() {}
}

extension RestoreReport {
    private static let blank = RestoreReport()

    public static let description = RecordDescription("restore", "db restore --json", blank) { it in
        it.bool("dry_run", "nothing was changed", get: { $0.isDryRun }, set: { $0.isDryRun = $1 })
        it.integer(
            "events", "in the backup", as: .place, get: { Int($0.backup.events) }, set: { $0.backup.events = Int64($1) }
        )
        it.integer("nights", as: .count, get: { $0.backup.nights }, set: { $0.backup.nights = $1 })
        it.instantOrNull("from", get: { $0.backup.from }, set: { $0.backup.from = $1 })
        it.instantOrNull("to", get: { $0.backup.to }, set: { $0.backup.to = $1 })
        it.integer(
            "gained_events", "that the present record lacks", as: .place, get: { Int($0.gained.events) },
            set: { $0.gained.events = Int64($1) })
        it.integer("gained_nights", as: .count, get: { $0.gained.nights }, set: { $0.gained.nights = $1 })
        it.instantOrNull("gained_from", get: { $0.gained.from }, set: { $0.gained.from = $1 })
        it.instantOrNull("gained_to", get: { $0.gained.to }, set: { $0.gained.to = $1 })
        it.integer(
            "lost_events", "that the backup lacks and that are not brought in", as: .place,
            get: { Int($0.lost.events) }, set: { $0.lost.events = Int64($1) })
        it.integer("lost_nights", as: .count, get: { $0.lost.nights }, set: { $0.lost.nights = $1 })
        it.instantOrNull("lost_from", get: { $0.lost.from }, set: { $0.lost.from = $1 })
        it.instantOrNull("lost_to", get: { $0.lost.to }, set: { $0.lost.to = $1 })
        it.integer(
            "brought_in", "events of the last 24 hours that the backup lacks", as: .place,
            get: { Int($0.broughtIn) }, set: { $0.broughtIn = Int64($1) })
        it.bool(
            "same_record", "the backup is of the present record, or there is none", get: { $0.isSameRecord },
            set: { $0.isSameRecord = $1 })
        it.bool(
            "other_device", "the backup was made on another computer, or before this record was begun",
            get: { $0.isForeignDevice },
            set: { $0.isForeignDevice = $1 })
        it.bool(
            "decrypted", "the backup is encrypted, and the restored record is not, as the present record",
            get: { $0.isDecrypted }, set: { $0.isDecrypted = $1 })
        it.textOrNull("replaced", "where the replaced record lies", get: { $0.replaced }, set: { $0.replaced = $1 })
        it.texts("notes", "what else is to be known", get: { $0.notes }, set: { $0.notes = $1 })
    }

    /// The object for output and for D-Bus.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("restore", Self.description.shape.completed(json)))
    }
}

/// A verified copy of a backup beside the store, ready to take its place.
public struct PreparedRestore: Hashable, Sendable {
    public var report: RestoreReport
    /// The last place of the present log that was compared.
    public var compared: Int64
    /// The last event of the backup.
    public var backupEnd: Int64
    /// The time of recording of the newest event of the copy.
    public var newest: Instant?

    public init(report: RestoreReport, compared: Int64, backupEnd: Int64, newest: Instant?) {
        self.report = report
        self.compared = compared
        self.backupEnd = backupEnd
        self.newest = newest
    }
}
