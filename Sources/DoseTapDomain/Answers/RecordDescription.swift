internal import Synchronization

/// What stands under a key of an answer: in JSON, on D-Bus, in the JSON Schema.
public indirect enum ValueType: Sendable {
    case text
    /// A text that is one of these words.
    case words(@Sendable () -> [String])
    /// A text, `YYYY-MM-DD`.
    case date
    /// In JSON a text, ISO 8601 UTC with milliseconds; on D-Bus microseconds since 1970 UTC.
    case instant
    case bool
    case integer(Unit = .none, as: IntegerType = .signed, least: Int? = nil)
    case number(Unit = .none, least: Int? = nil)
    case list(ValueType)
    case object(@Sendable () -> Shape)
    /// An object of which only those keys are described that D-Bus has to know.
    case open(@Sendable () -> Shape)
    /// Any value.
    case any

    /// What a number counts.
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
    /// The key itself.
    public let name: String
    /// What stands under it.
    public let type: ValueType
    /// Whether it may have no value.
    public let null: Null
    /// What it means, where the name does not say it.
    public let prose: String

    /// How a key has no value. On D-Bus an instant is 0 then, anything else is left out.
    public enum Null: Sendable {
        /// It always has one.
        case never
        case null
        /// It is left out.
        case absent
        /// It is left out, or null.
        case absentOrNull
        /// It is null, on D-Bus 0 as if it were an instant.
        case zero
    }

    /// Without a value it is 0 on D-Bus.
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
    /// The name of its schema; empty where it stands in the schema of another object only.
    public let name: String
    /// What it is, in a line.
    public let title: String
    /// In the order in which they are printed.
    public let keys: [Key]

    public init(_ name: String, _ title: String, _ keys: [Key]) {
        self.name = name
        self.title = title
        self.keys = keys
    }

    /// Of an object that stands in others only.
    public init(_ keys: [Key]) { self.init("", "", keys) }

    /// Of an object of which nothing is known.
    public static let unknown = Shape([])

    /// A key by its name.
    ///
    /// - Parameter place: where it is likely to be; from then on the place after it.
    public func key(_ name: String, from place: inout Int) -> Key? {
        if place >= keys.count || keys[place].name != name {
            guard let found = keys.firstIndex(where: { $0.name == name }) else { return nil }
            place = found
        }
        place += 1
        return keys[place - 1]
    }

    /// An object that came over D-Bus, which knows no null.
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

/// A record of an answer: the one place that says its keys. The service writes it by this, the client reads it, `--json`
/// prints it, and the JSON Schema follows.
///
/// The keys are a function that names them in their order, once for each of the three. An array of fields would cost each
/// command a class for each record at its start; a key path or a cast to a protocol costs more than all it does with a
/// record.
public struct RecordDescription<Record: Sendable>: Sendable {
    private let name: String
    private let title: String
    private let blank: Record
    private let fields: @Sendable (inout RecordCoder<Record>) -> Void
    private let keys = KeyMemory()

    /// - Parameters:
    ///   - blank: a record into which the fields are read.
    ///   - fields: names each key, with how its value gets out and in.
    init(
        _ name: String, _ title: String, _ blank: Record,
        _ fields: @escaping @Sendable (inout RecordCoder<Record>) -> Void
    ) {
        self.name = name
        self.title = title
        self.blank = blank
        self.fields = fields
    }

    /// Of a record that stands in others only.
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

    /// The keys of a record in their order.
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

/// The keys of a record, once somebody asked for them.
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
