import DoseTapDomain

extension FuzzTarget {
    /// JSON text. A value that is read can be written, and reads back the same.
    static let json = FuzzTarget("json") { bytes in
        guard let value = try? JSONValue.parse(bytes) else { return }
        for isPretty in [false, true] {
            let written = value.serializedBytes(pretty: isPretty)
            promise((try? JSONValue.parse(written, limits: .init(bytes: .max))) == value, "JSON does not read back")
        }
        promise(!value.serializedBytes().contains { $0 < 0x20 }, "JSON on one line has a control character")
    }
}
