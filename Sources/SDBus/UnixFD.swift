internal import CSystemd
internal import Glibc

/// A file descriptor, closed with the last reference; messages carry duplicates.
public final class UnixFD: DBusValue, Hashable {
    public let rawValue: Int32

    /// Takes ownership of an open descriptor.
    public init(owning descriptor: Int32) {
        rawValue = descriptor
    }

    /// Keeps a duplicate of someone else's descriptor (close-on-exec).
    public convenience init(duplicating descriptor: Int32) throws(BusError) {
        self.init(owning: try check(csd_dup_cloexec(descriptor), "duplicate a descriptor"))
    }

    deinit {
        close(rawValue)
    }

    /// A duplicate that the caller owns and closes.
    public func take() throws(BusError) -> Int32 {
        try check(csd_dup_cloexec(rawValue), "duplicate a descriptor")
    }

    /// Identity, not the same open file.
    public static func == (left: UnixFD, right: UnixFD) -> Bool {
        left === right
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }

    public static var signature: String { "h" }

    /// Appends a duplicate of the descriptor to a message.
    public func append(to message: MessageWriter) throws(BusError) {
        var value = rawValue
        try message.appendBasic(UInt8(ascii: "h"), &value)
    }

    /// Reads the next value of a message: a duplicate, the message keeps its own.
    public static func read(from message: MessageReader) throws(BusError) -> UnixFD {
        var value: Int32 = -1
        try message.readBasic(UInt8(ascii: "h"), into: &value)
        return try UnixFD(duplicating: value)
    }

    public var variant: Variant { .unixFD(self) }

    /// Takes a duplicate of the descriptor; nil, too, when no further descriptor can be had.
    public convenience init?(variant: Variant) {
        guard case .unixFD(let value) = variant, let copy = try? value.take() else { return nil }
        self.init(owning: copy)
    }
}
