/// The named values of a JSON object in the order in which they were added.
///
/// Keys that are equal as Swift strings, such as a letter with an accent composed and decomposed, are one key.
public struct JSONObject: Hashable, Sendable {
    /// A key and its value.
    public struct Entry: Hashable, Sendable {
        public let key: String
        public var value: JSONValue
    }

    /// All entries in order.
    public private(set) var entries: [Entry] = []

    /// The position of every key, once there are too many entries to search.
    private var positions: [String: Int] = [:]

    public init() {}

    /// The pairs in their order. A key that comes twice has the last value, at the first one's place.
    public init(_ pairs: some Sequence<(String, JSONValue)>) {
        for (key, value) in pairs { self[key] = value }
    }

    public var count: Int { entries.count }

    public var isEmpty: Bool { entries.isEmpty }

    /// All keys in order.
    public var keys: [String] { entries.map(\.key) }

    /// The value of `key`. A new key goes to the end, a known key keeps its place, and nil removes the key.
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

    /// Adds an entry. The caller knows that the key is new.
    mutating func add(_ key: String, _ value: JSONValue) {
        assert(position(of: key) == nil, "\(key) is there already")
        append(key, value)
    }

    /// Adds an entry unless the key is already there; returns true if the entry was added.
    public mutating func appendIfNew(_ key: String, _ value: JSONValue) -> Bool {
        guard position(of: key) == nil else { return false }
        append(key, value)
        return true
    }

    /// Returns the value of a key.
    ///
    /// - Parameter place: the likely place of the key; afterwards the place behind the found one.
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

    /// True if both have the same entries in the same order.
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool { lhs.entries == rhs.entries }

    public func hash(into hasher: inout Hasher) { hasher.combine(entries) }
}

extension JSONObject: Sequence {
    public func makeIterator() -> IndexingIterator<[Entry]> { entries.makeIterator() }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The pairs in their order. A key that is given twice has the last value, at the first one's place.
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self.init(elements) }
}
