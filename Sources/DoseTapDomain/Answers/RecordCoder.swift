/// The receiver of a record's fields: writes a record, reads one, or collects the keys.
struct RecordCoder<Record: Sendable> {
    enum Purpose { case write, read, describe }

    private let purpose: Purpose
    private(set) var record: Record
    private(set) var object = JSONObject()
    private(set) var keys: [Key] = []
    private(set) var fault: PayloadError?
    private let reader: PayloadReader?
    private var place = 0

    init(_ purpose: Purpose, _ record: Record, _ reader: PayloadReader?) {
        self.purpose = purpose
        self.record = record
        self.reader = reader
    }

    /// Returns the value of a key; nil if the key is missing or null.
    private mutating func read(_ name: String) -> JSONValue? { reader?.value(name, from: &place) }

    private mutating func write(_ name: String, _ value: JSONValue?, _ null: Key.Null) {
        if let value {
            object.add(name, value)
        } else if case .null = null {
            object.add(name, .null)
        }
    }

    private mutating func refuse(_ name: String) { fault = fault ?? reader?.fault(name) }

    private mutating func describe(_ name: String, _ type: ValueType, _ null: Key.Null, _ prose: String) {
        keys.append(Key(name, type, null, prose))
    }

    // A field without `set` is not read back, such as one that follows from others.

