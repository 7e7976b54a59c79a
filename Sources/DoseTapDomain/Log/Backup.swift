/// A backup of the record: a complete database in one file. The name of the file tells its content.
public struct Backup: Hashable, Sendable {
    /// The reason for the backup; the raw value is the wire word and the beginning of the name.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Made by the service, after a night. Old ones are removed (R24.4).
        case daily
        /// Made for a person.
        case manual
        /// Made before a change of the schema; stays until the next one (R24.7).
        case migration
    }

    public var kind: Kind
    public var at: Instant
    public var events: Int64
    /// The first digits of the hash of the last event.
    public var head: String
    /// Empty if the file is the caller's own.
    public var path: String
    public var bytes: Int64
    /// The id of the record in the backup.
    public var storeID: String
    /// True if the backup is of the record in use, as far as the backup can be read.
    public var isOwn: Bool
    /// The fault that makes the backup unreliable; empty if the log ends as it was verified when the backup was made.
    public var problem: String
    /// Further facts for a person, a sentence each.
    public var notes: [String]

    public init(
        kind: Kind, at: Instant, events: Int64, head: String, path: String = "", bytes: Int64 = 0, storeID: String = "",
        isOwn: Bool = true, problem: String = "", notes: [String] = []
    ) {
        self.kind = kind
        self.at = at
        self.events = events
        self.head = head
        self.path = path
        self.bytes = bytes
        self.storeID = storeID
        self.isOwn = isOwn
        self.problem = problem
        self.notes = notes
    }

    public var isVerified: Bool { problem.isEmpty }
}

/// The name of the file: `daily-2026-01-15T080000Z-1234-0123456789abcdef.db`.
extension Backup {
    /// The number of digits of the hash in the name.
    public static let headDigits = 16
    private static let ending = ".db"

    public var name: String {
        "\(kind.rawValue)-\(Self.time(at))-\(events)-\(head)\(Self.ending)"
    }

    /// Returns a time in the form for names of files.
    public static func time(_ instant: Instant) -> String {
        instant.iso8601.filter { $0 != ":" }.prefix { $0 != "." } + "Z"
    }

    /// Nil for the name of any other file.
    public init?(name: String) {
        guard name.hasSuffix(Self.ending), let dash = name.firstIndex(of: "-"),
            let kind = Kind(rawValue: String(name[..<dash]))
        else { return nil }
        let rest = name[name.index(after: dash)...].dropLast(Self.ending.count)
        let parts = rest.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 5, let events = Int64(parts[3]), events >= 0, parts[2].utf8.count == 10,
            parts[4].utf8.count == Self.headDigits
        else { return nil }
        // `15T080000Z` is the day with the time.
        let (day, time) = (parts[2].prefix(3), Array(parts[2].dropFirst(3).dropLast().utf8))
        guard time.count == 6 else { return nil }
        let clock = [time[0..<2], time[2..<4], time[4..<6]].map { String(decoding: $0, as: UTF8.self) }
        let text = "\(parts[0])-\(parts[1])-\(day)\(clock.joined(separator: ":"))Z"
        guard let at = try? Instant(iso8601: text) else { return nil }
        self.init(kind: kind, at: at, events: events, head: parts[4])
        guard self.name == name else { return nil }
    }
}

extension Backup {
    public static let description = RecordDescription(
        "backup", "db backup --json, and one of db backups --json",
        Backup(kind: .manual, at: .min, events: 0, head: "")
    ) { it in
        it.word("kind", get: { $0.kind }, set: { $0.kind = $1 })
        it.instant("at", get: { $0.at }, set: { $0.at = $1 })
        it.text("path", get: { $0.path }, set: { $0.path = $1 })
        it.integer("bytes", as: .place, get: { Int($0.bytes) }, set: { $0.bytes = Int64($1) })
        it.integer("events", as: .place, get: { Int($0.events) }, set: { $0.events = Int64($1) })
        it.text("head", "the first digits of the hash of its last event", get: { $0.head }, set: { $0.head = $1 })
        it.text("store_id", "the record it is a backup of", get: { $0.storeID }, set: { $0.storeID = $1 })
        it.bool("own", "it is of the record in use", get: { $0.isOwn }, set: { $0.isOwn = $1 })
        it.bool("verified", get: { $0.isVerified })
        it.text("problem", "why it is not verified; else empty", get: { $0.problem }, set: { $0.problem = $1 })
        it.texts("notes", "what else is to be known of it", get: { $0.notes }, set: { $0.notes = $1 })
    }

    /// The object for output and for D-Bus.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("backup", Self.description.shape.completed(json)))
    }
}
