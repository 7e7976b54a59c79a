internal import DoseTapDomain
internal import DoseTapExchange

/// The elements of a JSON text, which is one array or an object with arrays in it. The memory holds one element at a time.
struct JSONElements {
    /// The largest size of an element, in bytes.
    static let longest = 1 << 20
    /// The largest number of levels of arrays and objects in an element.
    static let deepest = 64

    struct Element {
        /// The key of the array in the outer object; nil in an array without an object around it.
        let key: String?
        /// The number of the element in its array, from 1; 0 for a value outside the arrays.
        let number: Int
        let line: Int
        let value: JSONValue
    }

    private enum Place {
        case before
        /// Inside the array, alone or under a key.
        case array(key: String?, count: Int)
        case object(isFirst: Bool)
        case after
    }

    private var cursor: ByteCursor
    private var place = Place.before
    private let lists: Set<String>
    /// True once an array was found whose elements are handed out.
    private(set) var isAnyList = false

    /// - Parameter lists: keys of the object whose arrays are handed out one element at a time.
    init(_ source: ByteSource, lists: Set<String>) {
        cursor = ByteCursor(source)
        self.lists = lists
    }

    /// Returns the next element; nil at the end.
    ///
    /// - Throws: ``ExchangeFault`` with line and byte.
    mutating func next() throws(ExchangeFault) -> Element? {
        while true {
            switch place {
            case .before:
                try cursor.skipMark()
                switch try nextMark() {
                case UInt8(ascii: "["):
                    isAnyList = true
                    place = .array(key: nil, count: 0)
                case UInt8(ascii: "{"): place = .object(isFirst: true)
                case nil: throw cursor.fault(sent("The file is empty."))
                default: throw cursor.fault(sent("It is no JSON array and no object."))
                }
            case .array(let key, let count):
                if let element = try element(key, count) { return element }
            case .object(let isFirst):
                if let element = try member(isFirst) { return element }
            case .after:
                guard try nextMark() == nil else { throw cursor.fault(sent("Something follows the JSON value.")) }
                return nil
            }
        }
    }

    /// Returns the next element of the array; nil at its end.
    private mutating func element(_ key: String?, _ count: Int) throws(ExchangeFault) -> Element? {
        try skipBlanks()
        if try cursor.peek() == UInt8(ascii: "]") {
            _ = try cursor.next()
            place = key == nil ? .after : .object(isFirst: false)
            return nil
        }
        if count > 0 {
            guard try cursor.next() == UInt8(ascii: ",") else { throw cursor.fault(sent("A comma or ']' is missing.")) }
            try skipBlanks()
        }
        place = .array(key: key, count: count + 1)
        let line = cursor.line
        return Element(key: key, number: count + 1, line: line, value: try value())
    }

    /// Returns the next member of the object; nil for a list, and at the end of the object.
    private mutating func member(_ isFirst: Bool) throws(ExchangeFault) -> Element? {
        try skipBlanks()
        if try cursor.peek() == UInt8(ascii: "}") {
            _ = try cursor.next()
            place = .after
            return nil
        }
        if !isFirst {
            guard try cursor.next() == UInt8(ascii: ",") else { throw cursor.fault(sent("A comma or '}' is missing.")) }
            try skipBlanks()
        }
        place = .object(isFirst: false)
        let line = cursor.line
        guard try cursor.peek() == UInt8(ascii: "\""), case .string(let key) = try value() else {
            throw cursor.fault(sent("A key is missing."))
        }
        guard try nextMark() == UInt8(ascii: ":") else { throw cursor.fault(sent("A colon is missing.")) }
        try skipBlanks()
        if lists.contains(key), try cursor.peek() == UInt8(ascii: "[") {
            _ = try cursor.next()
            isAnyList = true
            place = .array(key: key, count: 0)
            return nil
        }
        return Element(key: key, number: 0, line: line, value: try value())
    }

    /// Reads a value to its end, and leaves its meaning to the parser.
    private mutating func value() throws(ExchangeFault) -> JSONValue {
        let (line, start) = (cursor.line, cursor.byte)
        var bytes: [UInt8] = []
        var depth = 0
        var isText = false
        var isEscaped = false
        scan: while let byte = try cursor.peek() {
            if !isText, depth == 0, !bytes.isEmpty, Self.ends(byte) { break }
            _ = try cursor.next()
            bytes.append(byte)
            guard bytes.count <= Self.longest else {
                throw cursor.fault(sent("A JSON value has more than \(Self.longest >> 20) MiB."))
            }
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                    if depth == 0 { break scan }
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= Self.deepest else {
                    throw cursor.fault(sent("The JSON text is nested deeper than \(Self.deepest) levels."))
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { break scan }
            default: break
            }
        }
        do throws(JSONError) {
            return try JSONValue.parse(bytes, limits: JSONLimits(bytes: Self.longest, depth: Self.deepest))
        } catch {
            throw ExchangeFault(
                .stream, line: line + error.line - 1, "\(error.reason) (byte \(start + error.offset))")
        }
    }

    private static func ends(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: true
        default: false
        }
    }

    private mutating func skipBlanks() throws(ExchangeFault) {
        while let byte = try cursor.peek(), byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
            _ = try cursor.next()
        }
    }

    private mutating func nextMark() throws(ExchangeFault) -> UInt8? {
        try skipBlanks()
        return try cursor.next()
    }
}
