extension Variant: DBusValue {
    /// One complete D-Bus type.
    public static var signature: String { "v" }

    /// Appends the value, with its type, to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        try message.openContainer(UInt8(ascii: "v"), contentSignature)
        try appendContent(to: message)
        try message.closeContainer()
    }

    private func appendContent(to message: MessageWriter) throws(BusError) {
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
        case .unixFD(let value): try value.append(to: message)
        case .variant(let value): try value.append(to: message)
        case .array(let element, let values):
            try message.openContainer(UInt8(ascii: "a"), element)
            for value in values { try value.appendContent(to: message) }
            try message.closeContainer()
        case .dictionary(let keyType, let valueType, let pairs):
            try message.openContainer(UInt8(ascii: "a"), "{\(keyType)\(valueType)}")
            for (key, value) in pairs {
                try message.openContainer(UInt8(ascii: "e"), keyType + valueType)
                try key.appendContent(to: message)
                try value.appendContent(to: message)
                try message.closeContainer()
            }
            try message.closeContainer()
        case .structure(let fields):
            try message.openContainer(UInt8(ascii: "r"), fields.map(\.contentSignature).joined())
            for field in fields { try field.appendContent(to: message) }
            try message.closeContainer()
        }
    }

    /// Reads the next value of a message.
    public static func read(from message: MessageReader) throws(BusError) -> Variant {
        guard let (type, contents) = try message.peek(), type == UInt8(ascii: "v") else {
            throw BusError.invalidArgs("a variant is missing")
        }
        var inside = message
        try inside.deepen()
        try message.enter(UInt8(ascii: "v"), contents)
        guard let value = try readAny(from: inside) else { throw BusError.invalidArgs("a variant is empty") }
        try message.exit()
        return value
    }

    /// The variant itself, as a value inside another.
    public var variant: Variant { .variant(self) }

    /// The variant inside a variant.
    public init?(variant: Variant) {
        guard case .variant(let value) = variant else { return nil }
        self = value
    }

    /// Reads what a variant holds that was entered; the types that most values have need no second look.
    static func read(_ contents: String, from message: MessageReader) throws(BusError) -> Variant {
        switch contents {
        case "s": return .string(try .read(from: message))
        case "t": return .uint64(try .read(from: message))
        case "x": return .int64(try .read(from: message))
        case "u": return .uint32(try .read(from: message))
        case "b": return .bool(try .read(from: message))
        case "d": return .double(try .read(from: message))
        default:
            guard let value = try readAny(from: message) else { throw BusError.invalidArgs("a variant is empty") }
            return value
        }
    }

    /// Reads the next value whatever its type; nil at the end of the container or message.
    static func readAny(from message: MessageReader) throws(BusError) -> Variant? {
        guard let (type, contents) = try message.peek() else { return nil }
        switch type {
        case UInt8(ascii: "b"): return .bool(try .read(from: message))
        case UInt8(ascii: "y"): return .byte(try .read(from: message))
        case UInt8(ascii: "n"): return .int16(try .read(from: message))
        case UInt8(ascii: "q"): return .uint16(try .read(from: message))
        case UInt8(ascii: "i"): return .int32(try .read(from: message))
        case UInt8(ascii: "u"): return .uint32(try .read(from: message))
        case UInt8(ascii: "x"): return .int64(try .read(from: message))
        case UInt8(ascii: "t"): return .uint64(try .read(from: message))
        case UInt8(ascii: "d"): return .double(try .read(from: message))
        case UInt8(ascii: "s"): return .string(try .read(from: message))
        case UInt8(ascii: "o"): return .objectPath(try .read(from: message))
        case UInt8(ascii: "g"): return .signature(try .read(from: message))
        case UInt8(ascii: "h"): return .unixFD(try .read(from: message))
        case UInt8(ascii: "v"): return .variant(try .read(from: message))
        case UInt8(ascii: "a"): return try readArray(contents, from: message)
        case UInt8(ascii: "r"):
            try message.enter(type, contents)
            var fields: [Variant] = []
            while let field = try readAny(from: message) { fields.append(field) }
            try message.exit()
            return .structure(fields)
        default:
            throw BusError.invalidArgs("the type code \(type) is not known")
        }
    }

    private static func readArray(_ contents: String, from message: MessageReader) throws(BusError) -> Variant {
        try message.enter(UInt8(ascii: "a"), contents)
        guard contents.hasPrefix("{") else {
            var elements: [Variant] = []
            while let element = try readAny(from: message) {
                elements.append(element)
                try message.refuse(elementCount: elements.count)
            }
            try message.exit()
            return .array(element: contents, elements)
        }
        let entry = String(contents.dropFirst().dropLast())
        var pairs: [Variant: Variant] = [:]
        while try !message.isAtEnd() {
            try message.enter(UInt8(ascii: "e"), entry)
            guard let key = try readAny(from: message), let value = try readAny(from: message) else {
                throw BusError.invalidArgs("a dictionary entry is incomplete")
            }
            if pairs.updateValue(value, forKey: key) != nil {
                throw message.limits.refusal("a key is given twice")
            }
            try message.refuse(elementCount: pairs.count)
            try message.exit()
        }
        try message.exit()
        return .dictionary(key: String(entry.prefix(1)), value: String(entry.dropFirst()), pairs)
    }
}
