/// What a D-Bus variant holds; every type of the protocol.
public indirect enum Variant: Hashable, Sendable {
    case bool(Bool)
    case byte(UInt8)
    case int16(Int16)
    case uint16(UInt16)
    case int32(Int32)
    case uint32(UInt32)
    case int64(Int64)
    case uint64(UInt64)
    case double(Double)
    case string(String)
    case objectPath(ObjectPath)
    case signature(Signature)
    case fileDescriptor(UnixFD)
    case array(Signature, [Variant])
    case dictionary(key: Signature, value: Signature, [Entry])
    case structure([Variant])
    case variant(Variant)

    /// One entry of a dictionary.
    public struct Entry: Hashable, Sendable {
        /// The key, a basic value.
        public let key: Variant
        /// The value.
        public let value: Variant

        /// Memberwise.
        public init(key: Variant, value: Variant) {
            self.key = key
            self.value = value
        }
    }

    /// Holds a value.
    public init(_ value: some DBusValue) { self = value.variant }

    /// The content, if it is of this type.
    public func `as`<Value: DBusValue>(_ type: Value.Type) -> Value? { Value(variant: self) }

    /// The text, if it is a string.
    public var stringValue: String? { self.as(String.self) }

    /// Signature of the content.
    public var contentSignature: String {
        switch self {
        case .bool: "b"
        case .byte: "y"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .fileDescriptor: "h"
        case .array(let element, _): "a" + element.text
        case .dictionary(let key, let value, _): "a{" + key.text + value.text + "}"
        case .structure(let members): "(" + members.map(\.contentSignature).joined() + ")"
        case .variant: "v"
        }
    }

    /// Appends the content as it is, without a variant around it.
    func appendContent(to message: borrowing MessageWriter) throws(BusError) {
        switch self {
        case .bool(let value): try value.append(to: message)
        case .byte(let value): try value.append(to: message)
        case .int16(let value): try value.append(to: message)
        case .uint16(let value): try value.append(to: message)
        case .int32(let value): try value.append(to: message)
        case .uint32(let value): try value.append(to: message)
        case .int64(let value): try value.append(to: message)
        case .uint64(let value): try value.append(to: message)
        case .double(let value): try value.append(to: message)
        case .string(let value): try value.append(to: message)
        case .objectPath(let value): try value.append(to: message)
        case .signature(let value): try value.append(to: message)
        case .fileDescriptor(let value): try value.append(to: message)
        case .array(let element, let values):
            try message.open("a", element.text)
            for value in values { try value.appendContent(to: message) }
            try message.close()
        case .dictionary(let key, let value, let entries):
            let contents = key.text + value.text
            try message.open("a", "{" + contents + "}")
            for entry in entries {
                try message.open("e", contents)
                try entry.key.appendContent(to: message)
                try entry.value.appendContent(to: message)
                try message.close()
            }
            try message.close()
        case .structure(let members):
            try message.open("r", members.map(\.contentSignature).joined())
            for member in members { try member.appendContent(to: message) }
            try message.close()
        case .variant(let value): try value.append(to: message)
        }
    }

    /// Reads whatever comes next, to a bounded depth.
    static func readContent(from message: borrowing MessageReader, depth: Int) throws(BusError) -> Variant {
        guard depth <= message.limits.variantDepth else { throw .invalidArguments("a variant is nested too deeply") }
        guard let (type, contents) = try message.peek() else { throw .invalidArguments("the message ends early") }
        switch type {
        case "b": return .bool(try .read(from: message))
        case "y": return .byte(try .read(from: message))
        case "n": return .int16(try .read(from: message))
        case "q": return .uint16(try .read(from: message))
        case "i": return .int32(try .read(from: message))
        case "u": return .uint32(try .read(from: message))
        case "x": return .int64(try .read(from: message))
        case "t": return .uint64(try .read(from: message))
        case "d": return .double(try .read(from: message))
        case "s": return .string(try .read(from: message))
        case "o": return .objectPath(try .read(from: message))
        case "g": return .signature(try .read(from: message))
        case "h": return .fileDescriptor(try .read(from: message))
        case "v":
            try message.enter("v", contents)
            let value = try readContent(from: message, depth: depth + 1)
            try message.exit()
            return .variant(value)
        case "r":
            try message.enter("r", contents)
            let members = try readAll(from: message, depth: depth + 1)
            try message.exit()
            return .structure(members)
        case "a" where contents.first == "{":
            return try readDictionary(contents, from: message, depth: depth + 1)
        case "a":
            try message.enter("a", contents)
            let values = try readAll(from: message, depth: depth + 1)
            try message.exit()
            return .array(Signature(contents), values)
        default: throw .invalidArguments("unknown type '\(type)'")
        }
    }

    private static func readAll(from message: borrowing MessageReader, depth: Int) throws(BusError) -> [Variant] {
        var values: [Variant] = []
        while try !message.isAtEnd() {
            guard values.count < message.limits.arrayElements else {
                throw .invalidArguments("an array holds more than \(message.limits.arrayElements) elements")
            }
            values.append(try readContent(from: message, depth: depth))
        }
        return values
    }

    private static func readDictionary(
        _ contents: String, from message: borrowing MessageReader, depth: Int
    ) throws(BusError) -> Variant {
        // A dictionary's key is one basic type: one character.
        let inner = String(contents.dropFirst().dropLast())
        let (key, value) = (String(inner.prefix(1)), String(inner.dropFirst()))
        var entries: [Entry] = []
        try message.enter("a", contents)
        while try !message.isAtEnd() {
            guard entries.count < message.limits.arrayElements else {
                throw .invalidArguments("a dictionary holds more than \(message.limits.arrayElements) entries")
            }
            try message.enter("e", inner)
            let name = try readContent(from: message, depth: depth)
            entries.append(Entry(key: name, value: try readContent(from: message, depth: depth)))
            try message.exit()
        }
        try message.exit()
        return .dictionary(key: Signature(key), value: Signature(value), entries)
    }
}

extension Variant: DBusValue {
    public static var signature: String { "v" }
    public func append(to message: borrowing MessageWriter) throws(BusError) {
        try message.open("v", contentSignature)
        try appendContent(to: message)
        try message.close()
    }
    public static func read(from message: borrowing MessageReader) throws(BusError) -> Variant {
        guard let (type, contents) = try message.peek(), type == "v" else { throw .invalidArguments("no variant") }
        try message.enter("v", contents)
        let value = try readContent(from: message, depth: 1)
        try message.exit()
        return value
    }
    public var variant: Variant { .variant(self) }
    public init?(variant: Variant) {
        guard case .variant(let value) = variant else { return nil }
        self = value
    }
}
