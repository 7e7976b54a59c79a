/// An `a{sv}` as a short list in the order of setting: for options that are written or read once.
public struct VariantEntries: DBusValue, Hashable, ExpressibleByDictionaryLiteral {
    private struct Entry: Hashable {
        let key: String
        let value: Variant
    }

    private var entries: [Entry] = []

    public init() {}

    public var count: Int { entries.count }

    public var isEmpty: Bool { entries.isEmpty }

    /// Setting nil removes the entry.
    public subscript(key: String) -> Variant? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append(Entry(key: key, value: newValue)) }
        }
    }

    /// Each key with its value; those that came over the bus are in the order of their keys.
    public var pairs: [(key: String, value: Variant)] { entries.map { ($0.key, $0.value) } }

    public var dictionary: [String: Variant] {
        Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    public static var signature: String { "a{sv}" }

    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendVariantEntries { writer throws(BusError) in
            for entry in entries { try writer.append(entry.key, entry.value) }
        }
    }

    /// Reads the next value of a message. A key that comes twice is refused: either of its values could be meant.
    public static func read(from message: MessageReader) throws(BusError) -> VariantEntries {
        VariantEntries(try [String: Variant].read(from: message))
    }

    public var variant: Variant { dictionary.variant }

    public init?(variant: Variant) {
        guard let dictionary = variant.dictionaryValue else { return nil }
        self.init(dictionary)
    }

    /// Keeps the last value of a key that comes twice.
    public init(dictionaryLiteral elements: (String, Variant)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The entries of a dictionary, in the order of their keys.
    public init(_ dictionary: [String: Variant]) {
        entries = dictionary.map { Entry(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
    }
}

/// A value of an `a{sv}` that is being read entry by entry.
public enum VariantEntryValue {
    /// Again an `a{sv}`, to be read with ``MessageReader/readVariantEntries(_:)`` before the next entry.
    case entries(MessageReader)
    case value(Variant)
}

extension MessageReader {
    /// Reads an `a{sv}` entry by entry in the order of the message, without a dictionary in between.
    ///
    /// - Parameter take: gets each key with its value, and judges a key that comes twice.
    public func readVariantEntries(
        _ take: (String, VariantEntryValue) throws(BusError) -> Void
    ) throws(BusError) {
        try enter(UInt8(ascii: "a"), "{sv}")
        var count = 0
        while try !isAtEnd() {
            count += 1
            try refuse(elementCount: count)
            try enter(UInt8(ascii: "e"), "sv")
            let key = try String.read(from: self)
            guard let (_, contents) = try peek() else { throw BusError.invalidArgs("a variant is missing") }
            var inside = self
            try inside.deepen()
            try enter(UInt8(ascii: "v"), contents)
            if contents == "a{sv}" {
                try take(key, .entries(inside))
            } else {
                try take(key, .value(try Variant.read(contents, from: inside)))
            }
            try exit()
            try exit()
        }
        try exit()
    }
}

/// Appends the entries of an `a{sv}` to a message one after the other, without a dictionary in between; used on the
/// loop's thread only.
public struct VariantEntryWriter {
    private let message: MessageWriter

    fileprivate init(_ message: MessageWriter) { self.message = message }

    public func append(_ key: String, _ value: Variant) throws(BusError) {
        try message.openContainer(UInt8(ascii: "e"), of: "sv")
        try key.append(to: message)
        try value.append(to: message)
        try message.closeContainer()
    }

    /// Appends an entry whose value is again an `a{sv}`.
    public func append(
        _ key: String, entries: (VariantEntryWriter) throws(BusError) -> Void
    ) throws(BusError) {
        try message.openContainer(UInt8(ascii: "e"), of: "sv")
        try key.append(to: message)
        try message.openContainer(UInt8(ascii: "v"), of: "a{sv}")
        try message.appendVariantEntries(entries)
        try message.closeContainer()
        try message.closeContainer()
    }

    /// Appends an entry whose value is an `av` with an `a{sv}` for each element.
    public func append<Element>(
        _ key: String, each elements: [Element],
        entries: (Element, VariantEntryWriter) throws(BusError) -> Void
    ) throws(BusError) {
        try message.openContainer(UInt8(ascii: "e"), of: "sv")
        try key.append(to: message)
        try message.openContainer(UInt8(ascii: "v"), of: "av")
        try message.openContainer(UInt8(ascii: "a"), of: "v")
        for element in elements {
            try message.openContainer(UInt8(ascii: "v"), of: "a{sv}")
            try message.appendVariantEntries { writer throws(BusError) in try entries(element, writer) }
            try message.closeContainer()
        }
        try message.closeContainer()
        try message.closeContainer()
        try message.closeContainer()
    }
}

extension MessageWriter {
    /// Appends an `a{sv}` whose entries are written by `entries`, which gives each key once.
    public func appendVariantEntries(
        _ entries: (VariantEntryWriter) throws(BusError) -> Void
    ) throws(BusError) {
        try openContainer(UInt8(ascii: "a"), of: "{sv}")
        try entries(VariantEntryWriter(self))
        try closeContainer()
    }
}