    mutating func text(
        _ name: String, _ prose: String = "", get: (Record) -> String, set: (inout Record, String) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .string(get(record)))
        case .read: if let value = read(name)?.stringValue { set(&record, value) } else { refuse(name) }
        case .describe: describe(name, .text, .never, prose)
        }
    }

    mutating func textOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null, get: (Record) -> String?,
        set: (inout Record, String?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .string($0) }, null)
        case .read:
            let given = read(name)
            let value = given?.stringValue
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .text, null, prose)
        }
    }

    mutating func date(
        _ name: String, _ prose: String = "", get: (Record) -> SessionDate,
        set: (inout Record, SessionDate) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .string(get(record).text))
        case .read:
            if let value = read(name)?.stringValue.flatMap({ try? SessionDate(text: $0) }) {
                set(&record, value)
            } else {
                refuse(name)
            }
        case .describe: describe(name, .date, .never, prose)
        }
    }

    mutating func dateOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null, get: (Record) -> SessionDate?,
        set: (inout Record, SessionDate?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .string($0.text) }, null)
        case .read:
            let given = read(name)
            let value = given?.stringValue.flatMap({ try? SessionDate(text: $0) })
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .date, null, prose)
        }
    }

    /// Reads an instant, or a number as one: D-Bus cannot tell a number from the first hour of 1970, at which a clock
    /// without a battery begins.
    private static func instant(_ value: JSONValue) -> Instant? {
        value.instantValue ?? value.integerValue.map { Instant(microseconds: $0) }
    }

    mutating func instant(
        _ name: String, _ prose: String = "", get: (Record) -> Instant,
        set: (inout Record, Instant) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .instant(get(record)))
        case .read: if let value = read(name).flatMap(Self.instant) { set(&record, value) } else { refuse(name) }
        case .describe: describe(name, .instant, .never, prose)
        }
    }

    mutating func instantOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null, get: (Record) -> Instant?,
        set: (inout Record, Instant?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .instant($0) }, null)
        case .read:
            let given = read(name)
            let value = given.flatMap(Self.instant)
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .instant, null, prose)
        }
    }

    mutating func bool(
        _ name: String, _ prose: String = "", get: (Record) -> Bool, set: (inout Record, Bool) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .bool(get(record)))
        case .read: if let value = read(name)?.boolValue { set(&record, value) } else { refuse(name) }
        case .describe: describe(name, .bool, .never, prose)
        }
    }

    mutating func boolOrNull(
        _ name: String, _ prose: String = "", null: Key.Null = .null, get: (Record) -> Bool?,
        set: (inout Record, Bool?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .bool($0) }, null)
        case .read:
            let given = read(name)
            let value = given?.boolValue
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .bool, null, prose)
        }
    }

    mutating func integer(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none,
        as type: ValueType.IntegerType = .signed, least: Int? = nil, get: (Record) -> Int,
        set: (inout Record, Int) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .integer(Int64(get(record))))
        case .read:
            if let value = read(name)?.integerValue.flatMap(Int.init(exactly:)) {
                set(&record, value)
            } else {
                refuse(name)
            }
        case .describe: describe(name, .integer(unit, as: type, least: least), .never, prose)
        }
    }

    mutating func integerOrNull(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none,
        as type: ValueType.IntegerType = .signed, least: Int? = nil, null: Key.Null = .null, get: (Record) -> Int?,
        set: (inout Record, Int?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .integer(Int64($0)) }, null)
        case .read:
            let given = read(name)
            let value = given?.integerValue.flatMap(Int.init(exactly:))
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .integer(unit, as: type, least: least), null, prose)
        }
    }

    mutating func number(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none, least: Int? = nil,
        get: (Record) -> Double, set: (inout Record, Double) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .number(get(record)))
        case .read: if let value = read(name)?.doubleValue { set(&record, value) } else { refuse(name) }
        case .describe: describe(name, .number(unit, least: least), .never, prose)
        }
    }

    mutating func numberOrNull(
        _ name: String, _ prose: String = "", in unit: ValueType.Unit = .none, null: Key.Null = .null,
        get: (Record) -> Double?, set: (inout Record, Double?) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: write(name, get(record).map { .number($0) }, null)
        case .read:
            let given = read(name)
            let value = given?.doubleValue
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .number(unit), null, prose)
        }
    }

    mutating func word<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ prose: String = "", get: (Record) -> Word, set: (inout Record, Word) -> Void = { _, _ in }
    ) where Word.RawValue == String, Word.AllCases == [Word] {
        switch purpose {
        case .write: object.add(name, .string(get(record).rawValue))
        case .read:
            if let value = read(name)?.stringValue.flatMap({ Word(rawValue: $0) }) {
                set(&record, value)
            } else {
                refuse(name)
            }
        case .describe: describe(name, .words { Word.allCases.map { $0.rawValue } }, .never, prose)
        }
    }

    mutating func wordOrNull<Word: RawRepresentable & CaseIterable & SendableMetatype>(
        _ name: String, _ prose: String = "", get: (Record) -> Word?,
        set: (inout Record, Word?) -> Void = { _, _ in }
    ) where Word.RawValue == String, Word.AllCases == [Word] {
        switch purpose {
        case .write: write(name, get(record).map { .string($0.rawValue) }, .null)
        case .read:
            let given = read(name)
            let value = given?.stringValue.flatMap({ Word(rawValue: $0) })
            if given != nil, value == nil { refuse(name) }
            set(&record, value)
        case .describe: describe(name, .words { Word.allCases.map { $0.rawValue } }, .null, prose)
        }
    }

    mutating func clockTime(
        _ name: String, _ prose: String = "", get: (Record) -> ClockTime,
        set: (inout Record, ClockTime) -> Void = { _, _ in }
    ) {
        switch purpose {
        case .write: object.add(name, .string(get(record).description))
        case .read:
            if let value = read(name)?.stringValue.flatMap({ try? ClockTime(text: $0) }) {
                set(&record, value)
            } else {
                refuse(name)
            }
        case .describe: describe(name, .text, .never, prose)
        }
    }

    /// A flag that is left out if it is false.
    mutating func flag(
        _ name: String, _ prose: String = "", get: (Record) -> Bool, set: (inout Record, Bool) -> Void
    ) {
        boolOrNull(name, prose, null: .absent, get: { get($0) ? true : nil }, set: { set(&$0, $1 ?? false) })
    }

    /// A list of texts; empty if the key is missing.
    mutating func texts(
        _ name: String, _ prose: String = "", get: (Record) -> [String],
        set: (inout Record, [String]) -> Void = { _, _ in }
    ) {
        value(
            name, .list(.text), prose, get: { .array(get($0).map(JSONValue.string)) },
            set: { record, value in
                let values = value?.arrayValue ?? []
                let texts = values.compactMap { $0.stringValue }
                set(&record, texts)
                return texts.count == values.count
            })
    }

    /// Any value, described by its type.
    ///
    /// - Parameter set: returns false for a value that the key cannot have.
    mutating func value(
        _ name: String, _ type: @autoclosure () -> ValueType, _ prose: String = "", null: Key.Null = .never,
        get: (Record) -> JSONValue?,
        set: (inout Record, JSONValue?) throws(PayloadError) -> Bool = { (_, _) throws(PayloadError) in true }
    ) {
        switch purpose {
        case .write: write(name, get(record), null)
        case .read:
            let given = read(name)
            do throws(PayloadError) {
                if try !set(&record, given) { refuse(name) }
            } catch { fault = fault ?? error }
        case .describe: describe(name, type(), null, prose)
        }
    }

    /// An object that has its own keys; D-Bus may leave out an empty one.
    mutating func object(
        _ name: String, _ type: @autoclosure () -> ValueType, _ prose: String = "", get: (Record) -> JSONObject,
        set: (inout Record, JSONObject) -> Void
    ) {
        value(
            name, type(), prose, get: { .object(get($0)) },
            set: { record, value in
                set(&record, value?.objectValue ?? JSONObject())
                return value == nil || value?.objectValue != nil
            })
    }

    /// Another record.
    mutating func record<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "", get: (Record) -> Part,
        set: (inout Record, Part) -> Void = { _, _ in }
    ) {
        value(
            name, .object { part.shape }, prose, get: { .object(part.json(get($0))) },
            set: { (record, value) throws(PayloadError) in
                guard let value else { return false }
                set(&record, try part.read(try PayloadReader(name, json: value)))
                return true
            })
    }

    /// Another record, or none.
    mutating func recordOrNull<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "", null: Key.Null = .null,
        get: (Record) -> Part?, set: (inout Record, Part?) -> Void = { _, _ in }
    ) {
        value(
            name, .object { part.shape }, prose, null: null, get: { get($0).map { .object(part.json($0)) } },
            set: { (record, value) throws(PayloadError) in
                var read: Part?
                if let value { read = try part.read(try PayloadReader(name, json: value)) }
                set(&record, read)
                return true
            })
    }

    /// Records in order; none if the key is missing.
    mutating func records<Part>(
        _ name: String, _ part: RecordDescription<Part>, _ prose: String = "", null: Key.Null = .never,
        get: (Record) -> [Part], set: (inout Record, [Part]) -> Void = { _, _ in }
    ) {
        value(
            name, .list(.object { part.shape }), prose, null: null,
            get: { record in
                let parts = get(record)
                if parts.isEmpty, case .absent = null { return nil }
                return .array(parts.map { .object(part.json($0)) })
            },
            set: { (record, value) throws(PayloadError) in
                var parts: [Part] = []
                for value in value?.arrayValue ?? [] {
                    parts.append(try part.read(try PayloadReader(name, json: value)))
                }
                set(&record, parts)
                return value == nil || value?.arrayValue != nil
            })
    }

    /// A record whose keys stand among the keys of this record.
    mutating func part<Part>(
        _ part: RecordDescription<Part>, get: (Record) -> Part, set: ((inout Record, Part) -> Void)? = nil
    ) {
        switch purpose {
        case .write: for entry in part.json(get(record)) { object.add(entry.key, entry.value) }
        case .read:
            guard let reader, let set else { return }
            do throws(PayloadError) { set(&record, try part.read(reader)) } catch { fault = fault ?? error }
        case .describe: keys += part.shape.keys
        }
    }
}
