internal import Glibc

/// What went wrong on a bus, in the bus's own terms.
///
/// The same value travels both ways: a call throws it when the reply is an error, and a method's handler throws it to
/// answer with a named error. With details the reply's body is `sa{sv}`, without it is `s`.
public struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.UnknownMethod`.
    public var name: String
    /// A sentence for people.
    public var message: String
    /// The positive errno behind it, 0 when there is none.
    public var errno: Int32
    /// The second value of the reply's body when it is `a{sv}`.
    public var details: VariantEntries

    /// An error by its D-Bus name.
    public init(name: String, message: String, details: VariantEntries = VariantEntries(), errno: Int32 = 0) {
        self.name = name
        self.message = message
        self.details = details
        self.errno = errno
    }

    /// An error of the operating system or of libsystemd.
    /// - Parameters:
    ///   - errno: The positive error number.
    ///   - doing: The operation that failed.
    public init(errno: Int32, doing: String) {
        let text = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        self.init(name: Self.name(forErrno: errno), message: "\(doing): \(text)", errno: errno)
    }

    /// The name and the message.
    public var description: String {
        "\(name): \(message)"
    }
}
