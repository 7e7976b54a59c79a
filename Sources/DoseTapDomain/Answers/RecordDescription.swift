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
        /// It is null.
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

    /// Memberwise.
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
    /// The keys.
    public let keys: [Key]

    /// Memberwise.
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

/// A key of a record, with the functions that take its value out and put it in.
public struct Field<Record>: Sendable {
    /// The key.
    public let key: Key
    /// The value; nil is none.
    let get: @Sendable (Record) -> JSONValue?
    /// Takes over a value, none where the key is missing or null; false where it cannot be one of this key.
    let set: @Sendable (inout Record, JSONValue?) throws(PayloadError) -> Bool
}

extension Field {
    /// The field as one of a record that this one is part of; it is only written.
    func of<Whole>(_ part: @escaping @Sendable (Whole) -> Record) -> Field<Whole> {
        Field<Whole>(key: key, get: { get(part($0)) }, set: { (_, _) throws(PayloadError) in true })
    }
}

/// A record of an answer: the one place that says its keys. The service writes it by this, the client reads it, `--json`
/// prints it, and the JSON Schema follows.
///
/// Fields have closures and no key paths: a key path costs a command more at its start than all it does with a record.
public struct RecordDescription<Record: Sendable>: Sendable {
    let fields: [Field<Record>]
    /// The keys alone.
    public let shape: Shape
    let blank: Record

    /// - Parameter blank: a record into which the fields are read.
    init(_ name: String = "", _ title: String = "", _ blank: Record, _ fields: [Field<Record>]) {
        self.blank = blank
        self.fields = fields
        shape = Shape(name, title, fields.map(\.key))
    }

    /// The keys of a record in their order.
    func json(_ record: Record) -> JSONObject {
        var object = JSONObject()
        for field in fields {
            if let value = field.get(record) {
                object.add(field.key.name, value)
            } else if case .null = field.key.null {
                object.add(field.key.name, .null)
            }
        }
        return object
    }

    /// Reads every key of a record.
    ///
    /// - Throws: ``PayloadError`` with the key that is missing or malformed.
    func read(_ reader: PayloadReader) throws(PayloadError) -> Record {
        var record = blank
        var place = 0
        for field in fields {
            let value = reader.value(field.key.name, from: &place)
            guard try field.set(&record, value) else { throw reader.fault(field.key.name) }
        }
        return record
    }

    /// The fields as those of a record that this one is part of.
    ///
    /// - Parameter change: nil where the whole reads the part on its own.
    func fields<Whole>(
        of get: @escaping @Sendable (Whole) -> Record,
        in change: (
            @Sendable (inout Whole, (inout Record) throws(PayloadError) -> Bool) throws(PayloadError) -> Bool
        )? = nil
    ) -> [Field<Whole>] {
        fields.map { field in
            guard let change else { return field.of(get) }
            return Field<Whole>(key: field.key, get: { field.get(get($0)) }) { (whole, value) throws(PayloadError) in
                try change(&whole) { (record: inout Record) throws(PayloadError) in try field.set(&record, value) }
            }
        }
    }
}

// MARK: Fields

