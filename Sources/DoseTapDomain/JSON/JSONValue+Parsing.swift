extension JSONValue {
    /// Reads one JSON value, strictly by RFC 8259, from UTF-8 without a byte order mark.
    ///
    /// - Throws: ``JSONError`` with the place of the first fault; also for keys named twice, half surrogate pairs,
    ///   numbers beyond a double, and what exceeds `limits`.
    public static func parse(
        _ bytes: some Collection<UInt8>, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        guard bytes.count <= limits.bytes else {
            throw JSONError(reason: .tooLarge(limit: limits.bytes), offset: limits.bytes, line: 1, column: 1)
        }
        var parser = JSONParser(Array(bytes), limits: limits)
        return try parser.document()
    }

    /// Reads one JSON value from a text, by the same rules as from bytes.
    ///
    /// - Throws: ``JSONError``.
    public static func parse(
        _ text: some StringProtocol, limits: JSONLimits = .standard
    ) throws(JSONError) -> JSONValue {
        try parse(text.utf8, limits: limits)
    }
}
