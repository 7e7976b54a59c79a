internal import Synchronization

/// The type of the value under a key of an answer: in JSON, on D-Bus, in the JSON Schema.
public indirect enum ValueType: Sendable {
    case text
    /// A text that is one of these words.
    case words(@Sendable () -> [String])
    /// A text, `YYYY-MM-DD`.
    case date
    /// Text in JSON, ISO 8601 UTC with milliseconds; on D-Bus microseconds since 1970 UTC.
    case instant
    case bool
    case integer(Unit = .none, as: IntegerType = .signed, least: Int? = nil)
    case number(Unit = .none, least: Int? = nil)
    case list(ValueType)
    case object(@Sendable () -> Shape)
    /// An object with a description of those keys only that D-Bus has to know.
    case open(@Sendable () -> Shape)
    /// Any value.
    case any

    public enum Unit: String, Sendable {
        case none = ""
        case milliseconds = "ms"
        case seconds = "s"
        case minutes = "min"
        case hours = "h"
        case milligrams = "mg"
        case milliliters = "mL"
        case percent = "%"
    }

    /// The D-Bus type of an integer.
    public enum IntegerType: String, Sendable {
        case signed = "x"
        case count = "u"
        /// A place in the log, or a number of its rows.
        case place = "t"
    }

    /// The D-Bus type.
    public var signature: String {
        switch self {
        case .text, .words, .date: "s"
        case .instant: "t"
        case .bool: "b"
        case .integer(_, let type, _): type.rawValue
        case .number: "d"
        case .list(.text), .list(.words): "as"
        case .list: "av"
        case .object, .open: "a{sv}"
        case .any: "v"
        }
    }
}

extension ValueType {
    fileprivate func completed(_ value: JSONValue) -> JSONValue {
        switch (self, value) {
        case (.object(let shape), .object(let object)): .object(shape().completed(object))
        case (.list(let element), .array(let values)): .array(values.map(element.completed))
        case (.integer(_, .place, _), .null): 0
        default: value
        }
    }
}

/// A key of an answer.
public struct Key: Sendable {
    public let name: String
    public let type: ValueType
    public let null: Null
    /// The meaning of the key, if the name does not say it.
    public let prose: String

    /// The form of a key without a value. On D-Bus an instant without a value is 0; any other key is left out.
    public enum Null: Sendable {
        /// The key always has a value.
        case never
        case null
        /// The key is left out.
        case absent
        /// The key is left out, or null.
        case absentOrNull
        /// The key is null in JSON and 0 on D-Bus, like an instant.
        case zero
    }

    /// True if the key without a value is 0 on D-Bus.
    public var isZeroOnBus: Bool {
        switch (type, null) {
        case (.instant, _), (_, .zero): true
        default: false
        }
    }

    public init(_ name: String, _ type: ValueType, _ null: Null = .never, _ prose: String = "") {
        self.name = name
        self.type = type
        self.null = null
        self.prose = prose
    }
}

/// The keys of an object, in their order.
public struct Shape: Sendable {
    /// The name of the schema; empty for an object that stands only in the schema of another.
    public let name: String
    /// A line that says what the object is.
    public let title: String
    /// The keys in the order in which they are printed.
    public let keys: [Key]

    public init(_ name: String, _ title: String, _ keys: [Key]) {
        self.name = name
        self.title = title
        self.keys = keys
    }

    /// The shape of an object that stands in other objects only.
    public init(_ keys: [Key]) { self.init("", "", keys) }

    /// The shape of an object of which nothing is known.
    public static let unknown = Shape([])

    /// Finds a key by its name.
    ///
    /// - Parameter place: the likely place of the key; set to the place after the found key.
    public func key(_ name: String, from place: inout Int) -> Key? {
        if place >= keys.count || keys[place].name != name {
            guard let found = keys.firstIndex(where: { $0.name == name }) else { return nil }
            place = found
        }
        place += 1
        return keys[place - 1]
    }

    /// Completes an object that came over D-Bus, which knows no null.
    public func completed(_ object: JSONObject) -> JSONObject {
        var complete = object
        for key in keys {
            if let value = object[key.name] {
                complete[key.name] = key.type.completed(value)
            } else if case .null = key.null {
                complete[key.name] = .null
            }
        }
        return complete
    }
}

/// The description of a record of an answer: the one place that says its keys. The service writes the record by the
/// description, the client reads it, `--json` prints it, and the JSON Schema follows.
///
/// A function names the keys in their order, once each for writing, reading and describing. An array of fields would
/// cost each command a class for each record at its start; a key path or a cast to a protocol costs more than all other
/// work on a record.
public struct RecordDescription<Record: Sendable>: Sendable {
    private let name: String
    private let title: String
    private let blank: Record
    private let fields: @Sendable (inout RecordCoder<Record>) -> Void
    private let keys = KeyMemory()

    /// - Parameters:
    ///   - blank: a record into which the fields are read.
    ///   - fields: names each key, with the getter and the setter of its value.
    init(
        _ name: String, _ title: String, _ blank: Record,
        _ fields: @escaping @Sendable (inout RecordCoder<Record>) -> Void
    ) {
        self.name = name
        self.title = title
        self.blank = blank
        self.fields = fields
    }

    /// Describes a record that stands in other records only.
    init(_ blank: Record, _ fields: @escaping @Sendable (inout RecordCoder<Record>) -> Void) {
        self.init("", "", blank, fields)
    }

    /// The keys alone.
    public var shape: Shape {
        keys.remembered {
            var coder = RecordCoder(.describe, blank, nil)
            fields(&coder)
            return Shape(name, title, coder.keys)
        }
    }

    /// Returns the keys of a record with their values, in their order.
    func json(_ record: Record) -> JSONObject {
        var coder = RecordCoder(.write, record, nil)
        fields(&coder)
        return coder.object
    }

    /// Reads every key of a record.
    ///
    /// - Throws: ``PayloadError`` with the key that is missing or malformed.
    func read(_ reader: PayloadReader) throws(PayloadError) -> Record {
        var coder = RecordCoder(.read, blank, reader)
        fields(&coder)
        if let fault = coder.fault { throw fault }
        return coder.record
    }
}

/// The keys of a record, collected at the first request.
private final class KeyMemory: Sendable {
    private let shape = Mutex<Shape?>(nil)

    func remembered(_ make: () -> Shape) -> Shape {
        shape.withLock { shape in
            if let shape { return shape }
            let made = make()
            shape = made
            return made
        }
    }
}