/// A field whose value is not to be read back, such as one that follows from others, has no `set`.
extension Field {
    static func text(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> String,
        set: @escaping @Sendable (inout Record, String) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .text, .never, prose), get: { .string(get($0)) }) { record, value in
            guard let text = value?.stringValue else { return false }
            set(&record, text)
            return true
        }
    }

    static func textOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> String?,
        set: @escaping @Sendable (inout Record, String?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .text, null, prose), get: { get($0).map(JSONValue.string) }) { record, value in
            let text = value?.stringValue
            set(&record, text)
            return value == nil || text != nil
        }
    }

    static func word<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> Word,
        set: @escaping @Sendable (inout Record, Word) -> Void = { _, _ in }
    ) -> Field where Word.RawValue == String, Word.AllCases == [Word] {
        Field(key: Key(name, .words { Word.allCases.map { $0.rawValue } }, .never, prose)) {
            .string(get($0).rawValue)
        } set: { record, value in
            guard let word = value?.stringValue.flatMap(Word.init(rawValue:)) else { return false }
            set(&record, word)
            return true
        }
    }

    static func wordOrNull<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ prose: String = "", null: Key.Null = .null, get: @escaping @Sendable (Record) -> Word?,
        set: @escaping @Sendable (inout Record, Word?) -> Void = { _, _ in }
    ) -> Field where Word.RawValue == String, Word.AllCases == [Word] {
        Field(key: Key(name, .words { Word.allCases.map { $0.rawValue } }, null, prose)) {
            get($0).map { .string($0.rawValue) }
        } set: { record, value in
            let word = value?.stringValue.flatMap(Word.init(rawValue:))
            set(&record, word)
            return value == nil || word != nil
        }
    }

    static func date(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> SessionDate,
        set: @escaping @Sendable (inout Record, SessionDate) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .date, .never, prose), get: { .string(get($0).text) }) { record, value in
            guard let date = value?.stringValue.flatMap({ try? SessionDate(text: $0) }) else { return false }
            set(&record, date)
            return true
        }
    }

    static func dateOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> SessionDate?,
        set: @escaping @Sendable (inout Record, SessionDate?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .date, null, prose), get: { get($0).map { .string($0.text) } }) { record, value in
            let date = value?.stringValue.flatMap { try? SessionDate(text: $0) }
            set(&record, date)
            return value == nil || date != nil
        }
    }

    static func instant(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> Instant,
        set: @escaping @Sendable (inout Record, Instant) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .instant, .never, prose), get: { .instant(get($0)) }) { record, value in
            guard let instant = value?.instantValue else { return false }
            set(&record, instant)
            return true
        }
    }

    static func instantOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> Instant?,
        set: @escaping @Sendable (inout Record, Instant?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .instant, null, prose), get: { get($0).map(JSONValue.instant) }) { record, value in
            let instant = value?.instantValue
            set(&record, instant)
            return value == nil || instant != nil
        }
    }

    static func bool(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> Bool,
        set: @escaping @Sendable (inout Record, Bool) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .bool, .never, prose), get: { .bool(get($0)) }) { record, value in
            guard let value = value?.boolValue else { return false }
            set(&record, value)
            return true
        }
    }

    /// Left out where it is false.
    static func flag(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> Bool,
        set: @escaping @Sendable (inout Record, Bool) -> Void
    ) -> Field {
        Field(key: Key(name, .bool, .absent, prose), get: { get($0) ? .bool(true) : nil }) { record, value in
            set(&record, value?.boolValue ?? false)
            return value == nil || value?.boolValue != nil
        }
    }

    static func integer(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none,
        as type: ValueType.IntegerType = .signed, least: Int? = nil, get: @escaping @Sendable (Record) -> Int,
        set: @escaping @Sendable (inout Record, Int) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .integer(unit, as: type, least: least), .never, prose), get: { .integer(Int64(get($0))) })
        {
            record, value in
            guard let number = value?.integerValue.flatMap(Int.init(exactly:)) else { return false }
            set(&record, number)
            return true
        }
    }

    static func integerOrNull(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none,
        as type: ValueType.IntegerType = .signed, null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> Int?,
        set: @escaping @Sendable (inout Record, Int?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .integer(unit, as: type), null, prose)) {
            get($0).map { .integer(Int64($0)) }
        } set: { record, value in
            let number = value?.integerValue.flatMap(Int.init(exactly:))
            set(&record, number)
            return value == nil || number != nil
        }
    }

    static func number(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none, least: Int? = nil,
        get: @escaping @Sendable (Record) -> Double,
        set: @escaping @Sendable (inout Record, Double) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .number(unit, least: least), .never, prose), get: { .number(get($0)) }) { record, value in
            guard let number = value?.doubleValue else { return false }
            set(&record, number)
            return true
        }
    }

    static func numberOrNull(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none, null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> Double?,
        set: @escaping @Sendable (inout Record, Double?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .number(unit), null, prose), get: { get($0).map(JSONValue.number) }) { record, value in
            let number = value?.doubleValue
            set(&record, number)
            return value == nil || number != nil
        }
    }

    static func clockTime(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> ClockTime,
        set: @escaping @Sendable (inout Record, ClockTime) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .text, .never, prose), get: { .string(get($0).description) }) { record, value in
            guard let time = value?.stringValue.flatMap({ try? ClockTime(text: $0) }) else { return false }
            set(&record, time)
            return true
        }
    }

    static func texts(
        _ name: String, _ prose: String = "", get: @escaping @Sendable (Record) -> [String],
        set: @escaping @Sendable (inout Record, [String]) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .list(.text), .never, prose), get: { .array(get($0).map(JSONValue.string)) }) {
            record, value in
            let values = value?.arrayValue ?? []
            let texts = values.compactMap(\.stringValue)
            set(&record, texts)
            return texts.count == values.count
        }
    }

    /// Any value, described by its type.
    static func value(
        _ name: String, _ type: ValueType, _ prose: String = "", null: Key.Null = .never,
        get: @escaping @Sendable (Record) -> JSONValue?,
        set: @escaping @Sendable (inout Record, JSONValue?) throws(PayloadError) -> Bool = {
            (_, _) throws(PayloadError) in true
        }
    ) -> Field {
        Field(key: Key(name, type, null, prose), get: get, set: set)
    }

    /// An object that has its own keys.
    static func object(
        _ name: String, _ type: ValueType, _ prose: String = "", get: @escaping @Sendable (Record) -> JSONObject,
        set: @escaping @Sendable (inout Record, JSONObject) -> Void
    ) -> Field {
        // D-Bus may leave out what is empty.
        Field(key: Key(name, type, .never, prose), get: { .object(get($0)) }) { record, value in
            set(&record, value?.objectValue ?? JSONObject())
            return value == nil || value?.objectValue != nil
        }
    }

    /// Another record.
    static func record<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "",
        get: @escaping @Sendable (Record) -> Part,
        set: @escaping @Sendable (inout Record, Part) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .object { part.shape }, .never, prose), get: { .object(part.json(get($0))) }) {
            (record, value) throws(PayloadError) in
            guard let value else { return false }
            set(&record, try part.read(try PayloadReader(name, json: value)))
            return true
        }
    }

    static func recordOrNull<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "", null: Key.Null = .null,
        get: @escaping @Sendable (Record) -> Part?,
        set: @escaping @Sendable (inout Record, Part?) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .object { part.shape }, null, prose), get: { get($0).map { .object(part.json($0)) } }) {
            (record, value) throws(PayloadError) in
            var read: Part?
            if let value { read = try part.read(try PayloadReader(name, json: value)) }
            set(&record, read)
            return true
        }
    }

    /// Records in order; none where the key is missing.
    static func records<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "", null: Key.Null = .never,
        get: @escaping @Sendable (Record) -> [Part],
        set: @escaping @Sendable (inout Record, [Part]) -> Void = { _, _ in }
    ) -> Field {
        Field(key: Key(name, .list(.object { part.shape }), null, prose)) { record in
            let parts = get(record)
            if parts.isEmpty, case .absent = null { return nil }
            return .array(parts.map { .object(part.json($0)) })
        } set: { (record, value) throws(PayloadError) in
            guard let value else {
                set(&record, [])
                return true
            }
            guard let values = value.arrayValue else { return false }
            var parts: [Part] = []
            parts.reserveCapacity(values.count)
            for value in values { parts.append(try part.read(try PayloadReader(name, json: value))) }
            set(&record, parts)
            return true
        }
    }
}
