/// Appends the entries of an `a{sv}` to a message one after the other, without a dictionary in between; used on the
/// loop's thread only.
public struct VariantEntryWriter {
    private let message: MessageWriter

    fileprivate init(_ message: MessageWriter) { self.message = message }

    /// Appends an entry.
    public func append(_ key: String, _ value: Variant) throws(BusError) {
        try message.openContainer(UInt8(ascii: "e"), "sv")
        try key.append(to: message)
        try value.append(to: message)
        try message.closeContainer()
    }

    /// Appends an entry whose value is again an `a{sv}`.
    public func append(
        _ key: String, entries: (VariantEntryWriter) throws(BusError) -> Void
    ) throws(BusError) {
        try message.openContainer(UInt8(ascii: "e"), "sv")
        try key.append(to: message)
        try message.openContainer(UInt8(ascii: "v"), "a{sv}")
        try message.appendVariantEntries(entries)
        try message.closeContainer()
        try message.closeContainer()
    }
}

extension MessageWriter {
    /// Appends an `a{sv}` whose entries are written by `entries`, which gives each key once.
    public func appendVariantEntries(
        _ entries: (VariantEntryWriter) throws(BusError) -> Void
    ) throws(BusError) {
        try openContainer(UInt8(ascii: "a"), "{sv}")
        try entries(VariantEntryWriter(self))
        try closeContainer()
    }
}
