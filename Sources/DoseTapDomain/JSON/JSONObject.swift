/// The named values of a JSON object in the order in which they were added.
///
/// Keys that Swift's `String` holds for equal, such as a letter with an accent composed and decomposed, are one key.
public struct JSONObject: Hashable, Sendable {
    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public let key: String
        /// What it names.
        public var value: JSONValue
    }

    /// All entries in order.
    public private(set) var entries: [Entry] = []

    /// Position of every key once there are too many to look through.
    private var positions: [String: Int] = [:]

    /// No entries.
    public init() {}

    /// The pairs in their order; of a key that comes twice the last value, at the first one's place.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        for (key, value) in pairs { self[key] = value }
    }

    /// How many entries there are.
    public var count: Int { entries.count }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// All keys in order.
    public var keys: [String] { entries.map(\.key) }

    /// The value of `key`. A new key goes to the end, a known one keeps its place, nil takes it away.
    public subscript(key: String) -> JSONValue? {
        get { position(of: key).map { entries[$0].value } }
        set {
            switch (position(of: key), newValue) {
            case (let position?, let value?): entries[position].value = value
            case (nil, let value?): append(key, value)
            case (let position?, nil): remove(at: position)
            case (nil, nil): break
            }
        }
    }

    /// Adds an entry whose key is known to be new.
    mutating func add(_ key: String, _ value: JSONValue) {
        assert(position(of: key) == nil, "\(key) is there already")
        append(key, value)
    }

    /// Adds an entry unless the key is already there; whether it was added.
    public mutating func appendIfNew(_ key: String, _ value: JSONValue) -> Bool {
        guard position(of: key) == nil else { return false }
        append(key, value)
        return true
    }

    /// The value of a key.
    ///
    /// - Parameter place: where it is likely to be; from then on the place after it.
    func value(of key: String, from place: inout Int) -> JSONValue? {
        if place >= entries.count || entries[place].key != key {
            guard let found = position(of: key) else { return nil }
            place = found
        }
        place += 1
        return entries[place - 1].value
    }

    private func position(of key: String) -> Int? {
        if positions.isEmpty { return entries.firstIndex { $0.key == key } }
        return positions[key]
    }

    private mutating func append(_ key: String, _ value: JSONValue) {
        entries.append(Entry(key: key, value: value))
        if !positions.isEmpty {
            positions[key] = entries.count - 1
        } else if entries.count > Self.mostSearched {
            indexPositions()
        }
    }

    private mutating func remove(at position: Int) {
        entries.remove(at: position)
        positions = [:]
        if entries.count > Self.mostSearched { indexPositions() }
    }

    private mutating func indexPositions() {
        positions.reserveCapacity(entries.count)
        for (position, entry) in entries.enumerated() { positions[entry.key] = position }
    }

    private static var mostSearched: Int { 96 }

    /// Whether both have the same entries in the same order.
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool { lhs.entries == rhs.entries }

    /// Feeds the entries to `hasher`.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension JSONObject: Sequence {
    /// Goes through the entries in order.
    public func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The pairs in their order; of a key given twice the last value, at the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
