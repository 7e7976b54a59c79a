extension JSONValue {
    /// The value as JSON text, keys in their order, doubles in the shortest form that reads back the same.
    ///
    /// Control characters and the line separators U+2028 and U+2029 are escaped, so that the text is one line and safe
    /// on a terminal; all else stands as itself.
    ///
    /// - Parameter pretty: Over several lines, indented by two blanks.
    public func serialized(pretty: Bool = false) -> String {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// ``serialized(pretty:)`` as UTF-8.
    public func serializedBytes(pretty: Bool = false) -> [UInt8] {
        var writer = JSONWriter(pretty: pretty)
        writer.write(self)
        return writer.bytes
    }
}

extension JSONValue: CustomStringConvertible {
    /// ``serialized(pretty:)`` on one line.
    public var description: String { serialized() }
}
