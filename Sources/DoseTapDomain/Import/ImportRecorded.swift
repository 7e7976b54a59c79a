/// The last event of a transaction that took a file in, or took an import back (R29.7).
public struct ImportRecorded: Hashable, Sendable {
    /// Most links that are kept one by one.
    public static let mostLinks = 1_000

    /// The word of the source.
    public var source: String
    /// The entries that the import brought, by the words of their lines.
    public var counts: [String: Int]
    /// The number of rows that an entry on record already said.
    public var linked: Int
    /// The entries on record for these rows, the first ``mostLinks`` of them.
    public var links: [EventID]
    /// The number of rows that an earlier import of the source brought.
    public var known: Int
    /// The number of rows of tonight, and of the hours before now.
    public var heldBack: Int
    public var notTaken: Int
    /// The number of events of the same transaction before this one.
    public var events: Int
    public var nights: Int
    /// The first and the last session date that changed.
    public var from: SessionDate?
    public var to: SessionDate?
    /// The import that this transaction takes back; nil for a transaction that brings something.
    public var takesBack: EventID?

    public init(source: String, takesBack: EventID? = nil) {
        self.source = source
        self.takesBack = takesBack
        (counts, links) = ([:], [])
        (linked, known, heldBack, notTaken, events, nights) = (0, 0, 0, 0, 0, 0)
    }

    /// The number of all entries that the import brought.
    public var entries: Int { counts.values.reduce(0, +) }

    /// The entity of all such events, by which they are found.
    public static let entity = "import"
}

extension ImportRecorded {
    func write(into object: inout JSONObject) {
        object["source"] = .string(source)
        let ordered = counts.sorted { $0.key < $1.key }
        object["counts"] = .object(JSONObject(ordered.map { ($0.key, .integer(Int64($0.value))) }))
        object["linked"] = .integer(Int64(linked))
        if !links.isEmpty { object["links"] = .array(links.map { .string($0.text) }) }
        object["known"] = .integer(Int64(known))
        object["held_back"] = .integer(Int64(heldBack))
        object["not_taken"] = .integer(Int64(notTaken))
        object["events"] = .integer(Int64(events))
        object["nights"] = .integer(Int64(nights))
        object["from"] = from.map { .string($0.text) }
        object["to"] = to.map { .string($0.text) }
        object["takes_back"] = takesBack.map { .string($0.text) }
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(source: try reader.string("source"), takesBack: try reader.optionalEventID("takes_back"))
        for entry in try reader.object("counts").entries {
            guard let count = entry.value.integerValue.flatMap(Int.init(exactly:)), (0..<1 << 40).contains(count)
            else { throw reader.fault("counts") }
            counts[entry.key] = count
        }
        if reader.value("links") != nil { links = try reader.eventIDs("links") }
        linked = try reader.integer("linked")
        known = try reader.integer("known")
        heldBack = try reader.integer("held_back")
        notTaken = try reader.integer("not_taken")
        events = try reader.integer("events")
        nights = try reader.integer("nights")
        from = reader.value("from") == nil ? nil : try reader.date("from")
        to = reader.value("to") == nil ? nil : try reader.date("to")
    }
}
