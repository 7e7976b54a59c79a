internal import CSystemd

/// What went wrong on a bus: a named D-Bus error, or a failed call of the library.
///
/// Thrown by a method handler it is the error reply: with details the body is `sa{sv}`, else `s`.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The D-Bus error name, e.g. `org.freedesktop.DBus.Error.Timeout`.
    public var name: String
    /// One sentence.
    public var message: String
    /// Positive errno, 0 when there is none.
    public var errno: Int32
    /// Details of an error body `sa{sv}`.
    public var details: [String: Variant]

    /// A named error.
    public init(name: String, message: String, errno: Int32 = 0, details: [String: Variant] = [:]) {
        self.name = name
        self.message = message
        self.errno = errno
        self.details = details
    }

    /// A failed call of the library.
    ///
    /// - Parameters:
    ///   - errno: positive errno.
    ///   - context: the call.
    public init(errno: Int32, context: String) {
        let text = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        self.init(name: Self.name(errno), message: "\(context): \(text)", errno: errno)
    }

    /// The error name and the sentence.
    public var description: String { "\(name): \(message)" }

    /// The connection ended before the answer came.
    public static let disconnected = BusError(
        name: "org.freedesktop.DBus.Error.Disconnected", message: "the connection to the bus has ended",
        errno: ECONNRESET)
    /// The caller gave up.
    public static let cancelled = BusError(
        name: "org.freedesktop.DBus.Error.Cancelled", message: "the call was cancelled", errno: ECANCELED)

    /// What was sent does not fit the signature or its bounds.
    public static func invalidArguments(_ message: String) -> BusError {
        BusError(name: "org.freedesktop.DBus.Error.InvalidArgs", message: message, errno: EINVAL)
    }

    /// True when nothing answered within the time.
    public var isTimeout: Bool {
        name == "org.freedesktop.DBus.Error.Timeout" || name == "org.freedesktop.DBus.Error.NoReply"
    }

    private static func name(_ errno: Int32) -> String {
        switch errno {
        case ENOMEM: "org.freedesktop.DBus.Error.NoMemory"
        case EPERM, EACCES: "org.freedesktop.DBus.Error.AccessDenied"
        case EINVAL, EBADMSG, ENXIO: "org.freedesktop.DBus.Error.InvalidArgs"
        case ENOENT, ECONNREFUSED, ENOTCONN: "org.freedesktop.DBus.Error.NoServer"
        case ECONNRESET, EPIPE, ESHUTDOWN: "org.freedesktop.DBus.Error.Disconnected"
        case ETIMEDOUT: "org.freedesktop.DBus.Error.Timeout"
        default: "org.freedesktop.DBus.Error.Failed"
        }
    }
}

/// Turns a negative result of the library into an error.
@discardableResult
func check(_ result: CInt, _ context: @autoclosure () -> String) throws(BusError) -> CInt {
    guard result < 0 else { return result }
    throw BusError(errno: -result, context: context())
}
