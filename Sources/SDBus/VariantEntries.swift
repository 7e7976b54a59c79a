/// An `a{sv}` as a short list in the order in which its entries were set: for options that are written or read once.
public struct VariantEntries: DBusValue, Hashable, ExpressibleByDictionaryLiteral {
    private struct Entry: Hashable {
        let key: String
        let value: Variant
    }

    private var entries: [Entry] = []

    /// No entries.
    public init() {}

    /// How many there are.
    public var count: Int { entries.count }

    /// Whether there are none.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of a key; nil takes the entry away.
    public subscript(key: String) -> Variant? {
        get { entries.first { $0.key == key }?.value }
        set {
            entries.removeAll { $0.key == key }
            if let newValue { entries.append(Entry(key: key, value: newValue)) }
        }
    }

    /// Each key with its value; those that came over the bus are in the order of their keys.
    public var pairs: [(key: String, value: Variant)] { entries.map { ($0.key, $0.value) } }

    /// The entries as a dictionary.
    public var dictionary: [String: Variant] {
        Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// One complete D-Bus type.
    public static var signature: String { "a{sv}" }

    /// Appends the value to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.appendVariantEntries { writer throws(BusError) in
            for entry in entries { try writer.append(entry.key, entry.value) }
        }
    }

    /// Reads the next value of a message. A key that comes twice is refused: either of its values could be meant.
    public static func read(from message: MessageReader) throws(BusError) -> VariantEntries {
        VariantEntries(try [String: Variant].read(from: message))
    }

    /// The value with its type made dynamic.
    public var variant: Variant { dictionary.variant }

    /// The value out of a variant of exactly this type, else nil.
    public init?(variant: Variant) {
        guard let dictionary = variant.dictionaryValue else { return nil }
        self.init(dictionary)
    }

    /// The last value of a key that comes twice.
    public init(dictionaryLiteral elements: (String, Variant)...) {
        self.init(Dictionary(elements) { _, last in last })
    }

    /// The entries of a dictionary, in the order of their keys.
    public init(_ dictionary: [String: Variant]) {
        entries = dictionary.map { Entry(key: $0.key, value: $0.value) }.sorted { $0.key < $1.key }
    }
}
